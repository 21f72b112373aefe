#pragma once
#include "overlapack/sparse_matrix.hpp"

#include <span>
#include <vector>

namespace overlapack::api {

/// unknown -> its part of the model: parts that no entry of A connects; equation i counts as unknown i.
template <class T>
std::vector<Index> connected_parts(const SparseMatrix<T>& A);

/// A connected part. Equations and unknowns without entries are left out, but for those that keep it square.
template <class T>
struct ModelPart {
  SparseMatrix<T> A;
  std::vector<Index> equations, unknowns;  ///< of the model, those of A's rows and columns; ascending
  Index defect = 0;                        ///< rank that A loses by its pattern
};

/// The parts with two unknowns or more: one unknown with an entry is held.
/// part: connected_parts(A); row_of_column: of the pattern, matched as far as it goes, -1: unmatched
template <class T>
std::vector<ModelPart<T>> model_parts(const SparseMatrix<T>& A, std::span<const Index> part,
                                      std::span<const Index> row_of_column);

}  // namespace overlapack::api
