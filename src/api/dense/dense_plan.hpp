#pragma once
#include "dense/lu/plan/plan.hpp"
#include "dist/grid/process_grid.hpp"
#include "overlapack/options.hpp"

#include <optional>
#include <span>
#include <string>

namespace overlapack::api {

/// Check the options of a call on dense matrices.
/// factorization: the factorisation that the call makes; empty: none, as for a product
/// Errors  BadPlan if an option is out of range, or asks for another method or factorization
void require_dense_options(const Options& options, std::optional<FactorKind> factorization);

/// The plan of the factorisation as far as it follows from the options, without the layout of the matrix. Discipline auto is messages until
/// choose_discipline chooses another one.
/// Errors  BadPlan for options that contradict each other
dense::LuPlan lu_plan(const Options& options);

/// Check that schedule hybrid has workers. It needs them on every engine, although ranks that are threads would help each other without.
/// Errors  BadPlan
void require_helpers(std::optional<Schedule> schedule, int workers);

/// The kind of row interchange of the disciplines onesided and superstep: the option's. If it is empty: shared (one superstep) in supersteps
/// that look ahead, otherwise direct, as in paper 4.
SwapKind choose_swap_kind(const DenseOptions& options, Discipline discipline, Schedule schedule);

/// How a dense matrix is distributed and factorised.
struct DensePlan {
  Index block = 1;
  dist::ProcessGrid grid{1, 1, dist::GridOrder::row_major, 1};
  dense::LuPlan lu;
  std::optional<GridOrder> order = {};  ///< of the grid; empty: as the caller distributed the matrix
  std::string choice;  ///< with discipline auto: the predicted times, and why one discipline was chosen
  /// A pivot below suspicious_pivot_share of its row and column makes A suspicious. If the scaled condition number is also above
  /// weak_condition, solutions are judged as those of sparse factors with such a pivot (docs/decisions/0031). In QR, columns are dependent if
  /// it is above singular_condition.
  double suspicious_pivot_share = 0;
  double weak_condition = 0, singular_condition = 0;
};

double suspicious_pivot_share(Index n, double epsilon);
double singular_condition(double epsilon);
double weak_condition(double epsilon);

/// Make the plan of a dense factorisation. node_of: the node of each rank; epsilon: of the type of the factors.
/// Errors  BadPlan if the grid has more positions than there are ranks
DensePlan make_dense_plan(const Options& options, Index n, std::span<const int> node_of, double epsilon);
/// make_dense_plan for LU. If the options name no schedule, it is split on several nodes, provided that each process column has enough blocks.
DensePlan make_lu_plan(const Options& options, Index n, std::span<const int> node_of, double epsilon);

/// How many panels a schedule factorises ahead if the options ask for `asked`: look-ahead and hybrid `asked`, split 1, the others 0.
int panels_ahead(dense::Schedule schedule, int asked);

/// The number of ranks on the thread engine: the option's; if it is 0, the size of the grid; if that is 0 x 0, as for sparse matrices.
int choose_dense_ranks(const Options& options, double predicted_flops);

}  // namespace overlapack::api
