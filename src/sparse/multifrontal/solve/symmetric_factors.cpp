#include "base/instantiate.hpp"
#include "sparse/matrix/triplets.hpp"
#include "sparse/multifrontal/solve/pivot_positions.hpp"
#include "sparse/multifrontal/solve/solve.hpp"

#include <utility>

namespace overlapack::sparse::multifrontal {
namespace {

/// B = P1 S A S P1^T = L D L^T; of P A P^T = L' D' L'^T the entries are
///   L'(i, k) = L(i, k) scale(k) / scale(i),   D'(i, k) = D(i, k) / (scale(i) scale(k))
/// and Cholesky's L is divided by its diagonal, whose squares are D.
template <class T>
class SymmetricParts {
 public:
  explicit SymmetricParts(const FactorState<T>& state)
      : state_(state), places_(state.structure.tree.n), L_{places_size(), places_size(), {}, {}, {}}, D_(L_) {
    for (const Front<T>& front : state.fronts)
      for (Index k = 0; k < front.eliminated; ++k) places_.take(front.row_name[k], state.rows);
  }

  SymmetricFactors<T> make() && {
    for (const Front<T>& front : state_.fronts)
      for (Index k = 0; k < front.eliminated; ++k) {
        add_column(front, k);
        add_diagonal(front, k);
      }
    SymmetricFactors<T> parts{compress(L_).matrix, compress(D_).matrix, std::move(places_.of_caller)};
    parts.D.symmetry = state_.structure.is_conjugated() ? Symmetry::hermitian : Symmetry::symmetric;
    return parts;
  }

 private:
  using Double = WideScalar<T>;

  Index places_size() const { return state_.structure.tree.n; }
  bool is_cholesky() const { return state_.structure.kind == FactorKind::cholesky; }
  Index at(std::int32_t name) const { return places_.position[static_cast<std::size_t>(name)]; }
  double scale(std::int32_t name) const { return places_.scale[static_cast<std::size_t>(name)]; }

  void add_column(const Front<T>& front, Index k) {
    const MatrixView<T> P = front.panel();
    const std::int32_t pivot = front.row_name[k];
    const std::int32_t* const border = state_.structure.tree.rows(front.number);
    const Double divisor(is_cholesky() ? P(k, k) : T(1));
    L_.add(at(pivot), at(pivot), T(1));
    const auto add = [&](std::int32_t row, const T& value) {
      if (value == T(0)) return;
      L_.add(at(row), at(pivot), T(Double(value) / divisor * (scale(pivot) / scale(row))));
    };
    for (Index i = k + 1; i < front.summed; ++i) add(front.row_name[i], P(i, k));
    for (Index i = 0; i < front.border; ++i) add(border[i], P(front.summed + i, k));
  }

  void add_diagonal(const Front<T>& front, Index k) {
    const std::int32_t pivot = front.row_name[k];
    const double own = scale(pivot);
    if (is_cholesky()) {
      const Double root(front.panel()(k, k));
      return D_.add(at(pivot), at(pivot), T(root * root / (own * own)));
    }
    D_.add(at(pivot), at(pivot), T(Double(front.d[k]) / (own * own)));
    if (front.d_off[k] == T(0)) return;
    const std::int32_t mate = front.row_name[k + 1];
    const T off = T(Double(front.d_off[k]) / (own * scale(mate)));
    D_.add(at(mate), at(pivot), off);
    D_.add(at(pivot), at(mate), state_.structure.is_conjugated() ? conjugate(off) : off);
  }

  const FactorState<T>& state_;
  PivotPositions places_;
  Triplets<T> L_, D_;
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
