#pragma once
#include "overlapack/scalar.hpp"

#include <iterator>
#include <variant>

namespace overlapack::sparse {

/// What the fronts of a matrix were. All of it adds up, over ranks and over matrices.
struct FrontCounts {
  Index fronts = 0;
  Index small_fronts = 0;        ///< of these, done in one go (MultifrontalPlan::small_order)
  Index pivots_delayed = 0;      ///< passed on to a parent front, each time it happened
  Index sent_contributions = 0;  ///< contribution blocks handed to another rank
  Index distributed_fronts = 0;  ///< eliminated with their border rows in strips
  Index strips = 0;              ///< of these fronts
  /// ranks that were given less of such a front because of what they held already
  Index limited_by_memory = 0;
  Index chain_links = 0;          ///< fronts that go on with the pivots of a long front which was split
  Index delayed_from_strips = 0;  ///< pivots delayed out of distributed fronts
  Index pieces = 0;     ///< parts of contribution blocks that went to their places in another rank's memory
  Index forwarded = 0;  ///< panels passed on by strips
  Index shortened = 0;  ///< panels sent without rows that their receiver does not need
  Index parked = 0;     ///< messages that came before one that they need, and were kept
  Index late_receives = 0;           ///< messages that had to be received first for one that came too early
  Index grid_roots = 0;              ///< roots that all ranks factorised together
  Index delayed_to_grid = 0;         ///< pivots delayed into such a root
  Index load_messages = 0;           ///< news of loads
  Index times_full = 0;              ///< messages that waited for room in their sender's budget
  Index stolen = 0;                  ///< tasks done by a rank that took them from another
  Index fronts_on_disk = 0;          ///< fronts and strips whose factors are in a file
  Index times_disk_full_budget = 0;  ///< segments that waited for room in the budget of what is written
  Index low_rank_fronts = 0;         ///< whose factors are in blocks, some of them compressed
  Index blocks_compressed = 0;
  Index blocks_full = 0;               ///< of these fronts, that are kept as they are
  Index blocks_mixed = 0;              ///< of the compressed ones, with terms in single precision,
  Index mixed_saved_bytes = 0;         ///< which saves so much memory
  Index ranks = 0;                     ///< of the compressed ones, summed
  Index contributions_compressed = 0;  ///< contribution blocks of these fronts that waited in tiles,
  Index contributions_mixed = 0;       ///< some of these with terms in single precision
  Index low_rank_strips = 0;           ///< of the strips, those of fronts in blocks
  Index panel_saved_bytes = 0;  ///< panels for strips are shorter by so many, since they come in blocks
};

inline constexpr Index FrontCounts::*front_counts[] = {&FrontCounts::fronts,
                                                       &FrontCounts::small_fronts,
                                                       &FrontCounts::pivots_delayed,
                                                       &FrontCounts::sent_contributions,
                                                       &FrontCounts::distributed_fronts,
                                                       &FrontCounts::strips,
                                                       &FrontCounts::limited_by_memory,
                                                       &FrontCounts::chain_links,
                                                       &FrontCounts::delayed_from_strips,
                                                       &FrontCounts::pieces,
                                                       &FrontCounts::forwarded,
                                                       &FrontCounts::shortened,
                                                       &FrontCounts::parked,
                                                       &FrontCounts::late_receives,
                                                       &FrontCounts::grid_roots,
                                                       &FrontCounts::delayed_to_grid,
                                                       &FrontCounts::load_messages,
                                                       &FrontCounts::times_full,
                                                       &FrontCounts::stolen,
                                                       &FrontCounts::fronts_on_disk,
                                                       &FrontCounts::times_disk_full_budget,
                                                       &FrontCounts::low_rank_fronts,
                                                       &FrontCounts::blocks_compressed,
                                                       &FrontCounts::blocks_full,
                                                       &FrontCounts::blocks_mixed,
                                                       &FrontCounts::mixed_saved_bytes,
                                                       &FrontCounts::ranks,
                                                       &FrontCounts::contributions_compressed,
                                                       &FrontCounts::contributions_mixed,
                                                       &FrontCounts::low_rank_strips,
                                                       &FrontCounts::panel_saved_bytes};
static_assert(sizeof(FrontCounts) == std::size(front_counts) * sizeof(Index), "a count is not summed");

/// What the nodes of supernodal LU were. All of it adds up over ranks.
struct NodeCounts {
  Index nodes = 0;      ///< eliminated, each by the owner of its square
  Index exchanged = 0;  ///< pivots that did not stand on the diagonal of their square
  Index columns_ahead =
      0;                 ///< block columns made before the step before theirs was over, as each rank saw it
  Index rows_ahead = 0;  ///< the same of block rows
  Index direct_products = 0;  ///< that were computed where they are added
  Index subtree_nodes =
      0;  ///< of the nodes: eliminated without a message (NodeMap::subtrees, or one process)
  Index border_messages = 0;  ///< with what subtrees add to the nodes above them
  Index panel_messages = 0;   ///< of the factorisation, known from the lists: these, panels and squares
  Index panel_bytes = 0;      ///< of these messages
};

inline constexpr Index NodeCounts::*node_counts[] = {
    &NodeCounts::nodes,           &NodeCounts::exchanged,       &NodeCounts::columns_ahead,
    &NodeCounts::rows_ahead,      &NodeCounts::direct_products, &NodeCounts::subtree_nodes,
    &NodeCounts::border_messages, &NodeCounts::panel_messages,  &NodeCounts::panel_bytes};
static_assert(sizeof(NodeCounts) == std::size(node_counts) * sizeof(Index), "a count is not summed");

/// What the diagonal blocks of a block triangular form were.
struct BlockCounts {
  Index diagonal_blocks = 0;
  Index column_blocks = 0;        ///< of these, factorised column by column
  Index largest_block = 0;        ///< unknowns
  Index off_diagonal_pivots = 0;  ///< column by column: not the entry that the matching put on the diagonal
  Index kept_pivots = 0;          ///< column by column: those of the factorisation before, still large enough
  Index predicted_columns = 0;  ///< column by column: whose pivot and pattern were as the analysis predicted
  Index shared_columns = 0;     ///< column by column, pivots known: in sets that several threads could take
  Index given_up = 0;           ///< column by column: there are no factors (ColumnPlan::may_give_up)
  FrontCounts fronts;           ///< of the blocks that were factorised by fronts
  NodeCounts nodes;             ///< of those by nodes
};

/// The smallest pivot of a matrix.
struct SmallestPivot {
  double share = 1;  ///< of the largest entry of its row and column in B; of nodes: of the largest entry of B
  Index row = -1, col = -1;  ///< in the matrix that was given; while it is factorised, in B; -1: not told

