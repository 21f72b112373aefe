#include "base/instantiate.hpp"
#include "sparse/matrix/append_column.hpp"
#include "sparse/multifrontal/solve/pivot_positions.hpp"
#include "sparse/multifrontal/solve/solve.hpp"

#include <utility>
#include <vector>

namespace overlapack::sparse::multifrontal {
namespace {

/// B = P1 S A S P1^T = L D L^T; of P A P^T = L' D' L'^T the entries are
///   L'(i, k) = L(i, k) scale(k) / scale(i),   D'(i, k) = D(i, k) / (scale(i) scale(k))
/// and Cholesky's L is divided by its diagonal, whose squares are D.
template <class T>
class SymmetricParts {
 public:
  explicit SymmetricParts(const FactorState<T>& state) : state_(state), places_(state.structure.tree.n) {
    for (const Front<T>& front : state.fronts)
      for (Index k = 0; k < front.eliminated; ++k) places_.set_position(front.row_name[k], state.rows);
    const Index n = state.structure.tree.n;
    L_.rows = L_.cols = D_.rows = D_.cols = n;
    L_.row.reserve(static_cast<std::size_t>(state.stats.factor_nnz));
    L_.value.reserve(L_.row.capacity());
  }

  SymmetricFactors<T> make() && {
    for (const Front<T>& front : state_.fronts)
      for (Index k = 0; k < front.eliminated; ++k) {  // their places ascend
        add_column(front, k);
        add_diagonal(front, k);
      }
    D_.symmetry = state_.structure.is_conjugated() ? Symmetry::hermitian : Symmetry::symmetric;
    return {std::move(L_), std::move(D_), std::move(places_.of_caller)};
  }

 private:
  using Double = WideScalar<T>;

  bool is_cholesky() const { return state_.structure.kind == FactorKind::cholesky; }
  Index at(std::int32_t name) const { return places_.position[static_cast<std::size_t>(name)]; }
  double scale(std::int32_t name) const { return places_.scale[static_cast<std::size_t>(name)]; }

  void add_column(const Front<T>& front, Index k) {
    const MatrixView<T> P = front.panel();
    const std::int32_t pivot = front.row_name[k];
    const std::int32_t* const border = state_.structure.tree.rows(front.number);
    const Double divisor(is_cholesky() ? P(k, k) : T(1));
    column_.emplace_back(at(pivot), T(1));
    const auto add = [&](std::int32_t row, const T& value) {
      if (value != T(0))
        column_.emplace_back(at(row), T(Double(value) / divisor * (scale(pivot) / scale(row))));
    };
    for (Index i = k + 1; i < front.summed; ++i) add(front.row_name[i], P(i, k));
    for (Index i = 0; i < front.border; ++i) add(border[i], P(front.summed + i, k));
    append_column(L_, column_);
  }

  void add_diagonal(const Front<T>& front, Index k) {
    const std::int32_t pivot = front.row_name[k];
    const double own = scale(pivot);
    const auto off = [&](Index first) {  // of the pair that begins there
      return T(Double(front.d_off[first]) /
               (scale(front.row_name[first]) * scale(front.row_name[first + 1])));
    };
    const bool has_pairs = !is_cholesky();
    if (has_pairs && k > 0 && front.d_off[k - 1] != T(0))
      column_.emplace_back(at(pivot) - 1,
                           state_.structure.is_conjugated() ? conjugate(off(k - 1)) : off(k - 1));
    const Double root(has_pairs ? T(0) : front.panel()(k, k));
    column_.emplace_back(at(pivot), T((has_pairs ? Double(front.d[k]) : root * root) / (own * own)));
    if (has_pairs && front.d_off[k] != T(0)) column_.emplace_back(at(pivot) + 1, off(k));
    append_column(D_, column_);
  }

  const FactorState<T>& state_;
  PivotPositions places_;
  SparseMatrix<T> L_, D_;
  std::vector<std::pair<Index, T>> column_;
};

}  // namespace

template <class T>
std::optional<SymmetricFactors<T>> symmetric_factors(const FactorState<T>& state) {
  if (!state.structure.is_symmetric() || !is_in_one_piece(state)) return std::nullopt;
  require_all_pivots(state);
  return SymmetricParts<T>(state).make();
}

#define OVERLAPACK_INSTANTIATE(T) \
  template std::optional<SymmetricFactors<T>> symmetric_factors(const FactorState<T>&);
OVERLAPACK_FOR_EACH_SCALAR(OVERLAPACK_INSTANTIATE)
#undef OVERLAPACK_INSTANTIATE

}  // namespace overlapack::sparse::multifrontal
