#pragma once
#include "sparse/analysis/scaling.hpp"

#include <optional>

namespace overlapack::sparse {

/// A scaling for LU after a matching that leaves each row in its place, so that a symmetric pattern stays symmetric. As for LDL^T, the matching
/// gives the scaling and the pairs of variables that have to meet in one front, where the search for pivots exchanges rows and columns. No value
/// unless nearly all columns with a small diagonal have a partner such that both off-diagonal entries of the pair are large
/// (plan.kept_rows_weak).
/// Shapes  matched: as choose_scaling makes it for lu, with a matching of full structural rank
/// Cost    O(nnz)
/// Source  the pairs of Duff and Pralet, SIMAX 27 (2005), for matrices whose pattern alone is symmetric
template <class T>
std::optional<Scaling> scaling_with_kept_rows(const SparseMatrix<T>& A, const Scaling& matched,
                                              const AnalysisPlan& plan);

}  // namespace overlapack::sparse
