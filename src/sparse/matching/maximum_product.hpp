#pragma once
#include "overlapack/sparse_matrix.hpp"

#include <functional>
#include <vector>

namespace overlapack::sparse {

/// A matching of rows and columns of A, and the scaling that belongs to it. With A' = Dr A Dc, each matched entry
/// b_j = A'(row_of_column[j], j) has 1/2 <= |b_j| <= 2, and no |A'(i, j)| exceeds 2. All scales are powers of two, so that scaling causes no
/// rounding.
struct Matching {
  std::vector<Index> row_of_column;  ///< the row matched to each column; -1 if structural_rank < n
  std::vector<double> row_scale;     ///< Dr
  std::vector<double> col_scale;     ///< Dc
  Index structural_rank = 0;         ///< the largest number of entries with no two in a row or column
};

/// Find the matching with the largest product of absolute values. For a structurally singular A it is a matching of maximum cardinality, whose
/// product need not be the largest and whose scales bound nothing. Stored zeros do not take part.
/// Shapes  A square, canonical and finite
/// before_column: as of solve_assignment
/// Cost    O(n nnz log n) in the worst case; about linear in nnz in practice
/// Source  I. Duff, J. Koster, On algorithms for permuting large entries to the diagonal of a sparse matrix,
///         SIAM J. Matrix Anal. Appl. 22 (2001), sections 3 and 4 (the option known as MC64 job 5)
template <class T>
Matching maximum_product_matching(const SparseMatrix<T>& A,
                                  const std::function<void(double share)>& before_column = {});

/// The symmetric scaling of a symmetric matrix by its matching: d_i = sqrt(row_scale_i col_scale_i), rounded to a power of two. No
/// |d_i A(i, j) d_j| exceeds 4, and the matched entries stay within [1/4, 4].
/// Source  I. Duff, S. Pralet, Strategies for scaling and pivoting for sparse symmetric indefinite
///         problems, SIAM J. Matrix Anal. Appl. 27 (2005), section 4
std::vector<double> symmetric_scaling(const Matching& matching);

}  // namespace overlapack::sparse
