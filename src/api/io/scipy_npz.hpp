#pragma once
#include "overlapack/io.hpp"

#include <string>
#include <string_view>

namespace overlapack::io {

/// The matrix in the bytes of a file written by scipy.sparse.save_npz: csr, csc or coo.
/// Errors  BadInput; the formats bsr, dia, dok and lil are refused with what to do
MatrixFile read_scipy_npz(std::string_view bytes, const std::string& name);

/// A dense NumPy array of one or two dimensions.
/// Errors  BadInput
DenseFile read_dense_npy(std::string_view bytes, const std::string& name);

/// The nonzeros of a dense two-dimensional NumPy array.
/// Errors  BadInput
MatrixFile read_npy_matrix(std::string_view bytes, const std::string& name);

}  // namespace overlapack::io
