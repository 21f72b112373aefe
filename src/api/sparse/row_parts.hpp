#pragma once
#include "comm/rank.hpp"
#include "overlapack/overlapack.hpp"

namespace overlapack::api {

/// The vectors that gather_rows makes on rank 0, n x columns, from the rows that the ranks hold.
/// Sync    collective
/// Errors  BadInput, naming the rank: a row is outside, the number of values does not fit the rows, two ranks or none give a row, or
///         the numbers of columns differ
template <class T>
struct GatheredRows {
  std::vector<T> values;
  Index columns = 0;  ///< on every rank
};
template <class T>
GatheredRows<T> gather_rows(comm::Rank& rank, const RowPart<T>& mine, Index n);

/// Send this rank its rows of x.
/// Shapes  x: n x columns, on rank 0; position: of the rank in its process
/// Sync    collective
/// Errors  BadInput, naming the rank, for rows outside
template <class T>
RowPart<T> scatter_solution_rows(comm::Rank& rank, int position, std::span<const T> x, Index n, Index columns,
                                 const SolutionRows& wanted);

}  // namespace overlapack::api
