#pragma once
/// overlapack in the place of Eigen's sparse solvers, with their interface (the sparse solver concept):
///
///   overlapack::eigen::LU<Eigen::SparseMatrix<double>> solver;
///   solver.compute(A);
///   if (solver.info() != Eigen::Success) std::cerr << solver.lastErrorMessage();
///   x = solver.solve(b);
///
/// LU, LDLT and LLT replace Eigen's SparseLU, SimplicialLDLT and SimplicialLLT. Eigen itself (3.4) is the caller's.
#include "overlapack/overlapack.hpp"

#include <Eigen/SparseCore>
#include <algorithm>
#include <cmath>
#include <cstddef>
#include <limits>
#include <optional>
#include <string>

namespace overlapack::eigen {

/// The result of transpose() and adjoint() of a solver: x = lu.transpose().solve(b) solves A^T x = b. It refers to the solver, which must
/// outlive it. Its solves set the solver's info().
template <class Solver, Transpose Op>
class TransposedSolver : public Eigen::SparseSolverBase<TransposedSolver<Solver, Op>> {
 protected:
  using Base = Eigen::SparseSolverBase<TransposedSolver>;

 public:
  using Base::_solve_impl;
  using MatrixType = typename Solver::MatrixType;
  using Scalar = typename Solver::Scalar;
  using StorageIndex = typename Solver::StorageIndex;
  enum { ColsAtCompileTime = MatrixType::ColsAtCompileTime };
  enum { MaxColsAtCompileTime = MatrixType::MaxColsAtCompileTime };

  explicit TransposedSolver(const Solver& solver) : solver_(solver) { Base::m_isInitialized = true; }
  Eigen::Index rows() const { return solver_.cols(); }
  Eigen::Index cols() const { return solver_.rows(); }

  template <class Rhs, class Dest>
  void _solve_impl(const Eigen::MatrixBase<Rhs>& b, Eigen::MatrixBase<Dest>& x) const {
    solver_.solve_with(Op, b, x);
  }

 private:
  const Solver& solver_;
};

/// A direct solver with the interface of Eigen's. With Which = lu it takes any square matrix, with ldlt and cholesky a self-adjoint
/// matrix, of which it reads the triangle UpLo.
/// Cost    one copy of A for each factorize, and of b and x for each solve
template <class Matrix, FactorKind Which, int Triangle = Eigen::Lower>
class DirectSolver : public Eigen::SparseSolverBase<DirectSolver<Matrix, Which, Triangle>> {
 protected:
  using Base = Eigen::SparseSolverBase<DirectSolver>;
  using Base::m_isInitialized;

 public:
  using Base::_solve_impl;
  using MatrixType = Matrix;
  enum { UpLo = Triangle };
  using Scalar = typename MatrixType::Scalar;
  using RealScalar = typename MatrixType::RealScalar;
  using StorageIndex = typename MatrixType::StorageIndex;
  enum { ColsAtCompileTime = MatrixType::ColsAtCompileTime };
  enum { MaxColsAtCompileTime = MatrixType::MaxColsAtCompileTime };

  DirectSolver() = default;
  explicit DirectSolver(const MatrixType& A, const Options& options = as_eigen()) : options_(options) {
    compute(A);
  }
  /// The default options, which follow Eigen: every matrix gets an x unless a pivot is exactly zero.
  static Options as_eigen() { return {.singular = SingularMatrix::always}; }

  /// The options, which take effect with the next analysis. `factorization` is ignored, since the class decides it.
  Options& options() { return options_; }

  /// As in SparseLU: from the next factorize on, a pivot is at least this times the largest entry of its row.
  void setPivotThreshold(const RealScalar& threshold) { options_.sparse.pivot_threshold = threshold; }
  /// As in SparseLU: a hint, which this analysis does not need.
  void isSymmetric(bool) {}
  /// As in SimplicialLDLT and SimplicialLLT: from the next factorize on, the diagonal is offset + scale a_ii.
  DirectSolver& setShift(const RealScalar& offset, const RealScalar& scale = 1) {
    shift_ = {offset, scale};
    return *this;
  }

