#pragma once
#include "problem.hpp"
#include "ranks.hpp"

#include <nlohmann/json.hpp>

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <vector>

namespace bench {

/// What the harness asks of a driver: driver MATRIX.bin --variant NAME --ranks N --budget S [--spd] [--library F].
struct Request {
  std::string matrix;
  std::string variant = "default";  ///< which ordering and matching; each driver lists its own
  double compression = 0;  ///< variant "metis_blr1e-8": metis, blocks of low rank with this tolerance
  std::string library;     ///< a shared library to load at run time (PARDISO)
  int ranks = 1;           ///< ranks or threads, as the solver has them
  double budget_s = 0.3;   ///< repeat factor and solve until this much time is measured
  bool is_spd = false;     ///< the matrix is declared symmetric positive definite
};

/// The solver itself refused or failed: a row in the comparison, not a crash.
struct SolverFailure : std::runtime_error {
  using std::runtime_error::runtime_error;
};

/// One solver on one matrix. Every rank of a parallel solver holds one and makes the same calls.
class Solver : public Ranks {
 public:
  /// Each phase returns its own seconds. A repeated factor starts again from the values and keeps the analysis.
  virtual double analyse() = 0;
  virtual double factor() = 0;
  /// Other values in the same pattern, with all that the solver keeps for that: pivots as well where it has a call for it (KLU).
  virtual double refactor() { return factor(); }
  /// x <- A^-1 b with the solver's own refinement, at most two steps; x is complete on the root.
  virtual double solve(const std::vector<double>& b, std::vector<double>& x) = 0;
  /// The same for `count` right-hand sides in one call, by columns, refined or not; NaN from drivers that do not have it.
  virtual double solve_many(const std::vector<double>& b, std::vector<double>& x, int count, bool refines);

  /// peer, version, parameters and, once factored, factor_nnz, flops and what else the solver reports; blas, where it has
  /// another than the process's dgemm.
  virtual nlohmann::json report() const = 0;
};

/// x, after at most two steps of refinement with `correct` (r -> A^-1 r) for solvers that have none of their own.
void refine(const Matrix& a, const std::vector<double>& b, std::vector<double>& x,
            const std::function<void(std::vector<double>&)>& correct);

using MakeSolver = std::function<std::unique_ptr<Solver>(const Matrix&, const Request&)>;

/// The whole program of a driver: read, analyse, factor and solve with repeats, print one line of JSON.
int run_driver(int argc, char** argv, const std::string& peer, const MakeSolver& make);

}  // namespace bench
