#pragma once
#include "dense/lu/lu.hpp"
#include "distributed.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <string>

/// What tests of LU expect of its factors, whatever the schedule and the discipline.
namespace overlapack::dense::testing {

struct Case {
  Index m, n, block;
  int source_row = 0, source_col = 0;
};

/// P A - L U relative to |L| |U|, at worst; L and U from A's place, P from the pivots.
template <class T, class Entry>
double factor_error(const std::vector<T>& LU, const std::vector<Index>& pivots, Index m, Index n,
                    Entry&& at) {
  std::vector<Index> row(static_cast<std::size_t>(m));
  for (Index i = 0; i < m; ++i) row[static_cast<std::size_t>(i)] = i;
  for (std::size_t k = 0; k < pivots.size(); ++k) std::swap(row[k], row[static_cast<std::size_t>(pivots[k])]);
  double worst = 0;
  for (Index i = 0; i < m; ++i)
    for (Index j = 0; j < n; ++j) {
      std::complex<double> product = 0;
      double size = 0;
      for (Index k = 0; k <= std::min(i, j) && k < m; ++k) {
        const std::complex<double> l = k == i ? T(1) : LU[static_cast<std::size_t>(i + k * m)];
        const std::complex<double> u = LU[static_cast<std::size_t>(k + j * m)];
        product += l * u;
        size += std::abs(l) * std::abs(u);
      }
      const double difference =
          std::abs(product - std::complex<double>(at(row[static_cast<std::size_t>(i)], j)));
      if (size > 0) worst = std::max(worst, difference / size);
    }
  return worst;
}

/// The grids a team of p ranks can have that differ: p x 1, 1 x p, and what lies between.
inline std::vector<std::pair<int, int>> grids(int p) {
  std::vector<std::pair<int, int>> result;
  for (int rows = 1; rows <= p; ++rows)
    if (p % rows == 0) result.emplace_back(rows, p / rows);
  if (p > 2) result.emplace_back(1, p - 1);  // not all ranks have a part
  return result;
}

/// Factorise on one grid, check factors, pivots and growth; rank functions.
template <class T>
FactorResult expect_factors(comm::Rank& rank, const dist::ProcessGrid& grid, const Case& c,
                            const LuPlan& plan) {
  const auto at = [](Index i, Index j) { return entry<T>(5, i, j); };
  auto made = make<T>(grid, rank.rank(), {c.m, c.block, grid.rows(), c.source_row % grid.rows()},
                      {c.n, c.block, grid.cols(), c.source_col % grid.cols()}, at);
  std::vector<Index> pivots(static_cast<std::size_t>(std::min(c.m, c.n)));
  const FactorResult result = lu_factor(rank, made.A, std::span<Index>(pivots), plan);
  const std::vector<T> LU = collected(rank, made.A);
  if (!grid.holds(rank.rank())) return result;
  const std::string what = std::to_string(c.m) + " x " + std::to_string(c.n) + ", block " +
                           std::to_string(c.block) + ", grid " + std::to_string(grid.rows()) + " x " +
                           std::to_string(grid.cols()) + ", " + std::string(to_string(plan.schedule)) +
                           " by " + std::string(to_string(plan.discipline));
  // |P A - L U| <= min(m, n) eps |L| |U| entry by entry (Higham 2002, theorem 9.3), complex: a factor below 4
  EXPECT_LE(factor_error<T>(LU, pivots, c.m, c.n, at), 4 * std::max<double>(1, std::min(c.m, c.n)) * eps<T>())
      << what;
  const double largest_of_L = plan.pivot_search == PivotSearch::tournament ? 50 : 1.5;
  for (Index j = 0; j < std::min(c.m, c.n); ++j) {
    EXPECT_GE(pivots[static_cast<std::size_t>(j)], j) << what;
    for (Index i = j + 1; i < c.m; ++i)  // the pivot was a largest one; complex: by |re| + |im|
      EXPECT_LE(std::abs(LU[static_cast<std::size_t>(i + j * c.m)]), largest_of_L) << what;
  }
  EXPECT_EQ(result.info, 0) << what;
  return result;
}

inline const Case cases[] = {{1, 1, 4},   {3, 3, 4},   {8, 8, 4},         {17, 17, 4, 1, 2},
                             {30, 30, 7}, {25, 12, 4}, {12, 25, 4, 1, 0}, {40, 41, 8}};

/// The pivots of a square matrix, which are to be the same whatever moves its data.
template <class T>
std::vector<Index> pivots_by(comm::Rank& rank, const dist::ProcessGrid& grid, const LuPlan& plan) {
  auto made = make<T>(grid, rank.rank(), {40, 5, grid.rows(), grid.rows() - 1}, {40, 5, grid.cols()},
                      [](Index i, Index j) { return entry<T>(9, i, j); });
  std::vector<Index> pivots(40);
  lu_factor(rank, made.A, std::span<Index>(pivots), plan);
  return grid.holds(rank.rank()) ? pivots : std::vector<Index>();
}

}  // namespace overlapack::dense::testing
