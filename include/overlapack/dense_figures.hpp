#pragma once
#include "overlapack/figure.hpp"

/// The counters of LU, Cholesky and QR of dense matrices, as a list (figure.hpp).
namespace overlapack {

/// Counters of LU, Cholesky and QR. One that a method does not have is 0.
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
      "columns that a rank updated before it took the head of the next panel, as planned (schedule parity)");
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

}  // namespace overlapack
