#pragma once
#include "comm/rank.hpp"
#include "dist/grid/process_grid.hpp"

namespace overlapack::dist {

/// Additional seconds for each byte of a long transfer.
struct ByteCost {
  double message_s = 0, get_s = 0;
};

/// Seconds to move data between two ranks while all other pairs of the grid do the same.
struct TransferCost {
  double message_s = 0;  ///< a short message, one way
  ByteCost byte = {};    ///< each byte of a long transfer, while all pairs of the grid transfer
  /// Each byte while one process column alone moves data, as in its panel, its pivot searches and the panel's rows.
  ByteCost byte_of_one_column = {};
  double next_s = 0;  ///< each further message, if a few short ones are sent and received in succession
  /// If a long message and a computation run at the same time: the share of the shorter one that the other hides. 0: messages
  /// progress only in calls of their ranks.
  double hidden = 1;
  double signal_s = 0;       ///< a short put with its signal, until the target sees it
  double next_signal_s = 0;  ///< each further put with signal, if a few are sent and awaited in succession
  double get_s = 0;          ///< a short get and its flush
  /// Additional seconds for each byte of a long get, while all processes of a process row (or column) get the same bytes from its
  /// first process.
  double get_byte_of_first_s = 0;
};

/// Measured machine parameters for dense algorithms, from which plans predict times. In a process row, or column, of one rank all
/// costs are zero.
struct MoveTimes {
  double flops_per_s = 0;  ///< rate of one rank for large products, while all ranks compute
  TransferCost in_row = {}, in_column = {};
  bool has_windows = false;      ///< false: the costs of puts, signals and gets are unknown
  bool is_within_reach = false;  ///< every rank can read the windows of all ranks by plain loads
  /// Matrices need not be copied into a window (Capabilities::reaches_attached)
  bool reaches_attached = false;
};

/// Measures the parameters between processes half a process row, or column, apart: the minimum over repetitions, then the maximum
/// over pairs. With MPI, windows are not tried between nodes, where Open MPI 4.1 may end the whole job.
/// Sync    collective over the team
/// Cost    some milliseconds; in simulations, which do not repeat, the time of about 700 messages
MoveTimes measured_moves(comm::Rank& rank, const ProcessGrid& grid);

}  // namespace overlapack::dist
