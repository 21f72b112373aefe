#include "api/words/report_field.hpp"
#include "api/words/report_rows.hpp"

#include <algorithm>
#include <map>
#include <string_view>
#include <utility>

namespace overlapack::api {
namespace {

using nlohmann::ordered_json;

constexpr std::initializer_list<Method> making_factors{Method::multifrontal, Method::block_triangular,
                                                       Method::supernodal, Method::multisplitting};
constexpr std::initializer_list<Method> with_fronts{Method::multifrontal, Method::block_triangular,
                                                    Method::multisplitting};
constexpr std::initializer_list<Method> with_nodes{Method::supernodal, Method::block_triangular};

}  // namespace

std::vector<ReportEntry> sparse_figure_rows() {
  const auto in_report = [](const Report& r) -> const Report& { return r; };
  const auto in_pivots = [](const Report& r) -> const PivotFigures& { return r.pivots; };
  // Entries whose methods differ from those of their list; none: all methods.
  const std::map<std::string_view, std::vector<Method>> own_methods{
      {"flops", {}},
      {"peak_bytes", {}},
      {"factor_nnz",
       {Method::multifrontal, Method::block_triangular, Method::supernodal, Method::dense,
        Method::multisplitting}},
      {"pivots.exchanged", with_nodes},
      {"pivots.two_by_two", with_ldlt},
      {"pivots.null", by_fronts},
      {"pivots.negative", with_ldlt},
      {"pivots.off_diagonal", by_blocks},
      {"pivots.kept", by_blocks},
  };
  std::vector<ReportEntry> rows;
  const auto add = [&](const std::vector<Method>& methods, std::vector<ReportEntry> of_list) {
    for (ReportEntry& row : of_list) {
      const auto own = own_methods.find(row.name);
      row.methods = own == own_methods.end() ? methods : own->second;
      rows.push_back(std::move(row));
    }
  };
  add(making_factors, figure_rows<FactorFigures>(in_report));
  add(with_fronts, figure_rows<FrontFigures>(in_report));
  add(by_fronts, figure_rows<DiskFigures>(in_report));
  add(by_fronts, figure_rows<LowRankFigures>(in_report));
  add(with_nodes, figure_rows<NodeFigures>(in_report));
  add(by_blocks, figure_rows<BlockFigures>(in_report));
  add(making_factors, figure_rows<PivotFigures>(in_pivots));
  ReportEntry& negative = *std::ranges::find(rows, "pivots.negative", &ReportEntry::name);
  negative.may_be_null = true;
  negative.field.json = [](const Report& r) {
    return r.policy.empty() ? ordered_json(r.pivots.negative) : ordered_json();
  };
  return rows;
}

std::vector<ReportEntry> prediction_rows() {
  return {
      {.name = "predicted_factor_nnz",
       .field = field(&Report::predicted_factor_nnz),
       .help = "entries of the factors without delayed pivots",
       .methods = sparse_direct},
      {.name = "predicted_flops",
       .field = whole(&Report::predicted_flops),
       .help = "real operations of the factorisation without delayed pivots",
       .methods = direct},
      {.name = "predicted_factor_s",
       .field = field(&Report::predicted_factor_s),
       .help = "seconds that the factorisation is predicted to take on one rank, by rates of processors of "
               "this kind; "
               "of complex matrices, LU by diagonal blocks and compression unknown",
       .methods = sparse_direct,
       .may_be_null = true},
      {.name = "shared_flops",
       .field = whole(&Report::shared_flops),
       .help = "of these, in fronts and nodes, whose work ranks share; below 1e7 ranks 0 means one",
       .methods = sparse_direct},
      {.name = "predicted_bytes",
       .field = whole(&Report::predicted_bytes),
       .help = "memory of the numerical phase on one rank without delayed pivots, bytes, of which several "
               "ranks take more; with "
               "compression if nothing compresses",
       .over = OverRanks::sum},
      {.name = "predicted_least_bytes",
       .field = whole(&Report::predicted_least_bytes),
       .help = "with compression: the same however well blocks compress; else 0",
       .over = OverRanks::sum,
       .methods = by_fronts},
      {.name = "predicted_disk_memory_bytes",
       .field = whole(&Report::predicted_disk_memory_bytes),
       .help = "the same with factors on disk (option factors)",
       .methods = by_fronts},
      {.name = "predicted_scratch_bytes",
       .field = whole(&Report::predicted_scratch_bytes),
       .help = "what factors take on disk",
       .methods = by_fronts},
      {.name = "factors",
       .field = field(&Report::factors),
       .help = "where they are: memory, disk",
       .methods = sparse_direct},
  };
}

std::vector<ReportEntry> rank_rows() {
  return {
      {.name = "mean_rank",
       .field = field(&Report::mean_rank),
       .help = "of the compressed blocks",
       .methods = by_fronts},
      {.name = "variable_block",
       .field = field(&Report::variable_block),
       .help = "variables of a point of a mesh that were ordered as one; 1: none were found",
       .methods = sparse_direct},
      {.name = "structural_rank",
       .field = known(&Report::structural_rank),
       .help = "of the pattern of A",
       .methods = sparse_direct,
       .may_be_null = true},
      {.name = "numerical_rank",
       .field = known(&Report::numerical_rank),
       .help = "null without factors, without numbers (policy), or where static pivots, or some that are "
               "rounding, leave it open",
       .methods = sparse_direct,
       .may_be_null = true},
      {.name = "weak_unknown",
       .field = known(&Report::weak_unknown),
       .help = "where pivots are rounding: the unknown (column of A, from 0) of the smallest",
       .methods = sparse_direct,
       .may_be_null = true},
      {.name = "weak_equation",
       .field = known(&Report::weak_equation),
       .help = "its equation (row of A)",
       .methods = sparse_direct,
       .may_be_null = true},
      {.name = "null_vector",
       .field = field(&Report::null_vector),
       .help =
           "the proof that A is singular to working precision: v, its largest entry 1, with |A v| at "
           "rounding of |A| |v| in every row (complex: real and imaginary parts in turn); empty: there is "
           "no proof",
       .methods = direct},
      {.name = "null_share",
       .field = field(&Report::null_share),
       .help = "where pivots are rounding: max |A v| / |A| |v| over the rows, of the v that was found",
       .methods = direct,
       .may_be_null = true},
      {.name = "null_distance",
       .field = field(&Report::null_distance),
       .help = "where pivots are rounding: the share of its entries by which A has to change to be singular",
       .methods = direct,
       .may_be_null = true},
  };
}

}  // namespace overlapack::api
