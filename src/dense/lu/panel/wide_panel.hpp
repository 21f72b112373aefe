#pragma once
#include "dense/lu/panel/panel_message.hpp"
#include "dense/panels.hpp"

/// A panel of several distributed blocks (nb' > nb): several process columns and process rows own it, and all-gathers replace the
/// broadcasts of a one-block panel. Every process of the grid has the pivots.
/// Source  paper 4, section 2.1: nb' apart from nb
namespace overlapack::dense {

/// The panel on every process: my rows of L21 gathered from my process row, then L11 \ U11 from my process column.
/// Shapes  factor: its pivots
/// Sync    collective over the grid; one superstep where process rows have several processes, one where process columns have
template <class T>
Panel<T> gather_panel(dist::Moves<T>& moves, const dist::DistributedMatrix<T>& A, Index number, Index first,
                      Index width, PanelFactor<T> factor);

/// A(panel, columns), its rows gathered from my process column: width x my columns of the range. Empty on phantom ranks.
/// Sync    collective over the grid; one superstep where process columns have several processes
template <class T>
std::vector<T> gather_panel_rows(dist::Moves<T>& moves, const dist::DistributedMatrix<T>& A,
                                 const Panel<T>& panel, ColumnRange columns, const comm::Key& key);

/// A(panel, columns) <- my rows of U, width x my columns of the range.
template <class T>
void write_block_row(const dist::DistributedMatrix<T>& A, const Panel<T>& panel, ColumnRange columns,
                     MatrixView<const T> U);

}  // namespace overlapack::dense
