#include "api/sparse/factorization.hpp"
#include "api/sparse/one_piece.hpp"
#include "base/instantiate.hpp"

/// Returns L, U and D as whole matrices, from these factors if possible, else from new factors of A that one rank makes.
namespace overlapack {

/// Read the parts by own(factors), which may return nothing; else by again(F), where F are new factors of A by fronts of one rank.
template <class T>
template <class Parts, class Own, class Again>
Parts Factorization<T>::Implementation::read_in_one_piece(FactorKind kind, Own&& own, Again&& again) {
  require_factors();
  if (is_distributed())
    throw Error(Status::bad_plan,
                "the entries of A are on all ranks, and so are its factors; for factors in one piece, call "
                "factorize with the whole matrix on rank 0");
  Parts result;
  session->run([&](comm::Rank& rank, int position) {
    if (rank.rank() != 0) return;
    const Share& share = shares_[static_cast<std::size_t>(position)];
    const bool are_of_a = !is_single_ && stats().pivots.perturbed == 0;
    auto parts = are_of_a ? own(*share.full) : std::nullopt;
    result =
        parts ? std::move(*parts) : again(overlapack::factorize(A, api::one_piece_options(options, kind)));
  });
  return result;
}

template <class T>
TriangularFactors<T> Factorization<T>::Implementation::triangular_factors() {
  return read_in_one_piece<TriangularFactors<T>>(
      FactorKind::lu, [](const auto& factors) { return factors.triangular_factors(); },
      [](auto&& factors) { return factors.triangular_factors(); });
}

template <class T>
SymmetricFactors<T> Factorization<T>::Implementation::symmetric_factors() {
  const bool is_symmetric =
      api::broadcast_from_root(*session, session->has_root() && A.symmetry != Symmetry::general ? 1 : 0) != 0;
  if (!is_symmetric && facts_.kind == FactorKind::lu)
    throw Error(Status::bad_plan,
                "the matrix is not symmetric or Hermitian, and has no L D L^T; ask for triangular_factors");
  if (facts_.has_signs && has_hidden_pivots())
    throw Error(
        Status::bad_plan,
        "pivots were replaced or shifted, so that L D L^T would be another matrix; set regularization to 0, "
        "or factorization to ldlt");
  const FactorKind kind = facts_.kind == FactorKind::lu ? FactorKind::ldlt : facts_.kind;
  return read_in_one_piece<SymmetricFactors<T>>(
      kind, [](const auto& factors) { return factors.symmetric_factors(); },
      [](auto&& factors) { return factors.symmetric_factors(); });
}

template <class T>
HalfFactors<T> Factorization<T>::Implementation::half() {
  require_factors();
  require_sure_pivots();
  return HalfFactors<T>(symmetric_factors());
}

#define OVERLAPACK_INSTANTIATE(T)                                                       \
  template TriangularFactors<T> Factorization<T>::Implementation::triangular_factors(); \
  template SymmetricFactors<T> Factorization<T>::Implementation::symmetric_factors();   \
  template HalfFactors<T> Factorization<T>::Implementation::half();
OVERLAPACK_FOR_EACH_SCALAR(OVERLAPACK_INSTANTIATE)
#undef OVERLAPACK_INSTANTIATE

}  // namespace overlapack
