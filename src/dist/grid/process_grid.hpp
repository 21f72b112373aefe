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

/// A grid of P x Q processes, which are ranks of a team: 0 .. P Q - 1, or those given by position. Other ranks are not in the grid.
class ProcessGrid {
 public:
  /// Errors  BadPlan unless P, Q >= 1 and P Q <= team_size
  ProcessGrid(int rows, int cols, GridOrder order, int team_size);
  /// A grid whose ranks are given by position, like a BLACS grid: rank_at(p, q) = ranks[p + q rows].
  ProcessGrid(int rows, int cols, std::vector<int> ranks, int team_size);

  int rows() const { return rows_; }
  int cols() const { return cols_; }
  int size() const { return rows_ * cols_; }
  int rank_at(int row, int col) const { return ranks_[row + col * rows_]; }
  bool holds(int rank) const;
  GridPosition position_of(int rank) const;

  /// The processes of my process row, by column; those of my process column, by row.
  comm::collective::Group row_group(GridPosition me) const;
  comm::collective::Group column_group(GridPosition me) const;
  /// All processes, column by column.
  comm::collective::Group everyone(GridPosition me) const;
  /// Which of these three a group is. On a grid of one row or column, where they coincide, the first that fits.
  Scope scope_of(const comm::collective::Group& group) const;

 private:
  int rows_, cols_;
  std::vector<int> ranks_;
};

/// The most square P x Q = ranks with P <= Q (HPL's advice: Q a little larger than P).
ProcessGrid squarest_grid(int ranks, GridOrder order);

/// How the processes of a node lie in the grid, as the parity schedule needs it: `phases` neighbours along an axis, with phase =
/// position % phases.
struct NodeLayout {
  NodeAxis axis = NodeAxis::none;
  int phases = 1;
};

/// The layout of the nodes' ranks in the grid. node_of: rank of the team -> node.
/// Errors  BadPlan, which names grid and nodes, if the ranks of a node are consecutive neither along a process row nor along
///         a process column, or if nodes differ in this or in their number of ranks
/// Source  paper 2, section 4.2, for the row; the paper's prime numbers of nodes need the column, too
NodeLayout node_layout(const ProcessGrid& grid, std::span<const int> node_of);

}  // namespace overlapack::dist
