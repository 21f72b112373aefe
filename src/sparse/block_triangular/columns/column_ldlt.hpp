#pragma once
#include "sparse/block_triangular/columns/column_lu.hpp"

#include <span>
#include <vector>

namespace overlapack::sparse::block_triangular {

/// Left-looking L D L^T (L D L^H where B is Hermitian) of a symmetric matrix of low fill, one variable after the other, on one rank:
/// a column is B's less what the finished columns with an entry in its row subtract, then its pivot is tested: 1x1, else 2x2 with
/// the variable of its largest entry, as fronts test theirs. What fails waits for the first later variable that it has an entry
/// with, as a front's for its parent, and is tried again together with that.
/// Columns one behind the other that have the same rows left are a bundle, and subtract together. A bundle is on the list of
/// the first variable that it has left, so that a turn needs no other lists. The rows of a column are those of B and of the bundles
/// that no pivot has met before: all others have theirs in one of these.
/// Source  Liu, The role of elimination trees in sparse factorization, SIAM J. Matrix Anal. Appl. 11 (1990), section 5;
///         Duff and Reid, The multifrontal solution of indefinite sparse symmetric linear equations, ACM TOMS 9 (1983)
template <class T>
class ColumnLdlt {
 public:
  /// factors: kept by the caller; memory that it has is used again
  /// test: without replacement, its threshold at most one half
  ColumnLdlt(const SparseMatrix<T>& A, const Analysis& analysis, const PivotTest<T>& test,
             const FactorPlan& plan, ColumnFactors<T>& factors);

  /// Up to `count` variables more have their turn.
  /// Errors  Singular where the plan refuses it; BadInput when numbers leave the range of their type
  void advance(Index count);
  bool is_done() const { return turn_ == factors_.columns() || stats_.has_given_up; }
  Index column() const { return turn_; }
  const ColumnStats& stats() const { return stats_; }

 private:
  /// Columns first .. end - 1 of L, whose last `live` rows are alike: variables that have no pivot yet, by their turns.
  struct Bundle {
    Node first = 0, end = 0, live = 0;
    Node next = -1;      ///< on the same list
    bool is_new = true;  ///< no pivot has met it yet
    Index tail = 0;      ///< where the last column ends in L
    T pivot = T(0);      ///< the first one's
  };
  /// A column at work.
  struct Work {
    LargeVector<T> x;        ///< by rows; zero between columns
    std::vector<Node> rows;  ///< that it has beside its own, in no order
    double size = 0;         ///< the largest entry of B's column
  };
  /// An entry by its size.
  struct Largest {
    Real<T> size = 0;
    Node row = -1;
  };

  void take_turn(Node p);
  bool eliminate(Node m);
  void gather(Node m, Work& work);
  void scatter(Node m, Work& work);
  void subtract(const Bundle& bundle, Index at, Work& work);
  void times_d(const Bundle& bundle, Index at);
  Largest largest_of(const Work& work, Node except) const;
  void take_one(Node m);
  bool take_two(Node m, Node r);
  bool is_too_much() const;
  T replaced_zero(Node m);
  void check(double size, Node m);
  void store(std::span<const Node> pivots, std::vector<Node>& rows);
  void leave_bundles(Node m);
  void delay(Node p);
  void move_behind(const Bundle& bundle, Node p);
  void put_on_lists();
  void finish();

  static void clear(Work& work, Node m);
  bool is_live(Node i) const { return step_of_[i] < 0; }
  T mirrored(T value) const { return factors_.is_hermitian ? conjugate(value) : value; }
  const Node* live_rows(const Bundle& bundle) const {
    return factors_.lower.row.data() + bundle.tail - bundle.live;
  }
  /// Of one of its columns.
  Index live_from(const Bundle& bundle, Index column) const {
    return factors_.lower.start[column + 1] - bundle.live;
  }
  T* live_values(const Bundle& bundle, Index column) const {
    return factors_.lower.value.data() + live_from(bundle, column);
  }
  Index position_in(const Bundle& bundle, Node m) const;

  const SparseMatrix<T>& A_;
  const Analysis& analysis_;
  PivotTest<T> test_;
  const FactorPlan& plan_;
  const double least_share_;  ///< of its column that a pivot is more than rounding
  ColumnFactors<T>& factors_;
  ColumnStats stats_;
  std::vector<Node> position_;  ///< row of A -> variable, by the analysed order
  LargeVector<Node> step_of_;   ///< variable -> its column of L, -1: not yet
  LargeVector<Node>
      turn_of_;  ///< variable -> when it is tried: its own turn, or that of the one for which it waits
  LargeVector<Node> first_waiting_, next_waiting_;
  LargeVector<Node> list_;  ///< variable -> the first bundle on its list
  LargeVector<Bundle> bundles_;
  LargeVector<Index> marked_by_;  ///< variable -> the last column at work that has it
  Index at_work_ = -1;
  Work own_, partner_;  ///< of the variable that is tried, of that of its largest entry
  std::vector<T> w_;    ///< D L(m, :)^T of a bundle
  Index turn_ = 0, step_ = 0;
  Index tries_ = 0;  ///< columns that were gathered
  // of the turn at hand
  std::vector<Node> members_;  ///< those who waited, then whose turn it is; later those of them that are left
  std::vector<Node> here_;     ///< bundles that have, or had, one of them
  Node extended_ =
      -1;  ///< of these, the one whose last column is the last of all and that the pivot at hand has met
  Index next_turn_ = 0;  ///< the first after this one that those which failed have an entry with
};

}  // namespace overlapack::sparse::block_triangular
