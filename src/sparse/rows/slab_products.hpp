#pragma once
#include "sparse/rows/row_slab.hpp"

#include <span>
#include <vector>

namespace overlapack::sparse {

/// Residuals of some right-hand sides, and the weights by which componentwise backward errors divide them;
/// both by columns.
template <class T>
struct SlabResiduals {
  std::vector<T> r;             ///< b - A x, n x columns
  std::vector<Real<T>> weight;  ///< |A| |x| + |b|
};

/// Residuals on rank 0; each rank computes those of its rows, with the sums of kernels::residual.
/// Shapes  b, x: n x columns by columns, on rank 0; columns: on every rank; the result is empty on the others
/// Sync    collective
/// Cost    n columns numbers to every rank, 2 n columns into rank 0; 4 multiply-adds an entry and column
template <class T>
SlabResiduals<T> residuals(comm::Rank& rank, const RowSlab<T>& A, std::span<const T> b, std::span<const T> x,
                           Index columns);

/// Gather numbers for each rank's rows on rank 0.
/// Sync    collective
template <class T>
std::vector<double> gather_rows(comm::Rank& rank, const RowSlab<T>& A, std::vector<double> of_mine);

/// max_j sum_i |a_ij| / unit, on every rank. unit: near the largest entry, where the sum may overflow
/// Sync    collective
template <class T>
double one_norm(comm::Rank& rank, const RowSlab<T>& A, double unit);

}  // namespace overlapack::sparse
