#pragma once
#include "overlapack/choices.hpp"
#include "overlapack/sparse_matrix.hpp"
#include "sparse/analysis/columns/column_cost.hpp"
#include "sparse/analysis/columns/column_pattern.hpp"
#include "sparse/analysis/columns/node_structure.hpp"
#include "sparse/analysis/dissection/dissection.hpp"
#include "sparse/analysis/fronts/assembly_tree.hpp"
#include "sparse/analysis/fronts/front_cost.hpp"
#include "sparse/analysis/graph/ordering.hpp"
#include "sparse/analysis/graph/variable_blocks.hpp"

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace overlapack::sparse {

/// How pairs of variables for 2x2 pivots are ordered.
enum class PivotPairs : std::uint8_t {
  merge,   ///< each pair as one variable
  follow,  ///< a variable with too small a diagonal behind its partner, if nothing before it fills that in
  off
};

/// What analysis decides, all of it data; nothing later looks at thresholds of its own.
struct AnalysisPlan {
  FactorKind kind = FactorKind::lu;
  std::optional<Ordering> ordering;
  std::vector<Index> user_order;  ///< Ordering::user: user_order[k] is the variable eliminated k-th
  std::vector<Node> amd_order;    ///< that AMD has found for the variables already; empty: it is called
  std::vector<std::int8_t>
      signs;  ///< ldlt of a quasi-definite matrix: of each variable's pivot, +1 or -1; else empty
  std::optional<Switch> matching;  ///< maximum-product matching and its scalings
  /// empty: that of the matching where there is one, else none
  std::optional<ScalingKind> scaling;
  /// A structurally singular matrix is analysed all the same, and its scaling is ruiz.
  bool keeps_null_pivots = false;
  /// Amalgamation: a child joins its parent, or a sibling, when the predicted time falls and the share of explicit zeros
  /// stays at most zeros[i] for the first width[i] that the joint width does not exceed, wide_zeros above all of them.
  /// Beyond these shares it may add zeros_for_saved zeros for each entry of its contribution block, which it then needs no longer.
  std::vector<Index> amalgamation_width{4, 16, 48};
  std::vector<double> amalgamation_zeros{0.8, 0.1, 0.05};
  double amalgamation_wide_zeros = 0.05;
  double amalgamation_zeros_for_saved = 1.0 / 64;
  FrontCostModel cost;           ///< predicts the time of fronts, nodes and columns
  DenseRule dense;               ///< nodes that are ordered last
  double compress_below = 0.85;  ///< indistinguishable variables are merged if that leaves at most this share
  /// The variables of a point of a mesh are ordered as one, where the graph shows them.
  VariableBlockRule blocks;
  DissectionPlan dissection;
  OrderingEffort effort = OrderingEffort::normal;
  /// How often the pattern is likely to be factorised: what an order saves counts as often. Effort high counts on many_factorizations.
  double factorizations = 1;
  double many_factorizations = 100;
  /// Ordering empty: AMD alone up to auto_amd_nodes nodes, or when its predicted factor time, less the fixed costs of its fronts, is in
  /// all factorisations at most auto_dissection_worth x the time that nested dissection is likely to take, which is
  /// auto_dissection_s_per_entry x (nodes + 2 edges); else the better of both.
  Index auto_amd_nodes = 2000;
  double auto_dissection_worth = 1;
  double auto_dissection_s_per_entry = 0.6e-6;
  /// A dissection that was not tried saves about this share of that predicted time (Analysis::order_pays_after).
  double likely_saving = 0.3;
  /// Effort normal: dissections with other balances are tried, too, where this share of the predicted factorisations is more than they
  /// take.
  double candidates_worth = 0.03;
  std::vector<SeparatorRule> other_balances{{.most_share = 0.7, .imbalance_worth = 2},
                                            {.most_share = 0.6, .imbalance_worth = 1}};
  /// Matching empty: for lu on unless every diagonal entry is at least matching_diagonal x the largest of
  /// its column; for ldlt (scaling and pairs) on if some diagonal entry is at most matching_tiny x its
  /// column's largest, or the columns' largest entries spread over more than matching_spread.
  double matching_diagonal = 0.1;
  double matching_tiny = 1e-8;
  double matching_spread = 1e3;
  /// A kept analysis serves other values while their matching_share is at least this x that of the values that were analysed.
  double matching_fits = 0.1;
  /// Scaling auto, no matching: ruiz where the largest entry of a column is above this, or below 1 / it, so that pivots and their
  /// reciprocals are numbers. (Single precision: 1e33.)
  double extreme = 1e290;
  /// keeps_null_pivots, scaling auto, with a matching: Ruiz's scaling if its factors differ by at most this ratio.
  double even_scales = 1e8;
  /// ldlt with a matching: its cycles give pairs of variables for 2x2 pivots, unless both scaled diagonals
  /// reach pair_diagonal. Empty: the less predicted time, where follow, whose pivots may be delayed all the same,
  /// must be below follow_worth x merge. Where merging makes at least follow_fill x the entries, they follow: 0.65 to 0.96 of
  /// the time on four matrices.
  /// Not used with orderings natural and user.
  std::optional<PivotPairs> pivot_pairs;
  double pair_diagonal = 0.01;
  double follow_worth = 0.9;
  double follow_fill = 2.2;
  /// lu with a matching: rows stay and pairs are made as for ldlt (scaling_with_kept_rows) where the graph of A + A^T has at most
  /// kept_rows_worth x the edges of that of the matched matrix, and at most this share of the columns is weak and has no partner.
  double kept_rows_worth = 0.95;
  double kept_rows_weak = 0.02;
  /// lu: block triangular form (analyse_by_blocks). on: always; empty: where the ordering is empty or amd, columns have at
  /// most blocks_most_entries entries on the average, and either all diagonal blocks together have low fill, or the largest
  /// one has at most blocks_largest x n unknowns; off.
  std::optional<Switch> block_form = Switch::off;
  double blocks_most_entries = 20;
  double blocks_largest = 0.7;
  /// A diagonal block is factorised column by column when its elimination takes at most this many flops an entry of its
  /// factors or has less than fronts_least_flops in all, else by fronts.
  double low_fill = 40;
  double fronts_least_flops = 1e6;
  /// The pattern of what is factorised column by column is predicted where at least this share of the blocks' entries have
  /// their mirror image: with less, it would hold more than pivoting column by column needs.
  double columns_symmetry = 0.6;
  /// ldlt: block_form on: L D L^T column by column, of the whole matrix; empty: where the first factorisation is predicted to take at
  /// most columns_worth x the fronts' time, since further ones and solves take less; off.
  double columns_worth = 1.1;
  /// lu: nodes with lists of their own instead of fronts (Method::supernodal),
  std::optional<NodePlan> nodes = {};
  /// of a matched matrix where they are predicted to take at most this share of the fronts' time; empty: always. Where more than
  /// nodes_symmetry of the entries have their mirror image, fronts have next to no zeros, and nodes are not looked at.
  std::optional<double> nodes_worth = {};
  double nodes_symmetry = 0.9;
  /// Variables of a front are ordered by clusters of so many (block low-rank fronts); 0: as they come.
  Index cluster = 0;
  bool is_matched = false;  ///< A is a diagonal block of a matched and scaled matrix
  /// Called as a step begins, and within long ones of ours: what is done, and about which share of the analysis lies behind. It may
  /// throw, which ends the analysis. Libraries that order (METIS, AMD, SCOTCH) run to their end.
  std::function<void(std::string_view step, double share)> on_step = {};

  void report_progress(std::string_view step, double share) const {
    if (on_step) on_step(step, share);
  }
};

/// Everything known before the first number is eliminated. The factorised matrix is
///   B(i, j) = row_scale[r] * A(r, c) * col_scale[c]   with r = row_perm[i], c = col_perm[j];
/// for ldlt and cholesky row_perm == col_perm and row_scale == col_scale.
struct Analysis {
  Method method = Method::multifrontal;
  FactorKind kind = FactorKind::lu;
  bool hermitian = false;  ///< complex ldlt: B = L D L^H instead of L D L^T
  std::vector<Index> row_perm, col_perm;
  std::vector<double> row_scale, col_scale;
  /// ldlt, or lu with kept rows, after a matching: the row matched to each column of A; else empty
  std::vector<Index> matched_row;
  std::vector<std::int8_t> signs;  ///< of a quasi-definite matrix: of the pivots of B; else empty
  AssemblyTree tree;

  std::string ordering;        ///< what was used, e.g. "metis"
  Index variable_block = 1;    ///< variables that were ordered as one (VariableBlocks); 1: none were found
  std::string matching;        ///< e.g. "maximum product", "off"
  std::string scaling;         ///< "matching", "ruiz" or "off"
  Index structural_rank = -1;  ///< -1: not known, since there was no matching and the diagonal has holes
  Index factor_nnz = 0;        ///< entries of all factors, predicted without delayed pivots
  FrontCostModel cost;         ///< the plan's, by which fronts and nodes go to ranks, too
  double flops = 0;            ///< of the elimination, real operations of one scalar type unit
  /// one rank, by the cost model of src/sparse/analysis/fronts/front_cost.hpp; LU by blocks: 0
  double predicted_s = 0;
  /// Where nodes or columns were compared with fronts (AnalysisPlan::nodes_worth, columns_worth): what was found, in words.
  std::string choice;
  std::string order_choice;  ///< of fronts, in words: their order, and what it was compared with
  /// Factorisations from which on a dissection that was not tried is likely to save more than it takes; 0: all was tried.
  double order_pays_after = 0;

  /// Method block_triangular, whose `tree` is empty: block b of B are its rows and columns block_start[b] ..
  /// block_start[b + 1), and below the diagonal blocks is nothing. Kind ldlt: one block.
  std::vector<Index> block_start;
  /// Blocks that are factorised by a method of their own, ascending, and their analyses; all others are factorised column by
  /// column.
  std::vector<Index> inner_block;
  ColumnPattern columns;  ///< of these; kind lu
  std::vector<Analysis> inner_analysis;

  /// Method supernodal, whose `tree` is empty.
  NodeStructure nodes;

  /// What was asked for, where `kind` is how it is done.
  FactorKind asked_kind() const { return signs.empty() ? kind : FactorKind::quasidefinite; }
  Index blocks() const { return block_start.empty() ? 0 : static_cast<Index>(block_start.size()) - 1; }
  Index column_blocks() const { return blocks() - static_cast<Index>(inner_block.size()); }
  /// Unknowns of the largest block.
  Index largest_block() const;
  /// Nodes, or a diagonal block by nodes?
  bool uses_nodes() const;
  /// Its choice, or that of the largest diagonal block with a method of its own; "": nothing was compared.
  const std::string& choice_of_all() const;
};

/// Matching, scaling, ordering, tree: from a square A with sorted columns.
/// Errors  Singular if A is structurally singular (names the structural rank); BadInput if A is not square,
///         n or nnz exceed 2^31 - 1, or user_order is no permutation; BadPlan for
///         ldlt or cholesky of a matrix that is not marked symmetric or Hermitian
/// The result does not depend on the threads of `tasks`.
template <class T>
Analysis analyse(const SparseMatrix<T>& A, const AnalysisPlan& plan, comm::Tasks& tasks);

/// On the calling thread alone.
template <class T>
Analysis analyse(const SparseMatrix<T>& A, const AnalysisPlan& plan);

}  // namespace overlapack::sparse
