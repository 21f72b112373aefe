#pragma once
#include "sparse/block_triangular/columns/column_lu.hpp"

#include <span>
#include <vector>

namespace overlapack::sparse::block_triangular {

/// Left-looking L D L^T (L D L^H if B is Hermitian) of a symmetric matrix of low fill, one variable after the
/// other, on one rank. The finished columns of L with an entry in the variable's row are subtracted from its
/// column of B. Then its pivot is tested by the tests of fronts: 1x1, else 2x2 with the variable of its
/// largest entry. A variable that fails is delayed to the first later variable with which it has an entry, as
/// a front delays to its parent, and both are tried together. If signs are known, each pivot is taken
/// in its place, mended by its sign.
///
/// A row of L is live while its variable has no pivot. Consecutive columns with the same live rows are a
/// bundle, and are subtracted together. Each bundle is on the list of its first live variable, so that a turn
/// needs that list alone. A bundle is new while none of its rows has become a pivot. The rows of a column are
/// those of B and of new bundles: every row of another bundle is also in a new one.
/// Source  Liu, The role of elimination trees in sparse factorization, SIAM J. Matrix Anal. Appl. 11 (1990), section 5;
///         Duff and Reid, The multifrontal solution of indefinite sparse symmetric linear equations, ACM TOMS 9 (1983)
template <class T>
class ColumnLdlt {
 public:
  /// factors: the caller's; their memory is reused
  /// test: without replacement, and with a threshold of at most one half; or by signs, whose sizes may be
  ///         empty
  ColumnLdlt(const SparseMatrix<T>& A, const Analysis& analysis, const PivotTest<T>& test,
             const FactorPlan& plan, ColumnFactors<T>& factors);

  /// Process the turns of up to `count` more variables.
  /// Errors  Singular where the plan refuses it; BadInput when numbers leave the range of their type
  void advance(Index count);
  bool is_done() const { return turn_ == factors_.columns() || stats_.has_given_up; }
  Index column() const { return turn_; }
  const ColumnStats& stats() const { return stats_; }

 private:
  /// Columns first .. end - 1 of L, which have the same last `live` rows: variables without a pivot, ordered by turn.
  struct Bundle {
    Node first = 0, end = 0, live = 0;
    Node next = -1;      ///< on the same list
    bool is_new = true;  ///< none of its rows has become a pivot
    Index tail = 0;      ///< where its last column ends in L
    T pivot = T(0);      ///< of its first column
  };
  /// A column being computed.
  struct Work {
    LargeVector<T> x;        ///< by rows; zero between columns
    std::vector<Node> rows;  ///< rows of its entries off the diagonal, in no order
    double size = 0;         ///< largest entry of B's column
  };
  /// An entry by its size.
  struct Largest {
    Real<T> size = 0;
    Node row = -1;
  };

  void process_variable(Node p);
  bool eliminate(Node m);
  void gather(Node m, Work& work);
  void scatter(Node m, Work& work);
  void subtract(const Bundle& bundle, Index at, Work& work);
  Largest largest_of(const Work& work, Node except) const;
  void store_1x1_pivot(Node m);
  bool try_2x2_pivot(Node m, Node r);
  bool is_fill_too_much() const;
  T replace_zero_pivot(Node m);
  T mend_pivot(Node m);
  [[noreturn]] void refuse_range(Node m) const;
  void check_pivot(double size, Node m);
  void store_columns(std::span<const Node> pivots, std::vector<Node>& rows);
  void remove_from_bundles(Node m);
  void delay_variable(Node p);
  void move_behind(const Bundle& bundle, Node p);
  void list_new_bundles();
  void finish();

  static void clear(Work& work, Node m);
  bool is_live(Node i) const { return step_of_[i] < 0; }
  T mirrored(T value) const { return factors_.is_hermitian ? conjugate(value) : value; }
  const Node* live_rows(const Bundle& bundle) const {
    return factors_.lower.row.data() + bundle.tail - bundle.live;
  }
  /// Where the live rows of a column of the bundle begin in L.
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
  const double least_share_;  ///< pivots below this share of their column's size are rounding
  ColumnFactors<T>& factors_;
  ColumnStats stats_;
  std::vector<Node> position_;  ///< row of A -> variable, by the analysed order
  LargeVector<Node> step_of_;   ///< variable -> its column of L, -1: not yet
  /// Variable -> when it is tried: in its own turn, or in that of the variable for which it waits.
  LargeVector<Node> turn_of_;
  LargeVector<Node> first_waiting_, next_waiting_;
  LargeVector<Node> list_;  ///< variable -> the first bundle on its list
  LargeVector<Bundle> bundles_;
  LargeVector<Index> marked_by_;  ///< variable -> the last gathered column with an entry there
  Index at_work_ = -1;
  Work own_, partner_;  ///< the tried variable's column, and its partner's
  std::vector<T> w_;    ///< D L(m, :)^T of a bundle
  Index turn_ = 0, step_ = 0;
  Index tries_ = 0;  ///< columns that were gathered
  // of the current turn
  std::vector<Node> members_;  ///< the waiting variables, then the turn's own; minus those eliminated
  std::vector<Node> here_;     ///< bundles that have, or had, a member as a live row
  /// The bundle in here_ that ends with L's last column and had the current pivot as a row, or -1: the
  /// pivot's column may join it.
  Node extended_ = -1;
  Index next_turn_ = 0;  ///< the first later turn with which a failed member has an entry
};

}  // namespace overlapack::sparse::block_triangular
