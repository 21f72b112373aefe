#include "overlapack/triangular_factors.hpp"

#include "base/instantiate.hpp"
#include "sparse/matrix/triplets.hpp"
#include "sparse/multifrontal/solve/pivot_positions.hpp"
#include "sparse/multifrontal/solve/solve.hpp"

#include <utility>

namespace overlapack::sparse::multifrontal {
namespace {

/// B = L U has the pivots on the diagonal of L, and B = P1 Dr A Dc Q1. Of P A Q = L' U' the entries are
///   L'(i, k) = L(i, k) / L(k, k) row_scale(k) / row_scale(i)
///   U'(k, j) = L(k, k) U(k, j) / (row_scale(k) col_scale(j))
/// where i, j and k count the pivots in the order of their elimination.
template <class T>
class Triangles {
 public:
  explicit Triangles(const FactorState<T>& state)
      : state_(state), n_(state.structure.tree.n), rows_(n_), columns_(n_), L_{n_, n_, {}, {}, {}}, U_(L_) {
    for (const Front<T>& front : state.fronts)
      for (Index k = 0; k < front.eliminated; ++k) {
        rows_.set_position(front.row_name[k], state.rows);
        columns_.set_position(front.col_name[k], state.columns);
      }
  }

  TriangularFactors<T> make() && {
    for (const Front<T>& front : state_.fronts)
      for (Index k = 0; k < front.eliminated; ++k) add_pivot(front, k);
    return {compress(L_).matrix, compress(U_).matrix, std::move(rows_.of_caller),
            std::move(columns_.of_caller)};
  }

 private:
  using Double = WideScalar<T>;

  void add_pivot(const Front<T>& front, Index k) {
    const MatrixView<T> P = front.panel();
    const T pivot = P(k, k);
    if (pivot == T(0))
      throw Error(Status::singular,
                  "the pivot of column " + std::to_string(state_.columns.perm[front.col_name[k]]) +
                      " is zero: there are no L and U whose product is A with L unit triangular");
    const Index at = rows_.position[front.row_name[k]], s = front.summed;
    const double scale = rows_.scale[front.row_name[k]];
    const std::int32_t* border = state_.structure.tree.rows(front.number);
    const Double its_pivot(pivot);
    const auto add_lower = [&](std::int32_t row, const T& value) {
      if (value == T(0)) return;
      L_.add(rows_.position[row], at, T(Double(value) / its_pivot * (scale / rows_.scale[row])));
    };
    const auto add_upper = [&](std::int32_t column, const T& value) {
      if (value == T(0)) return;
      U_.add(at, columns_.position[column], T(its_pivot * Double(value) / (scale * columns_.scale[column])));
    };
    L_.add(at, at, T(1));
    for (Index i = k + 1; i < s; ++i) add_lower(front.row_name[i], P(k, i));
    for (Index i = 0; i < front.border; ++i) add_lower(border[i], front.L21()(i, k));
    add_upper(front.col_name[k], T(1));
    for (Index j = k + 1; j < s; ++j) add_upper(front.col_name[j], P(j, k));
    for (Index j = 0; j < front.border; ++j) add_upper(border[j], P(s + j, k));
  }

  const FactorState<T>& state_;
  Index n_;
  PivotPositions rows_, columns_;
  Triplets<T> L_, U_;
};

}  // namespace

template <class T>
std::optional<TriangularFactors<T>> triangular_factors(const FactorState<T>& state) {
  if (state.structure.is_symmetric() || !is_in_one_piece(state)) return std::nullopt;
  require_all_pivots(state);
  return Triangles<T>(state).make();
}

#define OVERLAPACK_INSTANTIATE(T) \
  template std::optional<TriangularFactors<T>> triangular_factors(const FactorState<T>&);
OVERLAPACK_FOR_EACH_SCALAR(OVERLAPACK_INSTANTIATE)
#undef OVERLAPACK_INSTANTIATE

}  // namespace overlapack::sparse::multifrontal
