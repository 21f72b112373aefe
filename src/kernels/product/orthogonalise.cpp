#include "kernels/product/orthogonalise.hpp"

#include "base/instantiate.hpp"
#include "kernels/product/norm.hpp"
#include "kernels/product/sizes.hpp"
#include "kernels/product/vectors.hpp"

#include <algorithm>
#include <cmath>

namespace overlapack::kernels {
namespace {

/// Share of w that must be left; with less, rounding in it may point along V
constexpr double enough_left = 1e-3;

/// w <- w - V V^H w, once; returns V^H w.
template <class T>
std::vector<T> project_out(std::span<const std::vector<T>> V, std::span<T> w) {
  constexpr std::size_t piece = sizes::projected_bytes / sizeof(T);
  std::vector<T> along(V.size());
  const auto each = [&](auto&& f) {
    for (std::size_t first = 0; first < w.size(); first += piece) {
      const std::size_t count = std::min(piece, w.size() - first);
      for (std::size_t k = 0; k < V.size(); ++k)
        f(k, w.subspan(first, count), std::span<const T>(V[k]).subspan(first, count));
    }
  };
  each(
      [&](std::size_t k, std::span<T> of_w, std::span<const T> v) { along[k] += inner_product<T>(v, of_w); });
  each([&](std::size_t k, std::span<T> of_w, std::span<const T> v) {
    add_multiple_to<T>(of_w, -along[k], v);
  });
  return along;
}

}  // namespace

template <class T>
double orthogonalise(std::span<const std::vector<T>> V, std::span<T> w, std::span<T> along) {
  for (bool is_first = true;; is_first = false) {
    const std::vector<T> found = project_out(V, w);
    for (std::size_t k = 0; k < V.size(); ++k) along[k] += found[k];
    const double left = norm2<T>(w), taken = norm2<T>(found);
    if (!is_first || !(left < enough_left * taken)) return left;
  }
}

#define OVERLAPACK_INSTANTIATE(T) \
  template double orthogonalise(std::span<const std::vector<T>>, std::span<T>, std::span<T>);
OVERLAPACK_FOR_EACH_SCALAR(OVERLAPACK_INSTANTIATE)
#undef OVERLAPACK_INSTANTIATE

}  // namespace overlapack::kernels
