#include "dense/lu/solve/determinant.hpp"

#include "base/instantiate.hpp"
#include "comm/collective/collective.hpp"
#include "dense/lu/panel/diagonal.hpp"
#include "kernels/product/operand.hpp"

#include <algorithm>
#include <cmath>

namespace overlapack::dense {
namespace {

template <class T>
Real<T> larger_part(const T& x) {
  return std::max(std::abs(std::real(x)), std::abs(std::imag(x)));
}

/// x 2^e; the result must be in the range of T.
template <class T>
T scaled(const T& x, int e) {
  if constexpr (ScalarTraits<T>::is_complex)
    return T(std::ldexp(x.real(), e), std::ldexp(x.imag(), e));
  else
    return std::ldexp(x, e);
}

template <class T>
ScaledNumber<T> normalised(const T& x, Index exponent) {
  int shift = 0;
  std::frexp(larger_part(x), &shift);
  if (x == T(0)) return {T(0), 0};
  return {scaled(x, -shift), exponent + shift};
}

/// Whether the permutation made of these exchanges is odd.
bool is_odd(std::span<const Index> pivots) {
  Index exchanges = 0;
  for (std::size_t k = 0; k < pivots.size(); ++k) exchanges += pivots[k] != static_cast<Index>(k);
  return exchanges % 2 == 1;
}

}  // namespace

template <class T>
ScaledNumber<T> product(const ScaledNumber<T>& a, const ScaledNumber<T>& b) {
  return normalised<T>(a.mantissa * b.mantissa, a.exponent + b.exponent);
}

template <class T>
ScaledNumber<T> triangle_determinant(comm::Rank& rank, const dist::DistributedMatrix<T>& A, T factor) {
  ScaledNumber<T> mine = normalised(factor, 0);
  for_my_diagonal(A, [&](Index, const T& u) { mine = product(mine, normalised(u, 0)); });
  comm::collective::all_reduce(rank, std::span<ScaledNumber<T>>(&mine, 1), product<T>);
  return mine;
}

template <class T>
ScaledNumber<T> lu_determinant(comm::Rank& rank, const dist::DistributedMatrix<T>& A,
                               std::span<const Index> pivots) {
  const bool is_first = A.grid->rank_at(0, 0) == rank.rank();
  return triangle_determinant(rank, A, T(is_first && is_odd(pivots) ? -1 : 1));
}

#define OVERLAPACK_INSTANTIATE(T)                                                                   \
  template ScaledNumber<T> product(const ScaledNumber<T>&, const ScaledNumber<T>&);                 \
  template ScaledNumber<T> triangle_determinant(comm::Rank&, const dist::DistributedMatrix<T>&, T); \
  template ScaledNumber<T> lu_determinant(comm::Rank&, const dist::DistributedMatrix<T>&,           \
                                          std::span<const Index>);
OVERLAPACK_FOR_EACH_SCALAR(OVERLAPACK_INSTANTIATE)
#undef OVERLAPACK_INSTANTIATE

}  // namespace overlapack::dense
