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
                    "seconds until every rank has its part of the tree and of the matrix");
  OVERLAPACK_FIGURE(Index, most_entries_of_rank, most,
                    "entries of A on the rank that held most: as given, by rows or in its fronts");
  OVERLAPACK_FIGURE(Index, factor_nnz, sum, "entries held for the solve");
  OVERLAPACK_FIGURE(double, flops, sum, "real operations that were done", .is_whole = true);
  OVERLAPACK_FIGURE(double, factor_bytes, sum, "of the factors, in memory and on disk, bytes",
                    .is_whole = true);
  OVERLAPACK_FIGURE(double, reserved_bytes, sum, "address space for the factors in memory, bytes",
                    .is_whole = true);
  OVERLAPACK_FIGURE(double, peak_bytes, sum, "memory of the numerical phase, bytes", .is_whole = true);
  OVERLAPACK_FIGURE(double, most_bytes_of_rank, most, "the same of the rank that has most", .is_whole = true);
  OVERLAPACK_FIGURES_END;
};

/// Fronts of the multifrontal method, also in diagonal blocks.
struct FrontFigures {
  OVERLAPACK_FIGURES(FrontFigures);
  OVERLAPACK_FIGURE(Index, fronts, sum, "of the tree");
  OVERLAPACK_FIGURE(Index, small_fronts, sum, "of these, done in one go, since they have few rows");
  OVERLAPACK_FIGURE(Index, tiled_fronts, sum, "large fronts that were eliminated tile by tile, as tasks");
  OVERLAPACK_FIGURE(Index, front_tasks, sum, "of these fronts");
  OVERLAPACK_FIGURE(
      Index, failed_columns, sum,
      "of these fronts: without a pivot in their tile, or with an entry of L in another that is too large");
  OVERLAPACK_FIGURE(Index, restored_tiles, sum, "with columns that failed, as they were before");
  OVERLAPACK_FIGURE(Index, cut_pairs, sum, "2x2 pivots of which one column failed");
  OVERLAPACK_FIGURE(Index, searched_pivots, sum, "pivots found by a search among columns that failed");
  OVERLAPACK_FIGURE(Index, sent_contributions, sum,
                    "contribution blocks of whole fronts that were handed to another rank");
  OVERLAPACK_FIGURE(Index, distributed_fronts, sum, "fronts with their rows in strips over several ranks");
  OVERLAPACK_FIGURE(Index, strips, sum, "of these fronts");
  OVERLAPACK_FIGURE(Index, forwarded, sum, "panels for strips that a strip passed on to others");
  OVERLAPACK_FIGURE(Index, shortened, sum,
                    "panels for strips that left out rows which their receiver does not need");
  OVERLAPACK_FIGURE(Index, delayed_from_strips, sum,
                    "pivots moved up out of fronts in strips, each time counted");
  OVERLAPACK_FIGURE(Index, load_news, sum, "that ranks told each other of the work they have left");
  OVERLAPACK_FIGURE(Index, stolen, sum,
                    "tasks, of one front or a small subtree, that another rank did than they were given to");
  OVERLAPACK_FIGURE(Index, pieces, sum,
                    "parts of contribution blocks that travelled to their rows in another rank's memory");
  OVERLAPACK_FIGURE(Index, limited_by_memory, sum,
                    "ranks that were given less of a front because of the memory that they held already");
  OVERLAPACK_FIGURE(Index, chain_links, sum,
                    "fronts that go on with the pivots of a long front which was split");
  OVERLAPACK_FIGURE(Index, grid_roots, sum, "roots that all ranks factorised together");
  OVERLAPACK_FIGURE(Index, delayed_to_grid, sum, "pivots moved up into such a root");
  OVERLAPACK_FIGURE(Index, parked, sum, "messages that came before one that they need, and were kept");
  OVERLAPACK_FIGURE(Index, late_receives, sum,
                    "messages that were received first for one that came too early");
  OVERLAPACK_FIGURE(Index, times_full, sum,
                    "messages that waited for room in their sender's budget (option budget)");
  OVERLAPACK_FIGURES_END;
};

