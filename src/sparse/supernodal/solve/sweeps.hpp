#pragma once
#include "comm/mailbox/exchange.hpp"
#include "kernels/product/gemm.hpp"
#include "sparse/supernodal/factors/panels.hpp"
#include "sparse/supernodal/layout/supernodal_layout.hpp"

#include <span>
#include <vector>

namespace overlapack::sparse::supernodal {

/// The sweeps of one solve on one rank, through one part of the layout.
///   plain        L y = P_r b by L's panels, U P_c^T x = y by U's
///   transposed   U^T y = P_c^T b by U's, L^T P_r x = y by L's
template <class T>
class Sweeps {
 public:
  Sweeps(comm::Exchange& exchange, const LayoutPart& part, const RankPanels<T>& panels, bool is_transposed,
         MatrixView<T> X)
      : rank_(exchange.rank()),
        exchange_(exchange),
        lists_(part.lists),
        panels_(panels),
        nodes_(part.nodes),
        is_transposed_(is_transposed),
        X_(X) {}

  void forward() {
    for (Index k = 0; k < nodes_.nodes(); ++k) forward(k);
  }
  void backward() {
    for (Index k = nodes_.nodes() - 1; k >= 0; --k) backward(k);
  }

 private:
  bool has_panel(bool is_lower, Index k) const;
  std::span<const int> positions_with_panels(bool is_lower, Index k) const;
  int rank_in_other_dimension(bool is_lower, int position) const;
  int my_position(bool is_lower) const { return is_lower ? nodes_.me().row : nodes_.me().col; }
  MatrixView<const T> my_off_diagonal_block(bool is_lower, Index k) const;
  NodePart my_off_diagonal_indices(bool is_lower, Index k) const;
  MatrixView<T> part_of_X(Index k) const { return X_.block(nodes_.first(k), 0, nodes_.width(k), X_.cols); }
  template <class F>
  void compute(Index rows, Index width, F&& f);

  void forward(Index k);
  void backward(Index k);
  void swap_rows_and_solve_square(Index k, bool is_forward);
  void apply_panel(Index k, bool is_lower);
  void send_sums(Index k, bool is_lower);

  comm::Rank& rank_;
  comm::Exchange& exchange_;
  const SolveLists& lists_;
  const RankPanels<T>& panels_;
  const NodeGrid& nodes_;
  bool is_transposed_;
  /// Variables of this part x nrhs. Rows of this rank's squares: b, y, x. Rows of other ranks: sums for them,
  /// then their values.
  MatrixView<T> X_;
  std::vector<T> work_, sum_;
};

}  // namespace overlapack::sparse::supernodal
