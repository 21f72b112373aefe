#include "api/machine/kernel_models.hpp"

#include "api/machine/timing.hpp"
#include "base/matrix_view.hpp"
#include "base/random.hpp"
#include "kernels/product/gemm.hpp"
#include "kernels/product/triangular.hpp"
#include "overlapack/dense.hpp"
#include "overlapack/generate.hpp"
#include "overlapack/overlapack.hpp"
#include "overlapack/trace.hpp"

#include <cmath>
#include <map>

namespace overlapack::probe {
namespace {

std::array<double, 5> terms_of(const KernelSample& s) {
  return {s.m * s.n * s.k, s.m * s.n, s.m * s.k, s.n * s.k, 1};
}

std::vector<double> random_entries(Index rows, Index cols) {
  std::vector<double> entries(static_cast<std::size_t>(padded_ld(rows) * cols));
  Random random(1);
  for (double& v : entries) v = random.uniform(-1, 1);
  return entries;
}

MatrixView<double> view(std::vector<double>& entries, Index rows, Index cols) {
  return {entries.data(), rows, cols, padded_ld(rows)};
}

KernelSample gemm_sample(Index m, Index n, Index k) {
  auto a = random_entries(m, k), b = random_entries(k, n), c = random_entries(m, n);
  const double s = least_seconds([] {},
                                 [&] {
                                   kernels::gemm<double>(kernels::Op::none, kernels::Op::none, -1,
                                                         view(a, m, k), view(b, k, n), 1, view(c, m, n));
                                 });
  return {double(m), double(n), double(k), s};
}

KernelSample trsm_sample(Index width, Index columns) {
  auto l = random_entries(width, width);
  for (double& v : l) v /= static_cast<double>(width);  // so that solutions stay small
  const auto original = random_entries(width, columns);
  auto x = original;
  const double s = least_seconds(
      [&] { x = original; },
      [&] { kernels::solve_left_lower<double>(view(l, width, width), true, view(x, width, columns)); });
  return {double(width), double(columns), double(width), s};
}

double mean_deviation(const std::array<double, 5>& coefficients, const std::vector<KernelSample>& samples) {
  double sum = 0;
  for (const KernelSample& s : samples) sum += std::abs(seconds_of(coefficients, s) / s.seconds - 1);
  return sum / static_cast<double>(samples.size());
}

KernelModel model_of(const std::string& kernel, double flops_of_mnk,
                     const std::vector<KernelSample>& samples) {
  KernelModel model;
  model.kernel = kernel, model.has_coefficients = true, model.coefficients = fit_coefficients(samples);
  const KernelSample usual{256, 256, 128};
  model.flops_per_s = flops_of_mnk * 256 * 256 * 128 / seconds_of(model.coefficients, usual);
  model.mean_deviation = mean_deviation(model.coefficients, samples);
  model.source =
      "fitted to " + std::to_string(samples.size()) + " shapes; the rate is that at 256 x 256 x 128";
  return model;
}

/// By kind, the best rate of several runs.
using Rates = std::map<std::string, double, std::less<>>;

void keep_better(Rates& best, const trace::Timeline& timeline) {
  std::map<std::string_view, std::array<double, 2>> sums;  // flops, seconds
  for (const trace::Event& e : timeline.events()) {
    if (e.what != trace::What::compute || !(e.flops > 0)) continue;
    sums[e.kind][0] += e.flops;
    sums[e.kind][1] += e.end_s - e.begin_s;
  }
  for (const auto& [kind, sum] : sums) {
    double& rate = best[std::string(kind)];
    rate = std::max(rate, sum[0] / sum[1]);
  }
}

constexpr Index dense_order = 1200, cube_edge = 24;

Rates traced_rates() {
  const Options options{.ranks = 1, .run = {.engine = Engine::thread, .trace = true}};
  constexpr int runs = 3;
  auto a = random_entries(dense_order, dense_order);
  const SparseMatrix<double> cube = sparse::generate("cube", cube_edge);
  Rates best;
  for (int run = 0; run < runs; ++run) {
    keep_better(
        best, dense::lu_factor<double>({a.data(), dense_order, dense_order, padded_ld(dense_order)}, options)
                  .timeline());
    keep_better(best, factorize<double>(cube, options).timeline());
  }
  return best;
}

}  // namespace

double seconds_of(const std::array<double, 5>& coefficients, const KernelSample& shape) {
  const auto terms = terms_of(shape);
  double s = 0;
  for (std::size_t j = 0; j < terms.size(); ++j) s += coefficients[j] * terms[j];
  return s;
}

std::array<double, 5> fit_coefficients(const std::vector<KernelSample>& samples) {
  constexpr int sweeps = 20000;
  std::vector<std::array<double, 5>> A;  // rows: terms over seconds, so that the right-hand side is all ones
  for (const KernelSample& s : samples) {
    A.push_back(terms_of(s));
    for (double& v : A.back()) v /= s.seconds;
  }
  std::array<double, 5> x{};
  std::vector<double> residual(A.size(), 1.0);
  for (int sweep = 0; sweep < sweeps; ++sweep)
    for (std::size_t j = 0; j < x.size(); ++j) {
      double along = 0, square = 0;
      for (std::size_t i = 0; i < A.size(); ++i) along += A[i][j] * residual[i], square += A[i][j] * A[i][j];
      const double next = square > 0 ? std::max(0.0, x[j] + along / square) : 0;
      for (std::size_t i = 0; i < A.size(); ++i) residual[i] -= A[i][j] * (next - x[j]);
      x[j] = next;
    }
  return x;
}

std::vector<KernelModel> kernel_models() {
  std::vector<KernelSample> gemm, trsm;
  for (const Index m : {64, 256, 768})
    for (const Index n : {64, 256, 768})
      for (const Index k : {16, 64, 192}) gemm.push_back(gemm_sample(m, n, k));
  for (const Index width : {32, 64, 128, 192})
    for (const Index columns : {64, 256, 1024}) trsm.push_back(trsm_sample(width, columns));
  std::vector<KernelModel> models{model_of("gemm", 2, gemm), model_of("trsm", 1, trsm)};
  for (const auto& [kind, rate] : traced_rates())
    if (kind != "gemm" && kind != "trsm")
      models.push_back({.kernel = kind,
                        .flops_per_s = rate,
                        .source = "flops over seconds in a dense LU of order " + std::to_string(dense_order) +
                                  " and a factorisation of a cube of " + std::to_string(cube_edge) +
                                  "^3 points, one rank, the best of three"});
  return models;
}

}  // namespace overlapack::probe