/// Factors of fronts on disk (option factors).
struct DiskFigures {
  OVERLAPACK_FIGURES(DiskFigures);
  OVERLAPACK_FIGURE(Index, fronts_on_disk, sum, "fronts, and strips of fronts, whose factors are on disk");
  OVERLAPACK_FIGURE(Index, times_disk_full_budget, sum,
                    "parts of the files of factors that waited for room in the budget of what is written "
                    "(option disk_buffer)");
  OVERLAPACK_FIGURE(Index, segments_ahead, sum,
                    "parts of the files of factors that solves asked for before they were needed");
  OVERLAPACK_FIGURE(double, disk_written_bytes, sum, "to the files of factors", .is_whole = true);
  OVERLAPACK_FIGURE(double, disk_read_bytes, sum, "from these files since the factorisation",
                    .is_whole = true);
  OVERLAPACK_FIGURE(double, disk_wait_s, sum,
                    "seconds in which ranks waited for their files, since the factorisation began");
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
                    "fronts that were factorised in blocks, compressed where that pays");
  OVERLAPACK_FIGURE(Index, blocks_compressed, sum, "blocks of these fronts that are products of low rank");
  OVERLAPACK_FIGURE(Index, blocks_full, sum, "blocks of these fronts that were kept as they are");
  OVERLAPACK_FIGURE(Index, blocks_mixed, sum,
                    "compressed blocks with terms in single precision (option compression_precision)");
  OVERLAPACK_FIGURE(Index, mixed_saved_bytes, sum,
                    "memory of the factors that single precision saves in these, bytes");
  OVERLAPACK_FIGURE(Index, sum_of_ranks, sum, "ranks of the compressed blocks, added up");
  OVERLAPACK_FIGURE(Index, largest_rank, most, "of the compressed blocks");
  OVERLAPACK_FIGURE(Index, contributions_compressed, sum,
                    "contribution blocks of these fronts that waited for their parents in tiles of low rank");
  OVERLAPACK_FIGURE(Index, contributions_mixed, sum,
                    "of these contribution blocks, those with terms in single precision");
  OVERLAPACK_FIGURE(Index, low_rank_strips, sum, "strips of these fronts (fronts strips)");
  OVERLAPACK_FIGURE(Index, panel_saved_bytes, sum,
                    "panels for these strips are shorter by so many bytes, each counted once");
  OVERLAPACK_FIGURES_END;
};

/// Nodes of supernodal LU, also in diagonal blocks.
struct NodeFigures {
  OVERLAPACK_FIGURES(NodeFigures);
  OVERLAPACK_FIGURE(Index, nodes, sum, "with row and column lists of their own");
  OVERLAPACK_FIGURE(Index, columns_ahead, sum,
                    "block columns made before their own step, as each rank saw it");
  OVERLAPACK_FIGURE(Index, rows_ahead, sum, "the same of block rows");
  OVERLAPACK_FIGURE(Index, direct_products, sum,
                    "products of an update that were computed where they are added");
  OVERLAPACK_FIGURE(Index, subtree_nodes, sum,
                    "of the nodes: in leaf subtrees on one rank, eliminated without a message");
  OVERLAPACK_FIGURE(Index, border_messages, sum,
                    "with what these add to the nodes above them, one a pair of ranks");
  OVERLAPACK_FIGURE(Index, panel_messages, sum,
                    "of one factorisation, known from the lists: panels, squares, borders of subtrees");
  OVERLAPACK_FIGURE(Index, panel_bytes, sum, "of these messages");
  OVERLAPACK_FIGURES_END;
};

/// Diagonal blocks of a block triangular form, and its columns.
struct BlockFigures {
  OVERLAPACK_FIGURES(BlockFigures);
  OVERLAPACK_FIGURE(Index, diagonal_blocks, same, "of the block triangular form");
  OVERLAPACK_FIGURE(Index, column_blocks, same, "of these, factorised column by column, on one rank");
  OVERLAPACK_FIGURE(Index, largest_block, same, "unknowns of the largest of these");
  OVERLAPACK_FIGURE(
      Index, predicted_columns, same,
      "of the last factorisation: columns whose pivot and pattern were as the analysis predicted");
  OVERLAPACK_FIGURE(Index, shared_columns, same,
                    "of the last factorisation whose pivots were known or predicted: columns whose numbers "
                    "several ranks could compute at the same time");
  OVERLAPACK_FIGURES_END;
};