  DirectSolver& compute(const MatrixType& A) {
    analyzePattern(A);
    factorize(A);
    return *this;
  }
  /// Announce another pattern. The next factorize analyses it, since the matching and the scaling need values.
  void analyzePattern(const MatrixType& A) {
    eigen_assert(A.rows() == A.cols());
    size_ = A.rows();
    factors_.reset();
    has_whole_diagonal_ = false;
    set_status(Eigen::Success, "");
  }
  /// Factorise A. The first call for a pattern analyses it, and later calls reuse the analysis. The first call with a shift analyses again,
  /// since the pattern then has the whole diagonal.
  void factorize(const MatrixType& A) {
    guarded([&] {
      const bool is_shifted = shift_ != Shift{};
      if (factors_ && (!is_shifted || has_whole_diagonal_)) {
        factors_->set_pivot_threshold(options_.sparse.pivot_threshold);
        factors_->refactorize(as_columns(A));
      } else {
        has_whole_diagonal_ = is_shifted;
        Options chosen = options_;
        chosen.factorization = Which;
        factors_.emplace(overlapack::factorize(as_columns(A), chosen));
      }
      if (has_zero_pivot()) throw Error(Status::singular, "the matrix is singular: a pivot is exactly zero");
    });
  }

  /// How the last call ended; lastErrorMessage() has the sentence. NumericalIssue: the matrix is singular, LLT was given a matrix that is
  /// not positive definite, or the backward error is above the option accuracy. InvalidInput: another pattern, a value that is not
  /// finite, or an invalid option.
  Eigen::ComputationInfo info() const {
    eigen_assert(m_isInitialized && "call compute first");
    return info_;
  }
  std::string lastErrorMessage() const { return message_; }
  Eigen::Index rows() const { return size_; }
  Eigen::Index cols() const { return size_; }

  /// x = solver.transpose().solve(b) solves A^T x = b, adjoint() A^H x = b.
  TransposedSolver<DirectSolver, Transpose::trans> transpose() const {
    return TransposedSolver<DirectSolver, Transpose::trans>(*this);
  }
  TransposedSolver<DirectSolver, Transpose::conj_trans> adjoint() const {
    return TransposedSolver<DirectSolver, Transpose::conj_trans>(*this);
  }

  /// The determinant, which may overflow to infinity; logAbsDeterminant and signDeterminant do not.
  /// Errors  of these four functions: BadInput if there are no factors
  Scalar determinant() const {
    using std::ldexp;
    const auto det = factors().determinant();
    const auto power = static_cast<int>(std::clamp<Index>(det.exponent, -100000, 100000));
    if constexpr (ScalarTraits<Scalar>::is_complex)
      return Scalar(ldexp(det.mantissa.real(), power), ldexp(det.mantissa.imag(), power));
    else
      return ldexp(det.mantissa, power);
  }
  Scalar absDeterminant() const { return Scalar(std::abs(determinant())); }
  Scalar logAbsDeterminant() const {
    const auto det = factors().determinant();
    return Scalar(std::log(std::abs(det.mantissa)) + RealScalar(det.exponent) * std::log(RealScalar(2)));
  }
  /// det / |det|, or 0 if det is 0.
  Scalar signDeterminant() const {
    const auto mantissa = factors().determinant().mantissa;
    const RealScalar size = std::abs(mantissa);
    return size > 0 ? Scalar(mantissa / size) : Scalar(0);
  }

  /// overlapack's own factors, for other questions: inertia, report, substitution alone.
  /// Errors  BadInput if there are no factors
  Factorization<Scalar>& factors() const {
    if (!factors_)
      throw Error(Status::bad_input,
                  message_.empty() ? "there are no factors; call compute first" : message_);
    return *factors_;
  }

