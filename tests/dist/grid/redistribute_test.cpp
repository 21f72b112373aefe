#include "dist/moves/messages/redistribute.hpp"

#include "base/random.hpp"
#include "comm/collective/collective.hpp"
#include "comm/wrap/checked.hpp"
#include "comm/wrap/counted.hpp"
#include "engine.hpp"

#include <algorithm>
#include <complex>
#include <set>

namespace overlapack::dist {
namespace {

using comm::Exchange;
using comm::Lane;
using comm::Rank;
namespace conformance = comm::conformance;

/// A grid and blocks in it.
struct Layout {
  ProcessGrid grid;
  BlockCyclic rows, cols;
};

/// A part of a matrix and its memory, with a gap below each column and more behind it.
template <class T>
struct Held {
  Held(const Layout& layout, int rank) {
    A.grid = &layout.grid;
    A.rows = layout.rows;
    A.cols = layout.cols;
    if (!layout.grid.holds(rank)) return;
    A.me = layout.grid.position_of(rank);
    const Index m = A.rows.local_size(A.me.row), n = A.cols.local_size(A.me.col), ld = m + 3;
    memory.assign(static_cast<std::size_t>(ld * n + 5), T(-1));
    A.local = {memory.data(), m, n, ld};
  }
  DistributedMatrix<T> A;
  std::vector<T> memory;
};

/// Entry (i, j) tells where it belongs.
template <class T>
T entry_of(Index i, Index j) {
  if constexpr (ScalarTraits<T>::is_complex)
    return T(static_cast<Real<T>>(i), static_cast<Real<T>>(j));
  else
    return static_cast<T>(1000 * i + j);  // exact in float for i < 16000
}

template <class T>
void fill(Held<T>& held) {
  for (Index j = 0; j < held.A.local.cols; ++j)
    for (Index i = 0; i < held.A.local.rows; ++i)
      held.A.local(i, j) = entry_of<T>(held.A.rows.global({i}, held.A.me.row).value,
                                       held.A.cols.global({j}, held.A.me.col).value);
}

/// All as `layout` wants it, and nothing beside it was touched.
template <class T>
bool is_filled(const Held<T>& held, const Layout& layout, int rank) {
  Held<T> expected(layout, rank);
  fill(expected);
  return held.memory == expected.memory;
}

ProcessGrid any_grid(int team, Random& random) {
  const int P = 1 + static_cast<int>(random.below(static_cast<std::uint64_t>(team)));
  const int Q = 1 + static_cast<int>(random.below(static_cast<std::uint64_t>(team / P)));
  std::vector<int> ranks(static_cast<std::size_t>(team));
  for (int i = 0; i < team; ++i) ranks[static_cast<std::size_t>(i)] = i;
  for (std::size_t i = ranks.size(); i > 1; --i) std::swap(ranks[i - 1], ranks[random.below(i)]);
  ranks.resize(static_cast<std::size_t>(P * Q));
  return ProcessGrid(P, Q, ranks, team);
}

Layout any_layout(Index m, Index n, int team, Random& random) {
  const ProcessGrid grid = any_grid(team, random);
  const auto blocks = [&](Index size, int processes) {
    return BlockCyclic{.size = size,
                       .block = 1 + static_cast<Index>(random.below(9)),
                       .processes = processes,
                       .source = static_cast<int>(random.below(static_cast<std::uint64_t>(processes)))};
  };
  const BlockCyclic rows = blocks(m, grid.rows()), cols = blocks(n, grid.cols());
  return {grid, rows, cols};
}

template <class T>
void through_random_layouts(Rank& rank, std::uint64_t seed) {
  Random random(seed);  // the same on every rank
  Exchange exchange(rank, Lane::bulk);
  for (std::int64_t step = 0; step < 12; ++step) {
    const auto m = static_cast<Index>(random.below(40)), n = static_cast<Index>(random.below(40));
    const Layout from = any_layout(m, n, rank.size(), random), to = any_layout(m, n, rank.size(), random);
    Held<T> A(from, rank.rank()), B(to, rank.rank());
    fill(A);
    redistribute(exchange, A.A, B.A, {.move = 1, .step = step});
    EXPECT_TRUE(is_filled(B, to, rank.rank())) << "step " << step << " seed " << seed;
    EXPECT_TRUE(is_filled(A, from, rank.rank()));
  }
  exchange.close();
  comm::collective::barrier(rank);
}

TEST(Redistribute, BetweenAnyLayouts) {
  conformance::on_each_team([](Rank& rank) {
    for (std::uint64_t seed = 1; seed <= 4; ++seed) through_random_layouts<double>(rank, seed);
    through_random_layouts<float>(rank, 5);
    through_random_layouts<std::complex<float>>(rank, 6);
    through_random_layouts<std::complex<double>>(rank, 7);
  });
}

TEST(Redistribute, OnAnUnkindEngine) {
  for (std::uint64_t seed = 1; seed <= 5; ++seed)
    conformance::on_each_team([&](Rank& engine) {
      comm::CheckedRank rank(engine, {.seed = seed});
      through_random_layouts<double>(rank, seed);
    });
}

/// All on one rank: a grid of one process.
Layout on_one(Index m, Index n, int rank, int team) {
  return {ProcessGrid(1, 1, std::vector<int>{rank}, team),
          {.size = m, .block = std::max<Index>(m, 1)},
          {.size = n, .block = std::max<Index>(n, 1)}};
}

TEST(Redistribute, GathersToAndScattersFromOneRank) {
  conformance::on_each_team([](Rank& rank) {
    const Index sizes[][2] = {{0, 0}, {1, 1}, {5, 7}, {9, 0}, {30, 11}};
    Exchange exchange(rank, Lane::bulk);
    std::int64_t step = 0;
    for (const auto& [m, n] : sizes)
      for (int root = 0; root < rank.size(); ++root) {
        const ProcessGrid grid = squarest_grid(rank.size(), GridOrder::row_major);
        const Layout spread{grid,
                            {.size = m, .block = 2, .processes = grid.rows(), .source = grid.rows() - 1},
                            {.size = n, .block = 3, .processes = grid.cols()}};
        const Layout one = on_one(m, n, root, rank.size());
        Held<double> A(one, rank.rank()), B(spread, rank.rank()), C(one, rank.rank());
        fill(A);
        redistribute(exchange, A.A, B.A, {.step = ++step});
        EXPECT_TRUE(is_filled(B, spread, rank.rank()));
        redistribute(exchange, B.A, C.A, {.step = ++step});
        EXPECT_EQ(C.memory, A.memory);
      }
    exchange.close();
    comm::collective::barrier(rank);
  });
}

TEST(Redistribute, SendsOneMessageAPairAndEachEntryOnce) {
  conformance::on_each_team([](Rank& engine) {
    const int p = engine.size();
    const Index n = 84;  // a multiple of every p, and n / p >= p
    comm::Counts counts;
    comm::CountedRank rank(engine, counts);
    Exchange exchange(rank, Lane::bulk);
    const auto row_layout = [&](Index block) {
      return Layout{ProcessGrid(p, 1, GridOrder::row_major, p),
                    {.size = n, .block = block, .processes = p},
                    {.size = n, .block = n}};
    };
    const Layout cyclic = row_layout(1), strips = row_layout((n + p - 1) / p);
    Held<double> A(cyclic, rank.rank()), B(strips, rank.rank());
    fill(A);
    redistribute(exchange, A.A, B.A, {});
    EXPECT_EQ(counts.on(Lane::bulk).messages, p);  // from everybody to everybody
    EXPECT_EQ(counts.on(Lane::bulk).bytes, static_cast<std::size_t>(A.A.local.rows * n) * sizeof(double));
    exchange.close();
    comm::collective::barrier(rank);
  });
}

TEST(Redistribute, DifferentShapesAreRefused) {
  conformance::on_each_team([](Rank& rank) {
    Exchange exchange(rank, Lane::bulk);
    const Layout from = on_one(4, 5, 0, rank.size()), to = on_one(5, 4, 0, rank.size());
    Held<double> A(from, rank.rank()), B(to, rank.rank());
    try {
      redistribute(exchange, A.A, B.A, {});
      ADD_FAILURE() << "nobody saw it";
    } catch (const Error& e) {
      EXPECT_EQ(e.status(), Status::bad_input);
      EXPECT_NE(std::string(e.what()).find("4 x 5"), std::string::npos);
    }
    exchange.close();
    comm::collective::barrier(rank);
  });
}

}  // namespace
}  // namespace overlapack::dist
