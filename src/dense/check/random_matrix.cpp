#include "dense/check/random_matrix.hpp"

#include "base/instantiate.hpp"
#include "base/random.hpp"
#include "kernels/product/operand.hpp"

#include <algorithm>

namespace overlapack::dense {
namespace {

template <class T>
T next_entry(Random& random) {
  const auto part = [&] { return static_cast<Real<T>>(random.uniform() - 0.5); };
  if constexpr (ScalarTraits<T>::is_complex) {
    const Real<T> re = part();
    return T(re, part());
  } else {
    return part();
  }
}

/// The generator positioned at entry (i, j); columns are 2^32 entries apart in its sequence.
template <class T>
Random random_at(std::uint64_t seed, dist::Global i, dist::Global j) {
  const std::uint64_t entry =
      (static_cast<std::uint64_t>(j.value) << 32) + static_cast<std::uint64_t>(i.value);
  Random random(seed);
  random.skip(ScalarTraits<T>::is_complex ? 2 * entry : entry);
  return random;
}

}  // namespace

template <class T>
void random_columns(std::uint64_t seed, const dist::DistributedMatrix<T>& A, Index first, MatrixView<T> out) {
  for (Index c = 0; c < out.cols; ++c) {
    const dist::Global j = A.cols.global({first + c}, A.me.col);
    for (Index block = 0; block < out.rows; block += A.rows.block) {
      Random random = random_at<T>(seed, A.rows.global({block}, A.me.row), j);
      const Index end = std::min(block + A.rows.block, out.rows);
      for (Index i = block; i < end; ++i) out(i, c) = next_entry<T>(random);
    }
  }
}

#define OVERLAPACK_INSTANTIATE(T) \
  template void random_columns(std::uint64_t, const dist::DistributedMatrix<T>&, Index, MatrixView<T>);
OVERLAPACK_FOR_EACH_SCALAR(OVERLAPACK_INSTANTIATE)
#undef OVERLAPACK_INSTANTIATE

}  // namespace overlapack::dense
