#pragma once
/// overlapack in the place of Eigen's sparse solvers, with their concept:
///
///   overlapack::eigen::LU<Eigen::SparseMatrix<double>> solver;
///   solver.compute(A);
///   if (solver.info() != Eigen::Success) std::cerr << solver.lastErrorMessage();
///   x = solver.solve(b);
///
/// LU, LDLT and LLT stand for Eigen's SparseLU, SimplicialLDLT and SimplicialLLT. Eigen itself (3.4) is the caller's.
#include "overlapack/overlapack.hpp"

#include <Eigen/SparseCore>
#include <cstddef>
#include <limits>
#include <optional>
#include <string>

namespace overlapack::eigen {

/// Which = lu: any square matrix. ldlt, cholesky: a self-adjoint one, of which the triangle UpLo is read.
/// Cost    one copy of A for each factorize, and of b and x for each solve
template <class MatrixType, FactorKind Which, int UpLo = Eigen::Lower>
class DirectSolver : public Eigen::SparseSolverBase<DirectSolver<MatrixType, Which, UpLo>> {
 protected:
  using Base = Eigen::SparseSolverBase<DirectSolver>;
  using Base::m_isInitialized;

 public:
  using Base::_solve_impl;
  using Scalar = typename MatrixType::Scalar;
  using RealScalar = typename MatrixType::RealScalar;
  using StorageIndex = typename MatrixType::StorageIndex;
  enum { ColsAtCompileTime = MatrixType::ColsAtCompileTime };
  enum { MaxColsAtCompileTime = MatrixType::MaxColsAtCompileTime };

  DirectSolver() = default;
  explicit DirectSolver(const MatrixType& A, const Options& options = {}) : options_(options) { compute(A); }

  /// What the next analysis is done with; `factorization` is that of the class.
  Options& options() { return options_; }

  DirectSolver& compute(const MatrixType& A) {
    analyzePattern(A);
    factorize(A);
    return *this;
  }
  /// The next factorize is of another pattern. It analyses, since a matching and scalings need values.
  void analyzePattern(const MatrixType& A) {
    eigen_assert(A.rows() == A.cols());
    size_ = A.rows();
    factors_.reset();
    settle(Eigen::Success, "");
  }
  /// After the first one with a pattern, the analysis is that of the first.
  void factorize(const MatrixType& A) {
    guarded([&] {
      if (factors_) {
        factors_->refactorize(as_columns(A));
      } else {
        Options chosen = options_;
        chosen.factorization = Which;
        factors_.emplace(overlapack::factorize(as_columns(A), chosen));
      }
    });
  }

  /// NumericalIssue: singular, or a solution above the option accuracy. InvalidInput: another pattern, values that are not
  /// finite, LLT of a matrix that is not positive definite, options; lastErrorMessage() says which.
  Eigen::ComputationInfo info() const {
    eigen_assert(m_isInitialized && "call compute first");
    return info_;
  }
  std::string lastErrorMessage() const { return message_; }
  Eigen::Index rows() const { return size_; }
  Eigen::Index cols() const { return size_; }

  /// For all else that factors can do: inertia, determinant, report, solves with A^T and A^H.
  /// Errors  BadInput while there are none
  Factorization<Scalar>& factors() const {
    if (!factors_)
      throw Error(ErrorKind::bad_input, "eigen",
                  message_.empty() ? "there are no factors; call compute first" : message_);
    return *factors_;
  }

  template <class Rhs, class Dest>
  void _solve_impl(const Eigen::MatrixBase<Rhs>& b, Eigen::MatrixBase<Dest>& x) const {
    using Columns = Eigen::Matrix<Scalar, Eigen::Dynamic, Eigen::Dynamic, Eigen::ColMajor>;
    const Columns B = b;
    x.derived().setConstant(Scalar(std::numeric_limits<RealScalar>::quiet_NaN()));
    if (!factors_ && info_ != Eigen::Success) return;  // why there are none is known
    guarded([&] {
      const auto solution =
          factors().solve({B.data(), static_cast<std::size_t>(B.size())}, static_cast<Index>(B.cols()));
      x.derived() = Eigen::Map<const Columns>(solution.x.data(), B.rows(), B.cols());
      const Status status = solution.report.status;
      const bool is_answer = status == Status::ok || status == Status::ill_conditioned;
      settle(is_answer ? Eigen::Success : Eigen::NumericalIssue, solution.report.message);
    });
  }

 private:
  static SparseMatrix<Scalar> as_columns(const MatrixType& A) {
    using Columns = Eigen::SparseMatrix<Scalar, Eigen::ColMajor, StorageIndex>;
    Columns whole;
    if constexpr (Which == FactorKind::lu)
      whole = A;
    else
      whole = A.template selfadjointView<UpLo>();
    whole.makeCompressed();
    SparseMatrix<Scalar> matrix{whole.rows(), whole.cols(), {}, {}, {}};
    matrix.start.assign(whole.outerIndexPtr(), whole.outerIndexPtr() + whole.cols() + 1);
    matrix.row.assign(whole.innerIndexPtr(), whole.innerIndexPtr() + whole.nonZeros());
    matrix.value.assign(whole.valuePtr(), whole.valuePtr() + whole.nonZeros());
    return matrix;
  }

  /// Errors for which Eigen has a code become that; others, as want of memory, stay exceptions.
  template <class F>
  void guarded(F&& f) const {
    try {
      settle(Eigen::Success, "");
      f();
    } catch (const Error& error) {
      switch (error.kind()) {
        case ErrorKind::singular:
          return settle(Eigen::NumericalIssue, error.what());
        case ErrorKind::not_converged:
          return settle(Eigen::NoConvergence, error.what());
        case ErrorKind::bad_input:
        case ErrorKind::bad_plan:
          return settle(Eigen::InvalidInput, error.what());
        default:
          settle(Eigen::InvalidInput, error.what());
          throw;
      }
    }
  }
  void settle(Eigen::ComputationInfo info, const std::string& message) const {
    m_isInitialized = true;
    info_ = info;
    message_ = message;
  }

  Options options_;
  Eigen::Index size_ = 0;
  mutable std::optional<Factorization<Scalar>> factors_;
  mutable Eigen::ComputationInfo info_ = Eigen::Success;
  mutable std::string message_;
};

template <class MatrixType>
using LU = DirectSolver<MatrixType, FactorKind::lu>;
template <class MatrixType, int UpLo = Eigen::Lower>
using LDLT = DirectSolver<MatrixType, FactorKind::ldlt, UpLo>;
template <class MatrixType, int UpLo = Eigen::Lower>
using LLT = DirectSolver<MatrixType, FactorKind::cholesky, UpLo>;

}  // namespace overlapack::eigen
