#include "dense/lu/panel/panel.hpp"

#include "comm/wrap/checked.hpp"
#include "comm/wrap/counted.hpp"
#include "dist/moves/messages/message_moves.hpp"
#include "distributed.hpp"
#include "engine.hpp"
#include "kernels/product/operand.hpp"

#include <algorithm>
#include <functional>
#include <string>

/// The panel of an LU: types x grids x shapes x plans, on whichever engine the test was started with.
namespace overlapack::dense::testing {
namespace {

using comm::conformance::on_each_team;
using dist::BlockCyclic;
using dist::ProcessGrid;

template <class T>
class PanelOf : public ::testing::Test {};
using Types = ::testing::Types<float, double, std::complex<float>, std::complex<double>>;
TYPED_TEST_SUITE(PanelOf, Types);

template <class T>
using Entry = std::function<T(Index, Index)>;

/// A panel of an m x (first + width) matrix.
struct Shape {
  Index m, block, first, width;
  int source_row = 0;
  Index pivots() const { return std::min(width, m - first); }
};

std::string text(const Shape& s, const ProcessGrid& grid) {
  return std::to_string(s.m) + " rows, block " + std::to_string(s.block) + ", from " +
         std::to_string(s.first) + ", " + std::to_string(s.width) + " columns, " +
         std::to_string(grid.rows()) + " x " + std::to_string(grid.cols());
}

/// What a factorisation left, on every rank of the team: the whole matrix by columns, and what the panel's own column got.
template <class T>
struct Outcome {
  std::vector<T> all;
  PanelFactor<T> factor;
  bool has_part = false;
};

/// A rank's exchange, and how many panels were factorised on it: all ranks count alike.
struct Panels {
  comm::Exchange exchange;
  std::int64_t count = 0;
};

template <class T>
PanelFactor<T> factored(Panels& panels, const dist::DistributedMatrix<T>& A, Index first, Index width,
                        const PanelPlan& plan, const comm::Key& key) {
  dist::MessageMoves<T> moves(panels.exchange, {});
  return factor_panel(moves, A, first, width, plan, key);
}

template <class T>
Outcome<T> factorized(Panels& panels, const ProcessGrid& grid, const Shape& s, const PanelPlan& plan,
                      const Entry<T>& at) {
  comm::Rank& rank = panels.exchange.rank();
  const auto made = make<T>(grid, rank.rank(), {s.m, s.block, grid.rows(), s.source_row % grid.rows()},
                            {s.first + s.width, s.block, grid.cols(), 0}, at);
  Outcome<T> outcome;
  ++panels.count;
  outcome.has_part = grid.holds(rank.rank()) && made.A.owns_col({s.first});
  if (outcome.has_part)
    outcome.factor = factored(panels, made.A, s.first, s.width, plan, {.move = 3, .step = panels.count});
  outcome.all = collected(rank, made.A);
  return outcome;
}

/// The panel by plain loops: the first of the largest magnitudes is the pivot, NaN only where there is nothing else.
template <class T>
struct Twin {
  std::vector<T> all;
  std::vector<Index> pivots;
  Index zero_pivot = -1;

