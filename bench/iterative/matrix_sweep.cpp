#include "../kernels/thread_clock.hpp"
#include "base/large_memory.hpp"
#include "comm/team.hpp"
#include "iterative/driver/iterate.hpp"
#include "iterative/jacobi/matrix_block.hpp"

#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <vector>

// bench_matrix_sweep N ITERATIONS [ENGINE] (mpi: under mpirun): Jacobi's method in step on the 7-point matrix of the Laplacian, N^3
// unknowns a rank in slabs, as bench_petsc_jacobi has it; the seconds of an iteration, and those of a sweep of rank 0 alone beside
// the least that its bytes take by the rate of STREAM's triad in the same process, and beside the time in which the same arrays are
// read in a row with nothing looked up, one line of JSON. An entry of L + U is 12 bytes,
// a row 48: its start, b, the inverse of the diagonal, x, and the new x, which a store fetches first.
namespace {

using namespace overlapack;

constexpr double entry_bytes = 12, row_bytes = 48, triad_bytes = 32;

double seconds(auto&& work) {
  const double start = thread_seconds();
  work();
  return thread_seconds() - start;
}

SparseMatrix<double> laplacian(Index nx, Index ny, Index nz) {
  SparseMatrix<double> A;
  A.rows = A.cols = nx * ny * nz;
  A.symmetry = Symmetry::symmetric;
  const Index size[] = {nx, ny, nz}, stride[] = {1, nx, nx * ny};
  for (Index j = 0; j < A.cols; ++j) {
    const Index at[] = {j % nx, j / nx % ny, j / (nx * ny)};
    const auto add = [&](Index row, double value) { A.row.push_back(row), A.value.push_back(value); };
    for (int axis = 2; axis >= 0; --axis)
      if (at[axis] > 0) add(j - stride[axis], -1);
    add(j, 6);
    for (int axis = 0; axis < 3; ++axis)
      if (at[axis] + 1 < size[axis]) add(j + stride[axis], -1);
    A.start.push_back(A.nnz());
  }
  return A;
}

[[gnu::noinline]] void triad(double* __restrict a, const double* __restrict b, const double* __restrict c,
                             std::size_t n) {
  for (std::size_t i = 0; i < n; ++i) a[i] = b[i] + 3.0 * c[i];
}

/// What a sweep reads and writes, in its order, with nothing looked up: rows of equal length.
struct Streams {
  static constexpr std::size_t row_entries = 6;
  LargeVector<double> value, b, inverse, x, next;
  LargeVector<std::int32_t> column;

  Streams(std::size_t rows, std::size_t entries)
      : value(entries, 1.0), b(rows, 1.0), inverse(rows, 0.5), x(rows, 1.0), next(rows), column(entries, 3) {}

  [[gnu::noinline]] void read() {
    const std::size_t rows = value.size() / row_entries;
    for (std::size_t i = 0; i < rows; ++i) {
      double sum = b[i] + x[i];
      for (std::size_t p = i * row_entries; p < (i + 1) * row_entries; ++p) sum -= value[p] * column[p];
      next[i] = sum * inverse[i];
    }
  }
};

struct Times {
  double sweep_s = 0, bound_s = 0, streams_s = 0;
};

/// The least of some rounds, in turns.
Times sweep_and_bound(const iterative::MatrixBlock<double>& block, double entries) {
  using Vector = LargeVector<double>;
  const double rows = static_cast<double>(block.unknowns());
  const double bytes = entries * entry_bytes + rows * row_bytes;
  const std::size_t size = static_cast<std::size_t>(bytes / triad_bytes);
  Vector x(block.state_size(), 1.0), next(block.state_size()), a(size, 1.0), b(size, 1.0), c(size, 2.0);
  Streams streams(static_cast<std::size_t>(rows), static_cast<std::size_t>(entries));
  Times least{1e9, 1e9, 1e9};
  for (int round = 0; round < 7; ++round) {
    least.bound_s = std::min(least.bound_s, seconds([&] { triad(a.data(), b.data(), c.data(), size); }));
    least.streams_s = std::min(least.streams_s, seconds([&] { streams.read(); }));
    least.sweep_s = std::min(least.sweep_s, seconds([&] { block.sweep(x.data(), next.data(), 0, 1); }));
  }
  return least;
}

}  // namespace

int main(int argc, char** argv) {
  const Index n = argc > 1 ? std::atoll(argv[1]) : 96;
  const Index iterations = argc > 2 ? std::atoll(argv[2]) : 100;
  const std::string engine = argc > 3 ? argv[3] : "thread";
  comm::run({.engine = engine, .ranks = engine == "mpi" ? 0 : 1}, [&](comm::Rank& rank) {
    const bool is_root = rank.rank() == 0;
    SparseMatrix<double> A;
    if (is_root) A = laplacian(n, n, n * rank.size());
    std::vector<int> owner;
    for (Index i = 0; i < A.rows; ++i) owner.push_back(static_cast<int>(i / (n * n * n)));
    iterative::MatrixBlock<double> block(rank, is_root ? &A : nullptr, owner);
    const std::vector<double> b(static_cast<std::size_t>(A.rows), 1.0);
    block.distribute_source(rank, b.data());
    const Times times =
        sweep_and_bound(block, is_root ? static_cast<double>(A.nnz() - A.rows) / rank.size() : 0);
    const double begin = rank.now();
    iterate(rank, block,
            {.variant = Variant::sync,
             .tolerance = 0,
             .max_iterations = iterations,
             .residual_period = 10 * iterations});
    const double iteration_s = (rank.now() - begin) / static_cast<double>(iterations);
    if (is_root)
      std::printf(
          "{\"status\": \"ok\", \"iteration_s\": %.6g, \"sweep_s\": %.6g, \"bound_s\": %.6g, \"streams_s\": "
          "%.6g}\n",
          iteration_s, times.sweep_s, times.bound_s, times.streams_s);
  });
  return 0;
}
