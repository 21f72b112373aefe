#pragma once
#include "overlapack/dense.hpp"

/// What dense solvers take of their callers.
namespace overlapack::api {

/// Errors  BadInput: no column, fewer rows than columns, or other than n x n where it has to be
void require_shape(Index rows, Index cols, bool is_square);
/// Errors  BadInput: no memory, or strides by which two entries share an address
template <class T>
void require_strides(dense::View<T> A);
/// Errors  BadInput: the triangles differ by more than rounding of sqrt(a_ii a_jj), which bounds |a_ij| in a definite matrix
template <class T>
void require_hermitian(dense::View<T> A);
/// Errors  BadPlan: parts on several ranks where the ranks are threads of one caller
void require_processes(const Options& options, const dense::Layout& layout);

}  // namespace overlapack::api
