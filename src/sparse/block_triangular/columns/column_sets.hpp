#pragma once
#include "sparse/block_triangular/columns/column_lu.hpp"

namespace overlapack::sparse::block_triangular {

/// factors.sets <- which columns can be computed anew at the same time. Column j needs those in U(:, j); whoever needs column k is
/// above it in the elimination tree of U + U^T. Whole subtrees, each of at most subtree_share of a thread's even share of the
/// predicted time, are put together to sets of about as much, the largest first.
/// threads: who may take sets; 1: all columns are the rest
/// Cost    nearly linear in the entries of U
/// Source  Liu, The role of elimination trees in sparse factorization, SIMAX 11 (1990)
template <class T>
void find_column_sets(ColumnFactors<T>& factors, int threads, const ColumnPlan& plan);

}  // namespace overlapack::sparse::block_triangular
