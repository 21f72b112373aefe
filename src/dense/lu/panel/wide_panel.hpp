#pragma once
#include "dense/lu/panel/panel_message.hpp"
#include "dense/panels.hpp"

/// A panel of several distributed blocks (nb' > nb). Several process columns and process rows own it, so that all-gathers replace the
/// broadcasts of a panel of one block. Every process of the grid has the pivots.
/// Source  paper 4, section 2.1, which chooses nb' independently of nb
namespace overlapack::dense {

/// The panel for the update, on every process: gathers my rows of L21 from my process row, then L11 \ U11 from my process column.
/// Shapes  factor: with the panel's pivots; its top is replaced
/// Sync    collective over the grid; one superstep where process rows have several processes, one where process columns have
template <class T>
Panel<T> gather_panel(dist::Moves<T>& moves, const dist::DistributedMatrix<T>& A, Index number, Index first,
                      Index width, PanelFactor<T> factor);

/// The block row A(panel, columns), gathered from my process column: width x my columns of the range. Empty on phantom ranks.
/// Sync    collective over the grid; one superstep where process columns have several processes
template <class T>
std::vector<T> gather_panel_rows(dist::Moves<T>& moves, const dist::DistributedMatrix<T>& A,
                                 const Panel<T>& panel, ColumnRange columns, const comm::Key& key);

/// A(panel, columns) <- my rows of U, width x my columns of the range.
template <class T>
void write_block_row(const dist::DistributedMatrix<T>& A, const Panel<T>& panel, ColumnRange columns,
                     MatrixView<const T> U);

}  // namespace overlapack::dense
