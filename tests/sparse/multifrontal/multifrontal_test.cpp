#include "comm/collective/collective.hpp"
#include "comm/wrap/counted.hpp"
#include "factor_answers.hpp"
#include "problems.hpp"
#include "sparse/multifrontal/message/message_kinds.hpp"

#include <atomic>
#include <chrono>
#include <functional>
#include <map>
#include <span>
#include <thread>

/// Multifrontal factorisation and solve: kinds x types x ranks x plans, on whichever engine the test was started with.
namespace overlapack::sparse::testing {
namespace {

using comm::conformance::each_team;

template <class T>
class MultifrontalOf : public ::testing::Test {};
using Types = ::testing::Types<float, double, std::complex<float>, std::complex<double>>;
TYPED_TEST_SUITE(MultifrontalOf, Types);

/// Solve on every team with the default and the stress plans, and check the residual of each; look at the figures.
template <class T>
void expect_solved(const SparseMatrix<T>& A, AnalysisPlan analysis, Index nrhs = 1,
                   const std::function<void(const FactorStats&)>& look = {}) {
  const std::vector<T> b = multiply(A, random_vector<T>(A.rows * nrhs, 7), nrhs);
  const FactorPlan plans[] = {FactorPlan{},
                              stress_plan(comm::ReceiveMode::immediate, 1),
                              strips_plan(comm::ReceiveMode::immediate, 4),
                              strips_plan(comm::ReceiveMode::probe, 1),
                              stealing_plan(comm::ReceiveMode::immediate, 2),
                              late_plan(comm::ReceiveMode::immediate)};
  for (const auto& plan : plans)
    each_team({}, [&](comm::Team& team) {
      const Outcome<T> outcome = run(team, A, analysis, plan, b, nrhs);
      if (look) look(outcome.stats);
      if (team.first_local() != 0) return;
      EXPECT_LE(backward_error(A, outcome.x, b, nrhs), tolerance<T>(A.rows))
          << "n = " << A.rows << ", posted " << plan.fronts.walk.posted << ", leaf flops "
          << plan.fronts.leaf_flops;
    });
}

TYPED_TEST(MultifrontalOf, LuOfRandomMatrices) {
  for (const Index n : {1, 2, 3, 10, 60, 200})
    expect_solved(random_matrix<TypeParam>(n, 3, Symmetry::general, false, 11 + n), plan_of(FactorKind::lu));
}

TYPED_TEST(MultifrontalOf, ValuesByRowsReachEveryKindOfFront) {
  for (const FactorKind kind : {FactorKind::lu, FactorKind::ldlt}) {
    const bool is_lu = kind == FactorKind::lu;
    const auto A =
        random_matrix<TypeParam>(80, 2, is_lu ? Symmetry::general : Symmetry::symmetric, !is_lu, 31);
    const std::vector<TypeParam> b = multiply(A, random_vector<TypeParam>(A.rows, 7), 1);
    FactorPlan plans[] = {stress_plan(comm::ReceiveMode::immediate, 1),
                          strips_plan(comm::ReceiveMode::probe, 1),
                          root_plan(comm::ReceiveMode::immediate, 4)};
    each_team({}, [&](comm::Team& team) {
      FactorStats all;
      for (const FactorPlan& plan : plans) {
        const auto outcome = run(team, A, without_matching(kind), plan, b, 1, true);
        if (team.first_local() != 0) continue;
        EXPECT_LE(backward_error(A, outcome.x, b, 1), tolerance<TypeParam>(A.rows));
        all.strips += outcome.stats.strips;
        all.grid_roots += outcome.stats.grid_roots;
        EXPECT_LT(outcome.stats.most_entries_of_rank, team.size() == 1 ? A.nnz() + 1 : A.nnz());
      }
      if (team.first_local() != 0 || team.size() == 1) return;
      EXPECT_GT(all.strips, 0);
      EXPECT_GT(all.grid_roots, 0);
    });
  }
}

TEST(Multifrontal, NewsOfLoadsTravelByLaneAmongOthersAndByPut) {
  const auto A = random_matrix<double>(60, 3, Symmetry::general, false, 8);
  const std::vector<double> b = multiply(A, random_vector<double>(A.rows, 7), 1);
  FactorPlan plans[4];
  for (FactorPlan& plan : plans) plan = strips_plan(comm::ReceiveMode::immediate, 1);
  plans[1].fronts.strips.load_news = plans[2].fronts.strips.load_news = dist::NewsBy::shared_lane;
  plans[2].fronts.walk.early = dist::EarlyMessages::wait;  // paper 1 with K = 1
  plans[2].fronts.strips.tree_from = 100;
  plans[3].fronts.strips.load_news = dist::NewsBy::put;
  each_team({}, [&](comm::Team& team) {
    for (const FactorPlan& plan : plans) {  // nothing of one run may be left on a lane for the next
      const auto outcome = run(team, A, plan_of(FactorKind::lu), plan, b, 1);
      if (team.first_local() != 0) continue;
      EXPECT_LE(backward_error(A, outcome.x, b, 1), tolerance<double>(A.rows));
      if (team.size() > 1) {
        EXPECT_GT(outcome.stats.load_news, 0) << "by " << static_cast<int>(plan.fronts.strips.load_news);
      }
    }
  });
}

TYPED_TEST(MultifrontalOf, LuWithZeroDiagonalsDelaysPivotsWithoutMatching) {
  Index delayed = 0;
  expect_solved(random_matrix<TypeParam>(120, 2, Symmetry::general, true, 5),
                without_matching(FactorKind::lu), 1,
                [&](const FactorStats& stats) { delayed += stats.pivots.delayed; });
  EXPECT_GT(delayed, 0);
}

TYPED_TEST(MultifrontalOf, LdltOfIndefiniteMatrices) {
  Index two_by_two = 0;
  for (const Index n : {2, 6, 40, 150})
    expect_solved(zero_diagonal<TypeParam>(n, 23 + n), plan_of(FactorKind::ldlt), 1,
                  [&](const FactorStats& stats) { two_by_two += stats.pivots.two_by_two; });
  EXPECT_GT(two_by_two, 0);
}

TYPED_TEST(MultifrontalOf, ZeroDiagonalLeavesAreDelayedToTheirParents) {
  // each of n variables with a zero diagonal meets only the dense border: its own front has no pivot
  constexpr Index n = 40;
  for (const FactorKind kind : {FactorKind::lu, FactorKind::ldlt}) {
    Index delayed = 0;
    AnalysisPlan plan = without_matching(kind);
    plan.ordering = Ordering::natural;
    expect_solved(zero_arrow<TypeParam>(n), plan, 1,
                  [&](const FactorStats& stats) { delayed += stats.pivots.delayed; });
    EXPECT_GT(delayed, 0);
  }
}

TYPED_TEST(MultifrontalOf, FactorsOfHermitianMatrices) {
  for (const FactorKind kind : {FactorKind::lu, FactorKind::ldlt})
    expect_solved(random_matrix<TypeParam>(90, 2, Symmetry::hermitian, true, 3), plan_of(kind));
}

TYPED_TEST(MultifrontalOf, CholeskyOfCubes) {
  expect_solved(cube_of<TypeParam>(6), plan_of(FactorKind::cholesky));
}

TYPED_TEST(MultifrontalOf, ManyRightHandSides) {
  const auto general = random_matrix<TypeParam>(50, 3, Symmetry::general, true, 9);
  const auto symmetric = random_matrix<TypeParam>(50, 3, Symmetry::symmetric, true, 9);
  for (const Index nrhs : {2, 31, 33}) {
    expect_solved(general, plan_of(FactorKind::lu), nrhs);
    expect_solved(symmetric, plan_of(FactorKind::ldlt), nrhs);
  }
}

TYPED_TEST(MultifrontalOf, TransposedSolvesAndDeterminants) {
  using T = TypeParam;
  const auto check = [](const SparseMatrix<T>& A, const AnalysisPlan& analysis_plan, const FactorPlan& plan) {
    expect_answers(A, analysis_plan, plan, 3, [&](comm::Rank& rank, const Multifrontal<T>& factors) {
      const bool is_distributing = plan.fronts.strips.sharing == NodeParallelism::strips && rank.size() > 1;
      EXPECT_EQ(factors.stats().distributed_fronts > 0, is_distributing);
    });
  };
  for (const auto& plan : {FactorPlan{}, strips_plan(comm::ReceiveMode::immediate, 4)}) {
    check(random_matrix<T>(70, 3, Symmetry::general, true, 9), plan_of(FactorKind::lu), plan);
    check(random_matrix<T>(50, 2, Symmetry::general, true, 5), without_matching(FactorKind::lu), plan);
    check(weak_cube<T>(4), without_matching(FactorKind::lu), plan);
    check(random_matrix<T>(50, 2, Symmetry::symmetric, true, 8), plan_of(FactorKind::ldlt), plan);
    for (const FactorKind kind : {FactorKind::lu, FactorKind::ldlt})
      check(random_matrix<T>(50, 2, Symmetry::hermitian, true, 7), plan_of(kind), plan);
  }
}

TEST(Multifrontal, DisconnectedAndDiagonalMatrices) {
  SparseMatrix<double> A;
  A.rows = A.cols = 100;
  A.start.resize(101);
  for (Index j = 0; j < 100; ++j) {
    A.start[j + 1] = j + 1;
    A.row.push_back(j);
    A.value.push_back(static_cast<double>(j % 7) - 3.5);
  }
  expect_solved(A, plan_of(FactorKind::lu));
  A.symmetry = Symmetry::symmetric;
  expect_solved(A, plan_of(FactorKind::ldlt));
}

TEST(Multifrontal, NegativePivotsAreTheInertia) {
  // x -> A - shift on a 1D Laplacian with eigenvalues 2 - 2 cos(k pi / (n + 1))
  constexpr Index n = 60;
  constexpr double shift = 1.3;
  Triplets<double> entries;
  entries.rows = entries.cols = n;
  for (Index j = 0; j < n; ++j) {
    entries.add(j, j, 2 - shift);
    if (j + 1 < n) entries.add(j + 1, j, -1), entries.add(j, j + 1, -1);
  }
  auto A = compress(std::move(entries)).matrix;
  A.symmetry = Symmetry::symmetric;
  Index below = 0;
  for (Index k = 1; k <= n; ++k) below += 2 - 2 * std::cos(static_cast<double>(k) * M_PI / (n + 1)) < shift;
  expect_solved(A, plan_of(FactorKind::ldlt), 1,
                [&](const FactorStats& stats) { EXPECT_EQ(stats.pivots.negative, below); });
}

TEST(Multifrontal, SeveralRanksHandOverContributions) {
  each_team({}, [&](comm::Team& team) {
    const SparseMatrix<double> A = generate("cube", 8);
    const auto b = random_vector<double>(A.rows, 1);
    const auto outcome =
        run(team, A, plan_of(FactorKind::lu), stress_plan(comm::ReceiveMode::immediate, 2), b, 1);
    if (team.first_local() != 0) return;
    EXPECT_EQ(outcome.stats.sent_contributions > 0, team.size() > 1);
  });
}

TYPED_TEST(MultifrontalOf, DistributedFrontsTakeEveryPath) {
  each_team({}, [&](comm::Team& team) {
    FactorStats all;
    for (const int points : {5, 6})
      for (const FactorKind kind : {FactorKind::lu, FactorKind::ldlt})
        for (const bool is_static : {false, true}) {
          const auto A = weak_cube<TypeParam>(points);
          FactorPlan plan = strips_plan(comm::ReceiveMode::immediate, 3);
          plan.fronts.strips.choice = is_static ? StripChoice::fixed : StripChoice::by_load;
          const auto b = multiply(A, random_vector<TypeParam>(2 * A.rows, 7), 2);
          const auto outcome = run(team, A, without_matching(kind), plan, b, 2);
          if (team.first_local() != 0) continue;
          EXPECT_LE(backward_error(A, outcome.x, b, 2), tolerance<TypeParam>(A.rows));
          const FactorStats& stats = outcome.stats;
          EXPECT_EQ(stats.distributed_fronts > 0, team.size() > 1);
          EXPECT_GE(stats.strips, stats.distributed_fronts);
          EXPECT_EQ(stats.load_news > 0, team.size() > 1 && !is_static);
          all.pieces += stats.pieces;
          all.delayed_from_strips += stats.delayed_from_strips;
          all.forwarded += stats.forwarded;
          all.shortened += stats.shortened;
          EXPECT_TRUE(kind != FactorKind::lu || stats.shortened == 0);
          all.chain_links += stats.chain_links;
          all.limited_by_memory += stats.limited_by_memory;
          EXPECT_TRUE(!is_static || stats.limited_by_memory == 0);
        }
    if (team.first_local() != 0) return;
    EXPECT_EQ(all.pieces > 0, team.size() > 1);
    EXPECT_EQ(all.delayed_from_strips > 0, team.size() > 1);
    EXPECT_EQ(all.chain_links > 0, team.size() > 1);
    EXPECT_EQ(all.limited_by_memory > 0, team.size() > 1);
    EXPECT_EQ(all.shortened > 0, team.size() > 1);
    if (team.size() >= 7) {
      EXPECT_GT(all.forwarded, 0);
    }
  });
}

/// What the ranks sent of each kind in one factorisation, all together.
std::map<std::int32_t, std::int64_t> messages_of(comm::Team& team, const SparseMatrix<double>& A,
                                                 const AnalysisPlan& analysis_plan, const FactorPlan& plan,
                                                 FactorStats& stats) {
  const Analysis analysis = team.first_local() == 0 ? analyse(A, analysis_plan) : Analysis();
  std::map<std::int32_t, std::int64_t> all;
  team.run([&](comm::Rank& engine) {
    comm::Counts counts;
    comm::CountedRank rank(engine, counts);
    Multifrontal<double> factors;
    factors.factorize(rank, &analysis, &A, plan);
    std::vector<std::int64_t> sent;
    for (std::int32_t kind = message_kinds.first(); kind < message_kinds.end(); ++kind)
      sent.push_back(counts.by_kind[kind].messages);
    comm::collective::all_reduce(engine, std::span<std::int64_t>(sent), std::plus<>());
    if (engine.rank() != team.first_local()) return;
    stats = factors.stats();
    for (std::size_t k = 0; k < sent.size(); ++k)
      all[message_kinds.first() + static_cast<std::int32_t>(k)] = sent[k];
  });
  return all;
}

/// Not to every rank: to the strips alone, and to those who choose strips later where they look at loads. One round in the whole run
/// tells all ranks that there is no strip any more.
TEST(Multifrontal, AFrontIsDescribedToWhomItConcerns) {
  const auto A = weak_cube<double>(6);
  for (const FactorKind kind : {FactorKind::lu, FactorKind::ldlt})
    for (const bool has_grid_root : {false, true})
      each_team({}, [&](comm::Team& team) {
        FactorPlan plan = strips_plan(comm::ReceiveMode::immediate, 2);
        if (has_grid_root) plan = root_plan(comm::ReceiveMode::immediate, 2);
        plan.fronts.strips.flops_per_byte = 2;  // few strips
        FactorStats fixed, by_load;
        auto fixed_plan = plan;
        fixed_plan.fronts.strips.choice = StripChoice::fixed;
        auto of_fixed = messages_of(team, A, without_matching(kind), fixed_plan, fixed);
        auto of_by_load = messages_of(team, A, without_matching(kind), plan, by_load);
        if (team.first_local() != 0) return;
        const auto kind_of = [](MessageKind sent) { return static_cast<std::int32_t>(sent); };
        const Index others = team.size() - 1;
        const auto described = kind_of(MessageKind::strip_description);
        EXPECT_EQ(of_fixed[described] > 0, others > 0);
        EXPECT_LE(of_fixed[described], fixed.strips);
        if (others > 3) {
          EXPECT_LT(of_fixed[described], fixed.distributed_fronts * others);
          if (!has_grid_root) {  // or each rank may choose strips later
            EXPECT_LT(of_by_load[described], by_load.distributed_fronts * others);
          }
        }
        const auto left = kind_of(MessageKind::strip_left);
        for (auto* sent : {&of_fixed, &of_by_load}) {
          EXPECT_EQ((*sent)[kind_of(MessageKind::strips_over)], others);
          if (!has_grid_root || others == 0) {
            EXPECT_EQ((*sent)[left], 0);
          }
        }
        if (has_grid_root && others > 0) {
          EXPECT_GT(of_fixed[left], 0);  // by loads the root's owner may have all strips
        }
      });
}

/// With a budget of one byte and without buffers in the engine each message waits until the one before it was received.
TEST(Multifrontal, AFullBudgetIsCounted) {
  each_team({.eager_bytes = 0}, [](comm::Team& team) {
    const auto A = weak_cube<double>(6);
    const auto b = random_vector<double>(A.rows, 7);
    const auto full = [&](std::size_t budget_bytes) {
      FactorPlan plan = strips_plan(comm::ReceiveMode::immediate, 1);
      plan.fronts.walk.budget_bytes = budget_bytes;
      return run(team, A, without_matching(FactorKind::ldlt), plan, b, 1).stats.times_full;
    };
    const Index small = full(1), large = full(std::size_t{1} << 40);
    if (team.first_local() != 0) return;
    EXPECT_EQ(small > 0, team.size() > 1);
    EXPECT_EQ(large, 0);
  });
}

/// Rank 0 has the whole tree at first. What others steal gives the same bits, also in the next factorisation, whose fronts
/// are where the first one left them.
TYPED_TEST(MultifrontalOf, RanksWithoutWorkStealIt) {
  each_team({}, [&](comm::Team& team) {
    Index stolen = 0;
    for (const FactorKind kind : {FactorKind::lu, FactorKind::ldlt}) {
      const auto A = weak_cube<TypeParam>(6);
      const auto b = multiply(A, random_vector<TypeParam>(2 * A.rows, 7), 2);
      FactorPlan plan = stealing_plan(comm::ReceiveMode::immediate, 2);
      plan.fronts.mapping.subtree_share = 1e9;
      plan.fronts.tiles = {};                             // few tasks: progress is told between them
      const FactorWatch slow{.on_progress = [](double) {  // the others ask while there are tasks left
        std::this_thread::sleep_for(std::chrono::microseconds(100));
        return true;
      }};
      const auto thieves = run(team, A, without_matching(kind), plan, b, 2, false, slow);
      plan.fronts.steals = false;
      const auto alone = run(team, A, without_matching(kind), plan, b, 2);
      if (team.first_local() != 0) continue;
      EXPECT_EQ(thieves.x, alone.x);
      EXPECT_EQ(alone.stats.stolen, 0);
      EXPECT_EQ(alone.stats.pivots.delayed, thieves.stats.pivots.delayed);
      EXPECT_EQ(alone.stats.factor_nnz, thieves.stats.factor_nnz);
      EXPECT_GT(alone.stats.pivots.delayed, 0);
      stolen += thieves.stats.stolen;
    }
    if (team.first_local() != 0 || comm::conformance::setup().engine == "smpi")
      return;  // sleep takes no virtual time
    EXPECT_EQ(stolen > 0, team.size() > 1);
  });
}

/// Fronts of a tridiagonal matrix from one end to the other: several ranks could only wait for each other.
TEST(Multifrontal, PathsStayOnOneRankWhereRanksShareMemory) {
  each_team({}, [](comm::Team& team) {
    Triplets<double> entries;
    entries.rows = entries.cols = 600;
    for (Index k = 0; k < entries.rows; ++k) {
      entries.add(k, k, 4);
      if (k + 1 == entries.rows) continue;
      entries.add(k, k + 1, -1);
      entries.add(k + 1, k, -1);
    }
    SparseMatrix<double> A = compress(std::move(entries)).matrix;
    A.symmetry = Symmetry::symmetric;
    const std::vector<double> b(static_cast<std::size_t>(A.rows), 1);
    AnalysisPlan natural = without_matching(FactorKind::ldlt);
    natural.ordering = Ordering::natural;
    bool has_shared_memory = false;
    team.run([&](comm::Rank& rank) {
      if (rank.rank() == 0) has_shared_memory = rank.capabilities().shared_memory;
    });
    for (const double least_gain : {0.1, -1.0}) {
      FactorPlan plan = stress_plan(comm::ReceiveMode::immediate, 2);
      plan.slice_flops = FactorPlan{}.slice_flops;
      plan.fronts.mapping.least_gain = least_gain;
      const auto outcome = run(team, A, natural, plan, b, 1);
      if (team.first_local() != 0) continue;
      EXPECT_EQ(outcome.stats.sent_contributions > 0,
                team.size() > 1 && (least_gain < 0 || !has_shared_memory));
    }
  });
}

TEST(Multifrontal, StealingDoesNotGoWithLateMessages) {
  each_team({}, [](comm::Team& team) {
    if (team.size() == 1) return;
    const auto A = cube_of<double>(3);
    const std::vector<double> b(static_cast<std::size_t>(A.rows), 1);
    FactorPlan plan = late_plan(comm::ReceiveMode::immediate);
    plan.fronts.steals = true;
    try {
      run(team, A, plan_of(FactorKind::lu), plan, b, 1);
      ADD_FAILURE() << "a plan that cannot be carried out";
    } catch (const Error& error) {
      EXPECT_EQ(error.status(), Status::bad_plan);
    }
  });
}

TEST(Multifrontal, ScalingsBeyondTheRangeOfNumbers) {
  // rows and columns scaled by 2^+-400: no product of a scaling and an entry may overflow or vanish on the way
  const auto exponent = [](Index k) { return static_cast<int>(k * 37 % 801) - 400; };
  const auto good = random_matrix<double>(80, 3, Symmetry::general, false, 77);
  SparseMatrix<double> A = good;
  for (Index j = 0; j < A.cols; ++j)
    for (Index k = A.start[j]; k < A.start[j + 1]; ++k)
      A.value[k] = std::ldexp(A.value[k], exponent(A.row[k]) + exponent(j + 11));
  // A x = b is good y = c with x_j = y_j 2^-exponent, b_i = c_i 2^exponent
  const auto true_y = random_vector<double>(80, 3);
  const auto c = multiply(good, true_y, 1);
  std::vector<double> b(80);
  for (Index i = 0; i < 80; ++i) b[i] = std::ldexp(c[i], exponent(i));
  each_team({}, [&](comm::Team& team) {
    auto outcome = run(team, A, plan_of(FactorKind::lu), {}, b, 1);
    if (team.first_local() != 0) return;
    for (Index j = 0; j < 80; ++j) outcome.x[j] = std::ldexp(outcome.x[j], exponent(j + 11));
    EXPECT_LE(backward_error(good, outcome.x, c, 1), tolerance<double>(80));
  });
}

TEST(Multifrontal, SameRanksSameBits) {
  const auto A = random_matrix<double>(200, 3, Symmetry::general, true, 13);
  const auto b = random_vector<double>(200, 1);
  each_team({}, [&](comm::Team& team) {
    auto in_strips = strips_plan(comm::ReceiveMode::immediate, 4);
    in_strips.fronts.strips.choice = StripChoice::fixed;
    for (const auto& plan : {stress_plan(comm::ReceiveMode::immediate, 4), in_strips}) {
      const auto first = run(team, A, plan_of(FactorKind::lu), plan, b, 1);
      for (int again = 0; again < 5; ++again) {
        const auto next = run(team, A, plan_of(FactorKind::lu), plan, b, 1);
        EXPECT_EQ(first.x, next.x);
      }
    }
  });
}

TEST(Multifrontal, WaitingForLateMessagesTakesOneBufferAndDirectMessages) {
  const auto A = random_matrix<double>(60, 3, Symmetry::general, false, 13);
  FactorPlan four = late_plan(comm::ReceiveMode::immediate), tree = four;
  four.fronts.walk.posted = 4;
  tree.fronts.strips.tree_from = 2;
  each_team({}, [&](comm::Team& team) {
    if (team.size() == 1) return;
    for (const auto& plan : {four, tree}) try {
        run(team, A, plan_of(FactorKind::lu), plan, random_vector<double>(60, 1), 1);
        ADD_FAILURE() << "a plan passed that cannot work";
      } catch (const Error& error) {
        EXPECT_EQ(error.status(), Status::bad_plan) << error.what();
      }
  });
}

TYPED_TEST(MultifrontalOf, RefactorizesInTheMemoryThatItHas) {
  using T = TypeParam;
  const auto check = [](const SparseMatrix<T>& A, FactorKind kind, const FactorPlan& plan, bool is_steady) {
    const Analysis analysis = analyse(A, without_matching(kind));
    SparseMatrix<T> twice = A, other = A;
    for (T& value : twice.value) value *= Real<T>(2);  // the same pivots
    for (Index j = 0; j < A.cols; ++j)
      for (Index k = A.start[j]; k < A.start[j + 1]; ++k)
        other.value[k] += A.row[k] == j ? Real<T>(3) : Real<T>(0);
    each_team({}, [&](comm::Team& team) {
      std::vector<Multifrontal<T>> factors(static_cast<std::size_t>(team.size()));
      team.run([&](comm::Rank& rank) {
        auto& mine = factors[static_cast<std::size_t>(rank.rank())];
        mine.factorize(rank, &analysis, &A, plan);
        const double reserved = mine.stats().reserved_bytes, used = mine.stats().factor_bytes;
        for (const SparseMatrix<T>* next :
             {static_cast<const SparseMatrix<T>*>(&twice), static_cast<const SparseMatrix<T>*>(&other), &A}) {
          mine.refactorize(rank, &analysis, next, plan);
          const auto b = multiply(*next, random_vector<T>(A.rows, 5), 1);
          auto x = b;
          mine.solve(rank, x.data(), x.data(), 1);
          const double error = rank.rank() == 0 ? backward_error(*next, x, b, 1) : 0;
          EXPECT_LE(error, tolerance<T>(A.rows));
          if (!is_steady) continue;
          if (rank.size() == 1) {
            EXPECT_EQ(mine.stats().reserved_bytes, reserved);
          } else {  // fronts come in another order, and what is left at the end of a chunk of the arena is another part
            EXPECT_LE(mine.stats().reserved_bytes, 2 * reserved);
          }
          EXPECT_TRUE(next == &other || mine.stats().factor_bytes == used);
        }
      });
    });
  };
  for (const bool in_strips : {false, true}) {
    const FactorPlan plan = in_strips ? strips_plan(comm::ReceiveMode::immediate, 4) : FactorPlan();
    check(weak_cube<T>(5), FactorKind::lu, plan,
          !in_strips);  // strips are distributed by load: another rank may get more
    check(weak_cube<T>(5), FactorKind::ldlt, plan, !in_strips);
    check(random_matrix<T>(60, 3, Symmetry::general, false, 9), FactorKind::lu, plan, !in_strips);
  }
}

TEST(Multifrontal, CholeskyOfAnIndefiniteMatrixIsRefused) {
  const auto A = random_matrix<double>(30, 2, Symmetry::symmetric, true, 3);
  for (const auto& plan : {FactorPlan(), strips_plan(comm::ReceiveMode::immediate, 1)})
    each_team({}, [&](comm::Team& team) {
      try {
        run(team, A, plan_of(FactorKind::cholesky), plan, random_vector<double>(30, 1), 1);
        ADD_FAILURE() << "an indefinite matrix passed as positive definite";
      } catch (const Error& error) {
        EXPECT_EQ(error.status(), Status::bad_input) << error.what();
        EXPECT_NE(std::string(error.what()).find("variable"), std::string::npos) << error.what();
      }
    });
}

TEST(Multifrontal, CancelledFromTheProgressCallback) {
  const SparseMatrix<double> A = generate("cube", 6);
  each_team({}, [&](comm::Team& team) {
    const FactorPlan plan = strips_plan(comm::ReceiveMode::immediate, 1);
    const FactorWatch watch{.on_progress = [](double share) { return share <= 0; }};
    try {
      run(team, A, plan_of(FactorKind::lu), plan, random_vector<double>(A.rows, 1), 1, false, watch);
      ADD_FAILURE() << "a cancelled factorisation returned";
    } catch (const Error& error) {
      EXPECT_EQ(error.status(), Status::cancelled) << error.what();
    }
  });
}

/// A full matrix is one front, by tiles.
TEST(Multifrontal, ProgressIsToldInsideOfALargeFront) {
  const auto A = random_matrix<double>(200, 200, Symmetry::general, false, 5);
  each_team({}, [&](comm::Team& team) {
    FactorPlan plan;
    plan.slice_flops = 1e4;
    plan.fronts.root.root = RootParallelism::sequential;
    plan.fronts.strips.sharing = NodeParallelism::slices;
    std::atomic<int> inside = 0;
    const FactorWatch watch{.on_progress = [&](double share) {
      if (share > 0 && share < 1) ++inside;
      return true;
    }};
    run(team, A, without_matching(FactorKind::lu), plan, random_vector<double>(A.rows, 1), 1, false, watch);
    if (team.size() == 1 && comm::conformance::setup().engine != "smpi") {
      EXPECT_GT(inside, 1);  // with others these may take all tasks before the owner looks
    }
  });
}

/// Rank 0 has a path and then nothing to do, and the others have the large front: it asks all the same, and the share is that of all.
TEST(Multifrontal, ProgressIsToldWhileOtherRanksWork) {
  const Index path = 100, full = 2400;
  Triplets<double> entries{path + full, path + full, {}, {}, {}};
  Random random(3);
  for (Index j = 0; j < path + full; ++j)
    for (Index i = j < path ? std::max<Index>(j - 1, 0) : path;
         i < (j < path ? std::min(j + 2, path) : path + full); ++i) {
      entries.row.push_back(i);
      entries.col.push_back(j);
      entries.value.push_back(i == j ? 4.0 + static_cast<double>(full) : random.uniform(-1, 1));
    }
  const SparseMatrix<double> A = compress(std::move(entries)).matrix;
  FactorPlan plan;
  plan.fronts.strips.sharing = NodeParallelism::slices;
  plan.fronts.mapping.least_gain = -1;
  each_team({}, [&](comm::Team& team) {
    if (team.size() != 2 || comm::conformance::setup().engine != "thread") return;
    int told = 0;
    const auto rank_0 = std::this_thread::get_id();
    const FactorWatch watch{.on_progress =
                                [&](double share) {
                                  if (std::this_thread::get_id() == rank_0 && share > 0 && share < 1) ++told;
                                  return true;
                                },
                            .work = std::make_shared<WorkDone>()};
    run(team, A, without_matching(FactorKind::lu), plan, random_vector<double>(A.rows, 1), 1, false, watch);
    EXPECT_GT(told, 1);
  });
}

}  // namespace
}  // namespace overlapack::sparse::testing
