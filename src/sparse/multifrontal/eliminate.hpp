#pragma once
#include "comm/rank.hpp"
#include "sparse/multifrontal/front.hpp"
#include "sparse/multifrontal/plan.hpp"
#include "sparse/multifrontal/structure.hpp"

#include <span>
#include <string>
#include <vector>

namespace overlapack::sparse {

/// When a number is a pivot.
template <class T>
struct PivotTest {
  Real<T> threshold = 0;  ///< share of the largest entry of its row (LDL^T: column)
  Real<T> least = 0;      ///< size
  Real<T> replacement =
      0;  ///< > 0: size from which on a pivot is taken statically, and of what replaces smaller ones
};

/// The test of a plan.
/// largest: entry of B
template <class T>
PivotTest<T> pivot_test(const MultifrontalPlan& plan, double largest);

/// What elimination did in one front.
struct Elimination {
  Index eliminated = 0;
  Index two_by_two = 0;
  Index negative = 0;
  double flops = 0;
  Index perturbed = 0;
};

/// Errors  BadInput: pivot k of a front is not positive, though the matrix was declared so
template <class T>
[[noreturn]] void refuse_pivot(const Structure& structure, const Front<T>& front, Index k) {
  throw Error(ErrorKind::bad_input, "cholesky",
              "the matrix was declared positive definite, but the pivot of variable " +
                  std::to_string(structure.original[static_cast<std::size_t>(front.row_name[k])]) +
                  " (from 0) is not positive: solve it as symmetric (LDL^T) instead");
}

/// order <- 0, 1, ..., count - 1.
void identity(std::vector<std::int32_t>& order, Index count);
/// names(k) <- names(order(k)).
void apply_order(std::span<const std::int32_t> order, std::int32_t* names, std::vector<std::int32_t>& work);

/// Flops of eliminating the e pivots of a front in its panel alone.
template <class T>
double panel_flops(FactorKind kind, const Front<T>& front);
/// The same with L21 and the update.
template <class T>
double elimination_flops(FactorKind kind, const Front<T>& front);

/// What elimination comes to where each pivot is taken in its place; sets front.eliminated.
template <class T>
Elimination all_pivots(FactorKind kind, Front<T>& front);

/// Dense elimination of one assembled front at a time, with threshold pivoting; keeps the workspace between fronts.
template <class T>
class Eliminator {
 public:
  Eliminator(const Structure& structure, const MultifrontalPlan& plan, const PivotTest<T>& test)
      : structure_(structure), plan_(plan), test_(test) {}

  /// Factorise the fully summed part; complete L21; permute the names; sets front.eliminated.
  ///   LU:     P = [U11^T; U12^T] L11^T,   L21 = A21 U11^{-1}
  ///   LDL^T:  P = [L11; L21] D L11^T
  /// Errors  BadInput from Cholesky when a pivot is not positive
  Elimination eliminate(comm::Rank& rank, Front<T>& front);

  /// C <- -L21 U12 (LU), -L21 D L21^T (LDL^T), -L21 L21^H (Cholesky); C is written, not read.
  void update(comm::Rank& rank, Front<T>& front);

 private:
  Elimination lu(comm::Rank& rank, Front<T>& front);
  Elimination ldlt(Front<T>& front);
  void take_statically_lu(MatrixView<T> P, Elimination& done);
  void take_statically_ldlt(Front<T>& front, Elimination& done);
  Elimination cholesky(Front<T>& front);
  bool is_sliced(Index m, Index n, Index k) const;

  const Structure& structure_;
  const MultifrontalPlan& plan_;
  PivotTest<T> test_;
  std::vector<std::int32_t> row_order_, col_order_, names_;
  std::vector<std::int32_t> rest_rows_, rest_cols_;
  std::vector<T> work_;
};

}  // namespace overlapack::sparse
