#include "dist/mapping/tree_mapping.hpp"

#include "base/random.hpp"
#include "overlapack/error.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <numeric>

namespace overlapack::dist {
namespace {

struct Tree {
  std::vector<Index> parent;
  std::vector<double> seconds;
  double total() const { return std::accumulate(seconds.begin(), seconds.end(), 0.0); }
};

// Nested dissection of a k^3 grid, halved along the longest side: a separator of m points costs m^3.
void dissect(Index a, Index b, Index c, Tree& tree, std::vector<Index>& roots) {
  Index sides[] = {a, b, c};
  std::sort(sides, sides + 3);
  const Index half = (sides[2] - 1) / 2, separator = sides[0] * sides[1];
  std::vector<Index> children;
  if (sides[2] > 3) {
    dissect(sides[0], sides[1], half, tree, children);
    dissect(sides[0], sides[1], sides[2] - 1 - half, tree, children);
  }
  const auto me = static_cast<Index>(tree.parent.size());
  for (Index child : children) tree.parent[child] = me;
  tree.parent.push_back(-1);
  tree.seconds.push_back(std::pow(static_cast<double>(separator), 3));
  roots.push_back(me);
}

Tree cube(Index k) {
  Tree tree;
  std::vector<Index> roots;
  dissect(k, k, k, tree, roots);
  return tree;
}

Tree random_forest(Index fronts, Random& random) {
  Tree tree;
  std::vector<Index> open;
  for (Index f = 0; f < fronts; ++f) {
    tree.parent.push_back(-1);
    for (Index adopted = random.below(4); adopted > 0 && !open.empty(); --adopted) {
      tree.parent[open.back()] = f;
      open.pop_back();
    }
    if (random.below(20) > 0) open.push_back(f);  // else it stays a root
    tree.seconds.push_back(std::pow(10, random.uniform(-6, 0)));
  }
  return tree;
}

bool is_below(const Tree& tree, Index f, Index root) {
  while (f >= 0 && f < root) f = tree.parent[f];
  return f == root;
}

double subtree_seconds(const Tree& tree, Index root) {
  double sum = 0;
  for (Index f = 0; f <= root; ++f)
    if (is_below(tree, f, root)) sum += tree.seconds[f];
  return sum;
}

void expect_valid(const Tree& tree, int ranks, const MappingPlan& plan) {
  const TreeMapping mapping = map_tree(tree.parent, tree.seconds, ranks, plan);
  const auto fronts = static_cast<Index>(tree.parent.size());
  ASSERT_EQ(static_cast<Index>(mapping.owner.size()), fronts);
  ASSERT_EQ(static_cast<int>(mapping.load_s.size()), ranks);
  const double fair = tree.total() / ranks, tiny = 1e-12 * tree.total();
  std::vector<double> load(ranks, 0);
  double largest_piece = 0;
  for (Index f = 0; f < fronts; ++f) {
    ASSERT_GE(mapping.owner[f], 0);
    ASSERT_LT(mapping.owner[f], ranks);
    load[mapping.owner[f]] += tree.seconds[f];
    const Index root = mapping.subtree_of[f];
    if (root >= 0) {
      EXPECT_TRUE(is_below(tree, f, root));
      EXPECT_EQ(mapping.owner[f], mapping.owner[root]);
    } else if (tree.parent[f] >= 0) {
      EXPECT_EQ(mapping.subtree_of[tree.parent[f]], -1) << "a subtree holds everything below its root";
    }
    if (root == f) {
      const double limit = ranks > 1 ? plan.subtree_share * fair : tree.total();
      EXPECT_LE(subtree_seconds(tree, f), limit + tiny);
      largest_piece = std::max(largest_piece, subtree_seconds(tree, f));
    }
    if (root < 0) {
      EXPECT_GT(subtree_seconds(tree, f), plan.subtree_share * fair - tiny) << "opened without need";
      largest_piece = std::max(largest_piece, tree.seconds[f]);
    }
  }
  for (int r = 0; r < ranks; ++r) EXPECT_NEAR(mapping.load_s[r], load[r], tiny);
  // Each piece goes to a rank below the fair share, or stays where the limit is kept.
  const double bound = std::max((1 + plan.imbalance) * fair, fair + largest_piece);
  EXPECT_LE(*std::max_element(load.begin(), load.end()), bound + tiny);
}

TEST(MapTree, EveryFrontHasOneRankAndNoRankTooMuch) {
  Random random(1);
  for (int ranks : {1, 2, 3, 4, 7, 64}) {
    for (Index fronts : {0, 1, 2, 3, 30, 200})
      for (double share : {0.05, 0.25, 1.0}) expect_valid(random_forest(fronts, random), ranks, {share, 0.1});
    expect_valid(cube(30), ranks, {});
  }
}

TEST(MapTree, SubtreesOfCubesAreBalanced) {
  const Tree tree = cube(63);
  for (int ranks : {2, 4, 8}) {
    const TreeMapping mapping = map_tree(tree.parent, tree.seconds, ranks);
    std::vector<double> load(ranks, 0);
    for (std::size_t f = 0; f < tree.parent.size(); ++f)
      if (mapping.subtree_of[f] >= 0) load[mapping.owner[f]] += tree.seconds[f];
    const double mean = std::accumulate(load.begin(), load.end(), 0.0) / ranks;
    // Eight and more pieces a rank of nearly equal size.
    EXPECT_GT(mean, 0);
    EXPECT_LE(*std::max_element(load.begin(), load.end()), 1.15 * mean);
  }
}

TEST(MapTree, TheHeaviestChildGoesOnWithItsParent) {
  // Two chains of equal work that meet in a cheap root; front 2 is heavier than front 5.
  const std::vector<Index> parent{2, 2, 6, 5, 5, 6, -1};
  const std::vector<double> seconds{10, 10, 3, 10, 10, 2, 1};
  const TreeMapping mapping = map_tree(parent, seconds, 2, {.subtree_share = 0.5});
  EXPECT_EQ(mapping.owner[6], mapping.owner[2]);
}

TEST(MapTree, OneRankHasWholeTrees) {
  const Tree tree = cube(15);
  const TreeMapping mapping = map_tree(tree.parent, tree.seconds, 1);
  for (Index root : mapping.subtree_of) EXPECT_EQ(root, static_cast<Index>(tree.parent.size()) - 1);
}

TEST(MapTree, RefusesBadPlansAndTrees) {
  const auto kind = [](std::vector<Index> parent, int ranks, MappingPlan plan) {
    try {
      map_tree(parent, std::vector<double>(parent.size(), 1.0), ranks, plan);
    } catch (const Error& error) {
      return error.status();
    }
    return Status::not_converged;
  };
  EXPECT_EQ(kind({-1}, 0, {}), Status::bad_plan);
  EXPECT_EQ(kind({-1}, 2, {.subtree_share = 0}), Status::bad_plan);
  EXPECT_EQ(kind({-1}, 2, {.imbalance = -1}), Status::bad_plan);
  EXPECT_EQ(kind({-1, 0}, 2, {}), Status::internal);
  EXPECT_EQ(kind({2, -1}, 2, {}), Status::internal);
}

// Which contribution blocks are live when front `now` has its own, found anew at each step.
double bytes_at(const Tree& tree, const std::vector<double>& factor, const std::vector<double>& border,
                const TreeMapping& mapping, int rank, Index now, bool after) {
  double words = 0;
  for (Index f = 0; f <= now; ++f) {
    if (mapping.owner[f] == rank) words += factor[f];
    const Index parent = tree.parent[f];
    const bool own_and_fresh = f == now && !after && mapping.owner[f] == rank;
    const bool waits = parent >= 0 && mapping.owner[parent] == rank && (f < now || after) &&
                       (parent > now || (parent == now && !after));
    if (own_and_fresh || waits) words += border[f];
  }
  return words;
}

TEST(EstimateMemory, IsTheWorstMomentOfThePostorder) {
  Random random(2);
  for (int ranks : {1, 3}) {
    for (int round = 0; round < 10; ++round) {
      const Tree tree = random_forest(40, random);
      const TreeMapping mapping = map_tree(tree.parent, tree.seconds, ranks);
      std::vector<double> factor(40), border(40);
      for (Index f = 0; f < 40; ++f) {
        factor[f] = 1 + static_cast<double>(random.below(100));
        border[f] = tree.parent[f] < 0 ? 0 : static_cast<double>(random.below(100));
      }
      const std::vector<RankMemory> memory =
          estimate_memory(tree.parent, factor, border, mapping.owner, ranks, 8);
      for (int rank = 0; rank < ranks; ++rank) {
        double peak = 0, all = 0;
        for (Index now = 0; now < 40; ++now) {
          peak = std::max(peak, bytes_at(tree, factor, border, mapping, rank, now, false));
          peak = std::max(peak, bytes_at(tree, factor, border, mapping, rank, now, true));
          if (mapping.owner[now] == rank) all += factor[now];
        }
        EXPECT_DOUBLE_EQ(memory[rank].factor_bytes, 8 * all);
        EXPECT_DOUBLE_EQ(memory[rank].peak_bytes, 8 * peak);
      }
    }
  }
}

TEST(TreeMapping, PredictedSecondsAreThoseOfTheLongestWait) {
  const std::vector<double> seconds{1, 2, 3, 4};
  const auto predicted = [&](std::vector<Index> parent, std::vector<int> owner) {
    return postorder_makespan(parent, seconds, owner, 2);
  };
  EXPECT_EQ(predicted({1, 2, 3, -1}, {0, 0, 0, 0}), 10);
  EXPECT_EQ(predicted({1, 2, 3, -1}, {0, 0, 1, 1}), 10);  // a path
  EXPECT_EQ(predicted({3, 3, 3, -1}, {0, 0, 1, 1}), 7);   // 3 beside 1 + 2, then 4
  EXPECT_EQ(predicted({-1, -1, -1, -1}, {0, 0, 0, 1}), 6);
  EXPECT_EQ(predicted({2, 3, 3, -1}, {1, 0, 0, 0}), 9);  // 1 beside 2, then 3 and 4
}

TEST(TreeMapping, SubtreesNotWorthAMessageStayWithTheirParent) {
  // a star: many tiny leaves below one front
  constexpr Index leaves = 500;
  std::vector<Index> parent(leaves + 1, leaves);
  parent[leaves] = -1;
  const std::vector<double> seconds(leaves + 1, 1e-6);
  const auto small = map_tree(parent, seconds, 4, {.message_s = 1e-5});
  for (const int owner : small.owner) EXPECT_EQ(owner, small.owner[leaves]);
  const auto large = map_tree(parent, seconds, 4, {.message_s = 0});
  for (int r = 0; r < 4; ++r) EXPECT_GT(std::count(large.owner.begin(), large.owner.end(), r), leaves / 8);
}

}  // namespace
}  // namespace overlapack::dist
