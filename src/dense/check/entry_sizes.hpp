#pragma once
#include "dense/check/column_source.hpp"

#include <vector>

namespace overlapack::dense {

/// Sums and maxima of |A(i, j)| along each row and column, by global index; NaN if one of its entries is.
struct EntrySizes {
  std::vector<double> row_sum, col_sum;
  std::vector<double> row_max, col_max;

  double norm_inf() const;  ///< the largest row sum
  double norm_one() const;  ///< the largest column sum
};

/// Sums and maxima over the columns begin <= j < end; the other columns' are 0.
/// Sync    collective over the team; ranks outside of A's grid have an empty part of it; the result is on every rank
/// Cost    one pass over A, two reductions of m + n doubles
template <class T>
EntrySizes entry_sizes(comm::Rank& rank, const dist::DistributedMatrix<T>& A, ColumnSource<T> columns,
                       dist::Global begin, dist::Global end);

}  // namespace overlapack::dense
