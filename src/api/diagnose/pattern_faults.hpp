#pragma once
#include "overlapack/diagnose.hpp"
#include "overlapack/sparse_matrix.hpp"

#include <vector>

namespace overlapack::api {

/// The findings that the pattern alone shows, the rank deficiency that it causes (defect), and a largest matching of rows and columns.
struct PatternFindings {
  std::vector<Finding> findings;
  Index defect = 0;
  std::vector<Index> row_of_column;  ///< a largest matching: the row matched with each column; -1: none
};

/// Find faults by the pattern of A (Dulmage-Mendelsohn).
/// Shapes  A: square, without stored zeros
template <class T>
PatternFindings findings_by_pattern(const SparseMatrix<T>& A, const ModelFacts& facts);

/// Find rows whose largest entry is far below that of most rows. The findings are notes, no faults.
template <class T>
std::vector<Finding> find_badly_scaled_rows(const SparseMatrix<T>& A, const ModelFacts& facts);

}  // namespace overlapack::api
