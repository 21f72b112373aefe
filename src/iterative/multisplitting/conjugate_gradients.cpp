#include "iterative/multisplitting/conjugate_gradients.hpp"

#include "base/instantiate.hpp"
#include "comm/collective/collective.hpp"
#include "iterative/driver/halo.hpp"
#include "iterative/jacobi/matrix_block.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

namespace overlapack::iterative {

namespace {

[[noreturn]] void refuse() {
  throw Error(
      Status::bad_input,
      "a block of the matrix is not positive definite, which conjugate gradients need; use inner direct");
}

/// Re x^H y of the first n numbers, summed in double precision.
template <class T>
double inner_product(const std::vector<T>& x, const std::vector<T>& y, std::size_t n) {
  double sum = 0;
  for (std::size_t i = 0; i < n; ++i) {
    if constexpr (ScalarTraits<T>::is_complex)
      sum += double(x[i].real()) * double(y[i].real()) + double(x[i].imag()) * double(y[i].imag());
    else
      sum += double(x[i]) * double(y[i]);
  }
  return sum;
}

template <class T>
std::unique_ptr<RowDistribution<T>> distribute_positive(const SparseMatrix<T>* B, std::span<const int> owner,
                                                        int ranks) {
  if (!B) return nullptr;
  auto deal = std::make_unique<RowDistribution<T>>(*B, owner, ranks);
  for (const T& d : deal->diagonal)
    if (!(std::real(d) > 0)) refuse();
  return deal;
}

template <class T>
class Gradients final : public InnerSolver<T> {
 public:
  Gradients(comm::Rank& rank, const SparseMatrix<T>* B, std::span<const int> owner, const GradientPlan& plan)
      : rows_(rank, distribute_positive(B, owner, rank.size()).get()),
        plan_(plan),
        own_(static_cast<std::size_t>(rows_.unknowns())) {
    for (auto* v : {&z_, &d_}) v->resize(rows_.state_size());
    for (auto* v : {&r_, &s_, &Bd_}) v->resize(own_);
    for (const T& d : rows_.diagonal()) inverse_.push_back(Real<T>(1 / std::real(d)));
  }

  Index steps() const override { return steps_; }

  void solve(comm::Rank& rank, const T* b, T* z) override {
    const auto halo = open_halo(rank, rows_, {.variant = Variant::sync}, z_.data());
    std::ranges::copy(rows_.scatter(rank, z), z_.begin());
    r_ = rows_.scatter(rank, b);
    product(rank, *halo, z_);
    for (std::size_t i = 0; i < own_; ++i) r_[i] -= Bd_[i];  // r = b - B z
    Sums sums = precondition(rank);                          // s = M^-1 r, r^H s, r^H r
    std::ranges::copy(s_, d_.begin());
    constexpr double eps = std::numeric_limits<Real<T>>::epsilon();
    const double goal = std::max(plan_.tolerance, eps) * std::sqrt(sums[of_residual]);
    for (Index k = 0; k < plan_.max_steps && std::sqrt(sums[of_residual]) > goal; ++k, ++steps_)
      sums = step(rank, *halo, sums);
    const std::vector<T> all = rows_.gather_on_root(rank, z_);
    std::ranges::copy(all, z);
  }

 private:
  static constexpr std::size_t of_preconditioned = 0, of_residual = 1;
  using Sums = std::array<double, 2>;             ///< r^H s, r^H r
  static constexpr double least_square = 1e-100;  ///< r^H r below which d^H B d may underflow

  /// B d for a state d.
  void product(comm::Rank& rank, Halo<T>& halo, std::vector<T>& d) {
    halo.swap(d.data(), d.data());
    const kernels::Cost cost = rows_.sweep_cost();
    rank.compute({.kind = "gradients", .flops = cost.flops, .bytes = cost.bytes, .m = rows_.unknowns()},
                 [&] { rows_.multiply(d.data(), Bd_.data()); });
    rank.poll();
  }

  Sums precondition(comm::Rank& rank) {
    // s = M^-1 r, M the diagonal of B
    for (std::size_t i = 0; i < own_; ++i) s_[i] = inverse_[i] * r_[i];
    Sums sums{inner_product(r_, s_, own_), inner_product(r_, r_, own_)};
    comm::collective::all_reduce(rank, std::span<double>(sums), std::plus<>());
    return sums;
  }

  Sums step(comm::Rank& rank, Halo<T>& halo, const Sums& before) {
    // B d
    product(rank, halo, d_);
    // alpha = r^H s / d^H B d
    const double curvature = comm::collective::all_reduce(rank, inner_product(d_, Bd_, own_), std::plus<>());
    if (curvature == 0 && before[of_residual] < least_square) return {0, 0};
    if (!(curvature > 0)) refuse();
    const Real<T> alpha = Real<T>(before[of_preconditioned] / curvature);
    // z += alpha d, r -= alpha B d
    for (std::size_t i = 0; i < own_; ++i) {
      z_[i] += alpha * d_[i];
      r_[i] -= alpha * Bd_[i];
    }
    // s = M^-1 r; r^H s, r^H r
    const Sums sums = precondition(rank);
    // beta = r^H s / its last value
    const Real<T> beta = Real<T>(sums[of_preconditioned] / before[of_preconditioned]);
    // d = s + beta d
    for (std::size_t i = 0; i < own_; ++i) d_[i] = s_[i] + beta * d_[i];
    return sums;
  }

  MatrixBlock<T> rows_;
  GradientPlan plan_;
  std::size_t own_;
  std::vector<Real<T>> inverse_;       ///< of the diagonal
  std::vector<T> z_, d_, r_, s_, Bd_;  ///< z and d with their halos
  Index steps_ = 0;
};

}  // namespace

template <class T>
std::unique_ptr<InnerSolver<T>> conjugate_gradients(comm::Rank& rank, const SparseMatrix<T>* B,
                                                    std::span<const int> owner, const GradientPlan& plan) {
  return std::make_unique<Gradients<T>>(rank, B, owner, plan);
}

#define OVERLAPACK_INSTANTIATE(T)                                                                   \
  template std::unique_ptr<InnerSolver<T>> conjugate_gradients(comm::Rank&, const SparseMatrix<T>*, \
                                                               std::span<const int>, const GradientPlan&);
OVERLAPACK_FOR_EACH_SCALAR(OVERLAPACK_INSTANTIATE)
#undef OVERLAPACK_INSTANTIATE

}  // namespace overlapack::iterative
