#include "comm/wrap/checked.hpp"
#include "comm/wrap/counted.hpp"
#include "dense/distributed.hpp"
#include "dist/moves/messages/message_moves.hpp"
#include "engine.hpp"

#include <algorithm>
#include <numeric>

/// Row interchanges against the same exchanges one by one: kinds x types x grids, on whichever engine the test was
/// started with.
namespace overlapack::dist {
namespace {

using comm::conformance::on_each_team;
using dense::testing::collected;
using dense::testing::make;

constexpr SwapKind kinds[] = {SwapKind::binary_exchange, SwapKind::spread_roll, SwapKind::mix,
                              SwapKind::direct};

struct Panel {
  Index first;
  std::vector<Index> pivots;
};

/// Entry (i, j) before anything moves: a small integer, so that every type holds it.
template <class T>
T original(Index i, Index j) {
  return static_cast<T>(static_cast<Real<T>>(1 + i + 128 * j));
}

/// The m x n matrix after the exchanges one by one, by columns.
template <class T>
std::vector<T> exchanged(Index m, Index n, const std::vector<Panel>& panels) {
  std::vector<T> all(static_cast<std::size_t>(m * n));
  for (Index j = 0; j < n; ++j) {
    T* column = all.data() + j * m;
    for (Index i = 0; i < m; ++i) column[i] = original<T>(i, j);
    for (const Panel& panel : panels)
      for (std::size_t i = 0; i < panel.pivots.size(); ++i)
        std::swap(column[panel.first + static_cast<Index>(i)], column[panel.pivots[i]]);
  }
  return all;
}

/// Pivots as a factorisation chooses them: from the row itself on.
Panel random_panel(Index first, Index count, Index m, Random& random) {
  Panel panel{first, {}};
  for (Index i = first; i < first + count; ++i)
    panel.pivots.push_back(i + static_cast<Index>(random.below(static_cast<std::uint64_t>(m - i))));
  return panel;
}

/// Those that a random choice will hardly meet.
std::vector<Panel> odd_panels(Index first, Index count, Index m) {
  std::vector<Panel> panels(4, {first, {}});
  for (Index i = first; i < first + count; ++i) {
    panels[0].pivots.push_back(i);                                 // nothing moves
    panels[1].pivots.push_back(m - 1);                             // one row takes part in every exchange
    panels[2].pivots.push_back(std::max(i, first + count - 1));    // inside the block
    panels[3].pivots.push_back(std::max(i, m - 1 - (i - first)));  // the last rows
  }
  return panels;
}

TEST(RowMoves, AreTheExchangesAsOnePermutation) {
  Random random(4);
  constexpr Index m = 40;
  for (int round = 0; round < 200; ++round) {
    const Index first = static_cast<Index>(random.below(30)),
                count = 1 + static_cast<Index>(random.below(10));
    const Panel panel = random_panel(first, count, m, random);
    const RowMoves moves = row_moves(first, panel.pivots);
    std::vector<double> twin = exchanged<double>(m, 1, {panel}), rows(m);
    for (Index i = 0; i < m; ++i) rows[static_cast<std::size_t>(i)] = original<double>(i, 0);
    for (Index i = 0; i < count; ++i)
      rows[static_cast<std::size_t>(first + i)] =
          original<double>(moves.into[static_cast<std::size_t>(i)], 0);
    for (std::size_t k = 0; k < moves.row.size(); ++k) {
      EXPECT_GE(moves.row[k], first + count);
      rows[static_cast<std::size_t>(moves.row[k])] = original<double>(first + moves.from_block[k], 0);
    }
    EXPECT_EQ(rows, twin);
  }
}

/// Row `first` of the paper's example: (4, 10) (3, 10) (2, 10) (1, 10) are the cycle (10, 4, 3, 2, 1).
TEST(RowMoves, ACycleOfPaperFour) {
  const std::vector<Index> pivots{9, 9, 9, 9};
  const RowMoves moves = row_moves(0, pivots);
  EXPECT_EQ(moves.into, (std::vector<Index>{9, 0, 1, 2}));
  EXPECT_EQ(moves.row, (std::vector<Index>{9}));
  EXPECT_EQ(moves.from_block, (std::vector<Index>{3}));
}

template <class T>
class InterchangeOf : public ::testing::Test {};
using Types = ::testing::Types<float, double, std::complex<float>, std::complex<double>>;
TYPED_TEST_SUITE(InterchangeOf, Types);

/// Whether U holds what is in the block row of `all` now, in my columns [c0, c1).
template <class T>
bool holds_block(MatrixView<const T> U, const DistributedMatrix<T>& A, const Panel& panel, Index c0, Index c1,
                 const std::vector<T>& all) {
  if (U.rows != static_cast<Index>(panel.pivots.size()) || U.cols != c1 - c0) return false;
  for (Index j = 0; j < U.cols; ++j)
    for (Index i = 0; i < U.rows; ++i)
      if (U(i, j) !=
          all[static_cast<std::size_t>(panel.first + i + A.cols.global({c0 + j}, A.me.col).value * A.m())])
        return false;
  return true;
}

template <class T>
std::unique_ptr<RowInterchange<T>> start(comm::Exchange& exchange, const DistributedMatrix<T>& A,
                                         const RowMoves& moves, Index c0, Index c1, const MessagePlan& plan,
                                         const comm::Key& key) {
  return MessageMoves<T>(exchange, plan).start_interchange({A, moves, c0, c1}, key);
}

/// One panel on one grid with one kind; the columns before c0 stay.
template <class T>
void expect_interchanged(comm::Exchange& exchange, const ProcessGrid& grid, Index n, BlockCyclic rows,
                         const Panel& panel, SwapKind kind, std::int64_t step) {
  comm::Rank& rank = exchange.rank();
  const auto made = make<T>(grid, rank.rank(), rows, {n, 3, grid.cols(), 0}, original<T>);
  const DistributedMatrix<T>& A = made.A;
  const Index m = A.m();
  std::vector<T> twin = exchanged<T>(m, n, {panel});
  if (grid.holds(rank.rank())) {
    const Index c0 = std::min<Index>(A.local.cols, 1), c1 = A.local.cols;
    const auto interchange = start<T>(exchange, A, row_moves(panel.first, panel.pivots), c0, c1,
                                      {.swap = kind, .mix_columns = 2}, {.move = 7, .step = step});
    const MatrixView<T> U = interchange->finish();
    if (kind != SwapKind::direct || A.owns_row({panel.first})) {
      EXPECT_TRUE(holds_block<T>(U, A, panel, c0, c1, twin));
    }
    if (A.owns_row({panel.first}) && !U.empty()) {
      EXPECT_EQ(U.data, &A.local(A.first_row({panel.first}), c0));
    }
  }
  for (int col = 0; col < grid.cols(); ++col) {  // the column that each process left out
    if (A.cols.local_size(col) == 0) continue;
    const Index j = A.cols.global({0}, col).value;
    for (Index i = 0; i < m; ++i) twin[static_cast<std::size_t>(i + j * m)] = original<T>(i, j);
  }
  EXPECT_EQ(collected(rank, A), twin)
      << "kind " << static_cast<int>(kind) << ", m " << m << ", block " << rows.block << ", first "
      << panel.first << ", grid " << grid.rows() << " x " << grid.cols();
}

TYPED_TEST(InterchangeOf, EveryKindOnEveryGrid) {
  const bool is_thread = comm::conformance::is_thread();  // elsewhere messages are slow
  const std::vector<Index> blocks = is_thread ? std::vector<Index>{1, 2, 5, 16} : std::vector<Index>{1, 5};
  on_each_team([&](comm::Rank& rank) {
    comm::Exchange exchange(rank, comm::Lane::bulk);
    Random random(11);
    std::int64_t step = 0;
    for (int grid_cols = 1; grid_cols <= std::min(2, rank.size()); ++grid_cols) {
      const ProcessGrid grid(rank.size() / grid_cols, grid_cols, GridOrder::row_major, rank.size());
      for (const Index block : blocks) {
        const Index m = 6 * block + 7;
        const BlockCyclic rows{m, block, grid.rows(), grid.rows() - 1};
        for (const Index first : {Index{0}, block, 3 * block}) {
          std::vector<Panel> panels = odd_panels(first, block, m);
          panels.push_back(random_panel(first, block, m, random));
          panels.push_back(random_panel(first, (block + 1) / 2, m, random));
          for (const Panel& panel : panels)
            for (const SwapKind kind : kinds)
              for (const Index n : {1, 9})
                expect_interchanged<TypeParam>(exchange, grid, n, rows, panel, kind, step++);
        }
      }
    }
    exchange.close();
    comm::collective::barrier(rank);
  });
}

/// Panels one after the other in disjoint columns, all under way at once, finished backwards.
void many_in_flight(comm::Rank& rank, std::uint64_t seed) {
  using T = double;
  comm::Exchange exchange(rank, comm::Lane::bulk, {.posted = 1 + static_cast<int>(seed % 4)});
  const ProcessGrid grid(rank.size(), 1, GridOrder::row_major, rank.size());
  constexpr Index block = 4, m = 50, width = 5, count = 8;
  const auto made =
      make<T>(grid, rank.rank(), {m, block, grid.rows(), 0}, {width * count, 4, 1, 0}, original<T>);
  Random shared(seed + 100), mine(seed * 10 + static_cast<std::uint64_t>(rank.rank()));
  std::vector<std::unique_ptr<RowInterchange<T>>> started;
  std::vector<Panel> panels;
  for (Index k = 0; k < count; ++k) {
    panels.push_back(random_panel(block * k, block, m, shared));
    started.push_back(start<T>(exchange, made.A, row_moves(block * k, panels.back().pivots), k * width,
                               (k + 1) * width, {.swap = kinds[(static_cast<std::uint64_t>(k) + seed) % 4]},
                               {.move = 1, .step = k}));
    if (mine.below(3) == 0) rank.poll();
  }
  for (Index k = count; k-- > 0;) {
    const MatrixView<T> U = started[static_cast<std::size_t>(k)]->finish();
    const Panel& panel = panels[static_cast<std::size_t>(k)];
    if (kinds[(static_cast<std::uint64_t>(k) + seed) % 4] != SwapKind::direct) {
      EXPECT_TRUE(holds_block<T>(U, made.A, panel, k * width, (k + 1) * width,
                                 exchanged<T>(m, width * count, {panel})));
    }
  }
  std::vector<T> twin;
  for (Index k = 0; k < count; ++k) {
    const auto all = exchanged<T>(m, width * count, {panels[static_cast<std::size_t>(k)]});
    twin.insert(twin.end(), all.begin() + k * width * m, all.begin() + (k + 1) * width * m);
  }
  EXPECT_EQ(collected(rank, made.A), twin);
  exchange.close();
  comm::collective::barrier(rank);
}

TEST(Interchange, ManyInFlightFinishedBackwards) {
  for (std::uint64_t seed = 1; seed <= 4; ++seed)
    on_each_team([&](comm::Rank& rank) { many_in_flight(rank, seed); });
}

TEST(Interchange, ManyInFlightOnAnUnkindEngine) {
  for (std::uint64_t seed = 1; seed <= 4; ++seed)
    on_each_team([&](comm::Rank& engine) {
      comm::CheckedRank rank(engine, {.seed = seed});
      many_in_flight(rank, seed);
    });
}

TEST(Interchange, ManyInFlightUnderTheLongProtocol) {
  on_each_team({.eager_bytes = 50, .split_bytes = 1000, .head_bytes = 256},
               [](comm::Rank& rank) { many_in_flight(rank, 5); });
}

// The rows of a second matrix go the same way, in the same messages.
TEST(Interchange, DirectTakesTheRowsOfAnotherMatrixAlong) {
  on_each_team([](comm::Rank& engine) {
    using T = double;
    comm::Counts counts;
    comm::CountedRank rank(engine, counts);
    comm::Exchange exchange(rank, comm::Lane::bulk);
    const ProcessGrid grid(rank.size(), 1, GridOrder::row_major, rank.size());
    constexpr Index m = 41, block = 5;
    const BlockCyclic rows{m, block, grid.rows(), 0};
    Random random(2);
    for (const Index n : {0, 6}) {
      const auto A = make<T>(grid, rank.rank(), rows, {n, 4, 1, 0}, original<T>);
      const auto L =
          make<T>(grid, rank.rank(), rows, {3, 4, 1, 0}, [](Index i, Index j) { return -original<T>(i, j); });
      const Panel panel = random_panel(block, block, m, random);
      MessageMoves<T>(exchange, {})
          .start_direct_interchange({A.A, row_moves(panel.first, panel.pivots), 0, n}, L.A.local,
                                    {.move = 1, .step = n})
          ->finish();
      std::vector<T> twin = exchanged<T>(m, 3, {panel});
      for (T& x : twin) x = -x;
      EXPECT_EQ(collected(engine, L.A), twin);
      EXPECT_EQ(collected(engine, A.A), exchanged<T>(m, n, {panel}));
    }
    const int owner = rows.owner({block});
    EXPECT_LE(counts.on(comm::Lane::bulk).messages, 2 * (rank.rank() == owner ? rank.size() - 1 : 1));
    exchange.close();
    comm::collective::barrier(engine);
  });
}

// The interchanges of many panels as one: rows of all processes change places, each travels once.
TEST(Interchange, DirectTakesManyPanelsAtOnce) {
  on_each_team([](comm::Rank& engine) {
    using T = double;
    comm::Counts counts;
    comm::CountedRank rank(engine, counts);
    comm::Exchange exchange(rank, comm::Lane::bulk);
    const ProcessGrid grid(rank.size(), 1, GridOrder::row_major, rank.size());
    constexpr Index n = 5, block = 3;
    const Index m = block * rank.size() * 3 + 2;
    Random random(8);
    for (const Index first : {Index{0}, Index{4}, m}) {
      const auto made = make<T>(grid, rank.rank(), {m, block, rank.size(), 0}, {n, 4, 1, 0}, original<T>);
      const Panel all = random_panel(first, m - first, m, random);
      start<T>(exchange, made.A, row_moves(first, all.pivots), 0, n, {.swap = SwapKind::direct},
               {.move = 1, .step = first})
          ->finish();
      EXPECT_EQ(collected(engine, made.A), exchanged<T>(m, n, {all}));
    }
    EXPECT_LE(counts.on(comm::Lane::bulk).messages, 3 * (rank.size() - 1));
    exchange.close();
    comm::collective::barrier(engine);
  });
}

/// Messages that my rank sends for one panel whose rows come from everywhere.
std::int64_t messages_sent(comm::Rank& engine, SwapKind kind, const Panel& panel, const BlockCyclic& rows) {
  comm::Counts counts;
  comm::CountedRank rank(engine, counts);
  const ProcessGrid grid(rank.size(), 1, GridOrder::row_major, rank.size());
  const auto made = make<double>(grid, rank.rank(), rows, {6, 4, 1, 0}, original<double>);
  comm::Exchange exchange(rank, comm::Lane::bulk);
  start<double>(exchange, made.A, row_moves(panel.first, panel.pivots), 0, 6, {.swap = kind}, {.move = 1})
      ->finish();
  exchange.close();
  comm::collective::barrier(engine);
  return counts.on(comm::Lane::bulk).messages;
}

TEST(Interchange, SendsAsManyMessagesAsItsKindPromises) {
  on_each_team([](comm::Rank& rank) {
    const int size = rank.size();
    const BlockCyclic rows{16 * size, 16, size, 0};
    Panel panel{0, {}};
    for (Index i = 0; i < 16; ++i) panel.pivots.push_back(16 * (i % size) + i);  // one row in `size` stays
    int rounds = 0;
    while (1 << rounds < size) ++rounds;
    const int away = rank.rank() == 0 ? size - 1 : 0;  // the rows that leave the block
    EXPECT_EQ(messages_sent(rank, SwapKind::binary_exchange, panel, rows), size == 1 ? 0 : away + rounds);
    EXPECT_EQ(messages_sent(rank, SwapKind::mix, panel, rows), size == 1 ? 0 : away + rounds);
    EXPECT_EQ(messages_sent(rank, SwapKind::spread_roll, panel, rows), size == 1 ? 0 : away + size - 1);
    EXPECT_EQ(messages_sent(rank, SwapKind::direct, panel, rows), rank.rank() == 0 ? size - 1 : 1);
  });
}

// All rows of the block are the owner's: the others send their share of them round.
TEST(Interchange, SpreadRollSharesTheRowsOfABlockThatStays) {
  on_each_team([](comm::Rank& engine) {
    const int size = engine.size();
    Panel panel{0, std::vector<Index>(16)};
    std::iota(panel.pivots.begin(), panel.pivots.end(), 0);
    const std::int64_t sent = messages_sent(engine, SwapKind::spread_roll, panel, {16 * size, 16, size, 0});
    EXPECT_EQ(sent, size == 1 ? 0 : (engine.rank() == 0 ? size - 1 : 0) + size - 1);
  });
}

// What arrives in polls is passed on there: then nothing is left to wait for.
TEST(Interchange, GoesOnInPolls) {
  if (!comm::conformance::is_thread()) GTEST_SKIP() << "other engines deliver when they like";
  on_each_team([](comm::Rank& engine) {
    constexpr Index block = 8;
    const int size = engine.size();
    const ProcessGrid grid(size, 1, GridOrder::row_major, size);
    comm::Counts counts;
    comm::CountedRank rank(engine, counts);
    for (const SwapKind kind : kinds) {
      const auto made =
          make<double>(grid, rank.rank(), {block * size, block, size, 0}, {6, 4, 1, 0}, original<double>);
      comm::Exchange exchange(rank, comm::Lane::bulk);
      Random random(3);
      const Panel panel = random_panel(0, block, made.A.m(), random);
      const auto interchange =
          start<double>(exchange, made.A, row_moves(0, panel.pivots), 0, 6, {.swap = kind}, {.move = 1});
      for (int hop = 0; hop < size; ++hop) {  // what is sent before a barrier is taken by the poll behind it
        comm::collective::barrier(engine);
        rank.poll();
      }
      const std::int64_t waits = counts.waits;
      interchange->finish();
      EXPECT_EQ(counts.waits, waits) << "kind " << static_cast<int>(kind);
      EXPECT_EQ(collected(engine, made.A), exchanged<double>(made.A.m(), 6, {panel}));
      exchange.close();
      comm::collective::barrier(engine);
    }
  });
}

}  // namespace
}  // namespace overlapack::dist
