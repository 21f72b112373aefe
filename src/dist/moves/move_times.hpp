#pragma once
#include "comm/rank.hpp"
#include "dist/grid/process_grid.hpp"

namespace overlapack::dist {

/// More for each byte of a long transfer, seconds.
struct ByteCost {
  double message_s = 0, get_s = 0;
};

/// What it takes to move data between two ranks, while as many other pairs of the grid as there are do the same: seconds.
struct TransferCost {
  double message_s = 0;  ///< a short message, one way
  ByteCost byte;
  /// While one process column alone moves data, as its panel, its searches and the rows of its panel do.
  ByteCost byte_of_one_column;
  double next_s = 0;  ///< each more of a few short ones, sent and received in a row
  /// Of a long message, or of a computation where that is shorter, the share that the other hides; 0: a message moves in calls
  /// of its ranks alone.
  double hidden = 1;
  double signal_s = 0;       ///< a short put and its signal, until the target sees it
  double next_signal_s = 0;  ///< each more of a few, put and awaited in a row
  double get_s = 0;          ///< a short get, until it is complete
  /// More for each byte of a long get, while all of each process row, or column, get the same from their first one.
  double get_byte_of_first_s = 0;
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
/// Cost    some milliseconds; simulated, once each: the time of 700 messages or so
MoveTimes measured_moves(comm::Rank& rank, const ProcessGrid& grid);

}  // namespace overlapack::dist
