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

#include <algorithm>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace overlapack::sparse {

/// How pairs of variables for 2x2 pivots are ordered.
enum class PivotPairs : std::uint8_t {
  merge,   ///< each pair is ordered as one variable
  follow,  ///< a variable with too small a diagonal comes behind its partner, unless earlier eliminations fill the diagonal in
  off
};

/// All decisions of the analysis and their thresholds, as data. Later stages have no thresholds of their own for these decisions.
struct AnalysisPlan {
  FactorKind kind = FactorKind::lu;
  std::optional<Ordering> ordering;
  std::vector<Index> user_order;  ///< Ordering::user: user_order[k] is the variable eliminated k-th
  std::vector<Node>
      amd_order;  ///< AMD's order of the variables, if it is known already; empty: AMD is called
  /// ldlt of a quasi-definite matrix: of each variable's pivot, +1 or -1; else empty
  std::vector<std::int8_t> signs;
  std::optional<Switch> matching;  ///< maximum-product matching and its scalings
  /// Empty: the scaling of the matching if there is one, else none.
  std::optional<ScalingKind> scaling;
  /// A structurally singular matrix is no error; its scaling is then ruiz.
  bool keeps_null_pivots = false;
  /// Amalgamation: a child joins its parent, or a sibling, if the predicted time falls and the share of explicit zeros is small enough. The
  /// share is at most zeros[i] for the first width[i] that is not below the joint width, and wide_zeros above all of them. Beyond that, a
  /// child may add zeros_for_saved zeros for each entry of its contribution block, which is saved.
  std::vector<Index> amalgamation_width{4, 16, 48};
  std::vector<double> amalgamation_zeros{0.8, 0.1, 0.05};
  double amalgamation_wide_zeros = 0.05;
  double amalgamation_zeros_for_saved = 1.0 / 64;
  FrontCostModel cost;  ///< predicts the time of fronts, nodes and columns
  DenseRule dense;      ///< nodes that are ordered last
  double compress_below =
      0.85;  ///< indistinguishable variables are merged if at most this share of nodes remains
  /// The variables of a mesh point are ordered as one node if the graph shows them.
  VariableBlockRule blocks;
  DissectionPlan dissection;
  OrderingEffort effort = OrderingEffort::normal;
  /// How often the pattern is likely to be factorised: the savings of an order are multiplied by this number. Effort high assumes
  /// many_factorizations.
  double factorizations = 1;
  double many_factorizations = 100;
  double expected_factorizations() const {
    return effort == OrderingEffort::high ? std::max(factorizations, many_factorizations) : factorizations;
  }
  /// If ordering is empty, AMD and nested dissection are compared, except in two cases, in which AMD is taken alone: the graph has at most
  /// auto_amd_nodes nodes, or the time that dissection may save is small. That time is AMD's predicted factor time over all factorisations,
  /// without the fixed costs of fronts. It is small if it is at most auto_dissection_worth x the likely time of dissection,
  /// auto_dissection_s_per_entry x (nodes + 2 edges).
  Index auto_amd_nodes = 2000;
  double auto_dissection_worth = 1;
  double auto_dissection_s_per_entry = 0.6e-6;
  /// A dissection that was not tried is assumed to save this share of that factor time (Analysis::order_pays_after).
  double likely_saving = 0.3;
  /// Effort normal: dissections with other balances are tried, too, if this share of the predicted time of all factorisations is longer than
  /// they take.
  double candidates_worth = 0.03;
  std::vector<SeparatorRule> other_balances{{.most_share = 0.7, .imbalance_worth = 2},
                                            {.most_share = 0.6, .imbalance_worth = 1}};
  /// If matching is empty: for lu there is a matching unless every diagonal entry is at least matching_diagonal x the largest entry of its
  /// column. For ldlt there is one (for scaling and pairs) if some diagonal entry is at most matching_tiny x the largest entry of its column,
  /// or if the largest entries of the columns differ by more than a factor matching_spread.
  double matching_diagonal = 0.1;
  double matching_tiny = 1e-8;
  double matching_spread = 1e3;
  /// A kept analysis is used for other values as long as their matching_share is at least this x that of the analysed values.
  double matching_fits = 0.1;
  /// With scaling empty and no matching: ruiz if the largest entry of a column is above `extreme` or below 1 / extreme, so that pivots and
  /// their reciprocals do not overflow. (Single precision: 1e33.)
  double extreme = 1e290;
  /// With keeps_null_pivots, scaling empty and a matching: Ruiz's scaling if its factors differ by at most this ratio.
  double even_scales = 1e8;
  /// ldlt with a matching: the cycles of the matching give pairs of variables for 2x2 pivots, unless both scaled diagonals reach
  /// pair_diagonal. If pivot_pairs is empty, the way with the shorter predicted time is taken. `follow` must be predicted below
  /// follow_worth x the time of `merge`, since its pivots may be delayed nevertheless. If merging makes at least follow_fill x the entries,
  /// `follow` is taken at once; it took 0.65 to 0.96 of the time on four matrices. Not used with orderings natural and user.
  std::optional<PivotPairs> pivot_pairs;
  double pair_diagonal = 0.01;
  double follow_worth = 0.9;
  double follow_fill = 2.2;
  /// lu with a matching: rows stay in their places and pairs are made as for ldlt (scaling_with_kept_rows), if two conditions hold. The graph
  /// of A + A^T has at most kept_rows_worth x the edges of the matched matrix's graph. At most the share kept_rows_weak of the columns has a
  /// small diagonal and no partner.
  double kept_rows_worth = 0.95;
  double kept_rows_weak = 0.02;
  /// lu: block triangular form (analyse_by_blocks). on: always; off: never. Empty: if the ordering is empty or amd, columns have at most
  /// blocks_most_entries entries on average, and either all diagonal blocks together have low fill, or the largest block has at most
  /// blocks_largest x n unknowns.
  std::optional<Switch> block_form = Switch::off;
  double blocks_most_entries = 20;
  double blocks_largest = 0.7;
  /// A diagonal block is factorised column by column if its elimination takes at most low_fill flops for each entry of its factors, or fewer
  /// than fronts_least_flops in total; otherwise by fronts.
  double low_fill = 40;
  double fronts_least_flops = 1e6;
  /// The pattern of factors by columns is predicted if at least this share of the blocks' entries have their mirror image. With fewer, the
  /// prediction would have more entries than pivoting column by column needs.
  double columns_symmetry = 0.6;
  /// ldlt: block_form says whether L D L^T of the whole matrix is made column by column. on: always; off: never. Empty: if it is predicted to
  /// take at most columns_worth x the fronts' time. If more factorisations are expected, which keep the pivots and take less, or with fewer
  /// than columns_small variables, columns_worth_again holds. A matrix between these limits is analysed again after columns_pay_after
  /// factorisations (Analysis::order_pays_after).
  double columns_worth = 0.7;
  double columns_worth_again = 1.1;
  Index columns_small = 2000;
  double columns_pay_after = 5;
  /// lu: supernodal LU (Method::supernodal), whose nodes have lists of their own, instead of fronts. Empty: never.
  std::optional<NodePlan> nodes = {};
  /// Nodes of a matched matrix are taken if they are predicted to need at most this share of the fronts' time; empty: always. If more than the
  /// share nodes_symmetry of the entries have their mirror image, nodes are not considered, since fronts then have hardly any zeros.
  std::optional<double> nodes_worth = {};
  double nodes_symmetry = 0.9;
  /// The variables of a front are ordered by clusters of about so many variables (block low-rank fronts); 0: no clusters.
  Index cluster = 0;
  bool is_matched = false;  ///< A is a diagonal block of a matched and scaled matrix
  /// Called at the beginning of each step, and inside long steps of this library: the name of the step, and about which share of the analysis
  /// is done. It may throw, which ends the analysis. METIS, AMD and SCOTCH cannot be interrupted.
  std::function<void(std::string_view step, double share)> on_step = {};

