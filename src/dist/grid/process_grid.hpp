#pragma once
#include "comm/collective/broadcast/broadcast.hpp"
#include "overlapack/choices.hpp"
#include "overlapack/scalar.hpp"

#include <span>
#include <string>
#include <vector>

namespace overlapack::dist {

using overlapack::GridOrder;

/// Axis along which the ranks of a node are consecutive.
enum class NodeAxis : std::uint8_t { none, row, column };

struct GridPosition {
  int row = 0, col = 0;
};

/// Processes that take part in a collective: my process row, my process column, the whole grid (column by column).
enum class Scope : std::uint8_t { row, column, all };

/// P x Q processes, ranks 0 .. P Q - 1 of a team; further ranks are not in the grid.
class ProcessGrid {
 public:
  /// Errors  BadPlan unless P, Q >= 1 and P Q <= team_size
  ProcessGrid(int rows, int cols, GridOrder order, int team_size);
  /// A grid with the rank of each position given, like a BLACS grid: rank_at(p, q) = ranks[p + q rows].
  ProcessGrid(int rows, int cols, std::vector<int> ranks, int team_size);

  int rows() const { return rows_; }
  int cols() const { return cols_; }
  int size() const { return rows_ * cols_; }
  int rank_at(int row, int col) const { return ranks_[row + col * rows_]; }
  bool holds(int rank) const;
  GridPosition position_of(int rank) const;

  /// All of a process row, by column; all of a process column, by row.
  comm::collective::Group row_group(GridPosition me) const;
  comm::collective::Group column_group(GridPosition me) const;
  /// All processes, column by column.
  comm::collective::Group everyone(GridPosition me) const;
  /// Which of these a group is; of a grid of one row or column the first.
  Scope scope_of(const comm::collective::Group& group) const;

 private:
  int rows_, cols_;
  std::vector<int> ranks_;
};

/// The most square P x Q = ranks with P <= Q (HPL's advice: Q a little larger than P).
ProcessGrid squarest_grid(int ranks, GridOrder order);

/// Processes of a node, as the parity schedule needs them: `phases` neighbours along an axis, phase = position % phases.
struct NodeLayout {
  NodeAxis axis = NodeAxis::none;
  int phases = 1;
};

/// How the ranks of each node lie in the grid; node_of: team rank -> node.
/// Errors  BadPlan, naming grid and nodes, when ranks of one node are neither consecutive along a process row nor along
///         a process column, or nodes differ in their number of ranks
/// Source  paper 2, section 4.2 (row); its prime node counts need the column, too
NodeLayout node_layout(const ProcessGrid& grid, std::span<const int> node_of);

}  // namespace overlapack::dist
