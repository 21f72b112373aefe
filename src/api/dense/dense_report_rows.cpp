#include "api/report_field.hpp"
#include "api/report_rows.hpp"
#include "dense/factor_result.hpp"

#include <utility>

namespace overlapack::api {
namespace {

using dense::FactorResult;

/// A count that adds up over the ranks; told: what the command line's text calls it.
ReportEntry counted_entry(std::string_view name, ReportField field, Counter<FactorResult> counter,
                          std::string_view help, std::string_view told = {}) {
  return {.name = name,
          .field = std::move(field),
          .help = help,
          .over = Over::sum,
          .told = told,
          .counters = {std::move(counter)}};
}

/// What all ranks know alike.
ReportEntry largest_of_ranks(std::string_view name, ReportField field, Counter<FactorResult> counter,
                             std::string_view help, std::string_view told = {}) {
  ReportEntry entry = counted_entry(name, std::move(field), std::move(counter), help, told);
  entry.over = Over::most;
  return entry;
}

}  // namespace

std::vector<ReportEntry> dense_rows() {
  const auto at = report_fields_of(&Report::dense);
  return rows_of(
      Part::dense, {Method::dense},
      {
          {.name = "rows", .field = at(&DenseFigures::rows), .help = "of the matrix; its columns are n"},
          {.name = "grid", .field = at(&DenseFigures::grid), .help = "process rows x columns: 2x3"},
          {.name = "grid_order",
           .field = at(&DenseFigures::grid_order),
           .help = "in which ranks fill the grid: rows, columns; empty where the caller dealt the matrix"},
          {.name = "block", .field = at(&DenseFigures::block), .help = "order of the dealt blocks"},
          {.name = "schedule", .field = at(&DenseFigures::schedule), .help = "what was used"},
          {.name = "discipline", .field = at(&DenseFigures::discipline), .help = "how data moved"},
          {.name = "depth",
           .field = at(&DenseFigures::depth),
           .help = "panels ahead, where the schedule has any"},
          {.name = "broadcast", .field = at(&DenseFigures::broadcast), .help = "what was used"},
          {.name = "gflops",
           .field = at(&DenseFigures::gflops),
           .help =
               "10^9 operations a second of the factorisation (`overlapack dense`: with the solve), by HPL's "
               "count"},
          {.name = "scaled_residual",
           .field = at(&DenseFigures::scaled_residual),
           .help = "`overlapack dense`: ||Ax-b||_oo / (eps (||A||_oo ||x||_oo + ||b||_oo) n), eps = 2^-53 in "
                   "double",
           .may_be_null = true},
          largest_of_ranks(
              "growth", at(&DenseFigures::growth), {{&FactorResult::growth}},
              "pivot_search tournament: the largest entry of U over that of A; else, and by shapes, 0"),
          {.name = "factor_residual",
           .field = at(&DenseFigures::factor_residual),
           .help = "`overlapack dense --factorization qr`: ||A-QR||_1 / (||A||_1 max(m, n) eps), eps = 2^-53 "
                   "in double",
           .may_be_null = true},
          {.name = "orthogonality",
           .field = at(&DenseFigures::orthogonality),
           .help = "`overlapack dense --factorization qr`: ||Q^H Q - I||_1 / (max(m, n) eps) of Q's first n "
                   "columns",
           .may_be_null = true},
          {.name = "residual_norm",
           .field = at(&DenseFigures::residual_norm),
           .help = "least squares: ||b-Ax||_2 of the worst right-hand side",
           .may_be_null = true},
          {.name = "optimality",
           .field = at(&DenseFigures::optimality),
           .help = "least squares: ||A^H(b-Ax)||_oo / (||A||_1 (||A||_oo ||x||_oo + ||b||_oo)), 0 at the "
                   "least ||b-Ax||_2",
           .may_be_null = true},
          {.name = "computing_with_mate",
           .field = at(&DenseFigures::computing_with_mate),
           .help = "of the time in which ranks compute, the share in which a mate on the same node does, "
                   "too; known where "
                   "events are kept (`--trace`)",
           .may_be_null = true},
          counted_entry("panels", at(&DenseFigures::panels), {{&FactorResult::panels}},
                        "that were factorised, each on the ranks of a process column"),
          counted_entry("wide_panels", at(&DenseFigures::wide_panels), {{&FactorResult::wide_panels}},
                        "of several dealt blocks, which several process columns factorised", "wide"),
          counted_entry("panels_ahead", at(&DenseFigures::panels_ahead), {{&FactorResult::panels_ahead}},
                        "factorised before the update of an earlier one was finished", "ahead"),
          counted_entry("split_updates", at(&DenseFigures::split_updates), {{&FactorResult::split_updates}},
                        "updates of which half ran while the rows of the other half travelled",
                        "split updates"),
          counted_entry("opposite_phases", at(&DenseFigures::opposite_phases),
                        {{&FactorResult::opposite_phases}},
                        "in which a rank computed while its node mates communicated", "in opposite phases"),
          counted_entry("rearranged_panels", at(&DenseFigures::rearranged_panels),
                        {{&FactorResult::rearranged_lower, &FactorResult::rearranged_upper}},
                        "whose L or U travelled in parts, by way of node mates",
                        "in parts by way of node mates"),
          counted_entry("interchanges.binary_exchange", at(&DenseFigures::binary_exchanges),
                        {{&FactorResult::binary_exchanges}}, "of rows right of a panel, by their kind"),
          counted_entry("interchanges.spread_roll", at(&DenseFigures::spread_rolls),
                        {{&FactorResult::spread_rolls}}, "the same"),
          counted_entry("interchanges.direct", at(&DenseFigures::direct_interchanges),
                        {{&FactorResult::direct_interchanges}}, "the same"),
          counted_entry("interchanges.pairwise", at(&DenseFigures::pairwise_interchanges),
                        {{&FactorResult::pairwise_interchanges}}, "the same"),
          counted_entry("interchanges.shared", at(&DenseFigures::shared_interchanges),
                        {{&FactorResult::shared_interchanges}}, "the same"),
          counted_entry("overlapped_messages", at(&DenseFigures::overlapped_messages),
                        {{&FactorResult::overlapped_messages}}, "that came while their receiver computed",
                        "messages while computing"),
          counted_entry("row_swaps", at(&DenseFigures::row_swaps), {{&FactorResult::row_swaps}},
                        "discipline onesided: exchanges of rows between two ranks, counted on both",
                        "swaps of rows"),
          counted_entry("lent.user", at(&DenseFigures::lent_user), {{&FactorResult::lent_user}},
                        "discipline onesided: ranks whose matrix stood in a window already"),
          counted_entry("lent.copy", at(&DenseFigures::lent_copy), {{&FactorResult::lent_copy}},
                        "the same: was copied into a window, and back"),
          counted_entry("lent.attach", at(&DenseFigures::lent_attach), {{&FactorResult::lent_attach}},
                        "the same: was attached where it stood"),
          counted_entry(
              "blocks.in_place", at(&DenseFigures::blocks_in_place), {{&FactorResult::blocks_in_place}},
              "discipline onesided: of L and U, read where they stand in the memory of another rank",
              "blocks read in place"),
          counted_entry("blocks.copied", at(&DenseFigures::blocks_copied), {{&FactorResult::blocks_copied}},
                        "the same: that came as copies", "blocks copied"),
          counted_entry("signals", at(&DenseFigures::signals), {{&FactorResult::signals}},
                        "discipline onesided: through windows; two ranks synchronise by one each"),
          counted_entry("puts", at(&DenseFigures::puts), {{&FactorResult::puts}},
                        "the same: through windows"),
          counted_entry("put_signals", at(&DenseFigures::put_signals), {{&FactorResult::put_signals}},
                        "the same: puts and signals that were one operation"),
          counted_entry("gets", at(&DenseFigures::gets), {{&FactorResult::gets}},
                        "discipline onesided: through windows"),
          largest_of_ranks("supersteps", at(&DenseFigures::supersteps), {{&FactorResult::supersteps}},
                           "discipline superstep: how many; c of the cost a + b g + c l", "supersteps"),
          largest_of_ranks(
              "superstep_words", at(&DenseFigures::superstep_words), {{&FactorResult::superstep_words}},
              "b: of each superstep the most words of 8 bytes that a rank sends or receives, summed"),
          largest_of_ranks(
              "superstep_messages", at(&DenseFigures::superstep_messages),
              {{&FactorResult::superstep_messages}},
              "of each superstep the most messages that a rank sends or receives, summed: BSP does "
              "not count them"),
          largest_of_ranks("superstep_work_s", at(&DenseFigures::superstep_work_s),
                           {{&FactorResult::superstep_work_s}},
                           "a: of each superstep the longest computation, summed, seconds"),
          counted_entry("split_supersteps", at(&DenseFigures::split_supersteps),
                        {{&FactorResult::split_supersteps}},
                        "discipline superstep: between whose halves a rank computed, counted on each"),
          counted_entry(
              "scopes.of_one", at(&DenseFigures::scopes_of_one), {{&FactorResult::scopes_of_one}},
              "Cholesky by discipline superstep: broadcasts among one process, without a superstep, counted "
              "on each rank"),
          counted_entry("scopes.of_two", at(&DenseFigures::scopes_of_two), {{&FactorResult::scopes_of_two}},
                        "the same among two, in one superstep"),
          counted_entry("scopes.of_more", at(&DenseFigures::scopes_of_more),
                        {{&FactorResult::scopes_of_more}}, "the same among more, in two"),
          counted_entry("superstep_parts.compute_s", at(&DenseFigures::superstep_compute_s),
                        {{&FactorResult::superstep_compute_s}},
                        "discipline superstep: the time in parts, means over the ranks: between syncs"),
          counted_entry("superstep_parts.pack_s", at(&DenseFigures::superstep_pack_s),
                        {{&FactorResult::superstep_pack_s}},
                        "packing and unpacking rows, and moving those that stay"),
          counted_entry("superstep_parts.idle_s", at(&DenseFigures::superstep_idle_s),
                        {{&FactorResult::superstep_idle_s}},
                        "in syncs, until the last rank came; with sync known that is not known, and 0"),
          counted_entry("superstep_parts.exchange_s", at(&DenseFigures::superstep_exchange_s),
                        {{&FactorResult::superstep_exchange_s}},
                        "communicating and synchronising: in syncs, from then on"),
      });
}

}  // namespace overlapack::api
