#pragma once
#include "base/matrix_view.hpp"
#include "overlapack/scalar.hpp"

#include <algorithm>
#include <cstdint>
#include <span>
#include <utility>
#include <vector>

namespace overlapack::sparse::multifrontal {

/// The vectors of a solve, indexed by permuted variable. The numbers of a variable for all right-hand sides
/// stand side by side, its line, so that fronts read and write whole lines. Equations are the rows of B and
/// unknowns its columns; the other way round for B^T.
template <class T>
struct Vectors {
  const T* rhs = nullptr;  ///< b
  /// Zero at first. Fronts add to it what they subtract from rows of others; a row's own front adds b last,
  /// so that the smaller numbers are summed first.
  std::span<T> equations;
  std::span<T> unknowns;  ///< y of pivots, then x; may be the memory of `equations`
  Index n = 0, count = 0;
  bool is_transposed = false;  ///< LU: B^T x = b
  /// `unknowns` is one vector of all ranks, each of which writes what belongs to its pivots. `equations` is zero again after the walk.
  bool is_shared = false;
  /// Front -> may it be skipped? Upward because b is zero in its subtree; empty: none.
  std::vector<char> is_idle;

  /// All right-hand sides of some variables one after the other.
  std::span<T> values_of(std::span<T> all, Index variable, Index length = 1) const {
    return all.subspan(static_cast<std::size_t>(variable * count), static_cast<std::size_t>(length * count));
  }

  /// Right-hand sides that are solved for together.
  struct Block {
    Index first, count;
  };

  /// Line i of `to` (lines are ld apart) <- the line of names[i], for the right-hand sides of a block; zeros
  /// fill its rest.
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

  /// The same for all right-hand sides, with lines one after the other.
  void gather(std::span<const T> from, const std::int32_t* names, Index length, T* to) const {
    gather(from, names, length, to, count, {0, count});
  }
  /// As gather; the lines of `from` become zero.
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
  /// f(index in a vector, i * ld + r) for each line i and each right-hand side r of the block.
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
