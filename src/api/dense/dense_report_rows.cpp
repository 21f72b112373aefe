#include "api/words/report_field.hpp"
#include "api/words/report_rows.hpp"

#include <utility>

namespace overlapack::api {
std::vector<ReportEntry> dense_rows() {
  const auto at = report_fields_of(&Report::dense);
  return rows_of(
      Part::dense, {Method::dense},
      {
          {.name = "rows",
           .field = at(&DenseFigures::rows),
           .help = "The number of rows of the matrix. It has n columns"},
          {.name = "grid", .field = at(&DenseFigures::grid), .help = "Process rows x columns: 2x3"},
          {.name = "grid_order",
           .field = at(&DenseFigures::grid_order),
           .help = "The order in which ranks fill the grid: rows or columns. Empty if the caller distributed "
                   "the matrix"},
          {.name = "block", .field = at(&DenseFigures::block), .help = "The order of the distributed blocks"},
          {.name = "schedule", .field = at(&DenseFigures::schedule), .help = "The schedule that was used"},
          {.name = "discipline", .field = at(&DenseFigures::discipline), .help = "How data moved"},
          {.name = "depth",
           .field = at(&DenseFigures::depth),
           .help = "The number of panels ahead, if the schedule has any"},
          {.name = "broadcast", .field = at(&DenseFigures::broadcast), .help = "The broadcast that was used"},
          {.name = "gflops",
           .field = at(&DenseFigures::gflops),
           .help = "10^9 operations a second of the factorisation, by HPL's count. `overlapack dense` counts "
                   "the solve too"},
          {.name = "scaled_residual",
           .field = at(&DenseFigures::scaled_residual),
           .help = "`overlapack dense`: the residual in the infinity norm as HPL scales it, with eps = 2^-53 "
                   "in double",
           .may_be_null = true},
          {.name = "factor_residual",
           .field = at(&DenseFigures::factor_residual),
           .help = "`overlapack dense --factorization qr`: the 1-norm of A - Q R divided by that of A and by "
                   "max(m, n) eps, with eps = 2^-53 in double",
           .may_be_null = true},
          {.name = "orthogonality",
           .field = at(&DenseFigures::orthogonality),
           .help = "`overlapack dense --factorization qr`: the 1-norm of Q^H Q - I divided by max(m, n) eps, "
                   "for the first n columns of Q",
           .may_be_null = true},
          {.name = "residual_norm",
           .field = at(&DenseFigures::residual_norm),
           .help = "Least squares: the 2-norm of b - A x of the worst right-hand side",
           .may_be_null = true},
          {.name = "optimality",
           .field = at(&DenseFigures::optimality),
           .help = "Least squares: the infinity norm of A^H (b - A x), scaled by the norms of A, x and b. It "
                   "is 0 at the least residual",
           .may_be_null = true},
          {.name = "computing_with_mate",
           .field = at(&DenseFigures::computing_with_mate),
           .help = "The share of the ranks' computing time in which a rank of the same node computes too. "
                   "Known if events are kept (`--trace`)",
           .may_be_null = true},
          {.name = "rearranged_panels",
           .field = {.type = "int",
                     .json = [](const Report& r) -> nlohmann::ordered_json {
                       return r.dense->rearranged_lower + r.dense->rearranged_upper;
                     }},
           .help = "The number of panels whose L or U travelled in parts, by way of ranks of the same node",
           .over = OverRanks::sum,
           .label = "in parts by way of node mates"},
      });
}

}  // namespace overlapack::api
