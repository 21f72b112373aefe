#pragma once
#include "comm/rank.hpp"
#include "overlapack/error.hpp"
#include "overlapack/sparse_matrix.hpp"

#include <functional>
#include <memory>

namespace overlapack::iterative {

/// A solver for the matrix B of one block, on one rank or on a team: direct, iterative, or a further level of parallelism.
template <class T>
class InnerSolver {
 public:
  virtual ~InnerSolver() = default;
  /// z <- B^-1 r; iterative solvers start from the given z.
  /// Shapes  r, z: order of B, on rank 0 of the team; ignored elsewhere
  /// Sync    collective over the team that the solver was made for
  virtual void solve(comm::Rank& rank, const T* r, T* z) = 0;
  /// z <- B^-H r; only for solvers that are linear operators.
  /// Errors  Internal for other solvers
  virtual void solve_adjoint(comm::Rank&, const T*, T*) {
    throw Error(Status::internal, "an inner solver that is no linear operator has no adjoint");
  }
  /// Whether z is the same whatever was in it before.
  virtual bool is_direct() const { return false; }
  /// Number of steps so far, for iterative solvers.
  virtual Index steps() const { return 0; }
};

/// Prepares solves with a rank's block, which may be of order 0.
/// Sync    may be collective
template <class T>
using InnerFactory = std::function<std::unique_ptr<InnerSolver<T>>(comm::Rank& rank, SparseMatrix<T> block)>;

}  // namespace overlapack::iterative