struct PivotFigures {
  OVERLAPACK_FIGURES(PivotFigures);
  OVERLAPACK_FIGURE_AS(Index, delayed, "pivots.delayed", sum,
                       "moved up to a parent front, each time counted");
  OVERLAPACK_FIGURE_AS(Index, perturbed, "pivots.perturbed", sum,
                       "replaced by a larger number (option perturbation, factorization quasidefinite)");
  OVERLAPACK_FIGURE_AS(Index, wrong_sign, "pivots.wrong_sign", sum,
                       "of these: their sign was not that of the option signs");
  OVERLAPACK_FIGURE_AS(Index, exchanged, "pivots.exchanged", sum,
                       "not on the diagonal of their node's square");
  OVERLAPACK_FIGURE_AS(Index, two_by_two, "pivots.two_by_two", sum, "pairs of variables eliminated together");
  OVERLAPACK_FIGURE_AS(Index, null, "pivots.null", sum, "found to be zero");
  OVERLAPACK_FIGURE_AS(Index, rounding, "pivots.rounding", sum,
                       "of which rounding or nothing was left (option singular)");
  OVERLAPACK_FIGURE_AS(Index, zero, "pivots.zero", sum, "of these: nothing, so that they were replaced");
  OVERLAPACK_FIGURE_AS(Index, negative, "pivots.negative", sum,
                       "negative eigenvalues (symmetric and Hermitian matrices)");
  OVERLAPACK_FIGURE_AS(Index, off_diagonal, "pivots.off_diagonal", same,
                       "not the entry that the matching put on the diagonal");
  OVERLAPACK_FIGURE_AS(Index, kept, "pivots.kept", same,
                       "by refactorize, which found them still large enough");
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
                    "pivot_search tournament: the largest entry of U over that of A; else, and by shapes, 0");
  OVERLAPACK_FIGURE(Index, panels, sum, "that were factorised, each on the ranks of a process column");
  OVERLAPACK_FIGURE(Index, wide_panels, sum,
                    "of several distributed blocks, which several process columns factorised",
                    .label = "wide");
  OVERLAPACK_FIGURE(Index, panels_ahead, sum, "factorised before the update of an earlier one was finished",
                    .label = "ahead");
  OVERLAPACK_FIGURE(Index, split_updates, sum,
                    "updates of which half ran while the rows of the other half travelled",
                    .label = "split updates");
  OVERLAPACK_FIGURE(Index, opposite_phases, sum, "in which a rank computed while its node mates communicated",
                    .label = "in opposite phases");
  OVERLAPACK_FIGURE(Index, rearranged_lower, sum, "panels whose L travelled in parts, by way of node mates");
  OVERLAPACK_FIGURE(Index, rearranged_upper, sum, "the same of U");
  OVERLAPACK_FIGURE_AS(Index, binary_exchanges, "interchanges.binary_exchange", sum,
                       "of rows right of a panel, by their kind");
  OVERLAPACK_FIGURE_AS(Index, spread_rolls, "interchanges.spread_roll", sum, "the same");
  OVERLAPACK_FIGURE_AS(Index, direct_interchanges, "interchanges.direct", sum, "the same");
  OVERLAPACK_FIGURE_AS(Index, pairwise_interchanges, "interchanges.pairwise", sum, "the same");
  OVERLAPACK_FIGURE_AS(Index, shared_interchanges, "interchanges.shared", sum, "the same");
  OVERLAPACK_FIGURE(Index, overlapped_messages, sum, "that came while their receiver computed",
                    .label = "messages while computing");
  OVERLAPACK_FIGURE(Index, row_swaps, sum,
                    "discipline onesided: exchanges of rows between two ranks, counted on both",
                    .label = "swaps of rows");
  OVERLAPACK_FIGURE_AS(Index, lent_user, "lent.user", sum,
                       "discipline onesided: ranks whose matrix stood in a window already");
  OVERLAPACK_FIGURE_AS(Index, lent_copy, "lent.copy", sum, "the same: was copied into a window, and back");
  OVERLAPACK_FIGURE_AS(Index, lent_attach, "lent.attach", sum, "the same: was attached where it stood");
  OVERLAPACK_FIGURE_AS(Index, blocks_in_place, "blocks.in_place", sum,
                       "discipline onesided: of L and U, read where they stand in the memory of another rank",
                       .label = "blocks read in place");
  OVERLAPACK_FIGURE_AS(Index, blocks_copied, "blocks.copied", sum, "the same: that came as copies",
                       .label = "blocks copied");
  OVERLAPACK_FIGURE(Index, signals, sum,
                    "discipline onesided: through windows; two ranks synchronise by one each");
  OVERLAPACK_FIGURE(Index, puts, sum, "the same: through windows");
  OVERLAPACK_FIGURE(Index, put_signals, sum, "the same: puts and signals that were one operation");
  OVERLAPACK_FIGURE(Index, gets, sum, "discipline onesided: through windows");
  // the cost a + b g + c l of paper 4
  OVERLAPACK_FIGURE(Index, supersteps, most, "discipline superstep: how many; c of the cost a + b g + c l",
                    .label = "supersteps");
  OVERLAPACK_FIGURE(Index, superstep_words, most,
                    "b: of each superstep the most words of 8 bytes that a rank sends or receives, summed");
  OVERLAPACK_FIGURE(
      Index, superstep_messages, most,
      "of each superstep the most messages that a rank sends or receives, summed: BSP does not count them");
  OVERLAPACK_FIGURE(double, superstep_work_s, most,
                    "a: of each superstep the longest computation, summed, seconds");
  OVERLAPACK_FIGURE(
      double, superstep_word_s, mean,
      "g: seconds a word of communicating and synchronising, fitted over the supersteps of this run; "
      "0 where they do not tell");
  OVERLAPACK_FIGURE(double, superstep_sync_s, mean, "l: seconds a superstep, by the same fit");
  OVERLAPACK_FIGURE(Index, split_supersteps, sum,
                    "discipline superstep: between whose halves a rank computed, counted on each");
  OVERLAPACK_FIGURE_AS(Index, scopes_of_one, "scopes.of_one", sum,
                       "Cholesky by discipline superstep: broadcasts among one process, without a superstep, "
                       "counted on each rank");
  OVERLAPACK_FIGURE_AS(Index, scopes_of_two, "scopes.of_two", sum, "the same among two, in one superstep");
  OVERLAPACK_FIGURE_AS(Index, scopes_of_more, "scopes.of_more", sum, "the same among more, in two");
  OVERLAPACK_FIGURE_AS(double, superstep_compute_s, "superstep_parts.compute_s", mean,
                       "discipline superstep: the time in parts, means over the ranks: between syncs");
  OVERLAPACK_FIGURE_AS(double, superstep_pack_s, "superstep_parts.pack_s", mean,
                       "packing and unpacking rows, and moving those that stay");
  OVERLAPACK_FIGURE_AS(double, superstep_idle_s, "superstep_parts.idle_s", mean,
                       "in syncs, until the last rank came; with sync known that is not known, and 0");
  OVERLAPACK_FIGURE_AS(double, superstep_exchange_s, "superstep_parts.exchange_s", mean,
                       "communicating and synchronising: in syncs, from then on");
  OVERLAPACK_FIGURES_END;
};

