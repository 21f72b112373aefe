#pragma once
#include "overlapack/dense.hpp"

/// Checks of the matrices that callers give to dense solvers.
namespace overlapack::api {

/// Check the shape of a matrix.
/// Errors  BadInput: no column, fewer rows than columns, or, if is_square, another number of rows than columns
void require_shape(Index rows, Index cols, bool is_square);
/// Check the memory and the strides of a view.
/// Errors  BadInput: a null pointer, or strides by which two entries share an address
template <class T>
void require_strides(dense::View<T> A);
/// Check that A is Hermitian up to rounding of sqrt(a_ii a_jj), which bounds |a_ij| in a definite matrix.
/// Errors  BadInput
template <class T>
void require_hermitian(dense::View<T> A);
/// Check that a distributed matrix is on one rank, or that ranks are processes. Several ranks that are threads have one caller, who can give
/// only one part.
/// Errors  BadPlan
void require_processes(const Options& options, const dense::Layout& layout);

}  // namespace overlapack::api