  void report_progress(std::string_view step, double share) const {
    if (on_step) on_step(step, share);
  }
};

/// The result of the analysis: everything that the numerical factorisation needs to know in advance. The factorised matrix is
///   B(i, j) = row_scale[r] * A(r, c) * col_scale[c]   with r = row_perm[i], c = col_perm[j].
/// For ldlt and cholesky row_perm == col_perm and row_scale == col_scale.
struct Analysis {
  Method method = Method::multifrontal;
  FactorKind kind = FactorKind::lu;
  bool hermitian = false;  ///< complex ldlt: B = L D L^H instead of L D L^T
  std::vector<Index> row_perm, col_perm;
  std::vector<double> row_scale, col_scale;
  /// For ldlt, or lu with kept rows, after a matching: the row matched to each column of A. Else empty.
  std::vector<Index> matched_row;
  std::vector<std::int8_t> signs;  ///< of a quasi-definite matrix: of the pivots of B; else empty
  AssemblyTree tree;

  std::string ordering;      ///< the ordering that was used, e.g. "metis"
  Index variable_block = 1;  ///< how many variables were ordered as one (VariableBlocks); 1: none were found
  std::string matching;      ///< e.g. "maximum product", "off"
  std::string scaling;       ///< "matching", "ruiz" or "off"
  Index structural_rank = -1;  ///< -1: not known, since there was no matching and the diagonal has holes
  Index factor_nnz = 0;        ///< entries of all factors, predicted without delayed pivots
  FrontCostModel cost;         ///< the plan's cost model, by which fronts and nodes are also mapped to ranks
  double flops = 0;            ///< of the elimination, real operations of one scalar type unit
  /// Predicted seconds of the factorisation on one rank, by the cost model of fronts/front_cost.hpp; LU by blocks: 0.
  double predicted_s = 0;
  /// If nodes or columns were compared with fronts (AnalysisPlan::nodes_worth, columns_worth): the result, in words.
  std::string choice;
  std::string order_choice;  ///< of fronts, in words: their order, and what it was compared with
  /// After so many factorisations a dissection that was not tried, or L D L^T by columns, is likely to save more time than it takes; 0:
  /// everything was tried.
  double order_pays_after = 0;

