#include "api/plan/prepare.hpp"

#include "api/plan/compression.hpp"
#include "api/plan/factor_plan.hpp"
#include "api/plan/factors_in.hpp"
#include "api/plan/predicted_memory.hpp"
#include "api/plan/quasidefinite.hpp"
#include "api/run/resources.hpp"
#include "api/run/session.hpp"
#include "api/words/option_use.hpp"
#include "api/words/type_names.hpp"
#include "base/instantiate.hpp"
#include "comm/busy_threads.hpp"
#include "comm/tasks.hpp"
#include "comm/team.hpp"
#include "overlapack/environment.hpp"
#include "overlapack/error.hpp"
#include "sparse/factors/factor_plan.hpp"
#include "sparse/factors/pivot_test.hpp"
#include "sparse/multifrontal/plan/placement.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <optional>

namespace overlapack::api {
namespace {

/// Work of fewer flops is done before threads would have started.
constexpr double inline_flops = 1e7;

/// auto chooses nodes below this share of the fronts' predicted time: less than 1, since their pivots are weaker.
constexpr double nodes_worth = 0.85;

/// Whether nodes may be compared with fronts. The predicted times are those of one rank, without messages, so that there must be one rank.
bool is_for_one_rank(const Options& options) {
  return options.ranks == 1 ||
         (options.ranks == 0 && !ranks_are_processes(options) && usable_processors() == 1);
}

[[noreturn]] void refuse_factorize(const std::string& message) { throw Error(Status::bad_plan, message); }

std::size_t bytes_of(ScalarType type) {
  const std::size_t real = is_single(type) ? 4 : 8;
  return is_complex(type) ? 2 * real : real;
}

/// The processor level whose rates decide on a simulated machine, so that a run is the same on every host.
constexpr std::string_view level_where_simulated = "x86-64-v3";

/// The cost of arithmetic with numbers of this type. In single precision SIMD vectors hold twice as many numbers.
sparse::ScalarCost cost_of(ScalarType type) {
  return {.bytes = static_cast<double>(bytes_of(type)),
          .operation = real_operations(is_complex(type)) * (is_single(type) ? 0.5 : 1)};
}

FactorKind choose_kind(std::optional<FactorKind> asked, Symmetry symmetry, bool is_complex,
                       const Contradiction& contradiction) {
  const bool has_ldlt = symmetry == Symmetry::symmetric || symmetry == Symmetry::hermitian;
  const FactorKind kind = asked.value_or(has_ldlt ? FactorKind::ldlt : FactorKind::lu);
  const bool has_signs = kind == FactorKind::quasidefinite;
  const bool is_suitable =
      kind == FactorKind::lu || (kind == FactorKind::ldlt && has_ldlt) ||
      ((kind == FactorKind::cholesky || has_signs) && is_self_adjoint(symmetry, is_complex));
  if (is_suitable) return has_signs ? FactorKind::ldlt : kind;
  refuse_factorize("factorization is " + std::string(to_string(kind)) + ", but the matrix is " +
                   std::string(name(symmetry)) + contradiction.difference +
                   "; use lu, or auto to let the entries decide" + contradiction.remedy);
}

void require_order(const std::vector<Index>& order, Index n) {
  if (order.empty() || static_cast<Index>(order.size()) == n) return;
  throw Error(Status::bad_input, "user_order has " + std::to_string(order.size()) +
                                     " entries, but the matrix has " + std::to_string(n) +
                                     " columns; give every variable once");
}

bool is_by_blocks(const Options& options) { return options.method == Method::block_triangular; }

/// Whether the method makes factors without fronts.
bool is_without_fronts(const Options& options) {
  return is_by_blocks(options) || options.method == Method::supernodal;
}

/// Whether the method can only make LU. Column by column it can also make LDL^T, if the options ask for that.
bool is_lu_alone(const Options& options) {
  const bool is_symmetric =
      options.factorization == FactorKind::ldlt || options.factorization == FactorKind::quasidefinite;
  return is_without_fronts(options) && !(is_by_blocks(options) && is_symmetric);
}

void require_method_of_kind(const Options& options) {
  if (!is_without_fronts(options)) return;
  const std::string method = "method is " + std::string(to_string(options.method));
  if (is_lu_alone(options) && options.factorization.value_or(FactorKind::lu) != FactorKind::lu)
    refuse_factorize(method + ", which is LU, but factorization is " +
                     std::string(to_string(options.factorization)) + "; use method multifrontal");
  if (!is_lu_alone(options) && options.factorization != FactorKind::quasidefinite &&
      options.sparse.perturbation > 0)
    refuse_factorize(method +
                     " and factorization ldlt, but perturbation is set: column by column, pivots of "
                     "LDL^T are not replaced; use method multifrontal");
  if (options.sparse.null_pivots)
    refuse_factorize(method + ", but null_pivots is set: " +
                     (options.method == Method::supernodal
                          ? "static pivoting replaces small pivots"
                          : "the rank of a matrix is not that of its diagonal blocks") +
                     "; use method multifrontal");
}

/// The flops of everything that is not eliminated column by column.
double shared_flops(const sparse::Analysis& analysis) {
  if (analysis.method != Method::block_triangular) return analysis.flops;
  double flops = 0;
  for (const sparse::Analysis& inner : analysis.inner_analysis) flops += inner.flops;
  return flops;
}

/// The root that all ranks will share, as far as that is known before they start; -1: none.
Index grid_root(const sparse::Analysis& analysis, const Options& options, double predicted_flops) {
  const auto sharing = strip_plan(options).sharing;
  const bool has_own_memories = ranks_are_processes(options);
  const bool is_distributing = sharing == sparse::NodeParallelism::strips || (!sharing && has_own_memories);
  const int ranks = has_own_memories ? 2 : choose_ranks(options, predicted_flops);  // mpi: more than one
  return sparse::multifrontal::choose_grid_root(analysis, root_plan(options), ranks, is_distributing);
}

}  // namespace

int analysis_threads(const Options& options) {
  if (comm::simulated_time() || in_parallel_region()) return 1;
  if (ranks_are_processes(options)) return 1 + options.workers;
  return options.ranks > 0 ? std::min(options.ranks, usable_processors()) : comm::count_free_processors();
}

sparse::AnalysisPlan analysis_plan(const Options& options, Index n, Symmetry symmetry, ScalarType type,
                                   const Contradiction& contradiction) {
  const SparseOptions& asked = options.sparse;
  const bool is_cholesky = options.factorization == FactorKind::cholesky;
  if (options.method == Method::dense)
    refuse_factorize(
        "method is dense, which makes no sparse factors and plans none; call solve, or lu_factor "
        "with a dense matrix (C++: overlapack::dense::solve)");
  if (options.method == Method::jacobi || options.method == Method::multisplitting)
    refuse_factorize("method is " + std::string(to_string(options.method)) +
                     ", which makes no factors of the matrix and plans none; call solve");
  if (options.factorization == FactorKind::qr)
    refuse_factorize(
        "factorization is qr, which is for dense matrices; use method dense, or another factorization");
  require_method_of_kind(options);
  require_quasidefinite(options);
  const bool has_signs = options.factorization == FactorKind::quasidefinite;
  if (is_without_fronts(options)) require_factors_in_memory(options, to_string(options.method));
  require_compressible(options);
  low_rank_plan(options, type);  // checks the tolerance
  require_order(asked.user_order, n);
  if (asked.null_pivots && is_cholesky)
    refuse_factorize(
        "null_pivots is set, but factorization is cholesky, whose pivots are positive; use ldlt");
  if (asked.perturbation > 0 && (asked.null_pivots || is_cholesky))
    refuse_factorize("perturbation is set, and so is " +
                     std::string(asked.null_pivots ? "null_pivots" : "factorization cholesky") +
                     "; small pivots are either replaced or looked at, choose one");
  if (asked.null_pivots && options.fronts.root == RootParallelism::grid)
    refuse_factorize(
        "null_pivots is set, but root is grid, whose pivots are not tested one by one; use sequential or "
        "auto");
  sparse::AnalysisPlan plan;
  plan.kind = is_lu_alone(options)
                  ? sparse::FactorKind::lu
                  : choose_kind(options.factorization, symmetry, is_complex(type), contradiction);
  const bool asks_for_fronts = options.fronts.sharing || options.fronts.root == RootParallelism::grid ||
                               options.disk.factors == FactorsIn::disk || is_compressing(options);
  // without signs pivots of LDL^T column by column are not replaced, and columns are not simulated by shapes
  const bool may_take_columns = plan.kind == sparse::FactorKind::lu ||
                                ((has_signs || asked.perturbation == 0) && !comm::simulated_time());
  if (is_by_blocks(options))
    plan.block_form = Switch::on;
  else if (!options.method && !asks_for_fronts && may_take_columns)
    plan.block_form = {};
  if (asked.perturbation > 0) plan.kept_rows_worth = 0;  // pivots are taken where they are
  plan.ordering = asked.ordering;
  plan.effort = asked.ordering_effort;
  plan.user_order = asked.user_order;
  plan.matching = has_signs ? Switch::off : asked.matching;
  if (has_signs && !asked.signs.empty()) {
    require_signs(asked.signs, n);
    plan.signs = asked.signs;
  }
  if (!options.method && !asks_for_fronts && !asked.null_pivots && plan.kind == sparse::FactorKind::lu &&
      asked.perturbation == 0 && is_for_one_rank(options)) {
    plan.nodes = sparse::NodePlan{options.nodes.max_width, options.nodes.relax};
    plan.nodes_worth = nodes_worth;
  }
  if (options.method == Method::supernodal) {
    plan.nodes = sparse::NodePlan{options.nodes.max_width, options.nodes.relax};
    if (!asked.matching) plan.matching = Switch::on;  // small pivots are judged by the largest entry of B
  }
  plan.scaling = asked.scaling;
  if (is_single(type)) plan.extreme = 1e33;
  plan.keeps_null_pivots = asked.null_pivots;
  if (is_compressing(options)) plan.cluster = options.compression.block;
  plan.cost.scalar = cost_of(type);
  if (comm::simulated_time()) plan.cost.rates = kernels::rates_of(level_where_simulated);
  return plan;
}

template <class T>
Prepared prepare(const SparseMatrix<T>& A, const Options& options, Report& report, Interruption* interruption,
                 comm::Tasks& tasks, ScalarType type, double factorizations) {
  sparse::AnalysisPlan plan = analysis_plan(options, A.rows, A.symmetry, type, contradiction_of(A, options));
  plan.factorizations = factorizations;
  if (interruption != nullptr)
    plan.on_step = [interruption](std::string_view step, double share) {
      interruption->report_progress("analysis", share, step);
    };
  if (options.factorization == FactorKind::quasidefinite && plan.signs.empty())
    plan.signs = signs_of_diagonal(A);
  sparse::Analysis analysis = sparse::analyse(A, plan, tasks);
  const comm::Tasks::Time time = tasks.time();
  report.analysis_cpu_s = comm::simulated_time() ? unknown : time.work_s;
  report.analysis_path_s = comm::simulated_time() ? unknown : time.path_s;
  return prepare_with(A, std::move(analysis), options, report, type);
}

template <class T>
Prepared prepare_with(const SparseMatrix<T>& A, sparse::Analysis analysis, const Options& options,
                      Report& report, ScalarType type) {
  Prepared made{std::move(analysis), {}};
  made.prediction = report_analysis({A.rows, A.nnz(), type, A.symmetry}, made.analysis, options, report);
  if (type == ScalarTraits<T>::type) report.hint = hint_of(A);
  return made;
}

namespace {

FactorPrediction prediction_of(const sparse::Analysis& analysis, const Options& options, ScalarType type) {
  FactorPrediction prediction{.flops = analysis.flops * real_operations(is_complex(type)),
                              .shared_flops = shared_flops(analysis) * real_operations(is_complex(type))};
  const bool has_tree = analysis.method == Method::multifrontal;
  const Index root = has_tree ? grid_root(analysis, options, prediction.flops) : -1;
  prediction.bytes = predicted_bytes(analysis, bytes_of(type), root);
  if (!has_tree) return prediction;
  if (is_compressing(options)) {
    const sparse::LowRankPlan plan = low_rank_plan(options, type);
    prediction.bytes = predicted_low_rank_bytes(analysis, bytes_of(type), plan, 1);
    prediction.least_bytes = predicted_low_rank_bytes(analysis, bytes_of(type), plan, 0);
  }
  prediction.scratch_bytes = predicted_scratch_bytes(analysis, bytes_of(type), root);
  prediction.disk_memory_bytes = predicted_disk_memory_bytes(
      analysis, bytes_of(type), 1.25 * disk_buffer_bytes(options, prediction.scratch_bytes), root);
  return prediction;
}

/// The predicted time of the factorisation on one rank. NaN with LU by blocks and with compression, which have no model.
double predicted_factor_s(const sparse::Analysis& analysis, const Options& options) {
  const bool has_model = analysis.predicted_s > 0 && !is_compressing(options);
  return has_model ? analysis.predicted_s : unknown;
}

/// The sentence for Report::choice.
std::string choice_text(const sparse::Analysis& analysis) {
  if (!analysis.choice_of_all().empty()) return analysis.choice_of_all();
  const std::string method = std::string(to_string(analysis.method)) + ": ";
  if (analysis.method != Method::block_triangular) return method + analysis.order_choice;
  if (analysis.kind == sparse::FactorKind::ldlt) return method + "column by column, as asked";
  const std::string columns = std::to_string(analysis.column_blocks());
  if (analysis.blocks() == 1)
    return method + "1 diagonal block, " +
           (columns == "1" ? "with little fill, column by column" : "by fronts");
  return method + std::to_string(analysis.blocks()) + " diagonal blocks, the largest of " +
         std::to_string(analysis.largest_block()) + " unknowns, are all that is factorised; " + columns +
         " have little fill and go column by column";
}

}  // namespace

FactorPrediction report_analysis(const MatrixWords& A, const sparse::Analysis& analysis,
                                 const Options& options, Report& report) {
  report.n = A.n;
  report.nnz = A.nnz;
  report.type = name(A.type);
  report.symmetry = name(A.symmetry);
  report.method = to_string(analysis.method);
  report.unused_options = unused_options(options, analysis.method);
  report.diagonal_blocks = analysis.blocks();
  report.column_blocks = analysis.column_blocks();
  report.largest_block = analysis.largest_block();
  report.factorization = to_string(analysis.asked_kind());
  report.ordering = analysis.ordering;
  report.variable_block = analysis.variable_block;
  report.matching = analysis.matching;
  report.scaling = analysis.scaling;
  report.choice = choice_text(analysis);
  report.structural_rank = analysis.structural_rank;
  report.fronts = analysis.tree.fronts();
  report.nodes = analysis.nodes.nodes();
  report.predicted_factor_nnz = analysis.factor_nnz;
  const FactorPrediction prediction = prediction_of(analysis, options, A.type);
  report.predicted_flops = prediction.flops;
  report.predicted_factor_s = predicted_factor_s(analysis, options);
  report.shared_flops = prediction.shared_flops;
  report.predicted_bytes = prediction.bytes;
  report.predicted_least_bytes = prediction.least_bytes;
  report.predicted_scratch_bytes = prediction.scratch_bytes;
  report.predicted_disk_memory_bytes = prediction.disk_memory_bytes;
  return prediction;
}

int choose_ranks(const Options& options, double shared_flops) {
  if (options.ranks > 0) return options.ranks;
  if (options.method == Method::supernodal && options.dense.grid.size() > 0) return options.dense.grid.size();
  if (shared_flops < inline_flops || in_parallel_region()) return 1;
  return comm::count_free_processors();
}

#define OVERLAPACK_INSTANTIATE(T)                                                                         \
  template Prepared prepare(const SparseMatrix<T>&, const Options&, Report&, Interruption*, comm::Tasks&, \
                            ScalarType, double);                                                          \
  template Prepared prepare_with(const SparseMatrix<T>&, sparse::Analysis, const Options&, Report&,       \
                                 ScalarType);
OVERLAPACK_FOR_EACH_SCALAR(OVERLAPACK_INSTANTIATE)
#undef OVERLAPACK_INSTANTIATE

}  // namespace overlapack::api
