#pragma once
#include "iterative/multisplitting/inner_solver.hpp"

#include <cstdint>
#include <vector>

namespace overlapack::iterative {

/// Options for incomplete LU. The diagonal is raised, and the factorisation repeated, until all pivots are usable.
struct IncompletePlan {
  /// A pivot is usable if it keeps at least this share of its diagonal entry, on the same side of zero.
  double least_pivot = 1e-3;
  double first_raise = 1e-3;  ///< share of the diagonal that is added first
  double raise_by = 4;        ///< factor of that share from one attempt to the next
  double most_raise = 1e3;    ///< largest share; then the block is refused
};

/// Incomplete LU without fill, ILU(0), of a block, on one rank: L and U have the pattern of B, and L U agrees with B at the
/// entries of B. If B is symmetric or Hermitian, so is L U.
/// Source  Meijerink and van der Vorst 1977; Manteuffel 1980 for the raised diagonal; Saad, Iterative Methods for Sparse Linear
///         Systems, algorithm 10.4
template <class T>
class IncompleteLu final : public InnerSolver<T> {
 public:
  /// Shapes  B: square, with all entries of both triangles
  /// Cost    for each attempt and each entry of L, a pass over one row of U
  /// Errors  Singular if a number on the diagonal is zero, or if raising the diagonal does not help
  explicit IncompleteLu(const SparseMatrix<T>& B, const IncompletePlan& plan = {});

  void solve(comm::Rank& rank, const T* r, T* z) override;
  void solve_adjoint(comm::Rank& rank, const T* r, T* z) override;
  bool is_direct() const override { return true; }

  /// Share of the diagonal that was added; 0: the diagonal is B's.
  double raised_share() const { return raised_; }
  Index entries() const { return static_cast<Index>(value_.size() + inverse_.size()); }
  double bytes() const;

 private:
  bool eliminate(const std::vector<T>& entries, const std::vector<T>& diagonal, const IncompletePlan& plan);
  Index order() const { return static_cast<Index>(inverse_.size()); }
  void substitute(const T* r, T* z) const;
  void substitute_adjoint(const T* r, T* z) const;
  void compute(comm::Rank& rank, comm::FunctionRef<void()> f) const;

  std::vector<Index> start_, middle_;  ///< by rows: L from start_, U without its diagonal from middle_
  std::vector<std::int32_t> col_;      ///< columns; a block has fewer than 2^31 rows
  std::vector<T> value_, inverse_;     ///< inverse_: of the diagonal of U
  double raised_ = 0;
};

}  // namespace overlapack::iterative
