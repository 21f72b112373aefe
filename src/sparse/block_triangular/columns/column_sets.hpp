#pragma once
#include "sparse/block_triangular/columns/column_factors.hpp"

namespace overlapack::sparse {
struct ColumnPlan;
}

namespace overlapack::sparse::block_triangular {

/// factors.sets <- sets of columns that can be refactorised at the same time. Column j needs the columns in
/// U(:, j), and all columns that need k are its ancestors in the elimination tree of U + U^T. So whole
/// subtrees do not depend on each other. Those that take at most subtree_share of a thread's even share of
/// the predicted time are combined to sets of about that time, the largest set first. For L D L^T read L^T for
/// U; the two columns of a 2x2 pivot stay together.
/// Shapes  factors: LU, or L D L^T whose rows are listed (list_rows)
/// threads: number of threads that may run sets; 1: all columns are the rest
/// Cost    nearly linear in the entries of U
/// Source  Liu, The role of elimination trees in sparse factorization, SIMAX 11 (1990)
template <class T>
void find_column_sets(ColumnFactors<T>& factors, int threads, const ColumnPlan& plan);

}  // namespace overlapack::sparse::block_triangular
