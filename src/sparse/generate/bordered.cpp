#include "base/random.hpp"
#include "sparse/generate/kinds.hpp"
#include "sparse/matrix/triplets.hpp"

#include <algorithm>
#include <array>
#include <vector>

namespace overlapack::sparse {
namespace {

constexpr Index order = 24;   ///< of a block
constexpr Index coupled = 8;  ///< border variables that a block touches
constexpr Index least_border = 64;
constexpr double last_pivot = 1e-10;

using Block = std::array<std::array<double, order>, order>;

/// Sum over k of s_k g_k h_k^T with order - 1 random terms and a last one of 1e-10: whatever the pivots, one of
/// them is tiny. All entries are of size 1, so no scaling can see it. Symmetric: h = g, signs alternate.
Block almost_singular(bool is_symmetric, Random& random) {
  Block block{};
  for (Index k = 0; k < order; ++k) {
    std::array<double, order> g, h;
    for (double& x : g) x = random.uniform(-1, 1);
    for (double& x : h) x = random.uniform(-1, 1);
    const double size = (k + 1 < order ? 1.0 : last_pivot) * (k % 2 == 0 ? 1 : -1);
    for (Index i = 0; i < order; ++i)
      for (Index j = 0; j < order; ++j) block[i][j] += size * g[i] * (is_symmetric ? g[j] : h[j]);
  }
  return block;
}

/// `coupled` of the border variables, at random: no part of the border is complete before most blocks are
/// eliminated, so none can be amalgamated with a block and lend it a pivot.
std::array<Index, coupled> choose_border(Index border, Random& random) {
  std::array<Index, coupled> chosen;
  for (auto at = chosen.begin(); at != chosen.end();) {
    *at = static_cast<Index>(random.below(border));
    if (std::find(chosen.begin(), at, *at) == at) ++at;
  }
  return chosen;
}

/// [B_1 .. C_1; .. ; R_1 .. D], D = 4 I. There are at least as many border variables as blocks: they make up for
/// the missing rank of each.
SparseMatrix<double> bordered_system(Index size, std::uint64_t seed, bool is_symmetric) {
  Random random(seed);
  const Index border = std::max(size, least_border), first_border = order * size;
  Triplets<double> entries;
  entries.rows = entries.cols = first_border + border;
  entries.reserve(size * order * (order + coupled) + border);
  for (Index k = 0; k < size; ++k) {
    const Block block = almost_singular(is_symmetric, random);
    const auto outer = choose_border(border, random);
    for (Index i = 0; i < order; ++i) {
      const Index inner = k * order + i;
      for (Index j = 0; j < order; ++j) entries.add(inner, k * order + j, block[i][j]);
      for (Index c : outer) {
        if (c != outer[i % coupled] && random.below(2) == 0)
          continue;  // no two variables have the same neighbours
        const double x = random.uniform(-1, 1);
        entries.add(inner, first_border + c, x);
        entries.add(first_border + c, inner, is_symmetric ? x : random.uniform(-1, 1));
      }
    }
  }
  for (Index b = 0; b < border; ++b) entries.add(first_border + b, first_border + b, 4.0);
  SparseMatrix<double> A = compress(entries).matrix;
  if (is_symmetric) A.symmetry = Symmetry::symmetric;
  return A;
}

}  // namespace

SparseMatrix<double> make_bordered(Index size, std::uint64_t seed) {
  return bordered_system(size, seed, false);
}
SparseMatrix<double> make_bordered_symmetric(Index size, std::uint64_t seed) {
  return bordered_system(size, seed, true);
}

}  // namespace overlapack::sparse
