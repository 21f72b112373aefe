#include "base/random.hpp"
#include "sparse/generate/kinds.hpp"
#include "sparse/matrix/triplets.hpp"

#include <numeric>
#include <utility>

namespace overlapack::sparse {

/// Seven entries a row anywhere, in [-1, 1), and one at a random permutation, of magnitude 1 to 2, which keeps
/// the matrix structurally nonsingular.
SparseMatrix<double> make_random(Index size, std::uint64_t seed) {
  Random random(seed);
  std::vector<Index> column(size);
  std::iota(column.begin(), column.end(), Index{0});
  for (Index k = size; k > 1; --k) std::swap(column[k - 1], column[random.below(k)]);
  Triplets<double> entries;
  entries.rows = entries.cols = size;
  entries.reserve(8 * size);
  for (Index i = 0; i < size; ++i) {
    entries.add(i, column[i], random.uniform(1, 2) * (random.next() & 1 ? 1 : -1));
    for (int k = 0; k < 7; ++k) {
      const auto j = static_cast<Index>(random.below(size));
      entries.add(i, j, random.uniform(-1, 1));
    }
  }
  return compress(entries).matrix;
}

SparseMatrix<double> make_dense(Index size, std::uint64_t seed) {
  Random random(seed);
  SparseMatrix<double> A;
  A.rows = A.cols = size;
  A.start.resize(size + 1);
  A.row.resize(size * size);
  A.value.resize(size * size);
  for (Index j = 0; j < size; ++j) {
    A.start[j + 1] = (j + 1) * size;
    for (Index i = 0; i < size; ++i) {
      A.row[i + j * size] = i;
      A.value[i + j * size] = random.uniform(-1, 1);
    }
  }
  return A;
}

}  // namespace overlapack::sparse
