#pragma once
#include "dense/factor_result.hpp"
#include "dense/lu/panel/panel_message.hpp"
#include "dense/lu/panel/phantom_panel.hpp"
#include "dense/panels.hpp"
#include "dist/moves/moves.hpp"

#include <map>
#include <memory>

namespace overlapack::dist {
template <class T>
class MessageMoves;
template <class T>
class SuperstepMoves;
}  // namespace overlapack::dist

namespace overlapack::dense {

/// The block row of panel k in some trailing columns. While its interchange is under way, U is not set; finish_rows computes U.
template <class T>
struct RowPanel {
  ColumnRange columns;
  std::unique_ptr<dist::RowInterchange<T>> interchange;  ///< null where there are no columns
  MatrixView<const T> U;                                 ///< width x my columns of the range, once finished
  comm::Body body;                                       ///< memory of U where it is a copy
};

/// The tasks of one LU step, as in paper 2's Table 1. The schedules differ only in the order of these tasks. All ranks of the grid call
/// each task; a rank that has no part in it returns at once (in supersteps it takes part in the syncs).
template <class T>
class Steps {
 public:
  Steps(dist::Moves<T>& moves, const dist::DistributedMatrix<T>& A, std::span<Index> pivots,
        const LuPlan& plan);

  const LuPlan& plan() const { return plan_; }
  comm::Rank& rank() const { return moves_.rank(); }
  const dist::DistributedMatrix<T>& A() const { return A_; }
  FactorResult& result() { return result_; }

  Index panels() const { return panels_.count(); }
  Index first_of(Index k) const { return panels_.first_of(k); }
  Index end_of(Index k) const { return panels_.end_of(k); }
  /// The columns of panel k, and all behind them.
  ColumnRange block(Index k) const { return panels_.columns_of(k); }
  ColumnRange columns_behind(Index k) const { return panels_.columns_behind(k); }
  ColumnRange columns_before(Index k) const { return {{0}, {first_of(k)}}; }

  /// Tasks 1 and 6: P_k A(k:m, k) = L_k U_kk, on the process column of panel k.
  void factor_panel(Index k);
  /// Tasks 3 and 7: start the broadcast of panel k along the process rows.
  void start_broadcast(Index k) { start_panel(k, rows_behind(k)); }
  Panel<T> finish_broadcast(Index k) { return finish_panel(k, rows_behind(k)); }
  /// Whether finish_broadcast would not have to wait for another process column. Always false for a panel of several blocks, where it
  /// is not known.
  bool has_arrived(Index k) const;
  /// Task 3 alone: broadcast D and the pivots. `below` of the resulting panel is empty.
  void start_head(Index k) { start_panel(k, 0); }
  Panel<T> finish_head(Index k) { return finish_panel(k, 0); }
  /// Start the interchange of the panel's rows in these columns.
  RowPanel<T> start_interchange(const Panel<T>& panel, ColumnRange columns);
  /// Interchange rows directly, and wait until it is done. The rows of `also`, a matrix with A's rows, are interchanged with them. No
  /// process gets copies of rows that it does not own afterwards.
  void interchange(const Panel<T>& panel, ColumnRange columns, MatrixView<T> also);
  /// Tasks 4 and 5: U = L11^{-1} A(k, columns), on every process of the columns.
  void finish_rows(const Panel<T>& panel, RowPanel<T>& rows);
  /// Task 8: A(k+1:m, columns) -= L21 U.
  void update(const Panel<T>& panel, const RowPanel<T>& rows);
  /// update in `pieces` pieces of columns; calls look() before each.
  void update(const Panel<T>& panel, const RowPanel<T>& rows, Index pieces, comm::FunctionRef<void()> look);

  /// Apply panel k to some columns: interchange, finish_rows and update.
  void apply(const Panel<T>& panel, ColumnRange columns);
  /// C -= L U in slices, with polls between them where messages may be under way.
  void subtract(MatrixView<const T> L, MatrixView<const T> U, MatrixView<T> C);

  /// For LAPACK's form of L, in which each interchange also moves the rows of L left of its panel. exchange_before does it at once for
  /// one panel, pairwise, as ScaLAPACK; exchange_left does it at the end for all panels, and each row moves once.
  void exchange_before(const Panel<T>& panel);
  void exchange_left();
  /// After the last panel: call exchange_left if the plan wants it. Returns the complete counters.
  FactorResult finish();

 protected:
  /// Whether this process owns columns of panel k.
  bool owns_panel(Index k) const { return A_.first_col({first_of(k)}) < A_.first_col({end_of(k)}); }
  bool is_wide(Index k) const { return is_of_several_blocks(A_.cols, block(k)); }
  int column_of(Index k) const { return A_.cols.owner({first_of(k)}); }
  int row_of(Index k) const { return A_.rows.owner({first_of(k)}); }
  Index rows_behind(Index k) const { return A_.local.rows - A_.first_row({end_of(k)}); }
  /// My first `rows` rows behind panel k in the panel's columns; on its owner.
  MatrixView<const T> panel_below(Index k, Index rows) const;
  void finish_wide_rows(const Panel<T>& panel, RowPanel<T>& rows);
  void solve_rows(const Panel<T>& panel, MatrixView<T> U);
  void start_panel(Index k, Index rows_below);
  Panel<T> finish_panel(Index k, Index rows_below);
  void store_pivots(const Panel<T>& panel);
  void count_interchange(dist::SwapKind kind);
  dist::MovedRows<T> rows_of(const dist::RowMoves& moves, ColumnRange columns) const {
    return {A_, moves, A_.first_col(columns.begin), A_.first_col(columns.end)};
  }
  /// Message number of a panel and a column range, unique among those in use.
  std::int64_t message_number(const Panel<T>& panel, ColumnRange columns) const {
    return panel.number * (A_.n() + 1) + columns.begin.value;
  }

  dist::Moves<T>& moves_;
  dist::DistributedMatrix<T> A_;
  std::span<Index> pivots_;
  LuPlan plan_;
  comm::collective::Group row_, column_;
  Panels panels_;
  std::map<Index, PanelFactor<T>> factors_;  ///< made here, not yet broadcast
  std::map<Index, std::unique_ptr<dist::BlockBroadcast<T>>> broadcasts_;
  bool is_phantom_;
  Index tile_;  ///< of updates; 0: not cut
  FactorResult result_;
};

// The schedules: each runs all panels. That of look-ahead is in dense/look_ahead.hpp.
template <class T>
void run_flat(Steps<T>& steps);
template <class T>
void run_split_update(Steps<T>& steps);
/// Look-ahead of depth 1: the rest of panel k's update runs between the halves of panel k + 1's supersteps.
template <class T>
void run_look_ahead_in_supersteps(Steps<T>& steps, dist::SuperstepMoves<T>& moves);
/// In phases: the ranks of a node communicate one after the other, by messages.
template <class T>
void run_parity(Steps<T>& steps, dist::MessageMoves<T>& moves, const dist::NodeLayout& nodes);

}  // namespace overlapack::dense