  template <class Rhs, class Dest>
  void _solve_impl(const Eigen::MatrixBase<Rhs>& b, Eigen::MatrixBase<Dest>& x) const {
    solve_with(Transpose::none, b, x);
  }
  /// Solve op(A) x = b.
  template <class Rhs, class Dest>
  void solve_with(Transpose op, const Eigen::MatrixBase<Rhs>& b, Eigen::MatrixBase<Dest>& x) const {
    using Columns = Eigen::Matrix<Scalar, Eigen::Dynamic, Eigen::Dynamic, Eigen::ColMajor>;
    const Columns B = b;
    x.derived().setConstant(Scalar(std::numeric_limits<RealScalar>::quiet_NaN()));
    // info_ says why there are no factors to solve with
    if (has_zero_pivot() || (!factors_ && info_ != Eigen::Success)) return;
    guarded([&] {
      const auto solution =
          factors().solve({B.data(), static_cast<std::size_t>(B.size())}, static_cast<Index>(B.cols()), op);
      x.derived() = Eigen::Map<const Columns>(solution.x.data(), B.rows(), B.cols());
      const Status status = solution.report.status;
      const bool is_answer = status == Status::ok || status == Status::ill_conditioned;
      set_status(is_answer ? Eigen::Success : Eigen::NumericalIssue, solution.report.message);
    });
  }

 private:
  /// Whether a pivot is exactly zero, in the mode that accepts all other singular matrices.
  bool has_zero_pivot() const {
    return factors_ && options_.singular == SingularMatrix::always && factors_->report().pivots.zero > 0;
  }
  SparseMatrix<Scalar> as_columns(const MatrixType& A) const {
    using Columns = Eigen::SparseMatrix<Scalar, Eigen::ColMajor, StorageIndex>;
    Columns whole;
    if constexpr (Which == FactorKind::lu)
      whole = A;
    else
      whole = A.template selfadjointView<Triangle>();
    if (has_whole_diagonal_)
      for (Eigen::Index i = 0; i < whole.rows(); ++i) {
        Scalar& entry = whole.coeffRef(i, i);
        entry = shift_.offset + shift_.scale * entry;
      }
    whole.makeCompressed();
    SparseMatrix<Scalar> matrix{whole.rows(), whole.cols(), {}, {}, {}};
    matrix.start.assign(whole.outerIndexPtr(), whole.outerIndexPtr() + whole.cols() + 1);
    matrix.row.assign(whole.innerIndexPtr(), whole.innerIndexPtr() + whole.nonZeros());
    matrix.value.assign(whole.valuePtr(), whole.valuePtr() + whole.nonZeros());
    return matrix;
  }

  /// Call f. An Error for which Eigen has a code sets info(); any other one, such as lack of memory, stays an exception.
  template <class F>
  void guarded(F&& f) const {
    try {
      set_status(Eigen::Success, "");
      f();
    } catch (const Error& error) {
      switch (error.status()) {
        case Status::singular:
          return set_status(Eigen::NumericalIssue, error.what());
        case Status::not_converged:
          return set_status(Eigen::NoConvergence, error.what());
        case Status::bad_input:  // Eigen's LLT calls a matrix that is not definite a numerical issue
          return set_status(is_not_definite(error) ? Eigen::NumericalIssue : Eigen::InvalidInput,
                            error.what());
        case Status::bad_plan:
          return set_status(Eigen::InvalidInput, error.what());
        default:
          set_status(Eigen::InvalidInput, error.what());
          throw;
      }
    }
  }
  /// Whether this is LLT's error for a matrix that is not positive definite.
  static bool is_not_definite(const Error& error) {
    return Which == FactorKind::cholesky &&
           std::string_view(error.what()).find("positive definite") != std::string_view::npos;
  }
  void set_status(Eigen::ComputationInfo info, const std::string& message) const {
    m_isInitialized = true;
    info_ = info;
    message_ = message;
  }

  struct Shift {
    RealScalar offset = 0, scale = 1;
    bool operator==(const Shift&) const = default;
  };

  Options options_ = as_eigen();
  Shift shift_;
  bool has_whole_diagonal_ = false;  // the factorised pattern includes the whole diagonal
  Eigen::Index size_ = 0;
  mutable std::optional<Factorization<Scalar>> factors_;
  mutable Eigen::ComputationInfo info_ = Eigen::Success;
  mutable std::string message_;
};

template <class Matrix>
using LU = DirectSolver<Matrix, FactorKind::lu>;
template <class Matrix, int Triangle = Eigen::Lower>
using LDLT = DirectSolver<Matrix, FactorKind::ldlt, Triangle>;
template <class Matrix, int Triangle = Eigen::Lower>
using LLT = DirectSolver<Matrix, FactorKind::cholesky, Triangle>;

}  // namespace overlapack::eigen
