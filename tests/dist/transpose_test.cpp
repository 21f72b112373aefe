#include "dist/moves/messages/transpose.hpp"

#include "comm/wrap/counted.hpp"
#include "dense/distributed.hpp"
#include "dist/grid/owned_matrix.hpp"
#include "dist/moves/onesided/onesided_transpose.hpp"
#include "engine.hpp"

#include <set>

/// B <- A^T in three forms, from every kind of memory, between any two layouts, on whichever engine the test was started with.
namespace overlapack::dist {
namespace {

using comm::conformance::on_each_team;
using dense::testing::collected;
using dense::testing::make;

template <class T>
T numbered(Index i, Index j, int round) {
  return static_cast<T>(static_cast<Real<T>>(1 + round + i + 128 * j));
}

template <class T>
std::vector<T> expected(Index m, Index n, int round) {
  std::vector<T> all;
  for (Index i = 0; i < m; ++i)
    for (Index j = 0; j < n; ++j) all.push_back(numbered<T>(i, j, round));
  return all;
}

struct Layouts {
  ProcessGrid from, to;
  BlockCyclic rows, cols;            ///< of A
  BlockCyclic cols_of_B, rows_of_B;  ///< in the same order
};

/// Grids of all ranks, the same for both matrices, and such as differ; with ranks that have no part.
std::vector<Layouts> layouts(int p) {
  std::vector<Layouts> all;
  const auto add = [&](std::pair<int, int> from, std::pair<int, int> to, Index m, Index n, Index block,
                       Index other) {
    const auto [P, Q] = from;
    const auto [R, S] = to;
    all.push_back({ProcessGrid(P, Q, GridOrder::row_major, p),
                   ProcessGrid(R, S, GridOrder::column_major, p),
                   {m, block, P, P - 1},
                   {n, block, Q, 0},
                   {m, other, S, 0},
                   {n, other, R, R - 1}});
  };
  for (const auto& from : {std::pair{1, p}, {p, 1}, {1, 1}})
    for (const auto& to : {std::pair{1, p}, {p, 1}}) add(from, to, 13, 7, 3, 2);
  if (p >= 4)
    add({2, 2}, {2, 2}, 12, 12, 6, 6), add({2, 2}, {p, 1}, 1, 9, 2, 4), add({2, 2}, {2, 2}, 0, 3, 2, 2);
  return all;
}

template <class T>
class TransposeOf : public ::testing::Test {};
using Types = ::testing::Types<float, double, std::complex<float>, std::complex<double>>;
TYPED_TEST_SUITE(TransposeOf, Types);

TYPED_TEST(TransposeOf, MessagesAreTheTranspose) {
  using T = TypeParam;
  on_each_team([](comm::Rank& rank) {
    comm::Exchange exchange(rank, comm::Lane::bulk);
    std::int64_t step = 0;
    for (const Layouts& l : layouts(rank.size())) {
      const auto A =
          make<T>(l.from, rank.rank(), l.rows, l.cols, [](Index i, Index j) { return numbered<T>(i, j, 0); });
      const auto B = make<T>(l.to, rank.rank(), l.rows_of_B, l.cols_of_B, [](Index, Index) { return T(-1); });
      transpose(exchange, A.A, B.A, {.move = 7, .step = ++step});
      EXPECT_EQ(collected(rank, B.A), expected<T>(l.rows.size, l.cols.size, 0));
    }
    exchange.close();
    comm::collective::barrier(rank);
  });
}

constexpr std::optional<LentMemory> memories[] = {std::nullopt, LentMemory::user, LentMemory::copy,
                                                  LentMemory::attach};

/// A in the memory that is asked for; `user` makes it in a window.
template <class T>
void expect_transposed(comm::Rank& engine, const Layouts& l, std::optional<LentMemory> memory, RowSwap form) {
  comm::Counts counts;
  comm::CountedRank rank(engine, counts);
  OwnedMatrix<T> in_window;
  auto made = make<T>(l.from, rank.rank(), l.rows, l.cols, [](Index, Index) { return T(-2); });
  if (memory == LentMemory::user) {
    in_window = OwnedMatrix<T>(rank, l.from, l.rows, l.cols);
    made.A = in_window.view();
  }
  const auto B = make<T>(l.to, rank.rank(), l.rows_of_B, l.cols_of_B, [](Index, Index) { return T(-1); });
  LentMatrix<T> A(rank, made.A, memory);
  if (memory) {
    EXPECT_EQ(A.memory(), *memory);
  }
  OnesidedTranspose<T> transposed(rank, A, B.A, form);
  for (int round = 0; round < 3; ++round) {
    const DistributedMatrix<T>& view = A.view();
    for (Index j = 0; j < view.local.cols; ++j)
      for (Index i = 0; i < view.local.rows; ++i)
        view.local(i, j) = numbered<T>(view.rows.global({i}, view.me.row).value,
                                       view.cols.global({j}, view.me.col).value, round);
    const comm::Counts before = counts;
    transposed.run();
    EXPECT_EQ(counts.sent.messages, before.sent.messages);
    const TransposeParts<T> parts(rank, view, B.A);
    std::set<int> others;
    std::int64_t pairs = 0, vectors = 0;
    const auto note = [&](int other, const Share&) { ++pairs, others.insert(other); };
    parts.for_each_receiver(note);
    parts.for_each_sender([&](int other, const Share& share) {
      note(other, share);
      parts.for_each_vector(share, [&](Index, Index, T*, Index) { ++vectors; });
    });
    const bool is_native = form == RowSwap::native;
    // of two ranks that send each other parts, 2 synchronisations or 3
    EXPECT_EQ(counts.signals - before.signals,
              is_native ? pairs : 3 * static_cast<std::int64_t>(others.size()));
    EXPECT_EQ(counts.got.messages - before.got.messages, is_native ? vectors : 0);
    EXPECT_EQ(collected(engine, B.A), expected<T>(l.rows.size, l.cols.size, round));
  }
  A.copy_back();
  EXPECT_EQ(collected(engine, made.A), collected(engine, A.view()));
  comm::collective::barrier(engine);
}

TYPED_TEST(TransposeOf, OneSidedFormsFromAllMemories) {
  on_each_team([](comm::Rank& rank) {
    for (const Layouts& l : layouts(rank.size()))
      for (const std::optional<LentMemory> memory : memories)
        for (const RowSwap form : {RowSwap::native, RowSwap::generic})
          expect_transposed<TypeParam>(rank, l, memory, form);
  });
}

/// Paper 3's Figure 7: the processes beside the diagonal exchange their blocks, the others keep theirs.
TEST(Transpose, PairsOfASquareGridSynchroniseTwoOrThreeTimes) {
  if (!comm::conformance::is_thread()) GTEST_SKIP() << "other engines decide how many ranks there are";
  comm::run({.ranks = 9}, [](comm::Rank& engine) {
    const ProcessGrid grid(3, 3, GridOrder::row_major, 9);
    const BlockCyclic distributed{.size = 12, .block = 4, .processes = 3};
    const auto made = make<double>(grid, engine.rank(), distributed, distributed,
                                   [](Index i, Index j) { return numbered<double>(i, j, 0); });
    const auto B =
        make<double>(grid, engine.rank(), distributed, distributed, [](Index, Index) { return -1.0; });
    for (const RowSwap form : {RowSwap::native, RowSwap::generic}) {
      comm::Counts counts;
      comm::CountedRank rank(engine, counts);
      LentMatrix<double> A(rank, made.A);
      OnesidedTranspose<double>(rank, A, B.A, form).run();
      const bool is_diagonal = made.A.me.row == made.A.me.col;
      EXPECT_EQ(counts.signals, is_diagonal ? 0 : form == RowSwap::native ? 2 : 3);
      EXPECT_EQ(collected(engine, B.A), expected<double>(12, 12, 0));
    }
    comm::collective::barrier(engine);
  });
}

TEST(Transpose, ShapesThatDoNotFitAreRefused) {
  on_each_team([](comm::Rank& rank) {
    const ProcessGrid grid(1, rank.size(), GridOrder::row_major, rank.size());
    const BlockCyclic rows{5, 2, 1}, cols{4, 2, rank.size()};
    const auto A = make<double>(grid, rank.rank(), rows, cols, [](Index, Index) { return 0.0; });
    EXPECT_THROW(TransposeParts<double>(rank, A.A, A.A), Error);
    EXPECT_THROW(LentMatrix<double>(rank, A.A, LentMemory::user), Error);  // in no window
    comm::collective::barrier(rank);
  });
}

}  // namespace
}  // namespace overlapack::dist
