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
    return r.policy.empty() && !has_root_by_lu(r) ? ordered_json(r.pivots.negative) : ordered_json();
  };
  return rows;
}

std::vector<ReportEntry> prediction_rows() {
  return {
      {.name = "predicted_factor_nnz",
       .field = field(&Report::predicted_factor_nnz),
       .help = "The predicted number of entries of the factors without delayed pivots",
       .methods = sparse_direct},
      {.name = "predicted_flops",
       .field = whole(&Report::predicted_flops),
       .help = "The predicted real operations of the factorisation without delayed pivots",
       .methods = direct},
      {.name = "predicted_factor_s",
       .field = field(&Report::predicted_factor_s),
       .help = "The predicted seconds of the factorisation on one rank, by rates of processors of this kind. "
               "Null for LU by diagonal blocks and with compression",
       .methods = sparse_direct,
       .may_be_null = true},
      {.name = "shared_flops",
       .field = whole(&Report::shared_flops),
       .help = "The part of predicted_flops in fronts and nodes, whose work ranks share. Below 1e7, the "
               "option ranks 0 means one rank",
       .methods = sparse_direct},
      {.name = "predicted_bytes",
       .field = whole(&Report::predicted_bytes),
       .help =
           "The predicted memory of the numerical phase in bytes, without the analysis. Sparse factors: on "
           "one "
           "rank, without delayed pivots. Several ranks need more together. With compression: if no block "
           "compresses",
       .over = OverRanks::sum},
      {.name = "predicted_least_bytes",
       .field = whole(&Report::predicted_least_bytes),
       .help = "With compression: the least memory of the numerical phase, however well blocks compress. "
               "Otherwise 0",
       .over = OverRanks::sum,
       .methods = by_fronts},
      {.name = "predicted_disk_memory_bytes",
       .field = whole(&Report::predicted_disk_memory_bytes),
       .help = "The predicted memory with factors on disk (option factors)",
       .methods = by_fronts},
      {.name = "predicted_scratch_bytes",
       .field = whole(&Report::predicted_scratch_bytes),
       .help = "The predicted bytes of the factors on disk",
       .methods = by_fronts},
      {.name = "factors",
       .field = field(&Report::factors),
       .help = "The place of the factors: memory or disk",
       .methods = sparse_direct},
  };
}

std::vector<ReportEntry> rank_rows() {
  return {
      {.name = "mean_rank",
       .field = field(&Report::mean_rank),
       .help = "The mean rank of the compressed blocks",
       .methods = by_fronts},
      {.name = "variable_block",
       .field = field(&Report::variable_block),
       .help = "The number of variables of a point of a mesh that were ordered as one. 1: none were found",
       .methods = sparse_direct},
      {.name = "structural_rank",
       .field = known(&Report::structural_rank),
       .help = "The structural rank of A",
       .methods = sparse_direct,
       .may_be_null = true},
      {.name = "numerical_rank",
       .field = known(&Report::numerical_rank),
       .help = "The numerical rank of A. Null without factors, without numbers (policy), or if static pivots "
               "or pivots of rounding leave it open",
       .methods = sparse_direct,
       .may_be_null = true},
      {.name = "weak_unknown",
       .field = known(&Report::weak_unknown),
       .help = "The unknown (column of A, from 0) of the smallest pivot, if pivots are rounding",
       .methods = sparse_direct,
       .may_be_null = true},
      {.name = "weak_equation",
       .field = known(&Report::weak_equation),
       .help = "The equation (row of A, from 0) of the smallest pivot, if pivots are rounding",
       .methods = sparse_direct,
       .may_be_null = true},
      {.name = "null_vector",
       .field = field(&Report::null_vector),
       .help = "The proof that A is singular to working precision: a vector v whose largest entry is 1. In "
               "every row, A v is at the rounding error of the entries of A times those of v. Complex "
               "numbers have real and imaginary parts in turn. Empty: there is no proof",
       .methods = direct},
      {.name = "null_share",
       .field = field(&Report::null_share),
       .help = "If pivots are rounding: the largest entry of A v relative to its own bound, for the v that "
               "was found. The bound of a row is the sum of the sizes of its entries times those of v",
       .methods = direct,
       .may_be_null = true},
      {.name = "null_distance",
       .field = field(&Report::null_distance),
       .help = "If pivots are rounding: the share of its entries by which A has to change to be singular",
       .methods = direct,
       .may_be_null = true},
  };
}

}  // namespace overlapack::api
