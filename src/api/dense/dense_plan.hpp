#pragma once
#include "dense/lu/plan/plan.hpp"
#include "dist/grid/process_grid.hpp"
#include "overlapack/options.hpp"

#include <optional>
#include <span>
#include <string>

namespace overlapack::api {

/// factorization: the one to be made; empty: none, as for a product
/// Errors  BadPlan if an option is out of range, or asks for another method or factorization
void require_dense_options(const Options& options, std::optional<FactorKind> factorization);

/// The plan of the factorisation from the options alone, whatever the layout of its matrix. Discipline auto: messages, until
/// choose_discipline chooses.
/// Errors  BadPlan for options that contradict each other
dense::LuPlan lu_plan(const Options& options);

/// Errors  BadPlan: schedule hybrid without workers, on any engine, though threads would help each other without
void require_helpers(std::optional<Schedule> schedule, int workers);

/// The kind of row interchange of onesided and superstep: the option's; else shared (one superstep) in supersteps that look ahead,
/// and direct, as paper 4.
SwapKind choose_swap_kind(const DenseOptions& options, Discipline discipline, Schedule schedule);

/// How a dense matrix is distributed and factorised.
struct DensePlan {
  Index block = 1;
  dist::ProcessGrid grid{1, 1, dist::GridOrder::row_major, 1};
  dense::LuPlan lu;
  std::optional<GridOrder> order = {};  ///< of the grid; empty: as the caller distributed the matrix
  std::string choice;                   ///< discipline auto: what was compared, and why one was chosen
  /// A pivot below this share of its row and column makes A suspicious; if scaled_condition is above weak_condition, too, solutions
  /// are judged as those of sparse factors with such a pivot (docs/decisions/0031). QR: columns are dependent above the last.
  double suspicious_pivot_share = 0;
  double weak_condition = 0, singular_condition = 0;
};

double suspicious_pivot_share(Index n, double epsilon);
double singular_condition(double epsilon);
double weak_condition(double epsilon);

/// node_of: the node of each rank; epsilon: of the type of the factors.
/// Errors  BadPlan if the grid has more positions than there are ranks
DensePlan make_dense_plan(const Options& options, Index n, std::span<const int> node_of, double epsilon);
/// The same for LU: where no schedule is asked for, split on several nodes, if each process column has blocks enough.
DensePlan make_lu_plan(const Options& options, Index n, std::span<const int> node_of, double epsilon);

/// Panels that a schedule factorises ahead if `asked` are asked for: lookahead and hybrid as many, split 1, the others 0.
int panels_ahead(dense::Schedule schedule, int asked);

/// The ranks to use on the thread engine: those asked for, else as many as the grid has processes, else as for sparse matrices.
int choose_dense_ranks(const Options& options, double predicted_flops);

}  // namespace overlapack::api
