#pragma once
#include "sparse/multifrontal/factors/state.hpp"

#include <complex>
#include <string>
#include <type_traits>
#include <vector>

/// For L, U and D in one piece (triangular_factors, symmetric_factors): whether the fronts allow that, and
/// the order of the rows and columns.
namespace overlapack::sparse::multifrontal {

/// Entries are computed in this type, so that they are rounded to T once.
template <class T>
using WideScalar = std::conditional_t<std::is_same_v<T, Real<T>>, double, std::complex<double>>;

/// Positions of rows (or columns) in the order of their pivots; set_position is called in that order.
struct PivotPositions {
  explicit PivotPositions(Index n)
      : position(static_cast<std::size_t>(n)), of_caller(position), scale(static_cast<std::size_t>(n)) {}
  void set_position(std::int32_t name, const MatrixSide& side) {
    const auto caller = static_cast<std::size_t>(side.perm[static_cast<std::size_t>(name)]);
    position[static_cast<std::size_t>(name)] = of_caller[caller] = taken;
    scale[static_cast<std::size_t>(name)] = side.scale[caller];
    ++taken;
  }
  std::vector<Index> position;   ///< name in B -> position
  std::vector<Index> of_caller;  ///< number in A -> position
  std::vector<double> scale;     ///< name in B -> scale
  Index taken = 0;               ///< number of positions that are set
};

/// Are all factors those of whole, full fronts in the memory of this rank?
template <class T>
bool is_in_one_piece(const FactorState<T>& state) {
  const Structure& s = state.structure;
  return s.grid_root < 0 && state.strips.empty() &&
         static_cast<Index>(state.fronts.size()) == s.tree.fronts() && !state.file && !state.low_rank.is_used;
}

/// Errors  Singular: pivots are null, or were zero
template <class T>
void require_all_pivots(const FactorState<T>& state) {
  if (state.stats.pivots.null > 0)
    throw Error(
        Status::singular,
        "the matrix is singular, and its null pivots are left out of the factors; ask for null_space");
  if (state.stats.pivots.zero > 0)
    throw Error(Status::singular,
                "the pivot of column " + std::to_string(state.stats.smallest.col) +
                    " was zero and has been replaced: the factors are those of another matrix");
}

}  // namespace overlapack::sparse::multifrontal
