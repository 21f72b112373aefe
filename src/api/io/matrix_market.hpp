#pragma once
#include "overlapack/io.hpp"

#include <string>
#include <string_view>

namespace overlapack::io {

/// Whether the text starts with the banner of a Matrix Market file.
bool is_matrix_market(std::string_view text);

/// Read the matrix in the text of a Matrix Market file; with array format its nonzeros.
/// Errors  BadInput with file, line and what to do
/// Source  R. Boisvert, R. Pozo, K. Remington, The Matrix Market Exchange Formats, NISTIR 5935, 1996
MatrixFile read_matrix_market(std::string_view text, const std::string& name);

/// Read the matrix in the text of a Matrix Market file as a dense array.
DenseFile read_dense_matrix_market(std::string_view text, const std::string& name);

}  // namespace overlapack::io
