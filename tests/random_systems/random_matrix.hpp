#pragma once
#include "base/random.hpp"
#include "overlapack/sparse_matrix.hpp"

#include <string>

namespace overlapack {

/// A matrix of at most `most` rows, of a structure and with flaws at random; `what` gets their names.
template <class T>
SparseMatrix<T> random_matrix(Random& random, Index most, std::string& what);

}  // namespace overlapack