  /// For method block_triangular, whose `tree` is empty: block b of B has the rows and columns block_start[b] to block_start[b + 1] - 1. B has
  /// no entries below the diagonal blocks. Kind ldlt: one block.
  std::vector<Index> block_start;
  /// The blocks that another method factorises, ascending, and their analyses. All other blocks are factorised column by column.
  std::vector<Index> inner_block;
  ColumnPattern columns;  ///< predicted pattern of the blocks by columns; kind lu
  std::vector<Analysis> inner_analysis;

  /// Method supernodal, whose `tree` is empty.
  NodeStructure nodes;

  /// The kind that was asked for; `kind` is the one by which it is done.
  FactorKind asked_kind() const { return signs.empty() ? kind : FactorKind::quasidefinite; }
  Index blocks() const { return block_start.empty() ? 0 : static_cast<Index>(block_start.size()) - 1; }
  Index column_blocks() const { return blocks() - static_cast<Index>(inner_block.size()); }
  /// Unknowns of the largest block.
  Index largest_block() const;
  /// Whether the matrix, or one of its diagonal blocks, is factorised by nodes.
  bool uses_nodes() const;
  /// `choice` of this analysis or, if it is empty, of the largest diagonal block with another method; "": nothing was compared.
  const std::string& choice_of_all() const;
};

/// Analyse A by the plan: matching, scaling, ordering and tree. The result does not depend on the number of threads of `tasks`.
/// Shapes  A: square, with sorted columns
/// Errors  Singular if A is structurally singular (the sentence has the structural rank); BadInput if A is not square, n or nnz exceed
///         2^31 - 1, or user_order is no permutation; BadPlan for ldlt or cholesky of a matrix that is not marked symmetric or Hermitian
template <class T>
Analysis analyse(const SparseMatrix<T>& A, const AnalysisPlan& plan, comm::Tasks& tasks);

/// Analyse A on the calling thread only.
template <class T>
Analysis analyse(const SparseMatrix<T>& A, const AnalysisPlan& plan);

}  // namespace overlapack::sparse
