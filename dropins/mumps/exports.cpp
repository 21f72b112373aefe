#include "instance.hpp"

#include <cmumps_c.h>
#include <complex>
#include <cstdio>
#include <cstring>
#include <dmumps_c.h>
#include <smumps_c.h>
#include <zmumps_c.h>

/// MUMPS's C interface: its functions by its names, on the structs of its own headers.
namespace {

using namespace overlapack::dropins::mumps;

constexpr int mark = 0x6f6c7061;  // in keep(1) of a struct that job -1 has seen; the instance is in keep8(1)

template <class T, class Id>
void initialise(Id& id) {
  id.keep[0] = 0;
  std::fill_n(id.info, 80, 0);
  std::fill_n(id.infog, 80, 0);
  std::fill_n(id.rinfog, 40, 0);
  std::array<double, 15> cntl;
  set_defaults(id.sym, id.icntl, cntl);
  std::copy(cntl.begin(), cntl.end(), id.cntl);
  std::snprintf(id.version_number, sizeof id.version_number, "%s", MUMPS_VERSION);
  id.nrhs = 1;
  id.n = id.nz = 0;
  id.nnz = id.nnz_loc = 0;
  id.nz_loc = id.size_schur = 0;
  // callers free or look at what they set themselves
  id.irn = id.jcn = id.irn_loc = id.jcn_loc = id.eltptr = id.eltvar = nullptr;
  id.perm_in = id.sym_perm = id.uns_perm = id.mapping = id.pivnul_list = id.listvar_schur = nullptr;
  id.irhs_sparse = id.irhs_ptr = id.isol_loc = id.irhs_loc = nullptr;
  id.a = id.a_loc = id.a_elt = id.rhs = id.redrhs = id.rhs_sparse = id.sol_loc = id.rhs_loc = nullptr;
  id.schur = id.wk_user = nullptr;
  id.colsca = id.rowsca = nullptr;
  const auto outcome = overlapack::dropins::attempt([&]() -> overlapack::dropins::Outcome {
    id.keep8[0] = reinterpret_cast<MUMPS_INT8>(new Instance<T, Id>(id));
    id.keep[0] = mark;
    return {};
  });
  if (outcome.status != overlapack::Status::ok) id.info[0] = id.infog[0] = no_memory;
}

template <class T, class Id>
void call(Id& id) {
  if (id.job == -1) return initialise<T>(id);
  const bool is_known = id.keep[0] == mark && (id.job == -2 || (id.job >= 1 && id.job <= 6));
  if (!is_known) {
    id.info[0] = id.infog[0] = bad_job;
    id.info[1] = id.infog[1] = id.job;
    last_message = "job is " + std::to_string(id.job) + "; give -1 first, then 1 to 6, and -2 at the end";
    return;
  }
  auto* instance = reinterpret_cast<Instance<T, Id>*>(id.keep8[0]);
  if (id.job != -2) return instance->run(id);
  delete instance;
  id.keep[0] = 0;
  id.info[0] = id.infog[0] = 0;
}

}  // namespace

#define OVERLAPACK_EXPORT __attribute__((visibility("default")))
extern "C" {
OVERLAPACK_EXPORT void MUMPS_CALL smumps_c(SMUMPS_STRUC_C* id) { call<float>(*id); }
OVERLAPACK_EXPORT void MUMPS_CALL dmumps_c(DMUMPS_STRUC_C* id) { call<double>(*id); }
OVERLAPACK_EXPORT void MUMPS_CALL cmumps_c(CMUMPS_STRUC_C* id) { call<std::complex<float>>(*id); }
OVERLAPACK_EXPORT void MUMPS_CALL zmumps_c(ZMUMPS_STRUC_C* id) { call<std::complex<double>>(*id); }
/// One sentence on the last call of this thread that failed.
OVERLAPACK_EXPORT const char* overlapack_mumps_message() { return last_message.c_str(); }
}
