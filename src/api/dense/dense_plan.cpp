#include "api/dense/dense_plan.hpp"

#include "api/plan/factors_in.hpp"
#include "api/plan/prepare.hpp"
#include "api/run/session.hpp"
#include "overlapack/environment.hpp"
#include "overlapack/error.hpp"

#include <algorithm>

namespace overlapack::api {
namespace {

/// The block size for a matrix of order n: large for large matrices, and small for small matrices on several ranks, so that there are several
/// panels.
Index block_for(Index n, std::size_t ranks) { return n >= 1500 ? 128 : n >= 500 || ranks == 1 ? 64 : 32; }

/// Below this work (order about 450) one rank is faster than several, which wait for each other's panels.
constexpr double one_rank_flops = 6e7;

/// Schedule split saves time if each process column has at least so many block columns (docs/decisions/0064).
constexpr Index least_split_blocks = 16;

dist::ProcessGrid grid_of(const GridShape& shape, GridOrder order, int ranks) {
  return shape.rows > 0 ? dist::ProcessGrid(shape.rows, shape.cols, order, ranks)
                        : dist::squarest_grid(ranks, order);
}

bool has_mates_side_by_side(const dist::ProcessGrid& grid, std::span<const int> node_of) {
  try {
    dist::node_layout(grid, node_of);
    return true;
  } catch (const Error&) {
    return false;
  }
}

/// The order of the grid: row major, or column major if only that order puts the ranks of each node side by side, as schedule parity needs it.
GridOrder choose_order(const DenseOptions& options, Schedule schedule, std::span<const int> node_of) {
  if (options.grid_order) return *options.grid_order;
  if (schedule != Schedule::parity) return GridOrder::row_major;
  const auto fits = [&](GridOrder order) {
    return has_mates_side_by_side(grid_of(options.grid, order, static_cast<int>(node_of.size())), node_of);
  };
  return !fits(GridOrder::row_major) && fits(GridOrder::column_major) ? GridOrder::column_major
                                                                      : GridOrder::row_major;
}

/// Check that the predictions of discipline auto model all options.
/// Errors  BadPlan
void require_comparable(const DenseOptions& options) {
  if (options.discipline) return;
  if (options.pivot_search == PivotSearch::columns || options.interchange == SwapKind::pairwise)
    throw Error(
        Status::bad_plan,
        "discipline is \"auto\", which has no prediction for pivot_search columns and interchange pairwise; "
        "choose messages, onesided or superstep");
}

void require_built(const Options& options, std::optional<FactorKind> factorization) {
  const auto refuse = [](const std::string& message) { throw Error(Status::bad_plan, message); };
  check(options);
  if (options.method.value_or(Method::dense) != Method::dense)
    refuse("method is \"" + std::string(to_string(options.method)) +
           "\", but the matrix is dense; use dense, or hand over a sparse matrix");
  require_factors_in_memory(options, "dense");
  if (options.sparse.null_pivots || options.sparse.scaling)
    refuse(std::string(options.sparse.null_pivots ? "null_pivots" : "scaling") +
           " is for sparse matrices; leave it out, or use method multifrontal");
  if (options.refinement.error_analysis)
    refuse(
        "error_analysis is for sparse factors; ask for the reciprocal condition number of dense ones, or use "
        "method "
        "multifrontal");
  const bool is_lu = factorization == FactorKind::lu;
  const bool has_supersteps = is_lu || factorization == FactorKind::cholesky;
  const bool has_puts = has_supersteps || factorization == FactorKind::qr;
  const std::optional<Discipline> discipline = options.dense.discipline;
  if (!discipline && !is_lu)
    refuse("discipline auto is for LU; choose messages" + std::string(has_puts ? ", onesided" : "") +
           (has_supersteps ? " or superstep" : ""));
  if (discipline == Discipline::superstep && !has_supersteps)
    refuse("discipline superstep is for LU and Cholesky; choose messages");
  if (discipline == Discipline::onesided && !has_puts)
    refuse("discipline onesided is for LU, Cholesky and QR; choose messages");
  if (is_lu) require_helpers(options.dense.schedule, options.workers);
  if (!is_lu && options.dense.panel_width > 0)
    refuse("panel_width is for LU, by the discipline superstep; leave it out");
  if (options.factorization == FactorKind::ldlt || options.factorization == FactorKind::quasidefinite)
    refuse("factorization is \"" + std::string(to_string(options.factorization)) +
           "\", which is for sparse matrices; choose lu, cholesky, qr or auto");
  if (options.factorization && options.factorization != factorization)
    refuse("factorization is \"" + std::string(to_string(options.factorization)) +
           "\", but this is the dense " +
           std::string(factorization ? to_string(*factorization) : "multiply") +
           "; call lu_factor, cholesky_factor or qr_factor, or use auto");
}

}  // namespace

void require_helpers(std::optional<Schedule> schedule, int workers) {
  if (schedule == Schedule::hybrid && workers == 0)
    throw Error(Status::bad_plan,
                "the hybrid schedule needs helper threads that compute while the rank moves messages; give "
                "workers, or choose schedule lookahead");
}

void require_dense_options(const Options& options, std::optional<FactorKind> factorization) {
  refuse_together(options, [&] { require_built(options, factorization); });
}

dense::LuPlan lu_plan(const Options& options) {
  if (options.dense.broadcast && options.dense.discipline == Discipline::superstep)
    throw Error(Status::bad_plan,
                "broadcast is \"" + std::string(to_string(options.dense.broadcast)) + "\", but discipline " +
                    std::string(to_string(options.dense.discipline)) + " has one of its own; leave it out");
  require_comparable(options.dense);
  dense::LuPlan plan;
  plan.discipline = options.dense.discipline.value_or(Discipline::messages);
  if (plan.discipline != dense::Discipline::messages) plan.schedule = dense::Schedule::flat;
  plan.schedule = options.dense.schedule.value_or(plan.schedule);
  plan.pivot_search = options.dense.pivot_search;
  plan.panel_width = options.dense.panel_width;
  plan.sync = options.dense.sync;
  plan.row_swap = options.dense.row_swap;
  plan.lent_memory = options.dense.memory;
  plan.library_broadcast = options.dense.broadcast;
  if (plan.library_broadcast) plan.told_by_one = 2;  // paper 3's processors synchronise by a barrier
  plan.swap = choose_swap_kind(options.dense, plan.discipline, plan.schedule);
  if (plan.discipline == dense::Discipline::messages)
    plan.messages.swap = options.dense.interchange.value_or(plan.messages.swap);
  if (options.dense.depth >= 0) plan.depth = options.dense.depth;
  // Panels sent in phases are on the critical path: send them in parts, where a ring passes on whole ones (studies/viet2006).
  if (plan.schedule == Schedule::parity) plan.messages.broadcast = BroadcastKind::two_phase;
  plan.messages.broadcast = options.dense.broadcast.value_or(plan.messages.broadcast);
  plan.ranks_per_node = options.run.ranks_per_node;
  return plan;
}

SwapKind choose_swap_kind(const DenseOptions& options, Discipline discipline, Schedule schedule) {
  const bool is_ahead_in_supersteps = discipline == Discipline::superstep && schedule == Schedule::look_ahead;
  return options.interchange.value_or(is_ahead_in_supersteps ? SwapKind::shared : SwapKind::direct);
}

double suspicious_pivot_share(Index n, double epsilon) { return 1000 * static_cast<double>(n) * epsilon; }

double singular_condition(double epsilon) { return epsilon < 1e-10 ? 0.1 / epsilon : 1 / epsilon; }

double weak_condition(double epsilon) { return epsilon < 1e-10 ? 0.001 / epsilon : 1 / epsilon; }

DensePlan make_dense_plan(const Options& options, Index n, std::span<const int> node_of, double epsilon) {
  DensePlan plan;
  plan.block = options.dense.block > 0 ? options.dense.block : block_for(n, node_of.size());
  plan.lu = lu_plan(options);
  plan.order = choose_order(options.dense, plan.lu.schedule, node_of);
  plan.grid = grid_of(options.dense.grid, *plan.order, static_cast<int>(node_of.size()));
  plan.suspicious_pivot_share = suspicious_pivot_share(n, epsilon);
  plan.singular_condition = singular_condition(epsilon);
  plan.weak_condition = weak_condition(epsilon);
  return plan;
}

DensePlan make_lu_plan(const Options& options, Index n, std::span<const int> node_of, double epsilon) {
  DensePlan plan = make_dense_plan(options, n, node_of, epsilon);
  const bool is_open =
      !options.dense.schedule && options.dense.depth < 0 && options.dense.discipline == Discipline::messages;
  const bool has_nodes = std::ranges::any_of(node_of, [&](int node) { return node != node_of.front(); });
  if (is_open && has_nodes && plan.grid.rows() > 1 && n >= least_split_blocks * plan.block * plan.grid.cols())
    plan.lu.schedule = Schedule::split;
  return plan;
}

int panels_ahead(dense::Schedule schedule, int asked) {
  using enum dense::Schedule;
  if (schedule == look_ahead || schedule == hybrid) return asked;
  if (schedule == parity) return std::min(asked, 1);
  return schedule == split ? 1 : 0;
}

int choose_dense_ranks(const Options& options, double predicted_flops) {
  if (options.ranks > 0) return choose_ranks(options, predicted_flops);
  if (const int positions = options.dense.grid.size(); positions > 0) return positions;
  return predicted_flops < one_rank_flops ? 1 : choose_ranks(options, predicted_flops);
}

}  // namespace overlapack::api