  Twin(const Shape& s, const Entry<T>& at) : all(static_cast<std::size_t>(s.m * (s.first + s.width))) {
    const auto a = [&](Index i, Index j) -> T& { return all[static_cast<std::size_t>(i + j * s.m)]; };
    const Index end = s.first + s.width;
    for (Index j = 0; j < end; ++j)
      for (Index i = 0; i < s.m; ++i) a(i, j) = at(i, j);
    for (Index k = s.first; k < s.first + s.pivots(); ++k) {
      Index best = k;
      for (Index i = k + 1; i < s.m; ++i)
        if (kernels::magnitude(a(i, k)) > kernels::magnitude(a(best, k))) best = i;
      pivots.push_back(best);
      for (Index j = s.first; j < end; ++j) std::swap(a(k, j), a(best, j));
      if (a(k, k) == T(0)) {
        if (zero_pivot < 0) zero_pivot = k;
        continue;
      }
      for (Index i = k + 1; i < s.m; ++i) a(i, k) = a(i, k) / a(k, k);
      for (Index j = k + 1; j < end; ++j)
        for (Index i = k + 1; i < s.m; ++i) a(i, j) -= a(i, k) * a(k, j);
    }
  }
};

/// `top` is the panel's first rows in A; what is beyond the last row is zero.
template <class T>
bool top_is_in_place(const Outcome<T>& got, const Shape& s) {
  for (Index j = 0; j < s.width; ++j)
    for (Index i = 0; i < s.width; ++i) {
      const T expected =
          i < s.pivots() ? got.all[static_cast<std::size_t>(s.first + i + (s.first + j) * s.m)] : T(0);
      if (got.factor.top[static_cast<std::size_t>(i + j * s.width)] != expected) return false;
    }
  return true;
}

/// A panel that is the product of a unit lower triangle of multiples of 1/4 below 1 and an upper one of small integers
/// with powers of 2 on its diagonal, rows permuted: each step of its elimination is exact, in whatever order. A zero column
/// meets a zero row, and no row is permuted.
template <class T>
Entry<T> exact_product(const Shape& s, std::uint64_t seed, Index zero_column = -1) {
  const auto small = [seed](Index i, Index j) {
    Random random(seed + static_cast<std::uint64_t>(i * 1009 + j));
    return static_cast<double>(random.below(7)) - 3;
  };
  const auto upper = [=](Index k, Index j) {
    if (k == zero_column || j == zero_column) return 0.0;
    return k == j ? (k % 2 ? -2.0 : 4.0) : small(k + 500, j);
  };
  const Index rows = s.m - s.first;
  std::vector<double> product(static_cast<std::size_t>(rows * s.width));
  for (Index j = 0; j < s.width; ++j)
    for (Index i = 0; i < rows; ++i)
      for (Index k = 0; k <= std::min(i, j); ++k)
        product[static_cast<std::size_t>(i + j * rows)] += (i == k ? 1 : small(i, k) / 4) * upper(k, j);
  const Index stride = zero_column >= 0 ? 1 : rows % 3 != 0 ? 3 : rows % 5 != 0 ? 5 : 7;
  return [=](Index i, Index j) {
    if (i < s.first || j < s.first) return T(1);
    const Index from = (i - s.first) * stride % rows;
    return T(static_cast<Real<T>>(product[static_cast<std::size_t>(from + (j - s.first) * rows)]));
  };
}

template <class T>
void expect_exact(Panels& panels, const ProcessGrid& grid, const Shape& s, const PanelPlan& plan,
                  const Entry<T>& at) {
  const Outcome<T> got = factorized<T>(panels, grid, s, plan, at);
  const Twin<T> twin(s, at);
  EXPECT_EQ(got.all, twin.all) << text(s, grid);
  if (!got.has_part) return;
  EXPECT_EQ(got.factor.pivots, twin.pivots) << text(s, grid);
  EXPECT_EQ(got.factor.zero_pivot, twin.zero_pivot) << text(s, grid);
  EXPECT_TRUE(top_is_in_place(got, s)) << text(s, grid);
}

/// |P A - L U| <= c (width + 2) eps |L| |U| entry by entry (Higham 2002, theorem 9.3), c = 4 also for complex numbers and
/// the reciprocal; and no |l| above 1 (complex: sqrt 2, since pivots are chosen by |re| + |im|).
template <class T>
void expect_factors(Panels& panels, const ProcessGrid& grid, const Shape& s, const PanelPlan& plan,
                    std::uint64_t seed) {
  const Entry<T> at = [seed](Index i, Index j) { return entry<T>(seed, i, j); };
  const Outcome<T> got = factorized<T>(panels, grid, s, plan, at);
  if (!got.has_part) return;
  EXPECT_TRUE(top_is_in_place(got, s)) << text(s, grid);
  EXPECT_EQ(got.factor.zero_pivot, -1);
  const auto a = [&](Index i, Index j) { return got.all[static_cast<std::size_t>(i + j * s.m)]; };
  std::vector<Index> row(static_cast<std::size_t>(s.m));
  for (Index i = 0; i < s.m; ++i) row[static_cast<std::size_t>(i)] = i;
  for (Index k = 0; k < s.pivots(); ++k)
    std::swap(row[static_cast<std::size_t>(s.first + k)],
              row[static_cast<std::size_t>(got.factor.pivots[static_cast<std::size_t>(k)])]);
  double worst = 0, largest = 0;
  for (Index j = s.first; j < s.first + s.width; ++j)
    for (Index i = s.first; i < s.m; ++i) {
      std::complex<double> product = 0;
      double size = 0;
      for (Index k = s.first; k <= std::min({i, j, s.first + s.pivots() - 1}); ++k) {
        const std::complex<double> l = k == i ? T(1) : a(i, k), u = a(k, j);
        product += l * u;
        size += std::abs(l) * std::abs(u);
        largest = std::max(largest, std::abs(l));
      }
      const std::complex<double> original = at(row[static_cast<std::size_t>(i)], j);
      worst = std::max(worst, std::abs(product - original) / size);
    }
  EXPECT_LE(worst, 4 * static_cast<double>(s.width + 2) * eps<T>()) << text(s, grid);
  EXPECT_LE(largest, (ScalarTraits<T>::is_complex ? std::sqrt(2.0) : 1.0) * (1 + 8 * eps<T>()))
      << text(s, grid);
}

/// Every rank in one column, and, from two ranks on, two columns of which one has the panel.
std::vector<ProcessGrid> grids(int ranks) {
  std::vector<ProcessGrid> result{ProcessGrid(ranks, 1, dist::GridOrder::row_major, ranks)};
  if (ranks > 1) result.emplace_back(ranks / 2, 2, dist::GridOrder::column_major, ranks);
  return result;
}

/// Every pair of orders on threads; elsewhere messages are slow and the work between them is the same.
std::vector<PanelPlan> plans() {
  std::vector<PanelPlan> all{{}};
  using enum PanelOrder;
  for (const PanelOrder recursion : {left, crout, right})
    for (const PanelOrder base : {left, crout, right}) {
      if (!comm::conformance::is_thread() && recursion != base) continue;
      all.push_back({.recursion = recursion, .base = base, .smallest = 1, .parts = 2});
      all.push_back({.recursion = recursion, .base = base, .smallest = 3, .parts = 3});
    }
  return all;
}

/// Blocks around whole rows of processes, ragged ends, few rows, a panel narrower than its block.
std::vector<Shape> shapes() {
  std::vector<Shape> all;
  const std::vector<Index> blocks =
      comm::conformance::is_thread() ? std::vector<Index>{1, 2, 5, 16} : std::vector<Index>{1, 5};
  for (const Index block : blocks)
    for (const Index m : {Index{1}, block, 2 * block + 2, 7 * block + 2}) {
      for (const Index first : {Index{0}, block, m / block * block})
        for (const Index width : {block, (block + 1) / 2})
          if (first < m) all.push_back({m, block, first, width, static_cast<int>(block % 3)});
    }
  return all;
}

/// fn on one exchange of a rank; the lane is free again afterwards.
void with_exchange(comm::Rank& rank, const std::function<void(Panels&)>& fn) {
  Panels panels{{rank, comm::Lane::bulk}};
  fn(panels);
  panels.exchange.close();
  comm::collective::barrier(rank);
}

TYPED_TEST(PanelOf, EveryShapeIsTheTwinsWhereArithmeticIsExact) {
  using T = TypeParam;
  on_each_team([](comm::Rank& rank) {
    with_exchange(rank, [&](Panels& panels) {
      for (const ProcessGrid& grid : grids(rank.size()))
        for (const Shape& s : shapes())
          expect_exact<T>(panels, grid, s, {.smallest = 4}, exact_product<T>(s, 1));
    });
  });
}

TYPED_TEST(PanelOf, EveryPlanIsTheTwinsWhereArithmeticIsExact) {
  using T = TypeParam;
  on_each_team([](comm::Rank& rank) {
    with_exchange(rank, [&](Panels& panels) {
      for (const ProcessGrid& grid : grids(rank.size()))
        for (const PanelPlan& plan : plans())
          for (const Shape& s : {Shape{50, 12, 12, 12}, Shape{17, 12, 12, 12}})
            for (const Index zero_column : {-1, 0, 3})
              expect_exact<T>(panels, grid, s, plan, exact_product<T>(s, 2, zero_column));
    });
  });
}

TYPED_TEST(PanelOf, FactorsHaveASmallResidual) {
  using T = TypeParam;
  on_each_team([](comm::Rank& rank) {
    with_exchange(rank, [&](Panels& panels) {
      std::uint64_t seed = 1;
      for (const ProcessGrid& grid : grids(rank.size()))
        for (const PanelPlan& plan : plans())
          for (const Shape& s : {Shape{211, 32, 32, 32, 1}, Shape{40, 24, 24, 24}})
            expect_factors<T>(panels, grid, s, plan, seed++);
    });
  });
}

TYPED_TEST(PanelOf, ZeroColumnsAreRecordedAndLeftAlone) {
  using T = TypeParam;
  on_each_team([](comm::Rank& rank) {
    with_exchange(rank, [&](Panels& panels) {
      for (const ProcessGrid& grid : grids(rank.size()))
        for (const Shape& s : {Shape{26, 6, 6, 6}, Shape{8, 6, 6, 6}})
          for (const PanelPlan& plan : plans()) {
            expect_exact<T>(panels, grid, s, plan, [](Index, Index) { return T(0); });
            expect_exact<T>(panels, grid, s, plan, [](Index i, Index j) { return j % 3 ? T(1) : T(i == j); });
          }
    });
  });
}

// All ranks must end with the same pivots, which are rows that are there; a NaN is no pivot beside a number.
TYPED_TEST(PanelOf, NotANumberNeitherHangsNorIsPreferred) {
  using T = TypeParam;
  using R = Real<T>;
  on_each_team([](comm::Rank& rank) {
    with_exchange(rank, [&](Panels& panels) {
      const T nan = std::numeric_limits<R>::quiet_NaN(), infinity = std::numeric_limits<R>::infinity();
      const Shape s{29, 8, 8, 8};
      const std::vector<Entry<T>> matrices{
          [&](Index, Index) { return nan; }, [&](Index, Index) { return infinity; },
          [&](Index i, Index j) { return i % 4 == 0 ? nan : entry<T>(3, i, j); },
          [&](Index i, Index j) { return j == 11 && i > 13 ? infinity : entry<T>(3, i, j); },
          [&](Index i, Index j) { return i == 8 && j == 8 ? nan : T(0); }};
      for (const ProcessGrid& grid : grids(rank.size()))
        for (const auto& at : matrices) {
          const Outcome<T> got = factorized<T>(panels, grid, s, {.smallest = 3}, at);
          for (std::size_t k = 0; k < got.factor.pivots.size(); ++k) {
            EXPECT_GE(got.factor.pivots[k], s.first + static_cast<Index>(k));
            EXPECT_LT(got.factor.pivots[k], s.m);
          }
          if (!got.has_part) continue;
          const Index first_pivot = got.factor.pivots.front();
          const bool has_number = kernels::magnitude(at(9, 8)) >= 0;
          EXPECT_EQ(kernels::magnitude(at(first_pivot, 8)) >= 0, has_number);
        }
    });
  });
}

// 1 / pivot is no number there, so that the column is divided.
TYPED_TEST(PanelOf, SubnormalPivotsDivide) {
  using T = TypeParam;
  on_each_team([](comm::Rank& rank) {
    with_exchange(rank, [&](Panels& panels) {
      const Real<T> least = std::numeric_limits<Real<T>>::denorm_min();
      const ProcessGrid grid(rank.size(), 1, dist::GridOrder::row_major, rank.size());
      expect_exact<T>(panels, grid, {13, 4, 0, 1}, {},
                      [&](Index i, Index) { return T(i == 5 ? 4 * least : least); });
    });
  });
}

void factor_all_shapes(comm::Rank& rank, std::uint64_t seed) {
  with_exchange(rank, [&](Panels& panels) {
    for (const ProcessGrid& grid : grids(rank.size()))
      for (const Shape& s : {Shape{26, 4, 4, 4}, Shape{26, 4, 24, 4}, Shape{5, 4, 0, 3}}) {
        expect_exact<double>(panels, grid, s, {.smallest = 2}, exact_product<double>(s, seed));
        expect_exact<float>(panels, grid, s, {.smallest = 2}, exact_product<float>(s, seed));
      }
  });
}

TEST(Panel, OnAnUnkindEngine) {
  for (std::uint64_t seed = 1; seed <= 4; ++seed)
    on_each_team([&](comm::Rank& engine) {
      comm::CheckedRank rank(engine, {.seed = seed});
      factor_all_shapes(rank, seed);
    });
}

TEST(Panel, UnderTheLongProtocol) {
  on_each_team({.eager_bytes = 50, .split_bytes = 1000, .head_bytes = 256},
               [](comm::Rank& rank) { factor_all_shapes(rank, 5); });
}

TEST(Panel, SendsOneMessageARoundAndColumn) {
  on_each_team([](comm::Rank& engine) {
    comm::Counts counts;
    comm::CountedRank rank(engine, counts);
    const ProcessGrid grid(rank.size(), 1, dist::GridOrder::row_major, rank.size());
    int rounds = 0;
    while (1 << rounds < rank.size()) ++rounds;
    const auto made = make<double>(grid, rank.rank(), {40, 8, rank.size(), 0}, {8, 8, 1, 0},
                                   [](Index i, Index j) { return entry<double>(1, i, j); });
    with_exchange(rank, [&](Panels& panels) { factored(panels, made.A, 0, 8, {}, {.move = 3}); });
    EXPECT_EQ(counts.on(comm::Lane::bulk).messages, 8 * rounds);
    EXPECT_LE(counts.on(comm::Lane::bulk).largest_bytes, 2 * 8 * sizeof(double) + 24);
    EXPECT_GT(counts.computes, 0);
  });
}

TEST(Panel, RefusesAPlanThatDividesNothing) {
  on_each_team([](comm::Rank& rank) {
    with_exchange(rank, [&](Panels& panels) {
      const ProcessGrid grid(rank.size(), 1, dist::GridOrder::row_major, rank.size());
      const auto made = make<double>(grid, rank.rank(), {9, 4, rank.size(), 0}, {4, 4, 1, 0},
                                     [](Index, Index) { return 1.0; });
      for (const PanelPlan& plan : {PanelPlan{.parts = 1}, PanelPlan{.smallest = 0}})
        EXPECT_THROW(factored(panels, made.A, 0, 4, plan, {}), Error);
    });
  });
}

}  // namespace
}  // namespace overlapack::dense::testing