/// Jacobi's method and multisplitting.
struct IterationCounters {
  OVERLAPACK_FIGURES(IterationCounters);
  OVERLAPACK_FIGURE(Index, looks, same, "global residuals on the way");
  OVERLAPACK_FIGURE(Index, snapshots, same,
                    "recorded vectors whose true residual was computed while iterating");
  OVERLAPACK_FIGURE(Index, sends, sum, "of a halo to a neighbour");
  OVERLAPACK_FIGURE(Index, put_sends, sum, "of these, by puts into the neighbour's buffers (OpenSHMEM)");
  OVERLAPACK_FIGURE(Index, skipped_sends, sum, "because the channel was full");
  OVERLAPACK_FIGURE(Index, largest_batch, most, "most halos of one neighbour between two receives (async)");
  OVERLAPACK_FIGURE(Index, most_in_flight, most, "most messages on their way to one neighbour (async)");
  OVERLAPACK_FIGURE(double, halo_period_mean, mean, "at the end");
  OVERLAPACK_FIGURE(Index, rests, sum,
                    "iterations that waited for a halo instead of solving with the same one again");
  OVERLAPACK_FIGURE(Index, slices, sum, "of local steps");
  OVERLAPACK_FIGURE(Index, slices_by_others, sum,
                    "of these, run by workers and waiting ranks of the same process");
  OVERLAPACK_FIGURES_END;
};

/// What multisplitting does in its blocks, all of them.
struct InnerCounters {
  OVERLAPACK_FIGURES(InnerCounters);
  OVERLAPACK_FIGURE(Index, inner_steps, sum, "of conjugate gradients, all blocks");
  OVERLAPACK_FIGURE(Index, group_solves, sum, "solves with a block by several ranks, all blocks");
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
