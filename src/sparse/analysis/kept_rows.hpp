#pragma once
#include "sparse/analysis/scaling.hpp"

#include <optional>

namespace overlapack::sparse {

/// LU after a matching with each row where it was, so that a symmetric pattern stays symmetric: as for LDL^T, the matching scales
/// and tells which pairs of variables are to meet in a front, whose search then exchanges rows and columns. Nothing unless nearly all
/// columns with a small diagonal have a partner with which both entries beside the diagonal are large (plan.kept_rows_weak).
/// Shapes  matched: as choose_scaling makes it for lu, with a matching of full structural rank
/// Cost    O(nnz)
/// Source  the pairs of Duff and Pralet, SIMAX 27 (2005), for matrices whose pattern alone is symmetric
template <class T>
std::optional<Scaling> scaling_with_kept_rows(const SparseMatrix<T>& A, const Scaling& matched,
                                              const AnalysisPlan& plan);

}  // namespace overlapack::sparse
