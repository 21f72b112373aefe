#pragma once
#include "comm/rank.hpp"
#include "dense/check/residual_norms.hpp"
#include "dense/lu/lu.hpp"
#include "overlapack/report.hpp"

#include <functional>
#include <optional>
#include <string>

namespace overlapack::api {

/// A random system [A | b] to solve on a P x Q grid.
struct LinpackProblem {
  Index n = 0;
  Index block = 1;
  dist::ProcessGrid grid{1, 1, dist::GridOrder::row_major, 1};
  dense::LuPlan plan = {};
  std::optional<GridOrder> order = {};  ///< order of the grid, if the library chose it
  std::string choice = {};              ///< how the discipline was chosen, if the library chose it
  std::uint64_t seed = 1;
  bool checks = true;
  double memory_limit_bytes = 0;  ///< most memory of the ranks of one node; 0: the node's available memory
};

struct LinpackResult {
  std::string policy;       ///< phantom: the assumption in place of what depends on the data
  double needed_bytes = 0;  ///< memory that the ranks of a node need, the largest over the nodes
  bool has_memory = true;   ///< false: there is too little memory, and only needed_bytes is set
  double factor_s = 0;      ///< these three: the slowest rank
  double solve_s = 0;
  double seconds = 0;            ///< of both
  dense::FactorResult counters;  ///< sums over the ranks; info: the largest
  dense::ResidualNorms norms;    ///< against A and b generated again; on rank 0
};

/// Make, factorise, solve and check one system. `solved` is called on every rank between the solve and the check.
/// Sync    collective over the team, which may have more ranks than the grid
/// Errors  as lu_factor; a singular A sets counters.info
/// Source  HPL's pdtest
template <class T>
LinpackResult run_linpack(comm::Rank& rank, const LinpackProblem& problem,
                          const std::function<void()>& solved);

/// The report of a run: times, rate, residuals and counters. The status is inaccurate if the scaled residual is not below HPL's 16.
/// Errors  OutOfMemory, Singular
Report linpack_report(const LinpackProblem& problem, ScalarType type, const LinpackResult& result);

}  // namespace overlapack::api
