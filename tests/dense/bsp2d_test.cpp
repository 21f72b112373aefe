#include "comm/wrap/checked.hpp"
#include "comm/wrap/counted.hpp"
#include "dense/cholesky/cholesky.hpp"
#include "dense/lu/solve/triangular_sweep.hpp"
#include "dist/moves/superstep/bsp2d_moves.hpp"
#include "dist/moves/superstep/superstep_moves.hpp"
#include "distributed.hpp"
#include "engine.hpp"

#include <string>

/// BSP2D (paper 4, section 4) on every engine: messages in the order of sending out of a queue in any order, collectives in
/// 0, 1 and 2 supersteps, and what stands on it: Cholesky and triangular solves, with the numbers of the ordinary ones.
namespace overlapack::dense::testing {
namespace {

using comm::conformance::each_team;
using comm::conformance::on_each_team;
using comm::superstep::World;
using comm::superstep::WorldPlan;
using dist::Bsp2d;
using dist::GridOrder;
using dist::GridPosition;
using dist::ProcessGrid;
using dist::Scope;

/// f(bsp) in worlds of each shape of all ranks, whose queues are shuffled.
template <class F>
void on_each_grid(comm::Rank& rank, F&& f) {
  for (int p = 1; p <= rank.size(); ++p) {
    if (rank.size() % p != 0) continue;
    const ProcessGrid grid(p, rank.size() / p, p % 2 == 0 ? GridOrder::row_major : GridOrder::column_major,
                           rank.size());
    World world(rank, {.direct_bytes = 16, .queue_seed = static_cast<std::uint64_t>(p)},
                dist::world_ranks(grid));
    Bsp2d bsp(world, grid);
    f(bsp);
    world.end();
    comm::collective::barrier(rank);
  }
}

/// Which entry a process sends as its `number`-th message to another.
template <class T>
T sent_entry(GridPosition from, GridPosition to, int number, Index i, Index j) {
  const Index code = (((from.row * 8 + from.col) * 8 + to.row) * 8 + to.col) * 4 + number;
  return static_cast<T>(static_cast<double>(code * 16 + i * 4 + j));
}

/// A 3 x 2 matrix out of one with 5 rows.
template <class T>
struct Sent {
  std::vector<T> values = std::vector<T>(10, T(-1));
  MatrixView<T> view{values.data(), 3, 2, 5};
};

/// Each process sends each `number` matrices, and one row of integers between them.
template <class T>
void expect_in_order(Bsp2d& bsp) {
  const ProcessGrid& grid = bsp.grid();
  const GridPosition me = bsp.me();
  const auto for_all = [&](auto&& f) {
    for (int row = 0; row < grid.rows(); ++row)
      for (int col = 0; col < grid.cols(); ++col) f(GridPosition{row, col});
  };
  for_all([&](GridPosition to) {
    for (int number = 0; number < 3; ++number) {
      Sent<T> A;
      for (Index j = 0; j < 2; ++j)
        for (Index i = 0; i < 3; ++i) A.view(i, j) = sent_entry<T>(me, to, number, i, j);
      bsp.send<T>(to, A.view);
      A.view(0, 0) = T(-7);  // was read at the call
      Index integers[2] = {number, me.row};
      if (number == 1) bsp.send<Index>(to, {integers, 1, 2, 1});
    }
  });
  bsp.sync();
  for_all([&](GridPosition from) {
    for (int number = 0; number < 3; ++number) {
      Sent<T> A;
      bsp.receive<T>(from, A.view);
      for (Index j = 0; j < 2; ++j)
        for (Index i = 0; i < 3; ++i) EXPECT_EQ(A.view(i, j), sent_entry<T>(from, me, number, i, j));
      EXPECT_EQ(A.values[3], T(-1));  // between the columns
      if (number != 1) continue;
      const auto integers = bsp.next_block<Index>(from, 1, 2);
      EXPECT_EQ(integers(0, 0), 1);
      EXPECT_EQ(integers(0, 1), from.row);
    }
  });
}

TEST(Bsp2d, MessagesComeInTheOrderOfSending) {
  on_each_team([](comm::Rank& rank) {
    on_each_grid(rank, [](Bsp2d& bsp) {
      expect_in_order<float>(bsp);
      expect_in_order<double>(bsp);
      expect_in_order<std::complex<float>>(bsp);
      expect_in_order<std::complex<double>>(bsp);
      expect_in_order<Index>(bsp);
    });
  });
}

constexpr Scope scopes[] = {Scope::row, Scope::column, Scope::all};

/// Sizes differ between process rows where the scope is a row, and may be smaller than the number of processes.
template <class T>
void expect_collectives(Bsp2d& bsp) {
  for (const Scope scope : scopes)
    for (const Index length : {0, 1, 2, 5, 23}) {
      const int q = bsp.size(scope), line = scope == Scope::row      ? bsp.me().row
                                            : scope == Scope::column ? bsp.me().col
                                                                     : 0;
      const Index rows = length + line, cols = 2, ld = rows + length % 2;
      std::vector<T> values(static_cast<std::size_t>(ld * cols), T(-1));
      const MatrixView<T> A{values.data(), rows, cols, ld};
      const auto fill = [&](int at) {
        for (Index j = 0; j < cols; ++j)
          for (Index i = 0; i < rows; ++i) A(i, j) = static_cast<T>(static_cast<double>(i + 3 * j + at));
      };
      for (int root = 0; root < q; ++root) {
        const std::int64_t before = bsp.world().superstep();
        fill(bsp.position(scope) == root ? 100 * root : -5);
        bsp.broadcast(scope, root, A);
        EXPECT_EQ(bsp.world().superstep() - before, std::min(q - 1, 2));
        for (Index j = 0; j < cols; ++j)
          for (Index i = 0; i < rows; ++i)
            EXPECT_EQ(A(i, j), static_cast<T>(static_cast<double>(i + 3 * j + 100 * root)));
      }
      const std::int64_t before = bsp.world().superstep();
      fill(bsp.position(scope));
      bsp.reduce(scope, A, std::plus<>());
      EXPECT_EQ(bsp.world().superstep() - before, std::min(q - 1, 2));
      for (Index j = 0; j < cols; ++j)
        for (Index i = 0; i < rows; ++i)
          EXPECT_EQ(A(i, j), static_cast<T>(static_cast<double>(q * (i + 3 * j) + q * (q - 1) / 2)));
      if (length % 2 == 1 && rows > 0) {
        EXPECT_EQ(values[static_cast<std::size_t>(rows)], T(-1));  // between the columns
      }
    }
}

TEST(Bsp2d, CollectivesHaveTheirSupersteps) {
  on_each_team([](comm::Rank& rank) {
    dist::Bsp2dCounters sum;
    on_each_grid(rank, [&](Bsp2d& bsp) {
      expect_collectives<float>(bsp);
      expect_collectives<double>(bsp);
      expect_collectives<std::complex<float>>(bsp);
      expect_collectives<std::complex<double>>(bsp);
      expect_collectives<Index>(bsp);
      sum.scopes_of_one += bsp.counters().scopes_of_one;
      sum.scopes_of_two += bsp.counters().scopes_of_two;
      sum.scopes_of_more += bsp.counters().scopes_of_more;
      EXPECT_EQ(bsp.counters().sends > 0, rank.size() > 1);
    });
    EXPECT_GT(sum.scopes_of_one, 0);
    EXPECT_EQ(sum.scopes_of_two > 0, rank.size() % 2 == 0);
    EXPECT_EQ(sum.scopes_of_more > 0, rank.size() > 2);
  });
}

// Paper 4, sections 2.2 and 4: 2 n g + 2 l, and of two processes n g + l; a message has three words more.
TEST(Bsp2d, CollectivesCostTheirWords) {
  on_each_team([](comm::Rank& rank) {
    const std::int64_t q = rank.size(), n = 2 * 3 * 4 * 7 * 5, envelope = 3;
    const auto words_of = [&](auto&& collective) {
      const ProcessGrid grid(1, rank.size(), GridOrder::row_major, rank.size());
      World world(rank, {}, dist::world_ranks(grid));
      Bsp2d bsp(world, grid);
      std::vector<double> x(static_cast<std::size_t>(n), 1.0);
      collective(bsp, MatrixView<double>{x.data(), n, 1, n});
      world.end();
      comm::collective::barrier(rank);
      return world.cost().words;
    };
    const std::int64_t broadcast =
        words_of([](Bsp2d& bsp, MatrixView<double> x) { bsp.broadcast(Scope::row, 0, x); });
    const std::int64_t reduction =
        words_of([](Bsp2d& bsp, MatrixView<double> x) { bsp.reduce(Scope::row, x, std::plus<>()); });
    const std::int64_t two_phase = q == 1 ? 0 : q == 2 ? n + envelope : 2 * (q - 1) * (n / q + envelope);
    EXPECT_EQ(broadcast, two_phase);
    EXPECT_EQ(reduction, two_phase);
  });
}

/// The error of a program on a grid of one process column; every rank must come out of it.
template <class F>
Error error_of(comm::Team& team, F&& program) {
  try {
    team.run([&](comm::Rank& rank) {
      const ProcessGrid grid(rank.size(), 1, GridOrder::row_major, rank.size());
      World world(rank, {}, dist::world_ranks(grid));
      Bsp2d bsp(world, grid);
      program(bsp);
      world.end();
      comm::collective::barrier(rank);
    });
  } catch (const Error& e) {
    return e;
  }
  return Error(Status::not_converged, "nothing was thrown");
}

TEST(Bsp2d, MisuseNamesBothProcesses) {
  double x[4] = {1, 2, 3, 4};
  const MatrixView<double> one{x, 1, 1, 1}, four{x, 2, 2, 2};
  struct Case {
    std::string says;
    std::function<void(Bsp2d&)> program;
  };
  const Case cases[] = {
      {"process (0, 0), superstep 2: process (1, 0) has sent 1 messages to process (0, 0), which receives "
       "one more",
       [&](Bsp2d& bsp) {
         if (bsp.me().row == 1) bsp.send<double>({0, 0}, four);
         bsp.sync();
         if (bsp.me().row != 0) return;
         bsp.next_block<double>({1, 0}, 2, 2);
         bsp.next_block<double>({1, 0}, 2, 2);
       }},
      {"process (0, 0) receives 8 bytes of integers from process (1, 0), whose next message has 8 bytes of "
       "float64",
       [&](Bsp2d& bsp) {
         if (bsp.me().row == 1) bsp.send<double>({0, 0}, one);
         bsp.sync();
         if (bsp.me().row == 0) bsp.next_block<Index>({1, 0}, 1, 1);
       }},
      {"process (1, 0) receives 8 bytes of float64 from process (0, 0), whose next message has 32 bytes",
       [&](Bsp2d& bsp) {
         if (bsp.me().row == 0) bsp.send<double>({1, 0}, four);
         bsp.sync();
         if (bsp.me().row == 1) bsp.next_block<double>({0, 0}, 1, 1);
       }},
      {"process (0, 0) has sent 0 messages to process (1, 0)",  // the superstep before is gone
       [&](Bsp2d& bsp) {
         if (bsp.me().row == 0) bsp.send<double>({1, 0}, four);
         bsp.sync();
         bsp.sync();
         if (bsp.me().row == 1) bsp.next_block<double>({0, 0}, 2, 2);
       }},
      {"process (1, 0), superstep 1: something was sent before a collective",
       [&](Bsp2d& bsp) {
         if (bsp.me().row == 1) bsp.send<double>({0, 0}, one);
         bsp.broadcast(Scope::column, 0, four);
       }},
      {"there is no process (0, 1) in a grid of",
       [&](Bsp2d& bsp) {
         bsp.send<double>({0, 1}, one);
       }},
      {"there is no place -1 in a scope of", [&](Bsp2d& bsp) { bsp.broadcast(Scope::all, -1, four); }},
  };
  each_team({}, [&](comm::Team& team) {
    if (team.size() < 2) return;
    for (const Case& c : cases) {
      const Error e = error_of(team, c.program);
      EXPECT_EQ(e.status(), Status::internal) << c.says;
      EXPECT_NE(std::string(e.what()).find(c.says), std::string::npos)
          << e.what() << "\n  expected: " << c.says;
    }
  });
}

/// Hermitian and positive definite.
template <class T>
T definite(Index i, Index j, Index n) {
  if (i == j) return T(static_cast<Real<T>>(2 * n));
  return i > j ? entry<T>(7, i, j) : conjugate(entry<T>(7, j, i));
}

constexpr Index block = 4;

template <class T>
Owned<T> definite_on(const ProcessGrid& grid, int rank, Index n) {
  return make<T>(grid, rank, {n, block, grid.rows(), 1 % grid.rows()}, {n, block, grid.cols()},
                 [&](Index i, Index j) { return definite<T>(i, j, n); });
}

/// Of a panel: its diagonal block and itself in two phases, and the transposes; behind the last there is nothing.
Index supersteps_of(const ProcessGrid& grid, Index panels) {
  const auto two_phase = [](int q) { return std::min(q - 1, 2); };
  return 1 + panels * (two_phase(grid.rows()) + two_phase(grid.cols()) + (grid.rows() > 1 ? 1 : 0));
}

/// The arithmetic is the same, and so are the bits; solutions differ by the order of sums.
template <class T>
void expect_cholesky_of_messages(comm::Rank& rank, const ProcessGrid& grid, Index n, const WorldPlan& world) {
  const CholeskyPlan messages{.tile = 4},
      supersteps{.discipline = Discipline::superstep, .world = world, .tile = 4};
  const auto A = definite_on<T>(grid, rank.rank(), n), B = definite_on<T>(grid, rank.rank(), n);
  cholesky_factor(rank, A.A, messages);
  const FactorResult result = cholesky_factor(rank, B.A, supersteps);
  EXPECT_EQ(collected(rank, A.A), collected(rank, B.A)) << n << " on " << grid.rows() << " x " << grid.cols();
  const auto right = [](Index i, Index j) { return entry<T>(8, i, j); };
  const auto X = make<T>(grid, rank.rank(), {n, block, grid.rows(), 1 % grid.rows()}, {3, 2, grid.cols()},
                         right),
             Y = make<T>(grid, rank.rank(), {n, block, grid.rows(), 1 % grid.rows()}, {3, 2, grid.cols()},
                         right);
  cholesky_solve(rank, A.A, X.A, messages);
  cholesky_solve(rank, B.A, Y.A, supersteps);
  const std::vector<T> x = collected(rank, X.A), y = collected(rank, Y.A);
  // |x| < 2 / n, the condition number is below 3
  for (std::size_t i = 0; i < x.size(); ++i) EXPECT_LE(std::abs(x[i] - y[i]), 30 * eps<T>());
  const auto sum = [&](Index mine) { return comm::collective::all_reduce(rank, mine, std::plus<>()); };
  const Index of_one = sum(result.scopes_of_one), of_two = sum(result.scopes_of_two),
              of_more = sum(result.scopes_of_more);
  if (!grid.holds(rank.rank())) return;
  EXPECT_EQ(result.supersteps, supersteps_of(grid, result.panels));
  EXPECT_EQ(result.panels_ahead, result.panels - 1);
  EXPECT_EQ(result.split_supersteps > 0, grid.size() > 1);
  const auto has = [&](int q) { return grid.rows() == q || grid.cols() == q; };
  EXPECT_EQ(of_one > 0, has(1));
  EXPECT_EQ(of_two > 0, has(2));
  EXPECT_EQ(of_more > 0, grid.rows() > 2 || grid.cols() > 2);
}

TEST(Bsp2d, CholeskyIsThatOfMessages) {
  on_each_team([](comm::Rank& rank) {
    for (int p = 1; p <= rank.size(); ++p) {
      if (rank.size() % p != 0) continue;
      const ProcessGrid grid(p, rank.size() / p, GridOrder::row_major, rank.size());
      for (const Index n : {1, 3, 4, 5, 22, 37}) {
        expect_cholesky_of_messages<double>(rank, grid, n, {.queue_seed = 3});
        expect_cholesky_of_messages<std::complex<float>>(rank, grid, n, {});
      }
      expect_cholesky_of_messages<float>(rank, grid, 37, {});
      expect_cholesky_of_messages<std::complex<double>>(rank, grid, 37, {.queue_seed = 4});
    }
  });
  if (comm::conformance::is_thread())
    comm::run({.ranks = 7}, [](comm::Rank& rank) {
      for (const auto& [p, q] : {std::pair{2, 3}, {3, 2}})  // one rank is left over
        expect_cholesky_of_messages<double>(rank, ProcessGrid(p, q, GridOrder::column_major, 7), 37, {});
    });
}

TEST(Bsp2d, CholeskyUnderDelaysAndReordering) {
  on_each_team([](comm::Rank& engine) {
    comm::CheckedRank rank(engine, {.seed = 9});
    expect_cholesky_of_messages<double>(rank, dist::squarest_grid(rank.size(), GridOrder::row_major), 33, {});
  });
}

TEST(Bsp2d, CholeskyReportsTheFirstMinorThatIsNotDefinite) {
  on_each_team([](comm::Rank& rank) {
    const ProcessGrid grid = dist::squarest_grid(rank.size(), GridOrder::row_major);
    constexpr Index n = 25, bad = 14;
    auto A =
        make<double>(grid, rank.rank(), {n, block, grid.rows()}, {n, block, grid.cols()},
                     [](Index i, Index j) { return i == j && i == bad ? -1.0 : definite<double>(i, j, n); });
    EXPECT_EQ(cholesky_factor(rank, A.A, {.discipline = Discipline::superstep}).info, bad + 1);
  });
}

// A block of a sweep: a sum within a process row (or column), and the solution to all.
TEST(Bsp2d, SweepsHaveTheirSupersteps) {
  on_each_team([](comm::Rank& rank) {
    on_each_grid(rank, [](Bsp2d& bsp) {
      const ProcessGrid& grid = bsp.grid();
      constexpr Index n = 22;
      const auto A = definite_on<double>(grid, bsp.world().rank().rank(), n);
      dist::Bsp2dMoves<double> moves(bsp);
      for (const kernels::Op op : {kernels::Op::none, kernels::Op::trans}) {
        std::vector<double> x(n, 0.0);  // X = op(L) e
        for (Index i = 0; i < n; ++i)
          for (Index j = 0; j <= i; ++j) x[op == kernels::Op::none ? i : j] += definite<double>(i, j, n);
        const std::int64_t before = bsp.world().superstep();
        triangular_sweep<double>(moves, {A.A, n, Triangle::lower, op}, {x.data(), n, 1, n}, 1);
        const int line = op == kernels::Op::none ? grid.cols() : grid.rows();
        const Index blocks = (n + block - 1) / block;
        EXPECT_EQ(bsp.world().superstep() - before,
                  blocks * (std::min(line - 1, 1) + std::min(grid.size() - 1, 2)));
        for (const double one : x) EXPECT_NEAR(one, 1, 10 * n * eps<double>());
      }
    });
  });
}

}  // namespace
}  // namespace overlapack::dense::testing
