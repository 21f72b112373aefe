#pragma once
#include "comm/rank.hpp"
#include "overlapack/overlapack.hpp"

namespace overlapack::api {

/// Gather vectors of length n, by columns, from the ranks' parts on rank 0.
/// Sync    collective
/// Errors  BadInput, naming the rank: a row outside, values that do not fill the rows' columns; a row that two ranks give, or
///         none; not the same columns on all ranks
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
