#include "problems.hpp"
#include "sparse/analysis/fronts/clusters.hpp"
#include "sparse/factors/memory_account.hpp"

#include <algorithm>
#include <chrono>
#include <numeric>
#include <thread>
#include <vector>

/// Fronts in blocks, some of them of low rank: whatever type, factorisation, engine and number of ranks.
namespace overlapack::sparse::testing {
namespace {

using comm::conformance::each_team;

template <class T>
class LowRankOf : public ::testing::Test {};
using Types = ::testing::Types<float, double, std::complex<float>, std::complex<double>>;
TYPED_TEST_SUITE(LowRankOf, Types);

constexpr Index cluster = 4;

AnalysisPlan analysis_of(FactorKind kind) {
  AnalysisPlan plan = without_matching(kind);
  plan.cluster = cluster;
  return plan;
}

/// Every front of eight rows is one of blocks of four.
FactorPlan in_blocks(FactorPlan plan, double tolerance, NodeParallelism sharing = NodeParallelism::slices) {
  plan.fronts.strips.sharing = sharing;
  plan.fronts.small_order = 0;
  plan.fronts.low_rank = {.is_used = true,
                          .tolerance = tolerance,
                          .order = 8,
                          .cluster = cluster,
                          .worth = 1,
                          .contribution_share = 0};
  return plan;
}

template <class T>
SparseMatrix<T> matrix_of(FactorKind kind) {
  if (kind == FactorKind::lu) return random_matrix<T>(160, 2, Symmetry::general, true, 5);
  return kind == FactorKind::ldlt ? weak_cube<T>(6) : cube_of<T>(6);
}

template <class T>
double coarse() {
  return 1e4 * static_cast<double>(std::numeric_limits<Real<T>>::epsilon());
}

/// The same, and all of those above the subtrees are distributed in strips of three rows.
FactorPlan in_blocks_and_strips(const FactorPlan& plan, double tolerance) {
  return in_blocks(plan, tolerance, NodeParallelism::strips);
}

struct Counts {
  Index compressed = 0, full = 0, fronts = 0, delayed = 0, contributions = 0;
  Index strips = 0, saved_in_panels = 0, delayed_from_strips = 0, forwarded = 0, shortened = 0, pieces = 0;
  void add(const FactorStats& stats) {
    const FactorStats counts = stats;
    compressed += counts.blocks_compressed;
    full += counts.blocks_full;
    fronts += counts.low_rank_fronts;
    delayed += counts.pivots.delayed;
    contributions += counts.contributions_compressed;
    strips += counts.low_rank_strips;
    saved_in_panels += counts.panel_saved_bytes;
    delayed_from_strips += counts.delayed_from_strips;
    forwarded += counts.forwarded;
    shortened += counts.shortened;
    pieces += counts.pieces;
  }
  void expect_all() const {
    EXPECT_GT(compressed, 0);
    EXPECT_GT(full, 0);
    EXPECT_GT(fronts, 0);
    EXPECT_GT(delayed, 0);
    EXPECT_GT(contributions, 0);
  }
  void expect_all_of_strips() const {
    EXPECT_GT(strips, 0);
    EXPECT_GT(saved_in_panels, 0);
    EXPECT_GT(delayed_from_strips, 0);
    EXPECT_GT(shortened, 0);
    EXPECT_GT(pieces, 0);
  }
};

/// Solves with A, its transpose and its adjoint, for few and many right-hand sides; again with other values.
TYPED_TEST(LowRankOf, SolvesWithinTheTolerance) {
  using T = TypeParam;
  constexpr Index nrhs = 5;
  Counts all;
  int most_ranks = 0;
  for (const FactorKind kind : {FactorKind::lu, FactorKind::ldlt, FactorKind::cholesky}) {
    const SparseMatrix<T> A = matrix_of<T>(kind);
    SparseMatrix<T> other = A;
    for (T& value : other.value) value *= Real<T>(1.5);
    const std::vector<T> b = random_vector<T>(A.rows * nrhs, 7);
    const FactorPlan plans[] = {
        in_blocks(FactorPlan{}, coarse<T>()),
        in_blocks(stress_plan(comm::ReceiveMode::immediate, 2), coarse<T>()),
        in_blocks_and_strips(strips_plan(comm::ReceiveMode::immediate, 2), coarse<T>()),
        in_blocks_and_strips(late_plan(comm::ReceiveMode::probe), coarse<T>())};
    // delayed pivots let L and U grow to 1 / u, and with them what was left out
    const double bound = 100 * static_cast<double>(A.rows) * coarse<T>();
    for (const FactorPlan& plan : plans)
      each_team({}, [&](comm::Team& team) {
        std::vector<Multifrontal<T>> factors(static_cast<std::size_t>(team.size()));
        const Analysis analysis = team.first_local() == 0 ? analyse(A, analysis_of(kind)) : Analysis();
        std::vector<T> x(b.size());
        most_ranks = std::max(most_ranks, team.size());
        team.run([&](comm::Rank& rank) {
          auto& mine = factors[static_cast<std::size_t>(rank.rank())];
          mine.factorize(rank, &analysis, &A, plan);
          const bool is_first = rank.rank() == team.first_local();
          if (is_first) all.add(mine.stats());
          for (const auto op : {kernels::Op::none, kernels::Op::trans, kernels::Op::conj_trans}) {
            mine.solve(rank, op, b.data(), x.data(), nrhs);
            if (rank.rank() == 0) {
              EXPECT_LE(backward_error(applied(A, op), x, b, nrhs), bound) << to_string(kind);
            }
          }
          mine.refactorize(rank, &analysis, &other, plan);
          mine.solve(rank, kernels::Op::none, b.data(), x.data(), nrhs);
          if (rank.rank() == 0) {
            EXPECT_LE(backward_error(other, x, b, nrhs), bound) << to_string(kind);
          }
        });
      });
  }
  all.expect_all();
  if (most_ranks > 1) all.expect_all_of_strips();
  EXPECT_EQ(all.forwarded > 0, most_ranks > 3);
}

/// Next to nothing is left out: what the factors tell is what those of full rank tell.
template <class T>
void expect_what_full_rank_tells(const FactorPlan& plan, double tight) {
  for (const FactorKind kind : {FactorKind::lu, FactorKind::ldlt, FactorKind::cholesky}) {
    const SparseMatrix<T> A = matrix_of<T>(kind);
    const std::vector<T> b = random_vector<T>(A.rows, 3);
    const dense::ScaledNumber<T> expected = dense_determinant(A);
    each_team({}, [&](comm::Team& team) {
      const Outcome<T> full = run(team, A, analysis_of(kind), FactorPlan{}, b, 1);
      const Outcome<T> blocks = run(team, A, analysis_of(kind), plan, b, 1);
      EXPECT_EQ(blocks.stats.pivots.negative, full.stats.pivots.negative);
      EXPECT_GT(blocks.stats.low_rank_fronts, 0);
      EXPECT_EQ(full.stats.low_rank_fronts, 0);
      EXPECT_EQ(full.stats.flops, full.stats.full_rank_flops);
      EXPECT_EQ(static_cast<double>(full.stats.factor_nnz), full.stats.full_rank_nnz);
      if (kind == FactorKind::cholesky) {  // no pivot is delayed
        EXPECT_EQ(blocks.stats.full_rank_nnz, full.stats.full_rank_nnz);
      }
      if (team.first_local() == 0) {
        EXPECT_LE(backward_error(A, blocks.x, b, 1), tolerance<T>(A.rows));
      }
      std::vector<Multifrontal<T>> factors(static_cast<std::size_t>(team.size()));
      const Analysis analysis = team.first_local() == 0 ? analyse(A, analysis_of(kind)) : Analysis();
      team.run([&](comm::Rank& rank) {
        auto& mine = factors[static_cast<std::size_t>(rank.rank())];
        mine.factorize(rank, &analysis, &A, plan);
        const dense::ScaledNumber<T> found = mine.determinant(rank);
        const double scale = std::ldexp(1.0, static_cast<int>(found.exponent - expected.exponent));
        EXPECT_LE(std::abs(found.mantissa * Real<T>(scale) - expected.mantissa),
                  1e4 * static_cast<double>(A.rows) * tight * std::abs(expected.mantissa));
        EXPECT_THROW(mine.packed(), Error);
      });
    });
  }
}

TYPED_TEST(LowRankOf, TellsWhatFullRankTells) {
  const double tight = 2 * static_cast<double>(std::numeric_limits<Real<TypeParam>>::epsilon());
  expect_what_full_rank_tells<TypeParam>(in_blocks(stress_plan(comm::ReceiveMode::immediate, 2), tight),
                                         tight);
  expect_what_full_rank_tells<TypeParam>(
      in_blocks_and_strips(strips_plan(comm::ReceiveMode::immediate, 2), tight), tight);
}

/// The same ranks give the same bits.
TYPED_TEST(LowRankOf, IsTheSameEachTime) {
  using T = TypeParam;
  const SparseMatrix<T> A = weak_cube<T>(6);
  const std::vector<T> b = random_vector<T>(A.rows, 3);
  FactorPlan in_strips = in_blocks_and_strips(strips_plan(comm::ReceiveMode::immediate, 2), coarse<T>());
  in_strips.fronts.strips.choice = StripChoice::fixed;
  for (const FactorPlan& plan :
       {in_blocks(stress_plan(comm::ReceiveMode::immediate, 2), coarse<T>()), in_strips})
    each_team({}, [&](comm::Team& team) {
      for (const FactorKind kind : {FactorKind::lu, FactorKind::ldlt}) {
        const Outcome<T> first = run(team, A, analysis_of(kind), plan, b, 1);
        const Outcome<T> second = run(team, A, analysis_of(kind), plan, b, 1);
        EXPECT_EQ(first.x, second.x);
      }
    });
}

/// A matrix whose fronts have no block of low rank is solved as ever; one with NaN is refused.
TEST(LowRank, WhatDoesNotCompressIsKept) {
  Triplets<double> entries{60, 60, {}, {}, {}};
  Random random(9);
  for (Index j = 0; j < 60; ++j)
    for (Index i = 0; i < 60; ++i) entries.add(i, j, random.uniform(-1, 1));
  SparseMatrix<double> A = compress(std::move(entries)).matrix;
  const std::vector<double> b = random_vector<double>(60, 3);
  each_team({}, [&](comm::Team& team) {
    const Outcome<double> outcome =
        run(team, A, analysis_of(FactorKind::lu), in_blocks(FactorPlan{}, 1e-10), b, 1);
    const FactorStats counts = outcome.stats;
    EXPECT_EQ(counts.blocks_compressed, 0);
    EXPECT_GT(counts.blocks_full, 0);
    EXPECT_EQ(static_cast<double>(outcome.stats.factor_nnz), outcome.stats.full_rank_nnz);
    if (team.first_local() == 0) {
      EXPECT_LE(backward_error(A, outcome.x, b, 1), tolerance<double>(60));
    }
  });
  A.value[100] = std::numeric_limits<double>::infinity();
  each_team({}, [&](comm::Team& team) {
    EXPECT_THROW(run(team, A, analysis_of(FactorKind::lu), in_blocks(FactorPlan{}, 1e-10), b, 1), Error);
  });
}

/// Variables with nothing but zeros between them find no pivot in their front, whose panels stay empty: all go to the parent.
TEST(LowRank, AFrontWithoutAPivotLeavesAllToItsParent) {
  constexpr Index zeros = 24, coupled = 30, n = zeros + coupled + 10;
  Triplets<double> entries{n, n, {}, {}, {}};
  Random random(9);
  for (Index j = 0; j < n; ++j)
    for (Index i = 0; i <= j; ++i) {
      if (i < zeros && j >= zeros + coupled) continue;
      const double value = j < zeros ? 0 : random.uniform(-1, 1);
      entries.add(i, j, value);
      if (i < j) entries.add(j, i, value);
    }
  SparseMatrix<double> A = compress(std::move(entries)).matrix;
  const std::vector<double> b = random_vector<double>(n, 3);
  for (const FactorKind kind : {FactorKind::lu, FactorKind::ldlt}) {
    A.symmetry = kind == FactorKind::lu ? Symmetry::general : Symmetry::symmetric;
    AnalysisPlan analysis = analysis_of(kind);
    analysis.ordering = Ordering::natural;
    analysis.amalgamation_zeros.assign(analysis.amalgamation_width.size(), 0.0);
    analysis.amalgamation_wide_zeros = 0;
    analysis.amalgamation_zeros_for_saved = 0;
    each_team({}, [&](comm::Team& team) {
      const Outcome<double> outcome = run(team, A, analysis, in_blocks(FactorPlan{}, 1e-14), b, 1);
      EXPECT_GE(outcome.stats.pivots.delayed, zeros);
      EXPECT_GT(outcome.stats.low_rank_fronts, 1);
      if (team.first_local() == 0) {
        EXPECT_LE(backward_error(A, outcome.x, b, 1), tolerance<double>(n));
      }
    });
  }
}

/// A front's contribution block waits in full where it is asked to, and takes more memory.
TEST(LowRank, ContributionBlocksWaitCompressedOrInFull) {
  const SparseMatrix<double> A = weak_cube<double>(8);
  const std::vector<double> b = random_vector<double>(A.rows, 3);
  each_team({}, [&](comm::Team& team) {
    FactorPlan plan = in_blocks(stress_plan(comm::ReceiveMode::immediate, 2), 1e-2);
    const Outcome<double> tiles = run(team, A, analysis_of(FactorKind::ldlt), plan, b, 1);
    plan.fronts.low_rank.contributions = false;
    const Outcome<double> full = run(team, A, analysis_of(FactorKind::ldlt), plan, b, 1);
    EXPECT_GT(tiles.stats.contributions_compressed, 0);
    EXPECT_EQ(full.stats.contributions_compressed, 0);
    EXPECT_LT(tiles.stats.peak_bytes, full.stats.peak_bytes);
  });
}

/// A front that is small enough to be done in one go does not read the tiles of a compressed child as numbers.
TEST(LowRank, ASmallFrontHasNoCompressedChild) {
  constexpr Index clique = 40, joint = 24, coupled = 20, part = 2 * clique + joint, parts = 40,
                  n = parts * part;
  Triplets<double> entries{n, n, {}, {}, {}};
  Random random(9);
  const auto add = [&](Index i, Index j, double value) {
    entries.add(i, j, value);
    if (i != j) entries.add(j, i, value);
  };
  for (Index first = 0; first < n; first += part) {
    const Index last = first + 2 * clique;  // of the joint unknowns the first
    for (Index k = 0; k < 2; ++k) {
      std::vector<double> w(clique);
      for (Index j = 0; j < clique; ++j) {
        w[j] = random.uniform(-1, 1);
        for (Index i = 0; i <= j; ++i)
          add(first + k * clique + i, first + k * clique + j,
              random.uniform(-1, 1) + (i == j ? 2 * clique : 0));
      }
      for (Index i = 0; i < coupled; ++i) {
        const double v = random.uniform(-1, 1);
        for (Index j = 0; j < clique; ++j)
          add(last + k * (joint - coupled) + i, first + k * clique + j, v * w[j]);
      }
    }
    for (Index j = 0; j < joint; ++j)
      for (Index i = 0; i <= j; ++i) add(last + i, last + j, random.uniform(-1, 1) + (i == j ? clique : 0));
  }
  SparseMatrix<double> A = compress(std::move(entries)).matrix;
  A.symmetry = Symmetry::symmetric;
  const std::vector<double> b = random_vector<double>(n, 3);
  AnalysisPlan analysis = without_matching(FactorKind::ldlt);
  analysis.ordering = Ordering::natural;
  analysis.amalgamation_zeros.assign(analysis.amalgamation_width.size(), 0.0);
  analysis.amalgamation_wide_zeros = 0;
  analysis.amalgamation_zeros_for_saved = 0;
  FactorPlan plan = in_blocks(FactorPlan{}, 1e-12);
  plan.fronts.low_rank.order = clique + coupled;
  plan.fronts.small_order = 32;
  plan.fronts.leaf_flops = 1e9;
  each_team({}, [&](comm::Team& team) {
    const Outcome<double> outcome = run(team, A, analysis, plan, b, 1);
    EXPECT_GT(outcome.stats.contributions_compressed, 0);
    EXPECT_EQ(outcome.stats.small_fronts, 0);
    if (team.first_local() == 0) {
      EXPECT_LE(backward_error(A, outcome.x, b, 1), tolerance<double>(n));
    }
    FactorPlan in_full = plan;
    in_full.fronts.low_rank.contributions = false;
    EXPECT_EQ(run(team, A, analysis, in_full, b, 1).stats.small_fronts, parts);
  });
}

/// With terms in single precision the factors take less memory, wait and travel so, and are as good; the same ranks give the same bits.
template <class T>
void expect_mixed_precision_to_pay(FactorKind kind, double coarse) {
  const SparseMatrix<T> A =
      kind == FactorKind::lu ? random_matrix<T>(160, 2, Symmetry::general, true, 5) : weak_cube<T>(8);
  const std::vector<T> b = random_vector<T>(A.rows, 3);
  Index mixed_tiles = 0;
  each_team({}, [&](comm::Team& team) {
    FactorPlan plan = in_blocks(stress_plan(comm::ReceiveMode::immediate, 2), coarse);
    const Outcome<T> mixed = run(team, A, analysis_of(kind), plan, b, 1);
    const Outcome<T> again = run(team, A, analysis_of(kind), plan, b, 1);
    plan.fronts.low_rank.has_single_terms = false;
    const Outcome<T> own = run(team, A, analysis_of(kind), plan, b, 1);
    const FactorStats counts = mixed.stats, without = own.stats;
    EXPECT_EQ(mixed.x, again.x);
    EXPECT_GT(counts.blocks_mixed, 0);
    EXPECT_LE(counts.blocks_mixed, counts.blocks_compressed);
    EXPECT_GT(counts.mixed_saved_bytes, 0);
    EXPECT_LT(mixed.stats.factor_bytes, own.stats.factor_bytes);
    EXPECT_EQ(without.blocks_mixed, 0);
    EXPECT_EQ(without.mixed_saved_bytes, 0);
    EXPECT_EQ(without.contributions_mixed, 0);
    mixed_tiles += counts.contributions_mixed;
    if (team.first_local() == 0) {
      EXPECT_LE(backward_error(A, mixed.x, b, 1), 200 * static_cast<double>(A.rows) * coarse);
    }
  });
  EXPECT_GT(mixed_tiles, 0);
}

TEST(LowRank, TermsInSinglePrecisionTakeHalfTheMemory) {
  for (const FactorKind kind : {FactorKind::lu, FactorKind::ldlt}) {
    expect_mixed_precision_to_pay<double>(kind, 1e-4);
    expect_mixed_precision_to_pay<std::complex<double>>(kind, 1e-6);
  }
}

/// Float types have no terms of less.
TEST(LowRank, SinglePrecisionHasNoOther) {
  const SparseMatrix<float> A = cube_of<float>(6);
  const std::vector<float> b = random_vector<float>(A.rows, 3);
  each_team({}, [&](comm::Team& team) {
    const FactorPlan plan = in_blocks(stress_plan(comm::ReceiveMode::immediate, 2), 1e-2);
    const FactorStats counts = run(team, A, analysis_of(FactorKind::cholesky), plan, b, 1).stats;
    EXPECT_GT(counts.blocks_compressed, 0);
    EXPECT_EQ(counts.blocks_mixed, 0);
  });
}

/// They go along when another rank takes their parent's front.
TEST(LowRank, FrontsThatAreStolenHaveTheSameBits) {
  const SparseMatrix<double> A = weak_cube<double>(6);
  const std::vector<double> b = random_vector<double>(A.rows, 3);
  each_team({}, [&](comm::Team& team) {
    FactorPlan plan = in_blocks(stealing_plan(comm::ReceiveMode::immediate, 2), coarse<double>());
    plan.fronts.mapping.subtree_share = 1e9;            // rank 0 has the whole tree at first
    const FactorWatch slow{.on_progress = [](double) {  // the others ask while there are tasks left
      std::this_thread::sleep_for(std::chrono::microseconds(100));
      return true;
    }};
    const Outcome<double> thieves = run(team, A, analysis_of(FactorKind::ldlt), plan, b, 1, false, slow);
    plan.fronts.steals = false;
    const Outcome<double> alone = run(team, A, analysis_of(FactorKind::ldlt), plan, b, 1);
    EXPECT_EQ(thieves.x, alone.x);
    EXPECT_GT(thieves.stats.contributions_compressed, 0);
    EXPECT_EQ(thieves.stats.stolen > 0, team.size() > 1);
  });
}

/// Whatever the ranks of a process may hold: either it suffices, with the same x, or all of them hear that it does not, and the next
/// factorisation finds nothing of the one before on its books.
TEST(LowRank, ALimitEndsARunOrDoesNotChangeIt) {
  const SparseMatrix<double> A = weak_cube<double>(6);
  const std::vector<double> b = random_vector<double>(A.rows, 3);
  const FactorPlan plan = in_blocks(stress_plan(comm::ReceiveMode::immediate, 2), coarse<double>());
  each_team({}, [&](comm::Team& team) {
    std::vector<Multifrontal<double>> factors(static_cast<std::size_t>(team.size()));
    const bool has_root = team.first_local() == 0;
    const Analysis analysis = has_root ? analyse(A, analysis_of(FactorKind::ldlt)) : Analysis();
    const auto solved = [&](const FactorWatch& watch) {
      std::vector<double> x(b.size());
      team.run([&](comm::Rank& rank) {
        auto& mine = factors[static_cast<std::size_t>(rank.rank())];
        mine.set_watch(watch);
        mine.factorize(rank, &analysis, &A, plan);
        mine.solve(rank, kernels::Op::none, b.data(), x.data(), 1);
      });
      return x;
    };
    const std::vector<double> expected = solved({});
    int refused = 0, served = 0;
    for (double limit = 1 << 12; served == 0; limit *= 2) {
      const FactorWatch limited{
          .memory = std::make_shared<MemoryAccount>(
              MemoryAccount::Bytes{.limit = limit, .least = 1, .most = 2}, "of the test", "raise it")};
      try {
        EXPECT_EQ(solved(limited), expected);
        ++served;
      } catch (const Error& error) {
        ASSERT_EQ(error.status(), Status::out_of_memory) << error.what();
        ++refused;
        continue;
      }
      limited.memory->add(static_cast<std::int64_t>(limit));
      EXPECT_FALSE(limited.memory->is_exceeded());  // factors at rest are not watched
    }
    EXPECT_GT(refused, 0);
  });
}

Graph line(Index n) {
  Triplets<double> entries{n, n, {}, {}, {}};
  for (Index i = 0; i < n; ++i) {
    entries.add(i, i, 2.0);
    if (i + 1 < n) entries.add(i + 1, i, -1.0);
    if (i + 1 < n) entries.add(i, i + 1, -1.0);
  }
  const SparseMatrix<double> A = compress(std::move(entries)).matrix;
  return symmetrised_graph(A.start, A.row, {});
}

/// Parts have exact sizes, and those of a line are stretches of it.
TEST(Clusters, OfALine) {
  const Index n = 40;
  const QuotientGraph graph = trivial_quotient(line(n));
  std::vector<Node> shuffled(static_cast<std::size_t>(n));
  for (Index i = 0; i < n; ++i) shuffled[static_cast<std::size_t>(i)] = static_cast<Node>(i * 7 % n);
  const EliminationTree tree = elimination_tree(graph.graph, shuffled);
  FrontForest forest{.parent = {-1},
                     .pivots = {n},
                     .order = {n},
                     .front_of = std::vector<Node>(static_cast<std::size_t>(n), 0)};
  std::vector<Node> positions(static_cast<std::size_t>(n));
  std::iota(positions.begin(), positions.end(), 0);
  order_by_clusters(graph, tree, forest, 10, positions);
  const Index count = cluster_count(n, 10);
  ASSERT_EQ(count, 4);
  for (Index c = 0; c < count; ++c) {
    std::vector<Node> nodes;
    for (Index i = cluster_start(n, count, c); i < cluster_start(n, count, c + 1); ++i)
      nodes.push_back(tree.order[positions[static_cast<std::size_t>(i)]]);
    std::ranges::sort(nodes);
    ASSERT_EQ(nodes.size(), 10u);
    EXPECT_EQ(nodes.back() - nodes.front(), 9) << "cluster " << c;
  }
}

/// One of four nodes has 37 of the 40 variables: of eight clusters most have no node of their own, and a half may have none.
TEST(Clusters, ANodeMayFillSeveral) {
  const Index n = 40;
  std::vector<Node> group(static_cast<std::size_t>(n), 3);
  std::iota(group.begin(), group.begin() + 3, 0);
  const QuotientGraph graph = quotient(line(n), group);
  const std::vector<Node> given = {2, 0, 3, 1};
  const EliminationTree tree = elimination_tree(graph.graph, given);
  const FrontForest forest{.parent = {-1}, .pivots = {n}, .order = {n}, .front_of = {0, 0, 0, 0}};
  std::vector<Node> positions = {0, 1, 2, 3};
  order_by_clusters(graph, tree, forest, 5, positions);
  std::ranges::sort(positions);
  EXPECT_EQ(positions, (std::vector<Node>{0, 1, 2, 3}));
}

}  // namespace
}  // namespace overlapack::sparse::testing
