#pragma once
#include "api/dense/session_matrix.hpp"
#include "api/refine/refinement.hpp"
#include "api/refine/singularity.hpp"
#include "kernels/sparse/dense_residual.hpp"

#include <array>
#include <optional>
#include <span>
#include <string>

namespace overlapack::api {

/// A square matrix on the ranks of a session. It solves with refinement by the LU or Cholesky factors that a derived class makes, and judges
/// solutions if a pivot is rounding.
template <class T>
class SessionSystem : public SessionMatrix<T> {
 public:
  using SessionMatrix<T>::SessionMatrix;

  /// As LuFactorization::solve.
  /// Errors  Singular if the matrix is proved singular and no right-hand side has a solution
  Solution<T> solve(std::span<const T> b, Index nrhs, dense::Transpose op) override;

 protected:
  /// The refined solution, not yet judged.
  Solution<T> solve_and_refine(std::span<const T> b, Index nrhs, dense::Transpose op);
  /// The solution, judged by api::test_weak_solution if a pivot is rounding.
  /// Errors  Singular if no right-hand side has a solution
  Solution<T> test_solution(std::span<const T> b, Index nrhs, dense::Transpose op, Solution<T> solution);
  /// Note the pivot that is rounding, as text for messages; empty: there is none. Only position 0 stores it.
  void set_weak_pivot(int position, const std::string& pivot);
  /// Check that the matrix is not proved singular, if the options refuse such a matrix.
  /// Errors  Singular
  void require_nonsingular();
  /// x <- op(A)^{-1} x on every rank.
  void substitute_everywhere(comm::Rank& rank, int position, kernels::Op op, std::span<T> x);
  /// X <- op(A)^{-1} X for an X that every rank has.
  virtual void substitute(comm::Rank& rank, int position, kernels::Op op, MatrixView<T> X) = 0;

 private:
  const Singularity<T>& singularity();
  void multiply(kernels::Op op, std::span<const T> v, std::span<T> product, std::span<Real<T>> weight);

  /// The tests of the next x of A, and of the next x of its transposes.
  std::array<DigitTest, 2> test_{DigitTest::of_any, DigitTest::of_any};
  std::string weakness_;                       ///< the pivot that is rounding; empty: none is
  std::optional<Singularity<T>> singularity_;  ///< made on first use

  void residual(comm::Rank& rank, int position, kernels::Op op, MatrixView<const T> X,
                MatrixView<kernels::WideScalar<T>> R, MatrixView<Real<T>> W) const;
  void substitute_columns(comm::Rank& rank, int position, kernels::Op op, const T* r, T* d, Index columns);
  std::vector<BackwardError> residuals(comm::Rank& rank, int position, kernels::Op op,
                                       std::span<const ResidualColumn<T>> columns) const;
  void serve_residuals(comm::Rank& rank, int position, kernels::Op op, Index columns) const;
};

}  // namespace overlapack::api
