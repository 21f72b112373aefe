#pragma once
#include "comm/rank.hpp"
#include "sparse/factors/factor_plan.hpp"
#include "sparse/factors/pivot_test.hpp"
#include "sparse/multifrontal/front/front.hpp"
#include "sparse/multifrontal/front/front_space.hpp"
#include "sparse/multifrontal/plan/structure.hpp"

#include <functional>
#include <span>
#include <string>
#include <vector>

namespace overlapack::sparse::multifrontal {

/// What the elimination of one front did.
struct Elimination {
  Index eliminated = 0;
  Index two_by_two = 0;
  Index negative = 0;
  double flops = 0;
  Index perturbed = 0;   ///< pivots that were replaced
  Index wrong_sign = 0;  ///< of these, those that had the wrong sign
  void add(const kernels::MendedPivots& mended) {
    perturbed += mended.replaced;
    wrong_sign += mended.wrong_sign;
  }
};

/// Errors  BadInput: pivot k of a front is not positive, though the matrix was declared so
/// more: another remedy, for the end of the sentence
template <class T>
[[noreturn]] void refuse_pivot(const Structure& structure, const Front<T>& front, Index k,
                               const char* more = "") {
  throw Error(Status::bad_input,
              "the matrix was declared positive definite, but the pivot of variable " +
                  std::to_string(structure.original[static_cast<std::size_t>(front.row_name[k])]) +
                  " (from 0) is not positive: solve it as symmetric (LDL^T) instead" + more);
}

/// Dense elimination of one assembled front at a time, with threshold pivoting. eliminate and update run in
/// one piece; their variants in slices are for long fronts: the rank polls between slices, and others may
/// take some.
template <class T>
class Eliminator {
 public:
  Eliminator(const Structure& structure, const FactorPlan& plan, const PivotTest<T>& test,
             FrontSpace<T>& space)
      : structure_(structure), plan_(plan), test_(test), space_(space) {}

  /// Does the fully summed part with L21, or the update of C, take more flops than a slice?
  bool is_elimination_long(const Front<T>& front) const;
  bool is_update_long(const Front<T>& front) const;

  /// Factorise the fully summed part; complete L21; permute the names; sets front.eliminated.
  ///   LU:     P = [U11^T; U12^T] L11^T,   L21 = A21 U11^{-1}
  ///   LDL^T:  P = [L11; L21] D L11^T
  /// Errors  BadInput from Cholesky when a pivot is not positive
  Elimination eliminate(Front<T>& front);
  /// The same in steps and slices, between which the rank polls.
  /// after_step: called after each step with the flops of this front that are done
  Elimination eliminate_in_slices(comm::Rank& rank, Front<T>& front,
                                  const std::function<void(double)>& after_step);
  /// For phantom ranks: counts an elimination that takes each pivot in its place; sets front.eliminated.
  Elimination accept_all_pivots(Front<T>& front) const {
    return count_elimination(front, {.eliminated = front.summed});
  }
  /// Sets front.eliminated, and the flops of `done`.
  Elimination count_elimination(Front<T>& front, Elimination done) const;

  /// The end of an elimination by tiles (FrontTasks): finds pivots among the variables that the tiles have
  /// left, by a search of whole columns or statically. Permutes the names as eliminate does, and subtracts
  /// the products of the new pivots from C.
  /// done: pivots that the tiles found
  Elimination eliminate_rest(comm::Rank& rank, Front<T>& front, Elimination done);

  /// C <- -L21 U12 (LU), -L21 D L21^T (LDL^T), -L21 L21^H (Cholesky); C is written, not read.
  void update(Front<T>& front);
  void update_in_slices(comm::Rank& rank, Front<T>& front) { subtract_in_slices(rank, front, 0, false); }

 private:
  Elimination lu(Front<T>& front);
  Elimination ldlt(Front<T>& front);
  void search_rest(comm::Rank& rank, Front<T>& front, Elimination& done);
  /// C -= products of the pivots first .. e - 1; with accumulate = false C is written, not read.
  void subtract_in_slices(comm::Rank& rank, Front<T>& front, Index first, bool accumulate);
  void complete_lower(MatrixView<T> P, Index e, std::span<std::int32_t> order, MatrixView<T> L21);
  void accept_rest_statically(Front<T>& front, Elimination& done);
  void accept_statically_lu(MatrixView<T> P, Elimination& done);
  void accept_statically_ldlt(Front<T>& front, Elimination& done);
  Elimination finish_elimination(Front<T>& front, Elimination done);

  /// Rows first..first+count-1 of B in C = -L21 B^T, or -L21 B^H, for the pivots from `pivot` on. B is U12^T
  /// of LU, L21 D of LDL^T, L21 of Cholesky.
  MatrixView<const T> factor_of_update(const Front<T>& front, Index first, Index count, Index pivot = 0);
  MatrixView<const T> lower_factor(const Front<T>& front, Index pivot = 0) const;

  const Structure& structure_;
  const FactorPlan& plan_;
  PivotTest<T> test_;
  FrontSpace<T>& space_;
};

}  // namespace overlapack::sparse::multifrontal