  /// Ties go to the lower column, so that the order does not matter.
  void take(const SmallestPivot& other) {
    const bool is_less = other.share < share || (other.share == share && other.col < col);
    if (is_less) *this = other;
  }
};

/// What a factorisation tells of itself, summed over ranks unless it says otherwise.
struct FactorStats {
  Index null_pivots = 0;  ///< without a pivot to the end (FactorPlan::keeps_null_pivots)
  Index perturbed = 0;    ///< pivots replaced (FactorPlan::perturbation)
  Index two_by_two = 0;
  Index negative_pivots = 0;  ///< negative eigenvalues of D (real symmetric and Hermitian)
  Index rounding_pivots = 0;  ///< of which rounding or nothing was left (FactorPlan::refuses_rounding)
  Index zero_pivots = 0;      ///< of these: nothing, so that they were replaced
  SmallestPivot smallest;     ///< of all
  Index most_entries = 0;     ///< of B on the rank that has most
  Index factor_nnz = 0;       ///< entries held for the solve
  double flops = 0;           ///< done, with delayed pivots
  double full_rank_nnz = 0, full_rank_flops = 0;  ///< the same if no front were compressed; other methods: 0
  Index largest_rank = 0;                         ///< of a compressed block
  double factor_bytes = 0;                        ///< of the factors, all ranks
  double reserved_bytes = 0;                      ///< address space for them, all ranks
  /// factors, contribution blocks and blocks kept for reuse: each rank's peak, summed
  double peak_bytes = 0;
  double most_bytes_of_rank = 0;  ///< of the rank that has most
  double disk_written_bytes = 0;  ///< by the factorisation, all ranks
  double disk_read_bytes = 0;     ///< by all that was asked of the factors since, all ranks
  double disk_wait_s = 0;         ///< in which ranks waited for their files, summed
  Index segments_ahead = 0;       ///< parts of the files that were asked for before they were needed
  double deal_s = 0;              ///< until the tree and its entries had come; of the slowest rank

  std::variant<FrontCounts, BlockCounts, NodeCounts> own;  ///< of the method
};

/// What adds up, over ranks and over matrices that are factorised one after the other.
inline constexpr Index FactorStats::*summed_counts[] = {
    &FactorStats::null_pivots,     &FactorStats::perturbed,  &FactorStats::two_by_two,
    &FactorStats::negative_pivots, &FactorStats::factor_nnz, &FactorStats::segments_ahead,
    &FactorStats::rounding_pivots, &FactorStats::zero_pivots};
inline constexpr double FactorStats::*summed_amounts[] = {
    &FactorStats::flops,           &FactorStats::full_rank_nnz,  &FactorStats::full_rank_flops,
    &FactorStats::factor_bytes,    &FactorStats::reserved_bytes, &FactorStats::disk_written_bytes,
    &FactorStats::disk_read_bytes, &FactorStats::disk_wait_s};

/// Of the fronts, the nodes or the diagonal blocks that a factorisation had; none: all 0.
inline FrontCounts front_counts_of(const FactorStats& stats) {
  if (const auto* const blocks = std::get_if<BlockCounts>(&stats.own)) return blocks->fronts;
  const auto* const fronts = std::get_if<FrontCounts>(&stats.own);
  return fronts ? *fronts : FrontCounts{};
}
inline NodeCounts node_counts_of(const FactorStats& stats) {
  if (const auto* const blocks = std::get_if<BlockCounts>(&stats.own)) return blocks->nodes;
  const auto* const nodes = std::get_if<NodeCounts>(&stats.own);
  return nodes ? *nodes : NodeCounts{};
}
inline BlockCounts block_counts_of(const FactorStats& stats) {
  const auto* const blocks = std::get_if<BlockCounts>(&stats.own);
  return blocks ? *blocks : BlockCounts{};
}

}  // namespace overlapack::sparse
