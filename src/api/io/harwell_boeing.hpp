#pragma once
#include "overlapack/io.hpp"

#include <string>
#include <string_view>

namespace overlapack::io {

/// Whether the third line has a matrix type (RUA, PSA, CHA, ...) and the fourth line Fortran formats.
bool is_harwell_boeing(std::string_view text);

/// Read the matrix in the text of an assembled Harwell–Boeing or Rutherford–Boeing file. Right-hand sides in the file are ignored.
/// Errors  BadInput with file, line and what to do; elemental matrices (xxE) are refused
/// Source  I. Duff, R. Grimes, J. Lewis, Users' Guide for the Harwell-Boeing Sparse Matrix Collection, 1992, and
///         The Rutherford-Boeing Sparse Matrix Collection, RAL-TR-97-031
MatrixFile read_harwell_boeing(std::string_view text, const std::string& name);

}  // namespace overlapack::io
