#include "instance_solve.hpp"
#include "layout.hpp"
#include "struc.hpp"

#include <cmumps_c.h>
#include <complex>
#include <cstdio>
#include <dmumps_c.h>
#include <smumps_c.h>
#include <string>
#include <zmumps_c.h>

/// The functions of MUMPS's C interface, by its names, for the structs of the versions in struc.hpp.
namespace {

using namespace overlapack::dropins::mumps;

constexpr int mark = 0x6f6c7061;  // set in keep(1) by job -1; the instance is in keep8(1)

/// The layout of the headers at build time, for programs that have no MUMPS.
constexpr int built_layout = layout_of(MUMPS_VERSION);
static_assert(built_layout > 0, "the structs of this version of MUMPS are not in dropins/mumps/struc.hpp");

template <class Ours, class Theirs>
constexpr bool is_as = sizeof(Theirs) == sizeof(Ours) && offsetof(Theirs, rhs) == offsetof(Ours, rhs) &&
                       offsetof(Theirs, nrhs) == offsetof(Ours, nrhs) &&
                       offsetof(Theirs, info) == offsetof(Ours, info) &&
                       offsetof(Theirs, size_schur) == offsetof(Ours, size_schur) &&
                       offsetof(Theirs, version_number) == offsetof(Ours, version_number);
static_assert(is_as<Struc<float, built_layout>, SMUMPS_STRUC_C> &&
              is_as<Struc<double, built_layout>, DMUMPS_STRUC_C> &&
              is_as<Struc<std::complex<float>, built_layout>, CMUMPS_STRUC_C> &&
              is_as<Struc<std::complex<double>, built_layout>, ZMUMPS_STRUC_C>);

/// Set the struct's members to MUMPS's defaults. version: of the MUMPS that the program has loaded
template <class T, int Layout>
void initialise(void* struc, const std::string& version) {
  auto& id = *static_cast<Struc<T, Layout>*>(struc);
  id.keep[0] = 0;
  std::fill_n(id.info, 80, 0);
  std::fill_n(id.infog, 80, 0);
  std::fill_n(id.rinfog, 40, overlapack::Real<T>(0));
  std::array<double, 15> cntl;
  set_defaults(id.sym, id.icntl, cntl);
  std::copy(cntl.begin(), cntl.end(), id.cntl);
  std::snprintf(id.version_number, sizeof id.version_number, "%s", version.c_str());
  id.nrhs = 1;
  id.n = id.nz = 0;
  id.nnz = id.nnz_loc = 0;
  id.nz_loc = id.size_schur = 0;
  // null, so that callers do not free or read what they never set
  id.irn = id.jcn = id.irn_loc = id.jcn_loc = id.eltptr = id.eltvar = nullptr;
  id.perm_in = id.sym_perm = id.uns_perm = id.mapping = id.pivnul_list = id.listvar_schur = nullptr;
  id.irhs_sparse = id.irhs_ptr = id.isol_loc = id.irhs_loc = nullptr;
  id.a = id.a_loc = id.a_elt = id.rhs = id.redrhs = id.rhs_sparse = id.sol_loc = id.rhs_loc = nullptr;
  id.schur = id.wk_user = nullptr;
  id.colsca = id.rowsca = nullptr;
  const auto outcome = overlapack::dropins::attempt([&]() -> overlapack::dropins::Outcome {
    AnyInstance* instance = new Instance<T, Struc<T, Layout>>(id);
    id.keep8[0] = reinterpret_cast<MUMPS_INT8>(instance);
    id.keep[0] = mark;
    return {};
  });
  if (outcome.status != overlapack::Status::ok) id.info[0] = id.infog[0] = no_memory;
}

/// Make an instance (job -1). Any other job without an instance is an error.
template <class T, int Layout>
void begin(void* struc, const std::string& version) {
  auto& id = *static_cast<Struc<T, Layout>*>(struc);
  if (id.job == -1) return initialise<T, Layout>(struc, version);
  id.info[0] = id.infog[0] = bad_job;
  id.info[1] = id.infog[1] = id.job;
  last_message = "job is " + std::to_string(id.job) + "; give -1 first, then 1 to 6, and -2 at the end";
}

/// Run a job of an existing instance; returns false if there is none. Up to the member `n` all layouts are the same.
template <class T>
bool run_job_if_instance(void* struc) {
  auto& id = *static_cast<Struc<T, built_layout>*>(struc);
  const bool is_known = id.keep[0] == mark && (id.job == -2 || (id.job >= 1 && id.job <= 6));
  if (!is_known) return false;
  auto* instance = reinterpret_cast<AnyInstance*>(id.keep8[0]);
  instance->run(struc);
  if (id.job == -2) {
    delete instance;
    id.keep[0] = 0;
  }
  return true;
}

/// Serve one call of MUMPS. name: the name of the C function
template <class T>
void call(void* struc, const char* name) {
  if (run_job_if_instance<T>(struc)) return;
  const Beside other = beside<T>(name);
  const std::string version = other.mumps ? other.version : MUMPS_VERSION;
  switch (other.mumps ? other.layout : built_layout) {
    case 503:
      return begin<T, 503>(struc, version);
    case 507:
      return begin<T, 507>(struc, version);
    case 509:
      return begin<T, 509>(struc, version);
    default:  // an unknown layout: MUMPS itself runs
      last_message = "this version of MUMPS has structs that overlapack does not know: MUMPS itself solves";
      return other.mumps(struc);
  }
}

}  // namespace

#define OVERLAPACK_EXPORT __attribute__((visibility("default")))
extern "C" {
OVERLAPACK_EXPORT void MUMPS_CALL smumps_c(SMUMPS_STRUC_C* id) { call<float>(id, "smumps_c"); }
OVERLAPACK_EXPORT void MUMPS_CALL dmumps_c(DMUMPS_STRUC_C* id) { call<double>(id, "dmumps_c"); }
OVERLAPACK_EXPORT void MUMPS_CALL cmumps_c(CMUMPS_STRUC_C* id) { call<std::complex<float>>(id, "cmumps_c"); }
OVERLAPACK_EXPORT void MUMPS_CALL zmumps_c(ZMUMPS_STRUC_C* id) { call<std::complex<double>>(id, "zmumps_c"); }
/// One sentence on the last call of this thread that failed.
OVERLAPACK_EXPORT const char* overlapack_mumps_message() { return last_message.c_str(); }
}
