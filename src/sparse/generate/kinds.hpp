#pragma once
#include "overlapack/sparse_matrix.hpp"

#include <cstdint>

namespace overlapack::sparse {

// One function a kind; generate.cpp says in its table what `size` means for each.
SparseMatrix<double> make_cube(Index size, std::uint64_t seed);

}  // namespace overlapack::sparse
