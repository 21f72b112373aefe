#pragma once
#include "overlapack/io.hpp"

#include <string>
#include <string_view>

namespace overlapack::io {

/// Read the matrix in the bytes of a file that scipy.sparse.save_npz wrote, in format csr, csc or coo.
/// Errors  BadInput, also for the formats bsr, dia, dok and lil, with what to do
MatrixFile read_scipy_npz(std::string_view bytes, const std::string& name);

/// Read a dense NumPy array of one or two dimensions.
/// Errors  BadInput
DenseFile read_dense_npy(std::string_view bytes, const std::string& name);

/// Read the nonzeros of a dense two-dimensional NumPy array as a sparse matrix.
/// Errors  BadInput
MatrixFile read_npy_matrix(std::string_view bytes, const std::string& name);

}  // namespace overlapack::io
