#pragma once
#include "overlapack/diagnose.hpp"
#include "overlapack/sparse_matrix.hpp"

#include <vector>

namespace overlapack::api {

/// What the pattern alone shows, and how much of the rank is lost by it.
struct PatternFindings {
  std::vector<Finding> findings;
  Index defect = 0;
};

/// Shapes  A: square, without zeros
template <class T>
PatternFindings findings_by_pattern(const SparseMatrix<T>& A, const ModelFacts& facts);

/// Rows whose largest entry is far below that of most, as notes.
template <class T>
std::vector<Finding> find_badly_scaled_rows(const SparseMatrix<T>& A, const ModelFacts& facts);

/// unknown -> its part of the model: parts that no entry of A connects; equation i counts as unknown i.
template <class T>
std::vector<Index> connected_parts(const SparseMatrix<T>& A);

}  // namespace overlapack::api
