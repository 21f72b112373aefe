#pragma once
#include "base/random.hpp"
#include "comm/collective/collective.hpp"
#include "dist/grid/distributed_matrix.hpp"

#include <cmath>
#include <complex>
#include <limits>
#include <vector>

/// Distributed matrices for tests: made entry by entry, collected on every rank.
namespace overlapack::dense::testing {

/// Entry (i, j) of a random matrix, in [-1, 1): the same wherever it is made.
template <class T>
T entry(std::uint64_t seed, Index i, Index j) {
  Random random(seed);
  random.skip(static_cast<std::uint64_t>(2 * (i + 100003 * j)));
  const double re = random.uniform(-1, 1), im = random.uniform(-1, 1);
  if constexpr (ScalarTraits<T>::is_complex)
    return T(static_cast<Real<T>>(re), static_cast<Real<T>>(im));
  else
    return static_cast<T>(re);
}

/// A matrix with its memory.
template <class T>
struct Owned {
  std::vector<T> values;
  dist::DistributedMatrix<T> A;
};

template <class T, class Entry>
Owned<T> make(const dist::ProcessGrid& grid, int rank, dist::BlockCyclic rows, dist::BlockCyclic cols,
              Entry&& at) {
  Owned<T> made;
  made.A.grid = &grid;
  made.A.rows = rows;
  made.A.cols = cols;
  if (!grid.holds(rank)) return made;
  made.A.me = grid.position_of(rank);
  const Index m = rows.local_size(made.A.me.row), n = cols.local_size(made.A.me.col), ld = padded_ld(m) + 8;
  made.values.resize(static_cast<std::size_t>(ld * n));
  made.A.local = {made.values.data(), m, n, ld};
  for (Index j = 0; j < n; ++j)
    for (Index i = 0; i < m; ++i)
      made.A.local(i, j) = at(rows.global({i}, made.A.me.row).value, cols.global({j}, made.A.me.col).value);
  return made;
}

/// The whole matrix, by columns, on every rank of the team.
template <class T>
std::vector<T> collected(comm::Rank& rank, const dist::DistributedMatrix<T>& A) {
  std::vector<T> all(static_cast<std::size_t>(A.m() * A.n()), T(0));
  if (A.grid->holds(rank.rank()))
    for (Index j = 0; j < A.local.cols; ++j)
      for (Index i = 0; i < A.local.rows; ++i)
        all[static_cast<std::size_t>(A.rows.global({i}, A.me.row).value +
                                     A.cols.global({j}, A.me.col).value * A.m())] = A.local(i, j);
  comm::collective::all_reduce(rank, std::span<T>(all), std::plus<>());
  return all;
}

template <class T>
double eps() {
  return std::numeric_limits<Real<T>>::epsilon();
}

}  // namespace overlapack::dense::testing
