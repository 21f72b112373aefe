#pragma once
/// overlapack: solves A x = b in parallel with communication that never stalls the computation.
///
///   overlapack::SparseMatrix<double> A = ...;
///   auto [x, report] = overlapack::solve(A, b);
///
/// Factor once, solve often:
///
///   auto factors = overlapack::factorize(A, {.ranks = 4});
///   auto x = factors.solve(b).x;
///
/// Everything that goes wrong is an overlapack::Error, whose what() says what to do next.
#include "overlapack/error.hpp"
#include "overlapack/export.hpp"
#include "overlapack/options.hpp"
#include "overlapack/report.hpp"
#include "overlapack/scalar.hpp"
#include "overlapack/sparse_matrix.hpp"

#include <memory>
#include <span>
#include <string>
#include <vector>

namespace overlapack {

namespace trace {
class Timeline;
}

/// x, n x nrhs by columns, and how it came about. Under MPI x, status and backward error are on every rank, the rest of the
/// report on rank 0.
template <class T>
struct Solution {
  std::vector<T> x;
  Report report;
};

/// The factors of a matrix, spread over the ranks that made them. Movable; concurrent solves on one object
/// are serialised, different objects are independent.
template <class T>
class OVERLAPACK_API Factorization {
 public:
  Factorization(Factorization&&) noexcept;
  Factorization& operator=(Factorization&&) noexcept;
  ~Factorization();

  /// Solve A X = B with iterative refinement on the matrix as it was given.
  /// Shapes  b: n x nrhs by columns; on rank 0, ignored on the others
  /// Sync    collective over the ranks of an MPI communicator
  /// Cost    4 factor_nnz nrhs flops (8 complex) a refinement step
  /// Errors  BadInput if b has a wrong size or holds NaN or infinity; Cancelled; CommFailure.
  ///         A solution above Options::accuracy is returned with status inaccurate.
  Solution<T> solve(std::span<const T> b, Index nrhs = 1);

  /// Of the factorisation and, after one, of the last solve.
  const Report& report() const;
  /// The events of every rank (Options::trace), on rank 0.
  const trace::Timeline& timeline() const;

  struct Implementation;
  explicit Factorization(std::unique_ptr<Implementation> implementation);

 private:
  std::unique_ptr<Implementation> implementation_;
};

/// Analyse and factorise A.
/// Shapes  A: square, columns in any order, duplicates are summed; under MPI on rank 0, ignored on the others
/// Sync    collective over the ranks of an MPI communicator
/// Errors  BadInput, BadPlan, Singular, OutOfMemory, Cancelled, CommFailure
template <class T>
OVERLAPACK_API Factorization<T> factorize(SparseMatrix<T> A, const Options& options = {});

/// factorize and solve in one.
template <class T>
OVERLAPACK_API Solution<T> solve(SparseMatrix<T> A, std::span<const T> b, const Options& options = {});
template <class T>
Solution<T> solve(SparseMatrix<T> A, const std::vector<T>& b, const Options& options = {}) {
  return solve(std::move(A), std::span<const T>(b), options);
}

/// Analyse only: what would be done. The report's predicted_* fields, ordering, matching and symmetry are
/// set.
template <class T>
OVERLAPACK_API Report plan(SparseMatrix<T> A, const Options& options = {});

}  // namespace overlapack
