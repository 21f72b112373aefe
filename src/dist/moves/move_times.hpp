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
  ByteCost byte = {};
  /// The same while one process column alone moves data, as for its panel, pivot searches and the panel's rows.
  ByteCost byte_of_one_column = {};
  double next_s = 0;  ///< each further one of a few short messages, sent and received in a row
  /// Share of a long message, or of a computation if that is shorter, that overlaps with the other; 0: messages progress only in
  /// calls of their ranks.
  double hidden = 1;
  double signal_s = 0;       ///< a short put with its signal, until the target sees it
  double next_signal_s = 0;  ///< each further one of a few, sent and awaited in a row
  double get_s = 0;          ///< a short get and its flush
  /// Additional seconds for each byte of a long get, while all of a process row, or column, get the same from its first process.
  double get_byte_of_first_s = 0;
};

/// Machine parameters for dense algorithms. Zero costs for a process row, or column, of one rank.
struct MoveTimes {
  double flops_per_s = 0;  ///< of one rank for large products, while all compute
  TransferCost in_row = {}, in_column = {};
  bool has_windows = false;       ///< else the costs of puts, signals and gets are unknown
  bool is_within_reach = false;   ///< windows of all ranks can be read by plain loads
  bool reaches_attached = false;  ///< matrices need not be copied into a window
};

/// Measure them between processes half a row, or column, apart: minimum over repetitions, maximum over pairs. Windows are
/// not tried between nodes with MPI, where Open MPI 4.1 may end the whole job.
/// Sync    collective over the team
/// Cost    some milliseconds; simulated, without repetitions: the time of about 700 messages
MoveTimes measured_moves(comm::Rank& rank, const ProcessGrid& grid);

}  // namespace overlapack::dist
