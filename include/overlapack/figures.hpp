#pragma once
#include "overlapack/scalar.hpp"

#include <array>
#include <cstdint>
#include <string_view>
#include <type_traits>
#include <utility>
#include <variant>

/// What solvers count. One line of a list here makes the member that a solver increments and that Report holds, its sum over
/// ranks, and its entry in the report's JSON and in docs/report.md.
namespace overlapack {

/// How a figure of each rank becomes one of all ranks; `same`: all have the same, or only rank 0 has it.
enum class OverRanks : std::uint8_t { same, sum, most, least, mean };

/// A line of list S.
template <class S>
struct Figure {
  std::variant<Index S::*, double S::*> member;
  std::string_view entry;  ///< its name in the report; "pivots.delayed": delayed in the object pivots
  OverRanks over;
  std::string_view help;        ///< with its unit
  std::string_view label = {};  ///< what the text of the command line calls a count above 0
  bool is_whole = false;        ///< bytes and operations: held as double, printed as a whole number
};

/// The first and the last line of list S.
#define OVERLAPACK_FIGURES(S) \
  using Self = S;             \
  static constexpr int first_line = __LINE__
#define OVERLAPACK_FIGURES_END static constexpr int last_line = __LINE__
/// A line: type (Index, double), name, over ranks, help; then .label, .is_whole where it has one.
#define OVERLAPACK_FIGURE(type, name, over_ranks, ...) \
  OVERLAPACK_FIGURE_AS(type, name, #name, over_ranks, __VA_ARGS__)
/// The same with another name in the report.
#define OVERLAPACK_FIGURE_AS(type, name, in_report, over_ranks, ...)                                        \
  static constexpr Figure<Self> figure(std::integral_constant<int, __LINE__>) {                             \
    return {.member = &Self::name, .entry = in_report, .over = OverRanks::over_ranks, .help = __VA_ARGS__}; \
  }                                                                                                         \
  type name = 0

/// Direct methods.
struct FactorFigures {
  OVERLAPACK_FIGURES(FactorFigures);
  OVERLAPACK_FIGURE(double, deal_s, most,
                    "seconds until each rank has its part of the tree and of the matrix");
  OVERLAPACK_FIGURE(Index, most_entries_of_rank, most,
                    "the most entries of A that one rank held: as given, by rows or in its fronts");
  OVERLAPACK_FIGURE(Index, factor_nnz, sum, "entries of the factors that solves use");
  OVERLAPACK_FIGURE(double, flops, sum, "real operations that the factorisation did", .is_whole = true);
  OVERLAPACK_FIGURE(double, factor_bytes, sum, "the factors in memory and on disk, bytes", .is_whole = true);
  OVERLAPACK_FIGURE(double, reserved_bytes, sum,
                    "address space that is reserved for the factors in memory, bytes", .is_whole = true);
  OVERLAPACK_FIGURE(
      double, peak_bytes, sum,
      "the most memory of each rank in the numerical phase, without the analysis, added up, bytes",
      .is_whole = true);
  OVERLAPACK_FIGURE(double, most_bytes_of_rank, most, "the largest of these peaks, of one rank, bytes",
                    .is_whole = true);
  OVERLAPACK_FIGURES_END;
};

/// Fronts of the multifrontal method, also in diagonal blocks.
struct FrontFigures {
  OVERLAPACK_FIGURES(FrontFigures);
  OVERLAPACK_FIGURE(Index, fronts, sum, "fronts of the tree");
  OVERLAPACK_FIGURE(Index, small_fronts, sum,
                    "fronts with few rows, which are assembled and eliminated in one go");
  OVERLAPACK_FIGURE(Index, tiled_fronts, sum, "large fronts that are eliminated tile by tile, as tasks");
  OVERLAPACK_FIGURE(Index, front_tasks, sum, "tasks of the tiled fronts");
  OVERLAPACK_FIGURE(
      Index, failed_columns, sum,
      "columns of tiled fronts that had no pivot in their tile, or too large an entry of L in another tile");
  OVERLAPACK_FIGURE(Index, restored_tiles, sum,
                    "tiles with failed columns that got their earlier numbers back");
  OVERLAPACK_FIGURE(Index, cut_pairs, sum, "2x2 pivots of which one column failed");
  OVERLAPACK_FIGURE(Index, searched_pivots, sum, "pivots that a search among the failed columns found");
  OVERLAPACK_FIGURE(Index, sent_contributions, sum,
                    "contribution blocks of whole fronts that went to another rank");
  OVERLAPACK_FIGURE(Index, distributed_fronts, sum, "fronts whose rows are in strips on several ranks");
  OVERLAPACK_FIGURE(Index, strips, sum, "strips of the distributed fronts");
  OVERLAPACK_FIGURE(Index, forwarded, sum, "panels that a strip passed on to other strips");
  OVERLAPACK_FIGURE(Index, shortened, sum,
                    "panels for strips that left out rows which their receiver does not need");
  OVERLAPACK_FIGURE(Index, delayed_from_strips, sum,
                    "pivots that moved up from a front in strips, each move counted");
  OVERLAPACK_FIGURE(Index, load_news, sum,
                    "messages by which ranks tell each other how much work they have left");
  OVERLAPACK_FIGURE(
      Index, stolen, sum,
      "tasks (a front or a small subtree) that another rank did than the one they were given to");
  OVERLAPACK_FIGURE(Index, pieces, sum,
                    "parts of contribution blocks that went to their rows in the memory of another rank");
  OVERLAPACK_FIGURE(Index, limited_by_memory, sum,
                    "times that a rank was given less of a front because it already held much memory");
  OVERLAPACK_FIGURE(Index, chain_links, sum, "fronts that continue a long front which was split");
  OVERLAPACK_FIGURE(Index, grid_roots, sum, "roots that all ranks factorise together");
  OVERLAPACK_FIGURE(Index, delayed_to_grid, sum, "pivots that moved up into a root that all ranks factorise");
  OVERLAPACK_FIGURE(Index, parked, sum, "messages that came before one that they need, and were kept");
  OVERLAPACK_FIGURE(Index, late_receives, sum,
                    "messages that were received first because another one came too early");
  OVERLAPACK_FIGURE(Index, times_full, sum,
                    "messages that waited for room in their sender's budget (option budget)");
  OVERLAPACK_FIGURES_END;
};

/// Factors of fronts on disk (option factors).
struct DiskFigures {
  OVERLAPACK_FIGURES(DiskFigures);
  OVERLAPACK_FIGURE(Index, fronts_on_disk, sum, "fronts, and strips of fronts, whose factors are on disk");
  OVERLAPACK_FIGURE(Index, times_disk_full_budget, sum,
                    "parts of the files of factors that waited for room in the buffer (option disk_buffer)");
  OVERLAPACK_FIGURE(Index, segments_ahead, sum,
                    "parts of the files of factors that solves read before they needed them");
  OVERLAPACK_FIGURE(double, disk_written_bytes, sum, "bytes written to the files of factors",
                    .is_whole = true);
  OVERLAPACK_FIGURE(double, disk_read_bytes, sum,
                    "bytes read from the files of factors since the factorisation", .is_whole = true);
  OVERLAPACK_FIGURE(double, disk_wait_s, sum,
                    "seconds in which ranks waited for their files since the factorisation began");
  OVERLAPACK_FIGURES_END;
};

/// Fronts in blocks (option compression).
struct LowRankFigures {
  OVERLAPACK_FIGURES(LowRankFigures);
  OVERLAPACK_FIGURE(double, full_rank_nnz, sum,
                    "what factor_nnz would be without compression (option compression)", .is_whole = true);
  OVERLAPACK_FIGURE(double, full_rank_flops, sum, "what flops would be without compression",
                    .is_whole = true);
  OVERLAPACK_FIGURE(Index, low_rank_fronts, sum,
                    "fronts that are factorised in blocks, which are compressed where that pays");
  OVERLAPACK_FIGURE(Index, blocks_compressed, sum, "blocks of low-rank fronts that are products of low rank");
  OVERLAPACK_FIGURE(Index, blocks_full, sum, "blocks of low-rank fronts that were kept as they are");
  OVERLAPACK_FIGURE(Index, blocks_mixed, sum,
                    "compressed blocks with terms in single precision (option compression_precision)");
  OVERLAPACK_FIGURE(Index, mixed_saved_bytes, sum,
                    "memory of the factors that single precision saves in these blocks, bytes");
  OVERLAPACK_FIGURE(Index, sum_of_ranks, sum, "the ranks of the compressed blocks, added up");
  OVERLAPACK_FIGURE(Index, largest_rank, most, "the largest rank of a compressed block");
  OVERLAPACK_FIGURE(
      Index, contributions_compressed, sum,
      "contribution blocks of low-rank fronts that waited for their parents in tiles of low rank");
  OVERLAPACK_FIGURE(Index, contributions_mixed, sum,
                    "compressed contribution blocks with terms in single precision");
  OVERLAPACK_FIGURE(Index, low_rank_strips, sum, "strips of low-rank fronts (experiment fronts=strips)");
  OVERLAPACK_FIGURE(Index, panel_saved_bytes, sum,
                    "bytes by which the panels for low-rank strips are shorter, each panel counted once");
  OVERLAPACK_FIGURES_END;
};

/// Nodes of supernodal LU, also in diagonal blocks.
struct NodeFigures {
  OVERLAPACK_FIGURES(NodeFigures);
  OVERLAPACK_FIGURE(Index, nodes, sum,
                    "nodes: groups of columns with lists of rows and columns of their own");
  OVERLAPACK_FIGURE(Index, columns_ahead, sum,
                    "block columns that were made before their own step, as each rank saw it");
  OVERLAPACK_FIGURE(Index, rows_ahead, sum,
                    "block rows that were made before their own step, as each rank saw it");
  OVERLAPACK_FIGURE(Index, direct_products, sum,
                    "products of an update that were computed where they are added");
  OVERLAPACK_FIGURE(Index, subtree_nodes, sum,
                    "nodes in leaf subtrees on one rank, which are eliminated without a message");
  OVERLAPACK_FIGURE(
      Index, border_messages, sum,
      "messages with what leaf subtrees add to the nodes above them, one for each pair of ranks");
  OVERLAPACK_FIGURE(
      Index, panel_messages, sum,
      "messages with panels, squares and borders of one factorisation, as the lists predict them");
  OVERLAPACK_FIGURE(Index, panel_bytes, sum, "bytes of these panels, squares and borders");
  OVERLAPACK_FIGURES_END;
};

/// Diagonal blocks of a block triangular form, and its columns.
struct BlockFigures {
  OVERLAPACK_FIGURES(BlockFigures);
  OVERLAPACK_FIGURE(Index, diagonal_blocks, same, "diagonal blocks of the block triangular form");
  OVERLAPACK_FIGURE(Index, column_blocks, same,
                    "diagonal blocks that are factorised column by column, on one rank");
  OVERLAPACK_FIGURE(Index, largest_block, same, "unknowns of the largest diagonal block");
  OVERLAPACK_FIGURE(
      Index, predicted_columns, same,
      "columns of the last factorisation whose pivot and pattern were as the analysis predicted");
  OVERLAPACK_FIGURE(
      Index, shared_columns, same,
      "columns of the last factorisation with known or predicted pivots whose numbers several ranks "
      "could compute at the same time");
  OVERLAPACK_FIGURES_END;
};

struct PivotFigures {
  OVERLAPACK_FIGURES(PivotFigures);
  OVERLAPACK_FIGURE_AS(Index, delayed, "pivots.delayed", sum,
                       "pivots that moved up to a parent front, each move counted");
  OVERLAPACK_FIGURE_AS(
      Index, perturbed, "pivots.perturbed", sum,
      "pivots that were replaced by a larger number (option perturbation, factorization quasidefinite)");
  OVERLAPACK_FIGURE_AS(Index, wrong_sign, "pivots.wrong_sign", sum,
                       "replaced pivots whose sign was not that of the option signs");
  OVERLAPACK_FIGURE_AS(Index, exchanged, "pivots.exchanged", sum,
                       "pivots that are not on the diagonal of their node's square");
  OVERLAPACK_FIGURE_AS(Index, two_by_two, "pivots.two_by_two", sum,
                       "2x2 pivots: pairs of variables that are eliminated together");
  OVERLAPACK_FIGURE_AS(Index, null, "pivots.null", sum, "pivots that were found to be zero");
  OVERLAPACK_FIGURE_AS(Index, rounding, "pivots.rounding", sum,
                       "pivots of which only rounding errors, or nothing, were left (option singular)");
  OVERLAPACK_FIGURE_AS(Index, zero, "pivots.zero", sum,
                       "pivots of which nothing was left, so that they were replaced");
  OVERLAPACK_FIGURE_AS(Index, negative, "pivots.negative", sum,
                       "negative eigenvalues (symmetric and Hermitian matrices)");
  OVERLAPACK_FIGURE_AS(Index, off_diagonal, "pivots.off_diagonal", same,
                       "pivots other than the entry that the matching put on the diagonal");
  OVERLAPACK_FIGURE_AS(Index, kept, "pivots.kept", same,
                       "pivots that refactorize kept, since they were still large enough");
  OVERLAPACK_FIGURES_END;
};

/// All of the sparse direct methods; 0 where a method has none.
struct SparseFigures : FactorFigures, FrontFigures, DiskFigures, LowRankFigures, NodeFigures, BlockFigures {
  PivotFigures pivots;
};

/// LU, Cholesky and QR of dense matrices.
struct DenseCounters {
  OVERLAPACK_FIGURES(DenseCounters);
  OVERLAPACK_FIGURE(double, growth, most,
                    "pivot_search tournament: the largest entry of U over the largest of A; otherwise 0");
  OVERLAPACK_FIGURE(Index, panels, sum, "panels that were factorised, each by the ranks of a process column");
  OVERLAPACK_FIGURE(Index, wide_panels, sum,
                    "panels of several distributed blocks, which several process columns factorised",
                    .label = "wide");
  OVERLAPACK_FIGURE(Index, panels_ahead, sum,
                    "panels that were factorised before the update of an earlier panel was finished",
                    .label = "ahead");
  OVERLAPACK_FIGURE(Index, split_updates, sum,
                    "updates of which half ran while the rows of the other half travelled",
                    .label = "split updates");
  OVERLAPACK_FIGURE(Index, opposite_phases, sum,
                    "phases in which a rank computed while the other ranks of its node communicated",
                    .label = "in opposite phases");
  OVERLAPACK_FIGURE(
      Index, early_columns, sum,
      "columns that a rank updated while the head of the next panel was on its way (schedule parity)");
  OVERLAPACK_FIGURE(Index, rearranged_lower, sum,
                    "panels whose L travelled in parts, by way of other ranks of the node");
  OVERLAPACK_FIGURE(Index, rearranged_upper, sum,
                    "panels whose U travelled in parts, by way of other ranks of the node");
  OVERLAPACK_FIGURE_AS(Index, binary_exchanges, "interchanges.binary_exchange", sum,
                       "interchanges of rows right of a panel by binary exchange");
  OVERLAPACK_FIGURE_AS(Index, spread_rolls, "interchanges.spread_roll", sum,
                       "interchanges of rows right of a panel by spread and roll");
  OVERLAPACK_FIGURE_AS(Index, direct_interchanges, "interchanges.direct", sum,
                       "interchanges of rows right of a panel in which each row goes straight to its rank");
  OVERLAPACK_FIGURE_AS(Index, pairwise_interchanges, "interchanges.pairwise", sum,
                       "interchanges of rows right of a panel between pairs of ranks");
  OVERLAPACK_FIGURE_AS(Index, shared_interchanges, "interchanges.shared", sum,
                       "interchanges of rows right of a panel in one superstep, each row to all who need it");
  OVERLAPACK_FIGURE(Index, overlapped_messages, sum, "messages that came while their receiver computed",
                    .label = "messages while computing");
  OVERLAPACK_FIGURE(Index, row_swaps, sum,
                    "discipline onesided: exchanges of rows between two ranks, counted on both",
                    .label = "swaps of rows");
  OVERLAPACK_FIGURE_AS(Index, lent_user, "lent.user", sum,
                       "discipline onesided: ranks whose matrix stood in a window already");
  OVERLAPACK_FIGURE_AS(Index, lent_copy, "lent.copy", sum,
                       "discipline onesided: ranks whose matrix was copied into a window, and back");
  OVERLAPACK_FIGURE_AS(Index, lent_attach, "lent.attach", sum,
                       "discipline onesided: ranks whose matrix was attached to a window where it stood");
  OVERLAPACK_FIGURE_AS(Index, blocks_in_place, "blocks.in_place", sum,
                       "discipline onesided: blocks of L and U that were read in the memory of another rank",
                       .label = "blocks read in place");
  OVERLAPACK_FIGURE_AS(Index, blocks_copied, "blocks.copied", sum,
                       "discipline onesided: blocks of L and U that came as copies",
                       .label = "blocks copied");
  OVERLAPACK_FIGURE(Index, signals, sum,
                    "discipline onesided: signals through windows; two ranks synchronise by one each");
  OVERLAPACK_FIGURE(Index, puts, sum, "discipline onesided: puts through windows");
  OVERLAPACK_FIGURE(Index, put_signals, sum, "discipline onesided: puts and signals that were one operation");
  OVERLAPACK_FIGURE(Index, gets, sum, "discipline onesided: gets through windows");
  // the cost a + b g + c l of paper 4
  OVERLAPACK_FIGURE(Index, supersteps, most, "discipline superstep: supersteps, c of the cost a + b g + c l",
                    .label = "supersteps");
  OVERLAPACK_FIGURE(
      Index, superstep_words, most,
      "b of the cost: for each superstep the most words of 8 bytes that a rank sends or receives, added up");
  OVERLAPACK_FIGURE(Index, superstep_messages, most,
                    "for each superstep the most messages that a rank sends or receives, added up; BSP does "
                    "not count them");
  OVERLAPACK_FIGURE(double, superstep_work_s, most,
                    "a of the cost: for each superstep the longest computation, added up, seconds");
  OVERLAPACK_FIGURE(double, superstep_word_s, mean,
                    "g of the cost: seconds to communicate a word, fitted over the supersteps of this run; 0 "
                    "if they do not show it");
  OVERLAPACK_FIGURE(double, superstep_sync_s, mean,
                    "l of the cost: seconds to synchronise a superstep, from the same fit");
  OVERLAPACK_FIGURE(
      Index, split_supersteps, sum,
      "discipline superstep: supersteps between whose halves a rank computed, counted on each rank");
  OVERLAPACK_FIGURE_AS(Index, scopes_of_one, "scopes.of_one", sum,
                       "Cholesky, discipline superstep: broadcasts in a group of one process, without a "
                       "superstep, counted on each rank");
  OVERLAPACK_FIGURE_AS(
      Index, scopes_of_two, "scopes.of_two", sum,
      "Cholesky, discipline superstep: broadcasts in a group of two processes, in one superstep");
  OVERLAPACK_FIGURE_AS(Index, scopes_of_more, "scopes.of_more", sum,
                       "Cholesky, discipline superstep: broadcasts in a larger group, in two supersteps");
  OVERLAPACK_FIGURE_AS(double, superstep_compute_s, "superstep_parts.compute_s", mean,
                       "discipline superstep: seconds between syncs, mean over the ranks");
  OVERLAPACK_FIGURE_AS(double, superstep_pack_s, "superstep_parts.pack_s", mean,
                       "discipline superstep: seconds to pack, unpack and move rows, mean over the ranks");
  OVERLAPACK_FIGURE_AS(double, superstep_idle_s, "superstep_parts.idle_s", mean,
                       "discipline superstep: seconds in syncs until the last rank came, mean over the "
                       "ranks; unknown, and 0, with sync known");
  OVERLAPACK_FIGURE_AS(
      double, superstep_exchange_s, "superstep_parts.exchange_s", mean,
      "discipline superstep: seconds in syncs after the last rank came, mean over the ranks");
  OVERLAPACK_FIGURES_END;
};

/// Jacobi's method and multisplitting.
struct IterationCounters {
  OVERLAPACK_FIGURES(IterationCounters);
  OVERLAPACK_FIGURE(Index, looks, same, "global residuals that were computed while iterating");
  OVERLAPACK_FIGURE(Index, snapshots, same,
                    "recorded vectors whose true residual was computed while iterating");
  OVERLAPACK_FIGURE(Index, sends, sum, "messages with a halo to a neighbour");
  OVERLAPACK_FIGURE(Index, put_sends, sum, "sends that were puts into buffers of the neighbour (OpenSHMEM)");
  OVERLAPACK_FIGURE(Index, skipped_sends, sum, "halos that were not sent because the channel was full");
  OVERLAPACK_FIGURE(Index, largest_batch, most,
                    "the most halos of one neighbour between two receives (async)");
  OVERLAPACK_FIGURE(Index, most_in_flight, most, "the most messages on their way to one neighbour (async)");
  OVERLAPACK_FIGURE(double, halo_period_mean, mean,
                    "iterations between two halos at the end, mean over the ranks");
  OVERLAPACK_FIGURE(Index, rests, sum,
                    "iterations that waited for a halo instead of solving with the same one again");
  OVERLAPACK_FIGURE(Index, slices, sum, "slices of local steps, which several threads may take");
  OVERLAPACK_FIGURE(Index, slices_by_others, sum,
                    "slices that workers, or waiting ranks of the same process, took");
  OVERLAPACK_FIGURES_END;
};

/// What multisplitting does in its blocks, all of them.
struct InnerCounters {
  OVERLAPACK_FIGURES(InnerCounters);
  OVERLAPACK_FIGURE(Index, inner_steps, sum, "steps of conjugate gradients in the blocks, all blocks");
  OVERLAPACK_FIGURE(Index, group_solves, sum, "solves with a block by several ranks, all blocks");
  OVERLAPACK_FIGURE(Index, coarse_solves, sum, "solves with the coarse level");
  OVERLAPACK_FIGURES_END;
};

#undef OVERLAPACK_FIGURES
#undef OVERLAPACK_FIGURES_END
#undef OVERLAPACK_FIGURE
#undef OVERLAPACK_FIGURE_AS

/// Has list S a figure at this line of the file?
template <class S, int line>
inline constexpr bool has_figure = requires {
  S::figure(std::integral_constant<int, line>());
};

/// The lines of list S.
template <class S>
inline constexpr auto figures_of = []<int... line>(std::integer_sequence<int, line...>) {
  std::array<Figure<S>, (has_figure<S, S::first_line + line> + ...)> all{};
  auto next = all.begin();
  const auto take = [&]<int l>(std::integral_constant<int, l> at) {
    if constexpr (has_figure<S, l>) *next++ = S::figure(at);
  };
  (take(std::integral_constant<int, S::first_line + line>()), ...);
  return all;
}
(std::make_integer_sequence<int, S::last_line - S::first_line>());

}  // namespace overlapack
