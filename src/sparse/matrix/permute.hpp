#pragma once
#include "overlapack/sparse_matrix.hpp"

#include <span>
#include <vector>

namespace overlapack::sparse {

/// B(i, j) = row_scale[r] A(r, c) col_scale[c]  with r = row_perm[i], c = col_perm[j]:  B = P Dr A Dc Q.
/// Shapes  row_perm: A.rows, col_perm: A.cols, permutations; the scales as long as these or empty for ones
/// Cost    O(nnz + rows + cols); columns of B ascend
/// Errors  BadInput if a length is wrong or an order is no permutation
template <class T>
SparseMatrix<T> permute(const SparseMatrix<T>& A, std::span<const Index> row_perm,
                        std::span<const Index> col_perm, std::span<const double> row_scale = {},
                        std::span<const double> col_scale = {});

/// q with q[p[k]] = k.
/// Errors  BadInput if p is no permutation of 0 .. size - 1 (names the entry)
std::vector<Index> inverse_permutation(std::span<const Index> p);

/// Is p an odd permutation? Entries of -1 count as if they stayed.
bool is_odd(std::vector<Index> p);

/// log2 of the product of scales that are powers of two.
Index log2_product(std::span<const double> scale);

}  // namespace overlapack::sparse
