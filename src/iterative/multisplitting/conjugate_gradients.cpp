#include "iterative/multisplitting/conjugate_gradients.hpp"

#include "kernels/operand.hpp"
#include "kernels/spmv.hpp"

#include <cmath>

namespace overlapack::iterative {

namespace {

[[noreturn]] void refuse() {
  throw Error(
      ErrorKind::bad_input, "conjugate_gradients",
      "a block of the matrix is not positive definite, which conjugate gradients need; use inner direct");
}

/// Re x^H y, summed in double precision.
template <class T>
double inner_product(const std::vector<T>& x, const std::vector<T>& y) {
  double sum = 0;
  for (std::size_t i = 0; i < x.size(); ++i) {
    if constexpr (ScalarTraits<T>::is_complex)
      sum += double(x[i].real()) * double(y[i].real()) + double(x[i].imag()) * double(y[i].imag());
    else
      sum += double(x[i]) * double(y[i]);
  }
  return sum;
}

template <class T>
class Gradients final : public InnerSolver<T> {
 public:
  Gradients(SparseMatrix<T> B, const GradientPlan& plan) : B_(std::move(B)), plan_(plan) {
    const std::size_t n = static_cast<std::size_t>(B_.rows);
    inverse_.assign(n, 0);
    for (Index j = 0; j < B_.cols; ++j)
      for (Index p = B_.start[j]; p < B_.start[j + 1]; ++p)
        if (B_.row[p] == j) inverse_[j] = Real<T>(1 / std::real(B_.value[p]));
    for (const Real<T> x : inverse_)
      if (!(x > 0)) refuse();
    for (auto* v : {&r_, &s_, &d_, &Bd_}) v->resize(n);
  }

  Index steps() const override { return steps_; }

  void solve(comm::Rank& rank, const T* b, T* z) override {
    const kernels::Cost cost = kernels::spmv_cost<T>(B_.rows, B_.cols, B_.nnz());
    const std::span<T> x(z, r_.size());
    kernels::spmv(B_, x, r_);
    for (std::size_t i = 0; i < r_.size(); ++i) r_[i] = b[i] - r_[i];  // r = b - B z
    double rho = precondition();                                       // s = M^-1 r, rho = r^H s
    d_ = s_;
    const double goal = plan_.tolerance * std::sqrt(inner_product(r_, r_));
    for (Index k = 0; k < plan_.max_steps && std::sqrt(inner_product(r_, r_)) > goal; ++k, ++steps_) {
      rank.compute({.kind = "gradients", .flops = cost.flops, .bytes = cost.bytes, .m = B_.rows},
                   [&] { rho = step(x, rho); });
      rank.poll();
    }
  }

 private:
  double precondition() {
    for (std::size_t i = 0; i < r_.size(); ++i) s_[i] = inverse_[i] * r_[i];
    return inner_product(r_, s_);
  }

  double step(std::span<T> x, double rho) {
    kernels::spmv(B_, d_, Bd_);
    const double curvature = inner_product(d_, Bd_);
    if (!(curvature > 0)) refuse();
    const Real<T> alpha = Real<T>(rho / curvature);
    for (std::size_t i = 0; i < r_.size(); ++i) {
      x[i] += alpha * d_[i];
      r_[i] -= alpha * Bd_[i];
    }
    const double next = precondition();
    const Real<T> beta = Real<T>(next / rho);
    for (std::size_t i = 0; i < d_.size(); ++i) d_[i] = s_[i] + beta * d_[i];
    return next;
  }

  SparseMatrix<T> B_;
  GradientPlan plan_;
  std::vector<Real<T>> inverse_;  ///< of the diagonal
  std::vector<T> r_, s_, d_, Bd_;
  Index steps_ = 0;
};

}  // namespace

template <class T>
std::unique_ptr<InnerSolver<T>> conjugate_gradients(SparseMatrix<T> B, const GradientPlan& plan) {
  return std::make_unique<Gradients<T>>(std::move(B), plan);
}

#define INSTANTIATE(T) \
  template std::unique_ptr<InnerSolver<T>> conjugate_gradients(SparseMatrix<T>, const GradientPlan&);
OVERLAPACK_FOR_EACH_SCALAR(INSTANTIATE)
#undef INSTANTIATE

}  // namespace overlapack::iterative
