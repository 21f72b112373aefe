#pragma once
#include "comm/rank.hpp"
#include "sparse/factors/factor_stats.hpp"
#include "sparse/factors/factor_watch.hpp"
#include "sparse/factors/pivot_test.hpp"
#include "sparse/supernodal/factorize/diagonal_block.hpp"
#include "sparse/supernodal/factorize/update.hpp"
#include "sparse/supernodal/factors/panels.hpp"
#include "sparse/supernodal/layout/message_kinds.hpp"

#include <limits>
#include <map>
#include <vector>

namespace overlapack::sparse {
struct FactorPlan;
}

namespace overlapack::sparse::supernodal {

/// The tasks of supernodal LU, as in paper 1's Figures 5 to 7. The drivers differ in their order, and in where they wait.
/// Each task is called by all ranks of the grid; those that have no part in it return at once.
///
/// send and receive wait until the other side has answered (mpi_send, mpi_recv); start posts sends and receives, finish waits.
template <class T>
class Steps {
 public:
  Steps(comm::Rank& rank, const NodeGrid& nodes, RankPanels<T>& panels, const FactorPlan& plan,
        const PivotTest<T>& test, const FactorWatch& watch, FactorStats& stats);

  Index nodes() const { return nodes_.nodes(); }
  Index nodes_with_border() const { return nodes_.nodes_with_border(); }
  int depth() const;
  bool has_rows_ahead() const;

  /// P_r A(K, K) P_c = L_KK U_KK,   L(:, K) = A(:, K) P_c U_KK^{-1}: on PROC_c(K).
  void factor_column(Index k);
  void send_column(Index k) { send(true, k); }
  void receive_column(Index k) { receive(true, k); }
  void start_column(Index k) { start(true, k); }
  void finish_column(Index k) { finish(true, k); }

  /// U(K, :) = L_KK^{-1} P_r A(K, :): on PROC_r(K), which has received L_KK with L(:, K).
  void factor_row(Index k);
  void send_row(Index k) { send(false, k); }
  void receive_row(Index k) { receive(false, k); }
  void start_row(Index k) { start(false, k); }
  void finish_row(Index k) { finish(false, k); }

  /// Has block column (or block row) j all of its updates once node k has done its own?
  bool is_column_ready(Index j, Index k) const { return nodes_.last_of_column(j) <= k; }
  bool is_row_ready(Index j, Index k) const { return nodes_.last_of_row(j) <= k; }
  /// A(J:N, J) -= L(J:N, K) U(K, J).
  void update_column(Index k, Index j);
  /// A(I, J) -= L(I, K) U(K, J) for all I and J that are not updated yet.
  void update(Index k);

  void count(Index NodeFigures::*which) { ++(stats_.*which); }
  /// Size of the smallest pivot of this rank; 0: one was replaced; infinity: there were none.
  double smallest_pivot() const { return smallest_pivot_; }
  /// Peak bytes of copies of other ranks' panels.
  double most_held_bytes() const { return most_held_; }
  /// Report progress to the caller; on every rank, once a step.
  void report_progress(Index k);

 private:
  /// A received panel, and the message body that it views.
  struct Held {
    NodePanel<const T> panel;
    comm::Body body;
  };
  struct UnderWay {
    std::vector<comm::Send> sends;
    comm::Recv receive;
  };
  using Traffic = std::map<Index, UnderWay>;
  using Panels = std::map<Index, Held>;

  void factor_square_of(Index k);
  void permute_columns(MatrixView<T> panel, std::span<const std::int32_t> order);
  void broadcast_square(Index k);
  NodePanel<const T> square_of(Index k);
  void send(bool is_lower, Index k);
  void receive(bool is_lower, Index k);
  void start(bool is_lower, Index k);
  void finish(bool is_lower, Index k);
  std::vector<comm::Send> start_sends(bool is_lower, Index k);
  comm::Recv post(bool is_lower, Index k);
  void store_received_panel(bool is_lower, Index k, comm::Recv receive);
  void store_panel(Panels& panels, Index k, Index rows, bool has_square, comm::Body body);
  void free_panel(Panels& panels, Index k);
  double bytes_of_copy(const comm::Body& body) const;
  void wait_all(std::vector<comm::Send>& sends);
  MatrixView<const T> lower_of(Index k);
  MatrixView<const T> upper_of(Index k);

  comm::Rank& rank_;
  const NodeGrid& nodes_;
  RankPanels<T>& panels_;
  const FactorPlan& plan_;
  const FactorWatch& watch_;
  PivotTest<T> test_;
  FactorStats& stats_;
  bool is_phantom_;
  Update<T> update_;
  Panels lower_, upper_;  ///< received from other ranks and still needed
  Traffic columns_, rows_;
  std::vector<Index> updated_ahead_;  ///< block columns that the current step has already updated
  std::vector<T> square_;             ///< U_KK^T
  SquareWork<T> square_work_;
  std::vector<std::int32_t> order_;
  double smallest_pivot_ = std::numeric_limits<double>::infinity();
  double held_ = 0, most_held_ = 0;
};

template <class T>
class LeftUpdate;

// The drivers: each eliminates all nodes.

/// For one process that has all nodes; also updates their border.
template <class T>
void factorize_left_looking(Steps<T>& steps, LeftUpdate<T>& updates);

/// Source  paper 1, Figure 5
template <class T>
void run_flat(Steps<T>& steps);
/// Source  paper 1, Figure 6
template <class T>
void run_pipelined(Steps<T>& steps);
/// Source  paper 1, Figure 7 with depth 1 and without rows ahead
template <class T>
void look_ahead(Steps<T>& steps);

}  // namespace overlapack::sparse::supernodal
