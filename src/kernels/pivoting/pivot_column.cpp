#include "kernels/pivoting/pivot_column.hpp"

#include "base/instantiate.hpp"
#include "kernels/product/sizes.hpp"
#include "kernels/small/dispatch.hpp"

#include <algorithm>
#include <limits>

namespace overlapack::kernels {

template <class T>
Index largest_entry(Index m, const T* x) {
  // find the largest magnitude by vector kernels; then search for its position, from the start of its chunk
  constexpr Index chunk = sizes::pivot_chunk;
  Real<T> largest = -1;
  Index begin = 0;
  for (Index i = 0; i < m; i += chunk) {
    const Real<T> here = small::kernels<T>().largest(std::min(chunk, m - i), x + i);
    if (here > largest) largest = here, begin = i;
  }
  for (Index i = begin; i < m; ++i)
    if (magnitude(x[i]) == largest) return i;
  return 0;
}

template <class T>
void divide_column(Index m, const T& pivot, T* x) {
  if (magnitude(pivot) < std::numeric_limits<Real<T>>::min()) {
    for (Index i = 0; i < m; ++i) x[i] /= pivot;
    return;
  }
  const T reciprocal = T(1) / pivot;
  small::kernels<T>().scale(m, &reciprocal, x);
}

#define OVERLAPACK_INSTANTIATE(T)                   \
  template Index largest_entry<T>(Index, const T*); \
  template void divide_column<T>(Index, const T&, T*);
OVERLAPACK_FOR_EACH_SCALAR(OVERLAPACK_INSTANTIATE)
#undef OVERLAPACK_INSTANTIATE

}  // namespace overlapack::kernels
