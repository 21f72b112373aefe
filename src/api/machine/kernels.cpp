#include "api/machine/kernels.hpp"

#include "api/machine/timing.hpp"
#include "base/matrix_view.hpp"
#include "base/random.hpp"
#include "kernels/pivoting/cholesky_panel.hpp"
#include "kernels/pivoting/ldlt_panel.hpp"
#include "kernels/pivoting/lu_panel.hpp"
#include "kernels/product/gemm.hpp"
#include "kernels/product/triangular.hpp"

#include <array>
#include <functional>
#include <numeric>

namespace overlapack::probe {
namespace {

/// A random matrix with a dominant diagonal, so that every kernel can factorise its first columns.
struct TestMatrix {
  TestMatrix(Index rows, Index cols) : original(static_cast<std::size_t>(padded_ld(rows) * cols)) {
    Random random(1);
    view = {nullptr, rows, cols, padded_ld(rows)};
    for (double& v : original) v = random.uniform(-1, 1);
    for (Index j = 0; j < std::min(rows, cols); ++j) original[j + j * view.ld] = 2.0 * double(rows);
    work = original;
    view.data = work.data();
  }
  void restore() { work = original; }

  std::vector<double> original, work;
  MatrixView<double> view;
};

MeasuredKernel gemm_rate(Index m, Index n, Index k) {
  TestMatrix A(m, k), B(n, k), C(m, n);
  const auto cost = kernels::gemm_cost<double>(m, n, k);
  const double s = least_seconds(
      [] {},
      [&] { kernels::gemm<double>(kernels::Op::none, kernels::Op::trans, -1, A.view, B.view, 1, C.view); });
  return {"gemm", std::to_string(m) + " x " + std::to_string(n) + " x " + std::to_string(k), s, cost.flops,
          cost.bytes};
}

MeasuredKernel panel_rate(const std::string& name, Index f, Index s, kernels::Cost cost,
                          const std::function<void(MatrixView<double>)>& factorize) {
  TestMatrix P(f, s);
  const double seconds = least_seconds([&] { P.restore(); }, [&] { factorize(P.view); });
  return {name, std::to_string(f) + " x " + std::to_string(s), seconds, cost.flops, cost.bytes};
}

void lu(MatrixView<double> P) {
  std::vector<std::int32_t> rows(P.cols), cols(P.cols);
  std::iota(rows.begin(), rows.end(), 0);
  std::iota(cols.begin(), cols.end(), 0);
  kernels::lu_panel<double>(P, 0.01, rows, cols);
}

void ldlt(MatrixView<double> P) {
  std::vector<std::int32_t> order(P.cols);
  std::iota(order.begin(), order.end(), 0);
  std::vector<double> d(P.cols), d_off(P.cols);
  kernels::ldlt_panel<double>(P, false, 0.01, order, d, d_off);
}

}  // namespace

std::vector<MeasuredKernel> measure_kernel_rates() {
  std::vector<MeasuredKernel> rates;
  for (Index k : {8, 32, 128, 512}) rates.push_back(gemm_rate(k, k, k));
  rates.push_back(gemm_rate(1024, 1024, 128));
  for (const auto& [f, s] : {std::array<Index, 2>{32, 8}, {128, 32}, {256, 96}, {1024, 256}}) {
    rates.push_back(panel_rate("lu panel", f, s, kernels::lu_panel_cost<double>(f, s), lu));
    rates.push_back(panel_rate("ldlt panel", f, s, kernels::ldlt_panel_cost<double>(f, s), ldlt));
    rates.push_back(panel_rate("cholesky panel", f, s, kernels::cholesky_panel_cost<double>(f, s),
                               [](MatrixView<double> P) { kernels::cholesky_panel(P); }));
  }
  return rates;
}

double triad_bytes_per_s() {
  const std::size_t n = std::size_t{1} << 24;
  std::vector<double> a(n, 0.0), b(n, 1.0), c(n, 2.0);
  const double s = least_seconds([] {},
                                 [&] {
                                   for (std::size_t i = 0; i < n; ++i) a[i] = b[i] + 3.0 * c[i];
                                 });
  return 24.0 * static_cast<double>(n) / s;
}

}  // namespace overlapack::probe
