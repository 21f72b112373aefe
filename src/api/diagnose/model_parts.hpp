#pragma once
#include "overlapack/sparse_matrix.hpp"

#include <span>
#include <vector>

namespace overlapack::api {

/// The connected parts of the model: the number of the part of each unknown. No entry of A connects two parts; equation i belongs to the part
/// of unknown i.
template <class T>
std::vector<Index> connected_parts(const SparseMatrix<T>& A);

/// A connected part as a square matrix. Equations and unknowns without entries are left out, except for those that keep it square.
template <class T>
struct ModelPart {
  SparseMatrix<T> A;
  std::vector<Index> equations, unknowns;  ///< the numbers in the model of A's rows and columns, ascending
  Index defect = 0;                        ///< rank deficiency of A by its pattern
};

/// The connected parts with two unknowns or more. A part of one unknown with an entry has no fault.
/// part: connected_parts(A); row_of_column: a largest matching of the pattern, -1: unmatched
template <class T>
std::vector<ModelPart<T>> model_parts(const SparseMatrix<T>& A, std::span<const Index> part,
                                      std::span<const Index> row_of_column);

}  // namespace overlapack::api
