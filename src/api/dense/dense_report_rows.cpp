#include "api/words/report_field.hpp"
#include "api/words/report_rows.hpp"

#include <utility>

namespace overlapack::api {
std::vector<ReportEntry> dense_rows() {
  const auto at = report_fields_of(&Report::dense);
  return rows_of(
      Part::dense, {Method::dense},
      {
          {.name = "rows", .field = at(&DenseFigures::rows), .help = "of the matrix; its columns are n"},
          {.name = "grid", .field = at(&DenseFigures::grid), .help = "process rows x columns: 2x3"},
          {.name = "grid_order",
           .field = at(&DenseFigures::grid_order),
           .help =
               "in which ranks fill the grid: rows, columns; empty where the caller distributed the matrix"},
          {.name = "block", .field = at(&DenseFigures::block), .help = "order of the distributed blocks"},
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
          {.name = "rearranged_panels",
           .field = {.type = "int",
                     .json = [](const Report& r) -> nlohmann::ordered_json {
                       return r.dense->rearranged_lower + r.dense->rearranged_upper;
                     }},
           .help = "whose L or U travelled in parts, by way of node mates",
           .over = OverRanks::sum,
           .label = "in parts by way of node mates"},
      });
}

}  // namespace overlapack::api
