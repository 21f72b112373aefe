/// ScaLAPACK's routines as Fortran programs call them. Integers have 32 bits.
#include "call.hpp"
#include "overlapack/error.hpp"
#include "overlapack/export.hpp"
#include "overlapack_scalapack.h"
#include "routines.hpp"

#include <cctype>
#include <complex>
#include <string>

namespace overlapack::scalapack {
namespace {

dist::DescriptorView described(const int* entries) { return dist::DescriptorView(entries, 9); }
int context_of(const int* entries) { return dist::entry(described(entries), DescriptorEntry::ctxt); }

/// "pdgetrf_" -> "PDGETRF"
std::string routine_name(const char* symbol) {
  std::string name(symbol);
  name.pop_back();
  for (char& c : name) c = static_cast<char>(std::toupper(static_cast<unsigned char>(c)));
  return name;
}

/// Run a routine of this library. A call that is not served, or cannot be (BadPlan), is passed to the next library's routine of this name, if
/// there is one; otherwise info stays.
template <class Routine, class Ours, class Next>
void run_ours_or_next(const char* symbol, int context, int* info, Ours ours, Next call_next) {
  Session& now = session();
  now.message.clear();
  try {
    *info = ours();
    if (*info < 0) report_illegal(context, routine_name(symbol).c_str(), *info);
    return;
  } catch (const NotServed& left) {
    *info = left.info;
    now.message = routine_name(symbol) +
                  ": blocks that are not square, or a matrix that begins inside of one, are left to others";
  } catch (...) {
    const Error error = error_of(std::current_exception());
    *info = overlapack_scalapack_failed;
    now.message = error.what();
    if (error.status() != Status::bad_plan) return;
  }
  ++now.calls_left;
  const std::string reason = now.message;  // that routine may call this library
  if (auto* const next = next_routine<Routine>(symbol))
    call_next(next);
  else if (*info != overlapack_scalapack_failed)
    report_illegal(context, routine_name(symbol).c_str(), *info);
  now.message = reason;
}

}  // namespace
}  // namespace overlapack::scalapack

using namespace overlapack::scalapack;

/// The routines of one type. A Fortran compiler passes the length of TRANS or UPLO behind the other arguments, C programs do not: it
/// is not read, only passed on.
#define OVERLAPACK_ROUTINES(T, p_getrf, p_getrs, p_gesv)                                                     \
  extern "C" OVERLAPACK_API void p_getrf(const int* m, const int* n, T* a, const int* ia, const int* ja,     \
                                         const int* desca, int* ipiv, int* info) {                           \
    run_ours_or_next<decltype(p_getrf)>(                                                                     \
        #p_getrf, context_of(desca), info,                                                                   \
        [&] { return getrf(*m, *n, a, *ia, *ja, described(desca), ipiv); },                                  \
        [&](auto* next) { next(m, n, a, ia, ja, desca, ipiv, info); });                                      \
  }                                                                                                          \
  extern "C" OVERLAPACK_API void p_getrs(const char* trans, const int* n, const int* nrhs, T* a,             \
                                         const int* ia, const int* ja, const int* desca, int* ipiv, T* b,    \
                                         const int* ib, const int* jb, const int* descb, int* info,          \
                                         std::size_t) {                                                      \
    run_ours_or_next<decltype(p_getrs)>(                                                                     \
        #p_getrs, context_of(desca), info,                                                                   \
        [&] {                                                                                                \
          return getrs(*trans, *n, *nrhs, a, *ia, *ja, described(desca), ipiv, b, *ib, *jb,                  \
                       described(descb));                                                                    \
        },                                                                                                   \
        [&](auto* next) { next(trans, n, nrhs, a, ia, ja, desca, ipiv, b, ib, jb, descb, info, 1); });       \
  }                                                                                                          \
  extern "C" OVERLAPACK_API void p_gesv(const int* n, const int* nrhs, T* a, const int* ia, const int* ja,   \
                                        const int* desca, int* ipiv, T* b, const int* ib, const int* jb,     \
                                        const int* descb, int* info) {                                       \
    run_ours_or_next<decltype(p_gesv)>(                                                                      \
        #p_gesv, context_of(desca), info,                                                                    \
        [&] { return gesv(*n, *nrhs, a, *ia, *ja, described(desca), ipiv, b, *ib, *jb, described(descb)); }, \
        [&](auto* next) { next(n, nrhs, a, ia, ja, desca, ipiv, b, ib, jb, descb, info); });                 \
  }

/// p?potrf, and with `factorizes` p?posv, else p?potrs, which have the same arguments.
#define OVERLAPACK_POTRF(T, p_potrf)                                                                         \
  extern "C" OVERLAPACK_API void p_potrf(const char* uplo, const int* n, T* a, const int* ia, const int* ja, \
                                         const int* desca, int* info, std::size_t) {                         \
    run_ours_or_next<decltype(p_potrf)>(                                                                     \
        #p_potrf, context_of(desca), info, [&] { return potrf(*uplo, *n, a, *ia, *ja, described(desca)); },  \
        [&](auto* next) { next(uplo, n, a, ia, ja, desca, info, 1); });                                      \
  }
#define OVERLAPACK_POTRS(T, p_potrs, factorizes)                                                             \
  extern "C" OVERLAPACK_API void p_potrs(                                                                    \
      const char* uplo, const int* n, const int* nrhs, T* a, const int* ia, const int* ja, const int* desca, \
      T* b, const int* ib, const int* jb, const int* descb, int* info, std::size_t) {                        \
    run_ours_or_next<decltype(p_potrs)>(                                                                     \
        #p_potrs, context_of(desca), info,                                                                   \
        [&] {                                                                                                \
          return potrs(*uplo, *n, *nrhs, a, *ia, *ja, described(desca), b, *ib, *jb, described(descb),       \
                       factorizes);                                                                          \
        },                                                                                                   \
        [&](auto* next) { next(uplo, n, nrhs, a, ia, ja, desca, b, ib, jb, descb, info, 1); });              \
  }
#define OVERLAPACK_ALL_ROUTINES(T, X)                             \
  OVERLAPACK_ROUTINES(T, p##X##getrf_, p##X##getrs_, p##X##gesv_) \
  OVERLAPACK_POTRF(T, p##X##potrf_)                               \
  OVERLAPACK_POTRS(T, p##X##potrs_, false)                        \
  OVERLAPACK_POTRS(T, p##X##posv_, true)

OVERLAPACK_ALL_ROUTINES(float, s)
OVERLAPACK_ALL_ROUTINES(double, d)
OVERLAPACK_ALL_ROUTINES(std::complex<float>, c)
OVERLAPACK_ALL_ROUTINES(std::complex<double>, z)
