#include "api/dense/dense_plan.hpp"

#include "api/prepare.hpp"
#include "overlapack/error.hpp"

#include <algorithm>
#include <charconv>

namespace overlapack::api {
namespace {

/// Wide panels for large matrices, several panels for small ones.
Index block_for(Index n) { return n >= 1500 ? 128 : n >= 500 ? 64 : 32; }

/// The place of a name among those of an enumeration.
template <class Choice, std::size_t count>
Choice named(const std::string& name, const std::string_view (&names)[count], Choice automatic) {
  const auto* const found = std::ranges::find(names, name);
  return found == std::end(names) ? automatic : static_cast<Choice>(found - std::begin(names));
}

}  // namespace

GridShape grid_shape(const Options& options) {
  if (options.grid == "auto") return {};
  GridShape shape;
  const char* const end = options.grid.data() + options.grid.size();
  const auto [cross, rows_error] = std::from_chars(options.grid.data(), end, shape.rows);
  if (rows_error == std::errc{} && cross != end && (*cross == 'x' || *cross == 'X')) {
    const auto [rest, cols_error] = std::from_chars(cross + 1, end, shape.cols);
    const bool is_number = cols_error == std::errc{} && rest == end;
    if (is_number && shape.rows > 0 && shape.cols > 0 && Index{shape.rows} * shape.cols <= 1 << 24)
      return shape;
  }
  throw Error(ErrorKind::bad_plan, "options",
              "option grid is \"" + options.grid + "\"; give auto, or process rows x columns as in 2x3");
}

void require_dense_options(const Options& options, std::string_view factorization) {
  const auto refuse = [](const std::string& message) { throw Error(ErrorKind::bad_plan, "dense", message); };
  check(options);
  if (options.method != "auto" && options.method != "dense")
    refuse("method is \"" + options.method +
           "\", but the matrix is dense; use dense, or hand over a sparse matrix");
  if (options.null_pivots || options.scaling != "auto")
    refuse("null_pivots and scaling are for sparse matrices; leave them out, or use method multifrontal");
  if (options.error_analysis)
    refuse(
        "error_analysis is for sparse factors; ask for the reciprocal condition number of dense ones, or use "
        "method "
        "multifrontal");
  if (options.factorization != "auto" && options.factorization != factorization)
    refuse("factorization is \"" + options.factorization + "\", but this is the dense " +
           std::string(factorization) + "; call lu_factor or cholesky_factor, or use auto");
}

dense::LuPlan lu_plan(const Options& options) {
  dense::LuPlan plan;
  plan.discipline = named(options.schedule, dense::discipline_names, plan.discipline);
  plan.schedule =
      named(options.schedule, dense::schedule_names,
            plan.discipline == dense::Discipline::messages ? plan.schedule : dense::Schedule::flat);
  plan.depth = options.depth;
  plan.messages.broadcast =
      named(options.broadcast, comm::collective::broadcast_names, plan.messages.broadcast);
  plan.ranks_per_node = options.ranks_per_node;
  return plan;
}

DensePlan make_dense_plan(const Options& options, Index n, int ranks, double epsilon) {
  DensePlan plan;
  plan.block = options.block > 0 ? options.block : block_for(n);
  const GridShape shape = grid_shape(options);
  plan.grid = shape.rows > 0 ? dist::ProcessGrid(shape.rows, shape.cols, dist::GridOrder::row_major, ranks)
                             : dist::squarest_grid(ranks, dist::GridOrder::row_major);
  plan.lu = lu_plan(options);
  // docs/decisions/0010
  plan.suspicious_pivot_share = 1000 * static_cast<double>(n) * epsilon;
  plan.singular_condition = epsilon < 1e-10 ? 0.1 / epsilon : 1 / epsilon;
  return plan;
}

int panels_ahead(dense::Schedule schedule, int asked) {
  using enum dense::Schedule;
  if (schedule == look_ahead || schedule == hybrid) return asked;
  return schedule == split ? 1 : 0;
}

int choose_dense_ranks(const Options& options, double predicted_flops) {
  const int places = grid_shape(options).size();
  return options.ranks == 0 && places > 0 ? places : choose_ranks(options, predicted_flops);
}

}  // namespace overlapack::api
