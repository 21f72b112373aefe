#pragma once
#include "overlapack/diagnose.hpp"
#include "overlapack/sparse_matrix.hpp"

#include <vector>

namespace overlapack::api {

/// What the pattern alone shows, and how much of the rank is lost by it.
struct PatternFindings {
  std::vector<Finding> findings;
  Index defect = 0;
  std::vector<Index> row_of_column;  ///< of a largest matching; -1: unmatched
};

/// Shapes  A: square, without zeros
template <class T>
PatternFindings findings_by_pattern(const SparseMatrix<T>& A, const ModelFacts& facts);

/// Rows whose largest entry is far below that of most, as notes.
template <class T>
std::vector<Finding> find_badly_scaled_rows(const SparseMatrix<T>& A, const ModelFacts& facts);

}  // namespace overlapack::api
