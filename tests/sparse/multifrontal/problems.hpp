#pragma once
#include "comm/engine.hpp"
#include "overlapack/generate.hpp"
#include "random_values.hpp"
#include "sparse/analysis/analysis.hpp"
#include "sparse/factors/factor_plan.hpp"
#include "sparse/matrix/transpose.hpp"
#include "sparse/matrix/triplets.hpp"
#include "sparse/multifrontal/multifrontal.hpp"

#include <algorithm>
#include <cmath>
#include <complex>
#include <limits>
#include <string>
#include <vector>

/// Matrices and oracles for the multifrontal tests.
namespace overlapack::sparse::testing {

using namespace multifrontal;

/// A random sparse matrix with about `per_column` entries a column. symmetry: as named; zero_diagonal: no diagonal
/// at every other variable, so that pivots must be sought elsewhere (every variable keeps a neighbour).
template <class T>
SparseMatrix<T> random_matrix(Index n, double per_column, Symmetry symmetry, bool zero_diagonal,
                              std::uint64_t seed) {
  Random random(seed);
  Triplets<T> entries;
  entries.rows = entries.cols = n;
  const auto add = [&](Index i, Index j, T v) {
    entries.add(i, j, v);
    if (i == j || symmetry == Symmetry::general) return;
    entries.add(j, i, symmetry == Symmetry::hermitian ? conjugate(v) : v);
  };
  for (Index j = 0; j < n; ++j) {
    if (!zero_diagonal || j % 2 == 0) {
      T v = random_value<T>(random) + T(2);
      if (symmetry == Symmetry::hermitian) v = T(std::real(v));
      add(j, j, v);
    }
    if (j + 1 < n) add(j + 1, j, random_value<T>(random) + T(1));  // connected
    if (j + 1 < n && symmetry == Symmetry::general) add(j, j + 1, random_value<T>(random) + T(1));
    for (double k = 0; k < per_column; ++k) {
      const auto i = static_cast<Index>(random.below(static_cast<std::uint64_t>(n)));
      if (i != j && std::abs(i - j) != 1) add(std::max(i, j), std::min(i, j), random_value<T>(random));
      if (symmetry == Symmetry::general && i > j + 1) add(j, i, random_value<T>(random));
    }
  }
  auto matrix = compress(std::move(entries)).matrix;
  matrix.symmetry = symmetry;
  return matrix;
}

/// A random symmetric matrix without any diagonal entry: the first pivot must be 2x2. n even.
template <class T>
SparseMatrix<T> zero_diagonal(Index n, std::uint64_t seed) {
  auto matrix = random_matrix<T>(n, 2, Symmetry::symmetric, false, seed);
  for (Index j = 0; j < n; ++j)
    for (Index k = matrix.start[j]; k < matrix.start[j + 1]; ++k)
      if (matrix.row[k] == j) matrix.value[k] = T(0);
  return matrix;
}

/// [0 B; B^T I + R] with n zero-diagonal variables that meet only the n dense ones: no pivot before the border.
template <class T>
SparseMatrix<T> zero_arrow(Index n) {
  Random random(41);
  Triplets<T> entries;
  entries.rows = entries.cols = 2 * n;
  const auto add = [&](Index i, Index j, T v) {
    entries.add(i, j, v);
    if (i != j) entries.add(j, i, v);
  };
  for (Index j = 0; j < n; ++j) {
    for (Index i = n; i < 2 * n; ++i) add(i, j, random_value<T>(random) + T(i == j + n ? 3 : 0));
    for (Index i = n + j; i < 2 * n; ++i) add(i, n + j, random_value<T>(random));
  }
  auto matrix = compress(std::move(entries)).matrix;
  matrix.symmetry = Symmetry::symmetric;
  return matrix;
}

/// The Laplacian of a cube.
template <class T>
SparseMatrix<T> cube_of(int points) {
  const SparseMatrix<double> cube = generate("cube", points);
  SparseMatrix<T> A;
  A.rows = A.cols = cube.rows;
  A.start = cube.start;
  A.row = cube.row;
  A.value.assign(cube.value.begin(), cube.value.end());
  A.symmetry = Symmetry::symmetric;
  return A;
}

/// The same, its diagonal zero at two of three variables: pivots are delayed, also out of distributed fronts.
template <class T>
SparseMatrix<T> weak_cube(int points) {
  SparseMatrix<T> A = cube_of<T>(points);
  for (Index j = 0; j < A.cols; ++j)
    for (Index k = A.start[j]; k < A.start[j + 1]; ++k)
      if (A.row[k] == j && j % 3 != 0) A.value[k] = T(0);
  return A;
}

/// op(A) as a matrix of its own.
template <class T>
SparseMatrix<T> applied(const SparseMatrix<T>& A, kernels::Op op) {
  return op == kernels::Op::none ? A : op == kernels::Op::trans ? transpose(A) : conjugate_transpose(A);
}

/// y = A x, the obvious way.
template <class T>
std::vector<T> multiply(const SparseMatrix<T>& A, const std::vector<T>& x, Index nrhs) {
  std::vector<T> y(x.size());
  for (Index r = 0; r < nrhs; ++r)
    for (Index j = 0; j < A.cols; ++j)
      for (Index k = A.start[j]; k < A.start[j + 1]; ++k)
        y[A.row[k] + r * A.rows] += A.value[k] * x[j + r * A.cols];
  return y;
}

/// Normwise backward error of all columns: max ||b - A x||_oo / (||A||_oo ||x||_oo + ||b||_oo).
template <class T>
double backward_error(const SparseMatrix<T>& A, const std::vector<T>& x, const std::vector<T>& b,
                      Index nrhs) {
  std::vector<double> row_sum(static_cast<std::size_t>(A.rows));
  for (std::size_t k = 0; k < A.row.size(); ++k) row_sum[A.row[k]] += std::abs(A.value[k]);
  const double norm = *std::max_element(row_sum.begin(), row_sum.end());
  const std::vector<T> ax = multiply(A, x, nrhs);
  double worst = 0;
  for (Index r = 0; r < nrhs; ++r) {
    double residual = 0, size_x = 0, size_b = 0;
    for (Index i = r * A.rows; i < (r + 1) * A.rows; ++i) {
      residual = std::max<double>(residual, std::abs(b[i] - ax[i]));
      size_x = std::max<double>(size_x, std::abs(x[i]));
      size_b = std::max<double>(size_b, std::abs(b[i]));
    }
    const double error = residual / (norm * size_x + size_b);
    worst = std::isfinite(error) ? std::max(worst, error) : HUGE_VAL;
  }
  return worst;
}

/// Tiles of a few rows and columns, taken in an order that the number decides.
inline TilePlan tiny_tiles(Index pivots, std::uint64_t shuffle) {
  return {.least_pivots = pivots,
          .most_pivots = pivots,
          .steps = 1,
          .border_rows = 3,
          .contribution_rows = 5,
          .contribution_columns = 2,
          .depth = 4,
          .shuffle = shuffle};
}

/// The same for substitutions.
inline SweepPlan tiny_sweep(std::uint64_t shuffle) {
  return {.least_entries = 1,
          .least_share = 0,
          .blocks = 1,
          .least_pivots = 2,
          .most_pivots = 3,
          .rows = 2,
          .most_steps = 2,
          .shuffle = shuffle};
}

/// Plans under which every parallel path fires on tiny matrices: each front a task, each update cut into slices, a
/// send budget of one message.
inline FactorPlan stress_plan(comm::ReceiveMode receive, int posted) {
  FactorPlan plan;
  plan.fronts.leaf_flops = 0;
  plan.slice_flops = 0;
  plan.fronts.tiles = tiny_tiles(2, 1);
  plan.fronts.sweep = tiny_sweep(1);
  plan.fronts.mapping = {.subtree_share = 0.05, .message_s = 0, .least_gain = -1};
  plan.fronts.walk = {.receive = receive, .posted = posted, .budget_bytes = 1};
  return plan;
}

/// The same, and every front above the subtrees distributed to all ranks in strips of three rows.
inline FactorPlan strips_plan(comm::ReceiveMode receive, int posted) {
  FactorPlan plan = stress_plan(receive, posted);
  plan.fronts.strips = {.sharing = NodeParallelism::strips,
                        .border = 1,
                        .least_flops = 0,
                        .rows = 3,
                        .flops_per_byte = 0,
                        .panel = 2,
                        .chain_pivots = 2,
                        .tree_from = 2,
                        .memory_imbalance = -1,
                        .load_threshold = {}};
  return plan;
}

/// Strips as paper 1 receives them: one buffer, and what comes too early makes its rank receive the late message.
inline FactorPlan late_plan(comm::ReceiveMode receive) {
  FactorPlan plan = strips_plan(receive, 1);
  plan.fronts.walk.early = dist::EarlyMessages::wait;
  plan.fronts.strips.tree_from = std::numeric_limits<Index>::max();
  return plan;
}

/// The same, and the largest root distributed to all ranks (type 3). Not for LDL^T.
inline FactorPlan late_root_plan(comm::ReceiveMode receive) {
  FactorPlan plan = late_plan(receive);
  plan.fronts.root = {.root = RootParallelism::grid, .block = 2};
  return plan;
}

/// As strips_plan, and ranks without work take whole fronts of any size from others.
inline FactorPlan stealing_plan(comm::ReceiveMode receive, int posted) {
  FactorPlan plan = strips_plan(receive, posted);
  plan.fronts.steals = true;
  plan.fronts.least_stolen_flops = 0;
  return plan;
}

/// As strips_plan, and the largest root distributed to all ranks in blocks of order 2.
inline FactorPlan root_plan(comm::ReceiveMode receive, int posted) {
  FactorPlan plan = strips_plan(receive, posted);
  plan.fronts.root = {.root = RootParallelism::grid, .block = 2};
  return plan;
}

/// The determinant by dense elimination with partial pivoting, the obvious way.
template <class T>
dense::ScaledNumber<T> dense_determinant(const SparseMatrix<T>& A) {
  const Index n = A.rows;
  std::vector<std::vector<T>> row(static_cast<std::size_t>(n), std::vector<T>(static_cast<std::size_t>(n)));
  for (Index j = 0; j < n; ++j)
    for (Index k = A.start[j]; k < A.start[j + 1]; ++k) row[A.row[k]][j] += A.value[k];
  dense::ScaledNumber<T> det;
  for (Index k = 0; k < n; ++k) {
    Index p = k;
    for (Index i = k; i < n; ++i)
      if (std::abs(row[i][k]) > std::abs(row[p][k])) p = i;
    if (p != k) {
      std::swap(row[p], row[k]);
      det.mantissa = -det.mantissa;
    }
    det = dense::product(det, dense::ScaledNumber<T>{row[k][k], 0});
    for (Index i = k + 1; i < n; ++i) {
      const T l = row[i][k] / row[k][k];
      for (Index j = k; j < n; ++j) row[i][j] -= l * row[k][j];
    }
  }
  return det;
}

template <class T>
struct Outcome {
  std::vector<T> x;
  FactorStats stats;
};

inline AnalysisPlan plan_of(FactorKind kind) {
  AnalysisPlan plan;
  plan.kind = kind;
  return plan;
}

inline AnalysisPlan without_matching(FactorKind kind) {
  AnalysisPlan plan = plan_of(kind);
  plan.matching = Switch::off;
  return plan;
}

/// Every p-th entry of A, which then goes to the rank of its row.
template <class T>
RowSlab<T> slab_of(comm::Rank& rank, const SparseMatrix<T>& A) {
  Triplets<T> mine{A.rows, A.cols, {}, {}, {}};
  for (Index j = 0; j < A.cols; ++j)
    for (Index k = A.start[j]; k < A.start[j + 1]; ++k)
      if (k % rank.size() == rank.rank()) mine.add(A.row[k], j, A.value[k]);
  return distribute_rows(rank, mine, balanced_bounds(rank, mine));
}

/// Analyse, factorise and solve on a team; x on the process of rank 0, the figures, summed over the ranks, on all.
/// is_distributed: each rank hands over some rows instead of rank 0 the whole matrix
template <class T>
Outcome<T> run(comm::Team& team, const SparseMatrix<T>& A, const AnalysisPlan& analysis_plan,
               const FactorPlan& plan, const std::vector<T>& b, Index nrhs, bool is_distributed = false,
               const FactorWatch& watch = {}) {
  std::vector<Multifrontal<T>> factors(static_cast<std::size_t>(team.size()));
  Outcome<T> outcome;
  outcome.x.resize(b.size());
  const Analysis analysis = team.first_local() == 0 ? analyse(A, analysis_plan) : Analysis();
  team.run([&](comm::Rank& rank) {
    auto& mine = factors[static_cast<std::size_t>(rank.rank())];
    mine.set_watch(watch);
    if (is_distributed)
      mine.factorize(rank, &analysis, slab_of(rank, A), plan);
    else
      mine.factorize(rank, &analysis, &A, plan);
    mine.solve(rank, b.data(), outcome.x.data(), nrhs);
    if (rank.rank() == team.first_local()) outcome.stats = mine.stats();
  });
  return outcome;
}

/// c n eps / u: what LU with threshold pivoting may cost beyond partial pivoting, with room for growth.
template <class T>
double tolerance(Index n) {
  return 100 * static_cast<double>(n) * static_cast<double>(std::numeric_limits<Real<T>>::epsilon());
}

}  // namespace overlapack::sparse::testing
