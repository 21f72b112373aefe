#pragma once
/// Matrices of model problems, for examples and tests.
#include "overlapack/export.hpp"
#include "overlapack/sparse_matrix.hpp"

#include <cstdint>
#include <span>
#include <string_view>

namespace overlapack::sparse {

/// One kind of matrix that `overlapack generate` makes.
struct GeneratorKind {
  std::string_view name;         ///< "cube", "elasticity", ...
  std::string_view description;  ///< one line: what it models, what `size` means, n as a function of it
  Index max_size;                ///< of `size`; the smallest is 1
  SparseMatrix<double> (*make)(Index size, std::uint64_t seed);
};

/// All kinds, in the order in which lists show them.
OVERLAPACK_API std::span<const GeneratorKind> generator_kinds();

/// Make a matrix of a kind. The same (kind, size, seed) gives the same entries on every machine.
/// Errors  BadInput if there is no such kind (the sentence names all kinds) or size is not in 1 .. max_size
OVERLAPACK_API SparseMatrix<double> generate(std::string_view kind, Index size, std::uint64_t seed = 1);

}  // namespace overlapack::sparse
