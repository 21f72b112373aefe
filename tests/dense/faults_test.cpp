#include "dense/cholesky/cholesky.hpp"
#include "dense/lu/lu.hpp"
#include "dense/lu/solve/solve.hpp"
#include "dense/multiply/multiply.hpp"
#include "dense/qr/qr.hpp"
#include "distributed.hpp"
#include "fault_sweep.hpp"

#include <algorithm>
#include <iterator>

/// Dense factorisations and solves, by each discipline, when any one call or allocation of a rank fails.
namespace overlapack::dense::testing {
namespace {

using overlapack::testing::FaultOf;
using overlapack::testing::on_faulty_teams;
using overlapack::testing::RankWork;
using overlapack::testing::slow_each_rank;
using overlapack::testing::sweep_faults;

constexpr Index n = 14, block = 3;

using EntryAt = double (*)(Index i, Index j);
double any(Index i, Index j) { return entry<double>(5, i, j); }
double definite(Index i, Index j) { return i == j ? 2.0 * n : any(std::max(i, j), std::min(i, j)); }
double rhs(Index i, Index) { return entry<double>(6, i, 0); }

Owned<double> columns(comm::Rank& rank, const dist::ProcessGrid& grid, Index count, EntryAt at) {
  return make<double>(grid, rank.rank(), {n, block, grid.rows()}, {count, block, grid.cols()}, at);
}
dist::ProcessGrid grid_of(const comm::Rank& rank) {
  return dist::squarest_grid(rank.size(), dist::GridOrder::row_major);
}

/// |b - A x| <= c n eps |A| |x|, |A| <= 3 n here.
void expect_solution(EntryAt at, const std::vector<double>& x) {
  const double size = std::abs(*std::ranges::max_element(x, {}, [](double v) { return std::abs(v); }));
  for (Index i = 0; i < n; ++i) {
    double r = rhs(i, 0);
    for (Index j = 0; j < n; ++j) r -= at(i, j) * x[static_cast<std::size_t>(j)];
    EXPECT_LE(std::abs(r), 10 * n * eps<double>() * 3 * n * size);
  }
}

RankWork by_lu(const LuPlan& plan) {
  return [plan](comm::Rank& rank) {
    const dist::ProcessGrid grid = grid_of(rank);
    auto A = columns(rank, grid, n, any);
    std::vector<Index> pivots(n);
    EXPECT_EQ(lu_factor(rank, A.A, std::span<Index>(pivots), plan).info, 0);
    std::vector<double> x;
    for (Index i = 0; i < n; ++i) x.push_back(rhs(i, 0));
    lu_solve(rank, kernels::Op::none, A.A, pivots, MatrixView<double>{x.data(), n, 1, n}, plan);
    expect_solution(any, x);
  };
}

RankWork by_cholesky(const CholeskyPlan& plan) {
  return [plan](comm::Rank& rank) {
    const dist::ProcessGrid grid = grid_of(rank);
    auto A = columns(rank, grid, n, definite);
    EXPECT_EQ(cholesky_factor(rank, A.A, plan).info, 0);
    auto B = columns(rank, grid, 1, rhs);
    cholesky_solve(rank, A.A, B.A, plan);
    expect_solution(definite, collected(rank, B.A));
  };
}

RankWork by_qr(const QrPlan& plan) {
  return [plan](comm::Rank& rank) {
    const dist::ProcessGrid grid = grid_of(rank);
    auto A = columns(rank, grid, n, any);
    std::vector<double> s(static_cast<std::size_t>(block * n));
    const QrFactors<double> factors{A.A, {s.data(), block, n, block}};
    qr_factor(rank, factors, plan);
    auto B = columns(rank, grid, 1, rhs);
    qr_least_squares(rank, factors, B.A, plan);
    expect_solution(any, collected(rank, B.A));
  };
}

/// 2 A B beside its definition.
RankWork by_multiply(const MultiplyPlan& plan) {
  return [plan](comm::Rank& rank) {
    const dist::ProcessGrid grid = grid_of(rank);
    const auto A = columns(rank, grid, n, any), B = columns(rank, grid, n, definite);
    auto C = columns(rank, grid, n, [](Index, Index) { return 0.0; });
    multiply(rank, 2.0, A.A, B.A, C.A, plan);
    const std::vector<double> product = collected(rank, C.A);
    for (Index j = 0; j < n; ++j)
      for (Index i = 0; i < n; ++i) {
        double sum = 0;
        for (Index k = 0; k < n; ++k) sum += 2 * any(i, k) * definite(k, j);
        EXPECT_NEAR(product[static_cast<std::size_t>(i + j * n)], sum, 10 * n * eps<double>() * 3 * n);
      }
  };
}

LuPlan onesided(Schedule schedule, PivotSearch search, bool in_place) {
  return {.discipline = Discipline::onesided,
          .schedule = schedule,
          .pivot_search = search,
          .tile = 4,
          .reads_in_place = in_place};
}

std::vector<RankWork> works() {
  using enum Schedule;
  std::vector<RankWork> all{
      by_lu({.schedule = flat, .messages = {.swap = dist::SwapKind::binary_exchange}}),
      by_lu(
          {.schedule = look_ahead, .depth = 2, .tile = 4, .messages = {.swap = dist::SwapKind::spread_roll}}),
      by_lu({.schedule = split,
             .tile = 4,
             .messages = {.broadcast = comm::collective::BroadcastKind::two_phase}}),
      by_lu({.schedule = parity, .ranks_per_node = 2}),
      by_lu({.schedule = flat,
             .pivot_search = PivotSearch::columns,
             .messages = {.swap = dist::SwapKind::pairwise}}),
      by_lu({.discipline = Discipline::superstep, .schedule = flat}),
      by_lu({.discipline = Discipline::superstep, .schedule = look_ahead, .sync = SyncKind::known}),
      by_lu({.discipline = Discipline::superstep, .schedule = flat, .world = {.direct_bytes = 0}}),
      by_lu({.discipline = Discipline::superstep,
             .schedule = look_ahead,
             .messages = {.swap = dist::SwapKind::shared},
             .world = {.direct_bytes = 0}}),
      by_cholesky({.tile = 4}),
      by_cholesky({.discipline = Discipline::superstep}),
      by_qr({.depth = 0, .smallest = 2}),
      by_qr({.depth = 2, .smallest = 2, .tile = 4}),
      by_multiply({.tile = 4})};
  if (comm::conformance::is_thread())
    all.push_back(by_lu({.schedule = hybrid, .tile = 4}));  // it needs helpers
  return all;
}

/// Panels of one rank are read by others while it fails. On threads alone: processes keep windows until they end.
std::vector<RankWork> onesided_works() {
  std::vector<RankWork> all;
  if (!comm::conformance::is_thread()) return all;
  for (const Schedule schedule : {Schedule::flat, Schedule::look_ahead, Schedule::split})
    for (const PivotSearch search : {PivotSearch::combined, PivotSearch::tournament})
      for (const bool in_place : {true, false}) all.push_back(by_lu(onesided(schedule, search, in_place)));
  return all;
}

void sweep_each_work(FaultOf fault) {
  std::vector<RankWork> all = works();
  std::ranges::move(onesided_works(), std::back_inserter(all));
  for (std::size_t number = 0; number < all.size(); ++number)
    on_faulty_teams({4}, [&](comm::Team& team) {
      const int failing = number % 2 == 0 ? 0 : team.size() - 1;
      EXPECT_GT(sweep_faults(team, fault, failing, all[number]), 20) << "work " << number;
    });
}

TEST(DenseFaults, AnyFailingCallEndsAllRanks) { sweep_each_work(FaultOf::call); }
TEST(DenseFaults, AnyFailingAllocationEndsAllRanks) { sweep_each_work(FaultOf::allocation); }

TEST(DenseFaults, ASlowRankChangesNothing) {
  for (const auto& all : {works(), onesided_works()})
    for (const RankWork& work : all)
      on_faulty_teams({4}, [&](comm::Team& team) { slow_each_rank(team, work); });
}

}  // namespace
}  // namespace overlapack::dense::testing
