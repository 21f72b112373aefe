#pragma once
#include "api/refine/refinement.hpp"
#include "api/run/interruption.hpp"
#include "api/run/session.hpp"
#include "overlapack/overlapack.hpp"

namespace overlapack::api {

/// A factorised matrix and its options, as refined_solve needs them. The functions run on the ranks of a session.
template <class T>
struct FactorizedSystem {
  Index n = 0;  ///< on rank 0
  /// most columns of a call of substitute or residuals; progress is checked between calls. The same on all ranks
  Index pass = 1;
  /// d <- A^{-1} r on every rank. Shapes  r, d: n x columns on rank 0, null elsewhere
  std::function<void(comm::Rank&, int position, const T* r, T* d, Index columns)> substitute;
  /// Called on rank 0: returns the function that computes residuals.
  std::function<Residuals<T>(comm::Rank&, int position)> residuals;
  /// Called on the other ranks each time that rank 0 computes `columns` residuals; empty if rank 0 computes them alone.
  std::function<void(comm::Rank&, int position, Index columns)> serve_residuals = {};
  std::string more_accuracy = {};  ///< what to do about a backward error above RefinementOptions::accuracy
  int gmres_steps = 0;             ///< most steps of flexible GMRES where refinement misses the accuracy,
  /// memory for its vectors, asked on rank 0 where they are needed; empty: no limit
  std::function<double()> gmres_bytes = {};
  /// conjugate gradients in place of GMRES: A and its factors are Hermitian, positive definite
  bool is_definite = false;
  bool refines_x = false;  ///< RefinementLimits::refines_x
  /// set status ill_conditioned if last digits change x too much; false: the caller judges x
  bool judges_x = true;
  DigitTest test = DigitTest::none;
  std::span<const double> row_max = {};  ///< RefinementLimits::row_max, on rank 0
  DigitChange* digit_change = nullptr;   ///< <- on every process
  bool is_for_all = true;                ///< X is sent to every process; false: it stays on rank 0
};

/// Solve A X = B with refinement, and fill in the report's part on the last solve.
/// Shapes  b: n x nrhs by columns, on rank 0; X: on every rank, or on rank 0 only (is_for_all)
/// Errors  BadInput if b has a wrong size or holds NaN or infinity; Cancelled
template <class T>
std::vector<T> refined_solve(Session& session, Interruption& interruption, const Options& options,
                             const FactorizedSystem<T>& system, std::span<const T> b, Index nrhs,
                             Report& report);

/// Check that b has n x nrhs finite numbers.
/// Errors  BadInput
template <class T>
void require_right_hand_sides(std::span<const T> b, Index n, Index nrhs);

/// Copy rank 0's x to every rank, so that a script which all processes run can go on with it.  Collective
template <class T>
void broadcast_vector_from_root(comm::Rank& rank, std::vector<T>& x);

}  // namespace overlapack::api
