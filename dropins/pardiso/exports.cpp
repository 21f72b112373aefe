#include "call.hpp"
#include "pardiso.h"

#include <algorithm>
#include <type_traits>

using namespace overlapack;
namespace mkl = overlapack::dropins::pardiso;
using Int = overlapack_pardiso_int;

namespace {

template <class I>
mkl::IntList list(const I* data) {
  static_assert(sizeof(I) == 4 || sizeof(I) == 8);
  return {const_cast<I*>(data), sizeof(I) == 8};  // perm alone is written
}

template <class I>
void run(void* pt, const I* maxfct, const I* mnum, const I* mtype, const I* phase, const I* n, const void* a,
         const I* ia, const I* ja, I* perm, const I* nrhs, I* iparm, void* b, void* x, I* error) {
  I lost = 0;
  if (error == nullptr) error = &lost;
  if (phase == nullptr) {
    *error = mkl::bad_input;
    return;
  }
  const auto value_of = [](const I* number, Index otherwise) {
    return number != nullptr ? Index{*number} : otherwise;
  };
  mkl::Call call{.maxfct = value_of(maxfct, 1),
                 .mnum = value_of(mnum, 1),
                 .mtype = value_of(mtype, 0),
                 .phase = *phase,
                 .n = value_of(n, 0),
                 .nrhs = value_of(nrhs, 0),
                 .values = a,
                 .ia = list(ia),
                 .ja = list(ja),
                 .perm = list(perm),
                 .iparm = {},
                 .b = b,
                 .x = x};
  if (iparm != nullptr) std::copy_n(iparm, call.iparm.size(), call.iparm.begin());
  *error = static_cast<I>(mkl::run(static_cast<void**>(pt), call));
  if (iparm != nullptr && *phase > 0)
    std::ranges::transform(call.iparm, iparm, [](std::int64_t value) { return static_cast<I>(value); });
}

template <class I>
void refuse(const char* name, I* error) {
  const int code = mkl::refuse_function(name);
  if (error != nullptr) *error = code;
}

}  // namespace

extern "C" {

void pardisoinit(void* pt, const Int* mtype, Int* iparm) {
  std::array<std::int64_t, 64> set{};
  mkl::set_defaults(mtype != nullptr ? *mtype : 11, set);
  if (pt != nullptr) std::fill_n(static_cast<void**>(pt), 64, nullptr);
  if (iparm != nullptr)
    std::ranges::transform(set, iparm, [](std::int64_t value) { return static_cast<Int>(value); });
}

void pardiso(void* pt, const Int* maxfct, const Int* mnum, const Int* mtype, const Int* phase, const Int* n,
             const void* a, const Int* ia, const Int* ja, Int* perm, const Int* nrhs, Int* iparm, const Int*,
             void* b, void* x, Int* error) {
  run<Int>(pt, maxfct, mnum, mtype, phase, n, a, ia, ja, perm, nrhs, iparm, b, x, error);
}

void pardiso_64(void* pt, const long long* maxfct, const long long* mnum, const long long* mtype,
                const long long* phase, const long long* n, const void* a, const long long* ia,
                const long long* ja, long long* perm, const long long* nrhs, long long* iparm,
                const long long*, void* b, void* x, long long* error) {
  run<long long>(pt, maxfct, mnum, mtype, phase, n, a, ia, ja, perm, nrhs, iparm, b, x, error);
}

void pardiso_getdiag(const void* pt, void* df, void* da, const Int* mnum, Int* error) {
  const int code = mkl::diagonals(static_cast<void* const*>(pt), mnum != nullptr ? *mnum : 1, df, da);
  if (error != nullptr) *error = code;
}

void pardiso_export(void*, void*, Int*, Int*, const Int*, const Int*, Int* error) {
  refuse("pardiso_export", error);
}
void pardiso_handle_store(void*, const char*, Int* error) { refuse("pardiso_handle_store", error); }
void pardiso_handle_restore(void*, const char*, Int* error) { refuse("pardiso_handle_restore", error); }
void pardiso_handle_delete(const char*, Int* error) { refuse("pardiso_handle_delete", error); }

const char* overlapack_pardiso_message(void) { return mkl::message(); }

// Fortran's names for the same functions, in MKL's three forms.
#define OVERLAPACK_ALSO(name, function) \
  OVERLAPACK_PARDISO decltype(function) name __attribute__((alias(#function)))
OVERLAPACK_ALSO(pardiso_, pardiso);
OVERLAPACK_ALSO(PARDISO, pardiso);
OVERLAPACK_ALSO(PARDISO_, pardiso);
OVERLAPACK_ALSO(pardiso_64_, pardiso_64);
OVERLAPACK_ALSO(PARDISO_64, pardiso_64);
OVERLAPACK_ALSO(PARDISO_64_, pardiso_64);
OVERLAPACK_ALSO(pardisoinit_, pardisoinit);
OVERLAPACK_ALSO(PARDISOINIT, pardisoinit);
OVERLAPACK_ALSO(PARDISOINIT_, pardisoinit);
OVERLAPACK_ALSO(pardiso_getdiag_, pardiso_getdiag);
OVERLAPACK_ALSO(PARDISO_GETDIAG, pardiso_getdiag);
OVERLAPACK_ALSO(PARDISO_GETDIAG_, pardiso_getdiag);
#undef OVERLAPACK_ALSO

}  // extern "C"
