#pragma once
#include "comm/rank.hpp"
#include "dist/grid/process_grid.hpp"

namespace overlapack::dist {

/// What it takes to move data between two ranks, while as many other pairs of the grid as there are do the same: seconds.
struct TransferCost {
  double message_s = 0;       ///< a short message, one way
  double message_byte_s = 0;  ///< more for each byte of a long one
  double next_s = 0;          ///< each more of a few short ones, sent and received in a row
  /// Of a long message, or of a computation where that is shorter, the share that the other hides; 0: a message moves in calls
  /// of its ranks alone.
  double hidden = 1;
  double signal_s = 0;    ///< a short put and its signal, until the target sees it
  double issue_s = 0;     ///< of these, what the caller's processor does
  double get_s = 0;       ///< a short get, until it is complete
  double get_byte_s = 0;  ///< more for each byte of a long one
};

/// The machine, as dense algorithms see it. A rank alone in its process row, or column, has no costs there.
struct MoveTimes {
  double flops_per_s = 0;  ///< of large products, one rank, while all compute
  TransferCost in_row = {}, in_column = {};
  bool has_windows = false;       ///< else no cost of puts, signals and gets is known
  bool is_within_reach = false;   ///< what stands in windows is loaded in place
  bool reaches_attached = false;  ///< memory need not be copied into a window
};

/// Measures them between processes half of their row, or column, apart: the least of several, of the slowest pair. Windows are
/// tried where that cannot fail: not between nodes by MPI, where Open MPI 4.1 may end the whole job.
/// Sync    collective over the team
/// Cost    some milliseconds; simulated, once each: the time of 500 messages or so
MoveTimes measured_moves(comm::Rank& rank, const ProcessGrid& grid);

}  // namespace overlapack::dist
