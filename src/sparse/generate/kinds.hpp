#pragma once
#include "overlapack/sparse_matrix.hpp"

#include <cstdint>

namespace overlapack::sparse {

// One function for each kind; the table in generate.cpp says what `size` means for each.
SparseMatrix<double> make_cube(Index size, std::uint64_t seed);
SparseMatrix<double> make_convection(Index size, std::uint64_t seed);
SparseMatrix<double> make_elasticity(Index size, std::uint64_t seed);
SparseMatrix<double> make_saddle(Index size, std::uint64_t seed);
SparseMatrix<double> make_bordered(Index size, std::uint64_t seed);
SparseMatrix<double> make_bordered_symmetric(Index size, std::uint64_t seed);
SparseMatrix<double> make_process(Index size, std::uint64_t seed);
SparseMatrix<double> make_random(Index size, std::uint64_t seed);
SparseMatrix<double> make_dense(Index size, std::uint64_t seed);

}  // namespace overlapack::sparse
