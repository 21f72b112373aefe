#include "api/report_rows.hpp"

#include "api/iterative/iteration_report.hpp"
#include "api/report_field.hpp"
#include "sparse/factors/factor_stats.hpp"

#include <utility>

/// The rows of the table of reports, a function for each group.
namespace overlapack::api {
namespace {

using nlohmann::ordered_json;
using sparse::BlockCounts;
using sparse::FactorStats;
using sparse::FrontCounts;
using sparse::NodeCounts;
using Rows = std::vector<ReportEntry>;

const std::vector<Method> fronts{Method::multifrontal};
const std::vector<Method> by_blocks{Method::block_triangular};
const std::vector<Method> with_ldlt{Method::multifrontal, Method::block_triangular};
const std::vector<Method> by_nodes{Method::supernodal};
const std::vector<Method> sparse_factors{Method::multifrontal, Method::block_triangular, Method::supernodal};
const std::vector<Method> factors{Method::multifrontal, Method::block_triangular, Method::supernodal,
                                  Method::dense};
const std::vector<Method> with_factors{Method::multifrontal, Method::block_triangular, Method::supernodal,
                                       Method::dense, Method::multisplitting};

ordered_json traffic(const Traffic& t) {
  return {{"messages", t.messages},
          {"bytes", whole_json(t.bytes)},
          {"largest_bytes", whole_json(t.largest_bytes)}};
}

ordered_json by_kind(const std::vector<KindTraffic>& kinds) {
  ordered_json object = ordered_json::object();
  for (const KindTraffic& kind : kinds) object[kind.kind] = traffic(kind);
  return object;
}

ordered_json by_rank(const std::vector<RankTraffic>& ranks) {
  ordered_json list = ordered_json::array();
  for (const RankTraffic& r : ranks) {
    ordered_json object = traffic(r);
    object.update({{"compute_s", number_json(r.compute_s)},
                   {"communication_s", number_json(r.communication_s)},
                   {"idle_s", number_json(r.idle_s)},
                   {"kinds", by_kind(r.kinds)}});
    list.push_back(std::move(object));
  }
  return list;
}

ordered_json by_part(const std::vector<trace::PathPart>& parts) {
  ordered_json list = ordered_json::array();
  for (const trace::PathPart& part : parts)
    list.push_back({{"what", part.what},
                    {"kind", part.kind},
                    {"seconds", number_json(part.seconds)},
                    {"share", number_json(part.share)},
                    {"links", part.links}});
  return list;
}

/// A count of the multifrontal method that adds up over its ranks.
template <class S>
ReportEntry summed(std::string_view name, ReportField field, Index S::*from, std::string_view help,
                   const std::vector<Method>& methods = fronts) {
  return {.name = name,
          .field = std::move(field),
          .help = help,
          .over = Over::sum,
          .methods = methods,
          .counters = {counted<S>(from)}};
}

Rows problem_rows() {
  return {
      {.name = "status",
       .field = {.type = "str", .json = [](const Report& r) -> ordered_json { return to_string(r.status); }},
       .help = "ok, ill_conditioned, inaccurate, singular, not_converged, out_of_memory, bad_input, "
               "bad_plan, comm_failure, "
               "cancelled, internal"},
      {.name = "message", .field = field(&Report::message), .help = "one sentence when status is not ok"},
      {.name = "advice",
       .field = {.type = "str", .json = [](const Report& r) -> ordered_json { return advice(r); }},
       .help = "one sentence where most of the time went to waiting, analysis or refinement"},
      {.name = "n", .field = field(&Report::n), .help = "order of the matrix"},
      {.name = "nnz", .field = field(&Report::nnz), .help = "entries of A as held, both triangles"},
      {.name = "type", .field = field(&Report::type), .help = "float32, float64, complex64, complex128"},
      {.name = "symmetry",
       .field = field(&Report::symmetry),
       .help = "as found in the entries: general, symmetric, skew, hermitian"},
      {.name = "method", .field = field(&Report::method), .help = "what was used"},
      {.name = "factorization",
       .field = field(&Report::factorization),
       .help = "lu, ldlt, cholesky",
       .methods = factors},
      {.name = "ordering",
       .field = field(&Report::ordering),
       .help = "what was used",
       .methods = sparse_factors},
      {.name = "matching",
       .field = field(&Report::matching),
       .help = "what was used",
       .methods = sparse_factors},
      {.name = "scaling",
       .field = field(&Report::scaling),
       .help = "matching, ruiz, off",
       .methods = sparse_factors},
      {.name = "precision",
       .field = {.type = "str",
                 .json = [](const Report& r) -> ordered_json {
                   return r.dense ? r.dense->precision : r.precision;
                 }},
       .help = "of the factors: that of the type, or its single precision",
       .methods = factors},
      {.name = "engine", .field = field(&Report::engine), .help = "what carried messages"},
      {.name = "ranks", .field = field(&Report::ranks), .help = "that took part"},
      {.name = "workers", .field = field(&Report::workers), .help = "helper threads, as the option workers"},
      {.name = "simulated",
       .field = field(&Report::simulated),
       .help = "times are those of a simulated machine"},
      {.name = "policy",
       .field = field(&Report::policy),
       .help = "simulated by shapes only: where what depends on the data came from; else empty"},
      {.name = "choice",
       .field = field(&Report::choice),
       .help = "method auto, where columns, or on one rank nodes, were compared with fronts, and discipline "
               "auto: "
               "what was compared, what was chosen, and why; else empty",
       .methods = factors},
      {.name = "falls_back",
       .field = field(&Report::falls_back),
       .help = "factorisations by fronts after one, as auto had chosen, by nodes that was not sure or not "
               "accurate, or by columns that filled in too much",
       .methods = sparse_factors},
  };
}

Rows cost_rows() {
  return {
      {.name = "analysis_s",
       .field = field(&Report::analysis_s),
       .help = "seconds of the analysis",
       .may_be_null = true},
      {.name = "factor_s", .field = field(&Report::factor_s), .help = "seconds of the factorisation"},
      {.name = "deal_s",
       .field = field(&Report::deal_s),
       .help = "of these: until every rank has its part of the tree and of the matrix",
       .over = Over::most,
       .methods = {Method::multifrontal, Method::supernodal},
       .counters = {counted<FactorStats>(&FactorStats::deal_s)}},
      {.name = "solve_s",
       .field = field(&Report::solve_s),
       .help = "seconds of the last solve, with refinement",
       .may_be_null = true},
      {.name = "fronts",
       .field = field(&Report::fronts),
       .help = "of the tree",
       .over = Over::sum,
       .methods = {Method::multifrontal, Method::block_triangular, Method::multisplitting},
       .counters = {counted<FrontCounts>(&FrontCounts::fronts), counted<BlockTotals>(&BlockTotals::fronts)}},
      summed("small_fronts", field(&Report::small_fronts), &FrontCounts::small_fronts,
             "of these, done in one go, since they have few rows"),
      summed("distributed_fronts", field(&Report::distributed_fronts), &FrontCounts::distributed_fronts,
             "of these, with their rows in strips over several ranks"),
      summed("strips", field(&Report::strips), &FrontCounts::strips, "of these fronts"),
      summed("load_news", field(&Report::load_news), &FrontCounts::load_messages,
             "that ranks told each other of the work they have left"),
      summed("stolen", field(&Report::stolen), &FrontCounts::stolen,
             "tasks, of one front or a small subtree, that another rank did than they were given to"),
      summed("pieces", field(&Report::pieces), &FrontCounts::pieces,
             "parts of contribution blocks that travelled to their rows in another rank's memory"),
      summed("limited_by_memory", field(&Report::limited_by_memory), &FrontCounts::limited_by_memory,
             "ranks that were given less of a front because of the memory that they held already"),
      summed("chain_links", field(&Report::chain_links), &FrontCounts::chain_links,
             "fronts that go on with the pivots of a long front which was split"),
      summed("grid_roots", field(&Report::grid_roots), &FrontCounts::grid_roots,
             "roots that all ranks factorised together"),
      summed("nodes", field(&Report::nodes), &NodeCounts::nodes, "with row and column lists of their own",
             by_nodes),
      summed("columns_ahead", field(&Report::columns_ahead), &NodeCounts::columns_ahead,
             "block columns made before their own step, as each rank saw it", by_nodes),
      summed("rows_ahead", field(&Report::rows_ahead), &NodeCounts::rows_ahead, "the same of block rows",
             by_nodes),
      summed("direct_products", field(&Report::direct_products), &NodeCounts::direct_products,
             "products of an update that were computed where they are added", by_nodes),
      summed("subtree_nodes", field(&Report::subtree_nodes), &NodeCounts::subtree_nodes,
             "of the nodes: in leaf subtrees on one rank, eliminated without a message", by_nodes),
      summed("border_messages", field(&Report::border_messages), &NodeCounts::border_messages,
             "with what these add to the nodes above them, one a pair of ranks", by_nodes),
      summed("panel_messages", field(&Report::panel_messages), &NodeCounts::panel_messages,
             "of one factorisation, known from the lists: panels, squares, borders of subtrees", by_nodes),
      summed("panel_bytes", field(&Report::panel_bytes), &NodeCounts::panel_bytes, "of these messages",
             by_nodes),
      {.name = "diagonal_blocks",
       .field = field(&Report::diagonal_blocks),
       .help = "of the block triangular form",
       .methods = by_blocks,
       .counters = {counted<BlockCounts>(&BlockCounts::diagonal_blocks)}},
      {.name = "column_blocks",
       .field = field(&Report::column_blocks),
       .help = "of these, factorised column by column, on one rank",
       .methods = by_blocks,
       .counters = {counted<BlockCounts>(&BlockCounts::column_blocks)}},
      {.name = "largest_block",
       .field = field(&Report::largest_block),
       .help = "unknowns of the largest of these",
       .methods = by_blocks,
       .counters = {counted<BlockCounts>(&BlockCounts::largest_block)}},
      {.name = "predicted_columns",
       .field = field(&Report::predicted_columns),
       .help = "of the last factorisation: columns whose pivot and pattern were as the analysis predicted",
       .methods = by_blocks,
       .counters = {counted<BlockCounts>(&BlockCounts::predicted_columns)}},
      {.name = "shared_columns",
       .field = field(&Report::shared_columns),
       .help = "of the last factorisation whose pivots were known or predicted: columns whose numbers "
               "several ranks "
               "could compute at the same time",
       .methods = by_blocks,
       .counters = {counted<BlockCounts>(&BlockCounts::shared_columns)}},
      summed("parked", field(&Report::parked), &FrontCounts::parked,
             "messages that came before one that they need, and were kept"),
      summed("late_receives", field(&Report::late_receives), &FrontCounts::late_receives,
             "messages that were received first for one that came too early"),
      summed("times_full", field(&Report::times_full), &FrontCounts::times_full,
             "messages that waited for room in their sender's budget (option budget)"),
      {.name = "most_entries_of_rank",
       .field = field(&Report::most_entries_of_rank),
       .help = "of A, that one rank held: as given, by rows or in its fronts",
       .over = Over::most,
       .methods = sparse_factors},
      {.name = "predicted_factor_nnz",
       .field = field(&Report::predicted_factor_nnz),
       .help = "entries of the factors without delayed pivots",
       .methods = sparse_factors},
      {.name = "predicted_flops",
       .field = whole(&Report::predicted_flops),
       .help = "real operations of the factorisation without delayed pivots",
       .methods = factors},
      {.name = "shared_flops",
       .field = whole(&Report::shared_flops),
       .help = "of these, in fronts and nodes, whose work ranks share; below 1e7 ranks 0 means one",
       .methods = sparse_factors},
      {.name = "predicted_bytes",
       .field = whole(&Report::predicted_bytes),
       .help = "memory of the numerical phase, bytes; with compression if nothing compresses",
       .over = Over::sum},
      {.name = "predicted_least_bytes",
       .field = whole(&Report::predicted_least_bytes),
       .help = "with compression: the same however well blocks compress; else 0",
       .over = Over::sum,
       .methods = fronts},
      {.name = "predicted_disk_memory_bytes",
       .field = whole(&Report::predicted_disk_memory_bytes),
       .help = "the same with factors on disk (option factors)",
       .methods = fronts},
      {.name = "predicted_scratch_bytes",
       .field = whole(&Report::predicted_scratch_bytes),
       .help = "what factors take on disk",
       .methods = fronts},
      {.name = "factors",
       .field = field(&Report::factors),
       .help = "where they are: memory, disk",
       .methods = sparse_factors},
      summed("fronts_on_disk", field(&Report::fronts_on_disk), &FrontCounts::fronts_on_disk,
             "fronts, and strips of fronts, whose factors are there"),
      summed("times_disk_full_budget", field(&Report::times_disk_full_budget),
             &FrontCounts::times_disk_full_budget,
             "parts of the files that waited for room in the budget of what is written (option disk_buffer)"),
      summed("segments_ahead", field(&Report::segments_ahead), &FactorStats::segments_ahead,
             "parts of the files that solves asked for before they were needed"),
      {.name = "disk_written_bytes",
       .field = whole(&Report::disk_written_bytes),
       .help = "to the files of factors",
       .over = Over::sum,
       .methods = fronts,
       .counters = {counted<FactorStats>(&FactorStats::disk_written_bytes)}},
      {.name = "disk_read_bytes",
       .field = whole(&Report::disk_read_bytes),
       .help = "from these files since the factorisation",
       .over = Over::sum,
       .methods = fronts,
       .counters = {counted<FactorStats>(&FactorStats::disk_read_bytes)}},
      {.name = "disk_wait_s",
       .field = field(&Report::disk_wait_s),
       .help = "seconds in which ranks waited for their files, since the factorisation began",
       .over = Over::sum,
       .methods = fronts,
       .counters = {counted<FactorStats>(&FactorStats::disk_wait_s)}},
      {.name = "factor_nnz",
       .field = field(&Report::factor_nnz),
       .help = "entries held for the solve",
       .over = Over::sum,
       .methods = with_factors,
       .counters = {counted<FactorStats>(&FactorStats::factor_nnz),
                    counted<BlockTotals>(&BlockTotals::factor_nnz)}},
      {.name = "flops",
       .field = whole(&Report::flops),
       .help = "real operations that were done",
       .over = Over::sum,
       .counters = {counted<FactorStats>(&FactorStats::flops), counted<BlockTotals>(&BlockTotals::flops)}},
      {.name = "full_rank_nnz",
       .field = whole(&Report::full_rank_nnz),
       .help = "what factor_nnz would be without compression (option compression)",
       .over = Over::sum,
       .methods = fronts,
       .counters = {counted<FactorStats>(&FactorStats::full_rank_nnz)}},
      {.name = "full_rank_flops",
       .field = whole(&Report::full_rank_flops),
       .help = "what flops would be without compression",
       .over = Over::sum,
       .methods = fronts,
       .counters = {counted<FactorStats>(&FactorStats::full_rank_flops)}},
      summed("low_rank_fronts", field(&Report::low_rank_fronts), &FrontCounts::low_rank_fronts,
             "fronts that were factorised in blocks, compressed where that pays"),
      summed("blocks_compressed", field(&Report::blocks_compressed), &FrontCounts::blocks_compressed,
             "blocks of these fronts that are products of low rank"),
      summed("blocks_full", field(&Report::blocks_full), &FrontCounts::blocks_full,
             "blocks of these fronts that were kept as they are"),
      summed("blocks_mixed", field(&Report::blocks_mixed), &FrontCounts::blocks_mixed,
             "compressed blocks with terms in single precision (option compression_precision)"),
      summed("mixed_saved_bytes", field(&Report::mixed_saved_bytes), &FrontCounts::mixed_saved_bytes,
             "memory of the factors that single precision saves in these, bytes"),
      summed("contributions_compressed", field(&Report::contributions_compressed),
             &FrontCounts::contributions_compressed,
             "contribution blocks of these fronts that waited for their parents in tiles of low rank"),
      summed("low_rank_strips", field(&Report::low_rank_strips), &FrontCounts::low_rank_strips,
             "strips of these fronts (fronts strips)"),
      summed("panel_saved_bytes", field(&Report::panel_saved_bytes), &FrontCounts::panel_saved_bytes,
             "panels for these strips are shorter by so many bytes, each counted once"),
      {.name = "mean_rank",
       .field = field(&Report::mean_rank),
       .help = "of the compressed blocks",
       .methods = fronts},
      {.name = "largest_rank",
       .field = field(&Report::largest_rank),
       .help = "of the compressed blocks",
       .over = Over::most,
       .methods = fronts,
       .counters = {counted<FactorStats>(&FactorStats::largest_rank)}},
      {.name = "peak_bytes",
       .field = whole(&Report::peak_bytes),
       .help = "memory of the numerical phase, bytes",
       .over = Over::sum,
       .counters = {counted<FactorStats>(&FactorStats::peak_bytes),
                    counted<BlockTotals>(&BlockTotals::peak_bytes)}},
      {.name = "most_bytes_of_rank",
       .field = whole(&Report::most_bytes_of_rank),
       .help = "the same of the rank that has most",
       .over = Over::most,
       .methods = sparse_factors,
       .counters = {counted<FactorStats>(&FactorStats::most_bytes_of_rank)}},
  };
}

Rows pivot_rows() {
  const auto at = report_fields_of(&Report::pivots);
  ReportField negative = at(&PivotCounts::negative);
  negative.json = [](const Report& r) {
    return r.policy.empty() ? ordered_json(r.pivots.negative) : ordered_json();
  };
  return {
      summed("pivots.delayed", at(&PivotCounts::delayed), &FrontCounts::pivots_delayed,
             "moved up to a parent front, each time counted", sparse_factors),
      summed("pivots.perturbed", at(&PivotCounts::perturbed), &FactorStats::perturbed,
             "replaced by a larger number (option perturbation)", sparse_factors),
      summed("pivots.exchanged", at(&PivotCounts::exchanged), &NodeCounts::exchanged,
             "not on the diagonal of their node's square", by_nodes),
      summed("pivots.two_by_two", at(&PivotCounts::two_by_two), &FactorStats::two_by_two,
             "pairs of variables eliminated together", with_ldlt),
      summed("pivots.null", at(&PivotCounts::null), &FactorStats::null_pivots, "found to be zero"),
      summed("pivots.rounding", at(&PivotCounts::rounding), &FactorStats::rounding_pivots,
             "of which rounding or nothing was left (option singular)", sparse_factors),
      summed("pivots.zero", at(&PivotCounts::zero), &FactorStats::zero_pivots,
             "of these: nothing, so that they were replaced", sparse_factors),
      {.name = "pivots.negative",
       .field = std::move(negative),
       .help = "negative eigenvalues (symmetric and Hermitian matrices)",
       .over = Over::sum,
       .methods = with_ldlt,
       .may_be_null = true,
       .counters = {counted<FactorStats>(&FactorStats::negative_pivots)}},
      {.name = "pivots.off_diagonal",
       .field = at(&PivotCounts::off_diagonal),
       .help = "not the entry that the matching put on the diagonal",
       .methods = by_blocks,
       .counters = {counted<BlockCounts>(&BlockCounts::off_diagonal_pivots)}},
      {.name = "pivots.kept",
       .field = at(&PivotCounts::kept),
       .help = "by refactorize, which found them still large enough",
       .methods = by_blocks,
       .counters = {counted<BlockCounts>(&BlockCounts::kept_pivots)}},
      {.name = "structural_rank",
       .field = known(&Report::structural_rank),
       .help = "of the pattern of A",
       .methods = sparse_factors,
       .may_be_null = true},
      {.name = "numerical_rank",
       .field = known(&Report::numerical_rank),
       .help = "null without factors, without numbers (policy), or where static pivots, or some that are "
               "rounding, leave it open",
       .methods = sparse_factors,
       .may_be_null = true},
      {.name = "weak_unknown",
       .field = known(&Report::weak_unknown),
       .help = "where pivots are rounding: the unknown (column of A, from 0) of the smallest",
       .methods = sparse_factors,
       .may_be_null = true},
      {.name = "weak_equation",
       .field = known(&Report::weak_equation),
       .help = "its equation (row of A)",
       .methods = sparse_factors,
       .may_be_null = true},
  };
}

Rows accuracy_rows() {
  return {
      {.name = "right_hand_sides", .field = field(&Report::right_hand_sides), .help = "of the last solve"},
      {.name = "backward_error",
       .field = field(&Report::backward_error),
       .help = "componentwise, omega1 + omega2 of Arioli, Demmel and Duff; the worst column",
       .may_be_null = true},
      {.name = "omega1", .field = field(&Report::omega1), .help = "of that column", .may_be_null = true},
      {.name = "omega2", .field = field(&Report::omega2), .help = "of that column", .may_be_null = true},
      {.name = "forward_error",
       .field = field(&Report::forward_error),
       .help = "max |x - true x| / max |true x|, when the true x is known",
       .may_be_null = true},
      {.name = "true_residual",
       .field = field(&Report::true_residual),
       .help = "||b - A x||_2 / ||b||_2; the worst column",
       .may_be_null = true},
      {.name = "condition_estimate",
       .field = field(&Report::condition_estimate),
       .help = "||A||_1 ||A^{-1}||_1, when it was asked for, or with status ill_conditioned",
       .methods = factors,
       .may_be_null = true},
      {.name = "condition_omega1",
       .field = field(&Report::condition_omega1),
       .help = "option error_analysis: condition number of Arioli, Demmel and Duff; the worst column",
       .methods = sparse_factors,
       .may_be_null = true},
      {.name = "condition_omega2",
       .field = field(&Report::condition_omega2),
       .help = "the same of their second kind of equations",
       .methods = sparse_factors,
       .may_be_null = true},
      {.name = "forward_error_bound",
       .field = field(&Report::forward_error_bound),
       .help = "of max |x - true x| / max |x|: omega1 condition_omega1 + omega2 condition_omega2",
       .methods = sparse_factors,
       .may_be_null = true},
      {.name = "iterations.min",
       .field = field(&Report::iterations_min),
       .help = "refinement steps of the right-hand sides; of iterations: those of the ranks",
       .over = Over::least,
       .counters = {counted<IterationCounts>(&IterationCounts::iterations_min)}},
      {.name = "iterations.mean",
       .field = {.type = "float", .json = [](const Report& r) { return number_json(r.iterations_mean); }},
       .help = "the same on the average",
       .over = Over::sum,
       .counters = {counted<IterationCounts>(&IterationCounts::iterations_sum)}},
      {.name = "iterations.max",
       .field = field(&Report::iterations_max),
       .help = "the same at most",
       .over = Over::most,
       .counters = {counted<IterationCounts>(&IterationCounts::iterations_max)}},
      {.name = "gmres_steps",
       .field = field(&Report::gmres_steps),
       .help = "of flexible GMRES, or with Cholesky of conjugate gradients, with compressed factors, where "
               "refinement did not reach accuracy; the most of "
               "a right-hand side",
       .methods = fronts},
  };
}

Rows communication_rows() {
  return {
      {.name = "wait_share",
       .field = field(&Report::wait_share),
       .help = "of all ranks' time in the factorisation; of iterations: in the solve",
       .over = Over::mean},
      {.name = "wait_share_of_rank",
       .field = field(&Report::wait_share_of_rank),
       .help = "the same of each rank"},
      {.name = "messages",
       .field = field(&Report::messages),
       .help = "that were sent then",
       .over = Over::sum},
      {.name = "bytes", .field = whole(&Report::bytes), .help = "of these messages", .over = Over::sum},
      {.name = "largest_message_bytes",
       .field = whole(&Report::largest_message_bytes),
       .help = "of one message",
       .over = Over::most},
      {.name = "messages_of_kind",
       .field = {.type = "dict", .json = [](const Report& r) { return by_kind(r.messages_of_kind); }},
       .help = "messages, bytes and largest_bytes of each kind of message (multifrontal-protocol.md)"},
      {.name = "traffic_of_rank",
       .field = {.type = "list", .json = [](const Report& r) { return by_rank(r.traffic_of_rank); }},
       .help = "what each rank sent, all and by kind, and where its time went: compute_s, communication_s "
               "(packing, sending and waiting for messages) and idle_s"},
      {.name = "critical_path",
       .field = {.type = "list", .json = [](const Report& r) { return by_part(r.critical_path); }},
       .help = "of a traced run: the chain of work and messages that ended last ([critical "
               "path](multifrontal.md#critical-path)): what, kind, seconds, share and links of each kind of "
               "it, most "
               "seconds first; else empty"},
  };
}

std::vector<ReportEntry> make_table() {
  std::vector<ReportEntry> table;
  for (const Rows& rows : {problem_rows(), cost_rows(), pivot_rows(), accuracy_rows(), communication_rows(),
                           dense_rows(), iteration_rows(), multisplitting_rows()})
    table.insert(table.end(), rows.begin(), rows.end());
  return table;
}

}  // namespace

const std::vector<ReportEntry>& report_table() {
  static const std::vector<ReportEntry> table = make_table();
  return table;
}

}  // namespace overlapack::api
