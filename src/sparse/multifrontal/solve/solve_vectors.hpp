#pragma once
#include "base/matrix_view.hpp"
#include "overlapack/scalar.hpp"

#include <algorithm>
#include <cstdint>
#include <span>
#include <utility>
#include <vector>

namespace overlapack::sparse::multifrontal {

/// Vectors of all unknowns, indexed by permuted variable, the right-hand sides of each side by side: a front reads and writes
/// whole lines of memory. Equations are the rows of B and unknowns its columns; the other way round for B^T.
template <class T>
struct Vectors {
  const T* rhs = nullptr;  ///< b
  /// At first zero; what fronts subtract from rows of others, to which b is added last: the smaller numbers first
  std::span<T> equations;
  std::span<T> unknowns;  ///< y of pivots, then x; may be the same memory
  Index n = 0, count = 0;
  bool is_transposed = false;  ///< LU: B^T x = b
  /// `unknowns` is one vector of all ranks, each of which writes what belongs to its pivots. `equations` is zero again after the walk.
  bool is_shared = false;
  std::vector<char>
      is_idle;  ///< front -> nothing is known of it (up) or asked of it (down); empty: none is idle

  /// All right-hand sides of some variables one after the other.
  std::span<T> values_of(std::span<T> all, Index variable, Index length = 1) const {
    return all.subspan(static_cast<std::size_t>(variable * count), static_cast<std::size_t>(length * count));
  }

  /// Right-hand sides that are solved for together.
  struct Block {
    Index first, count;
  };

  /// Line i of `to`, ld apart, is that of names[i], its right-hand sides of one block; zeros fill its rest.
  void gather(std::span<const T> from, const std::int32_t* names, Index length, T* to, Index ld,
              Block block) const {
    for_each(names, length, ld, block, [&](std::size_t at, Index position) { to[position] = from[at]; });
    if (ld > block.count)
      for (Index i = 0; i < length; ++i) std::fill_n(to + i * ld + block.count, ld - block.count, T(0));
  }
  void scatter(std::span<T> to, const std::int32_t* names, Index length, const T* from, Index ld,
               Block block) const {
    for_each(names, length, ld, block, [&](std::size_t at, Index position) { to[at] = from[position]; });
  }
  void scatter_add(std::span<T> to, const std::int32_t* names, Index length, const T* from, Index ld,
                   Block block) const {
    for_each(names, length, ld, block, [&](std::size_t at, Index position) { to[at] += from[position]; });
  }

  /// The same with all right-hand sides, lines one after the other.
  void gather(std::span<const T> from, const std::int32_t* names, Index length, T* to) const {
    gather(from, names, length, to, count, {0, count});
  }
  /// Lines become zero where they are taken.
  void gather_and_clear(std::span<T> from, const std::int32_t* names, Index length, T* to) const {
    for_each(names, length, count, {0, count},
             [&](std::size_t at, Index position) { to[position] = std::exchange(from[at], T(0)); });
  }
  void scatter(std::span<T> to, const std::int32_t* names, Index length, const T* from) const {
    scatter(to, names, length, from, count, {0, count});
  }
  void scatter_add(std::span<T> to, const std::int32_t* names, Index length, const T* from) const {
    scatter_add(to, names, length, from, count, {0, count});
  }
  void clear(std::span<T> all, const std::int32_t* names, Index length) const {
    clear(all, names, length, {0, count});
  }
  void clear(std::span<T> all, const std::int32_t* names, Index length, Block block) const {
    for_each(names, length, 0, block, [&](std::size_t at, Index) { all[at] = T(0); });
  }

 private:
  /// f(where it stands here, i * ld + r)
  template <class F>
  void for_each(const std::int32_t* names, Index length, Index ld, Block block, F&& f) const {
    if (count == 1) {
      for (Index i = 0; i < length; ++i) f(static_cast<std::size_t>(names[i]), i * ld);
      return;
    }
    for (Index i = 0; i < length; ++i) {
      const auto at = static_cast<std::size_t>(names[i] * count + block.first);
      for (Index r = 0; r < block.count; ++r) f(at + static_cast<std::size_t>(r), i * ld + r);
    }
  }
};

}  // namespace overlapack::sparse::multifrontal
