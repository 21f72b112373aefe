// The row of src/kernels/product/rates.cpp for this processor and this BLAS: measures the kernels at the shapes of fronts and prints it.
//   bench_rates [LEVEL [TYPE]]      LEVEL: of the small kernels, "best" by default; TYPE: s, d, c or z
// Processor time, minimum of several runs, some 10 s in all. OPENBLAS_CORETYPE chooses another set of OpenBLAS's kernels.
#include "kernels/product/rates.hpp"

#include "base/random.hpp"
#include "comm/team.hpp"
#include "kernels/pivoting/cholesky_panel.hpp"
#include "kernels/pivoting/ldlt_panel.hpp"
#include "kernels/pivoting/lu_panel.hpp"
#include "kernels/product/blas_library.hpp"
#include "kernels/product/blas_threads.hpp"
#include "kernels/product/triangular.hpp"
#include "kernels/small/dispatch.hpp"
#include "kernels/update/extend_add.hpp"
#include "kernels/update/swap.hpp"
#include "kernels/update/update.hpp"
#include "sparse/analysis/fronts/front_cost.hpp"
#include "sparse/multifrontal/multifrontal.hpp"
#include "thread_clock.hpp"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <numeric>
#include <string>
#include <utility>
#include <vector>

namespace {

using namespace overlapack;
using namespace overlapack::kernels;
using sparse::FactorKind;

constexpr Index widths = std::tuple_size_v<RateTable>;

template <class T>
struct Block {
  Index rows, cols, ld;
  std::vector<T> data;
  Block(Index m, Index n) : rows(m), cols(n), ld(padded_ld(m)), data(static_cast<std::size_t>(ld * n)) {}
  MatrixView<T> view() { return {data.data(), rows, cols, ld}; }
};

/// A front of order f with s pivots: the blocks that its elimination changes.
template <class T>
struct Front {
  Block<T> P, L21, C;
  std::vector<std::int32_t> rows, cols;
  std::vector<T> d, d_off, work;

  Front(Index f, Index s)
      : P(f, s),
        L21(f - s, s),
        C(f - s, f - s),
        rows(s),
        cols(s),
        d(s),
        d_off(s),
        work(static_cast<std::size_t>(f * s)) {
    Random random(1);
    for (T& x : P.data) x = T(random.uniform(-1, 1));
    for (T& x : L21.data) x = T(random.uniform(-1, 1));
    for (Index j = 0; j < s; ++j) P.view()(j, j) += T(2 * f);
    std::iota(rows.begin(), rows.end(), 0);
    std::iota(cols.begin(), cols.end(), 0);
  }
};

/// Least seconds of `work` on a front, of several runs over as many copies as the second cache has room for.
template <class T, class Work>
double least_seconds(Index f, Index s, double flops, Work work) {
  const Front<T> original(f, s);
  const double bytes = static_cast<double>(sizeof(T)) * static_cast<double>(f) * static_cast<double>(f);
  const auto copies = static_cast<std::size_t>(std::clamp(5e5 / bytes, 1.0, 100.0));
  const int runs = static_cast<int>(std::clamp(2e8 / (flops * static_cast<double>(copies)), 3.0, 50.0));
  double least = 1e9;
  for (int run = 0; run < runs; ++run) {
    std::vector<Front<T>> fronts(copies, original);
    const double begin = thread_seconds();
    for (Front<T>& front : fronts) work(front);
    least = std::min(least, thread_seconds() - begin);
  }
  return least / static_cast<double>(copies);
}

template <class T>
void lu(Front<T>& front) {
  const auto P = front.P.view();
  const Index s = P.cols;
  lu_panel<T>(P, 0.01, front.rows, front.cols);
  permute_columns<T>(front.L21.view(), front.rows, front.work);
  solve_right_lower_trans<T>(P.block(0, 0, s, s), true, false, front.L21.view());
}

/// As the multifrontal method does: small ones pivot by pivot.
template <class T>
void ldlt(Front<T>& front) {
  const auto P = front.P.view();
  if (P.rows <= 32)
    ldlt_in_order<T>(P, false, 0.01, front.d, 0);
  else
    ldlt_panel<T>(P, false, 0.01, front.rows, front.d, front.d_off);
  scale_by_d<T>(P.block(P.cols, 0, P.rows - P.cols, P.cols), false, front.d, front.d_off, front.L21.view());
}

template <class T>
void cholesky(Front<T>& front) {
  cholesky_panel<T>(front.P.view());
}

template <class T>
void update(Front<T>& front, bool is_lower) {
  const auto P = front.P.view();
  const ConstView<T> B = P.block(P.cols, 0, P.rows - P.cols, P.cols);
  if (is_lower)
    lower_update<T>(front.L21.view(), B, false, false, front.C.view());
  else
    full_update<T>(front.L21.view(), B, false, front.C.view());
}

struct Shape {
  Index position;  ///< of its width in a table
  double border, rate;
};

/// GF/s, two flops a multiply-add whatever the type, at the borders that fronts of each width have.
/// flops(s, b)
template <class T, class Flops, class Work>
std::vector<Shape> measured(Flops flops, Work work) {
  std::vector<Shape> shapes;
  for (Index i = 0; i < widths; ++i) {
    const Index s = Index{1} << i, most = std::min<Index>(1024, 32 + 8 * s);
    for (Index b = std::max<Index>(4, s / 2); b <= most; b *= 2)
      shapes.push_back(
          {i, static_cast<double>(b), flops(s, b) / least_seconds<T>(s + b, s, flops(s, b), work) / 1e9});
  }
  return shapes;
}

/// The rates for which all shapes together are nearest to rate(width) b / (b + half_border), in logarithms.
RateTable fitted(const std::vector<Shape>& shapes, double half_border, double& spread) {
  RateTable sum{}, count{};
  const auto log_rate = [&](const Shape& shape) {
    return std::log(shape.rate * (shape.border + half_border) / shape.border);
  };
  for (const Shape& shape : shapes) {
    sum[shape.position] += log_rate(shape);
    ++count[shape.position];
  }
  RateTable rates;
  for (std::size_t i = 0; i < rates.size(); ++i) rates[i] = std::exp(sum[i] / count[i]);
  spread = 0;
  for (const Shape& shape : shapes) spread += std::pow(log_rate(shape) - std::log(rates[shape.position]), 2);
  spread = std::sqrt(spread / static_cast<double>(shapes.size()));
  return rates;
}

/// The nearest rates, in logarithms, that fall nowhere: a wider front could always be worked off in narrower parts.
RateTable without_falls(const RateTable& rates) {
  struct Level {
    double log_sum, count;
    double mean() const { return log_sum / count; }
  };
  std::vector<Level> levels;
  for (const double rate : rates) {
    levels.push_back({std::log(rate), 1});
    while (levels.size() > 1 && levels.end()[-2].mean() > levels.back().mean()) {
      levels.end()[-2].log_sum += levels.back().log_sum;
      levels.end()[-2].count += levels.back().count;
      levels.pop_back();
    }
  }
  RateTable rising;
  auto* position = rising.begin();
  for (const Level& level : levels)
    position = std::fill_n(position, static_cast<int>(level.count), std::exp(level.mean()));
  return rising;
}

/// GF/s with their typical factor of error.
struct Fit {
  UpdateRates rates;
  double spread = 1e9;
};

template <class T>
Fit update_rates(bool is_lower) {
  const auto shapes = measured<T>(
      [&](Index s, Index b) { return static_cast<double>(is_lower ? s * b * (b + 1) : 2 * s * b * b); },
      [&](Front<T>& front) { update(front, is_lower); });
  Fit best;
  for (double half_border = 0; half_border <= 64; half_border += 0.5) {
    Fit now{{{}, half_border}, 0};
    now.rates.rate = fitted(shapes, half_border, now.spread);
    if (now.spread < best.spread) best = now;
  }
  return best;
}

template <class T, class Work>
Fit panel_rates(FactorKind kind, Work work) {
  const auto shapes = measured<T>(
      [&](Index s, Index b) {
        const auto update = static_cast<double>(kind == FactorKind::lu ? 2 * s * b * b : s * b * (b + 1));
        return sparse::front_flops(kind, s + b, s) - update;
      },
      work);
  Fit fit;
  fit.rates.rate = fitted(shapes, 0, fit.spread);
  return fit;
}

/// Bytes read and written a second, of children of orders 16 to 256 whose rows lie in runs of eight.
template <class T>
double extend_add_rate() {
  double seconds = 0, bytes = 0;
  for (Index b = 16; b <= 256; b *= 4) {
    std::vector<std::int32_t> map(b);
    for (Index i = 0; i < b; ++i) map[i] = static_cast<std::int32_t>(i + i / 8);
    const Index parent = map.back() + 1;
    Block<T> child(b, b);
    seconds += least_seconds<T>(parent + 1, 1, static_cast<double>(b * b), [&](Front<T>& front) {
      extend_add<T>(child.view(), map.data(), map.data(), front.C.view());
    });
    bytes += extend_add_cost<T>(static_cast<double>(b * b)).bytes;
  }
  return bytes / seconds;
}

/// Seconds of one front of a chain of small ones, in the factorisation itself.
template <class T>
double chain_s(FactorKind kind) {
  constexpr Index n = 20000;
  SparseMatrix<T> A;
  A.rows = A.cols = n;
  A.symmetry = kind == FactorKind::lu ? Symmetry::general : Symmetry::symmetric;
  A.start.assign(1, 0);
  for (Index j = 0; j < n; ++j) {
    for (Index i = std::max<Index>(0, j - 1); i <= std::min(n - 1, j + 1); ++i) {
      A.row.push_back(i);
      A.value.push_back(i == j ? T(4) : T(-1));
    }
    A.start.push_back(static_cast<Index>(A.row.size()));
  }
  sparse::AnalysisPlan plan;
  plan.kind = kind;
  plan.ordering = Ordering::natural;
  plan.matching = Switch::off;
  plan.amalgamation_width.clear();
  plan.amalgamation_zeros.clear();
  plan.amalgamation_wide_zeros = 0;
  plan.amalgamation_zeros_for_saved = 0;
  const sparse::Analysis analysis = sparse::analyse(A, plan);
  double least = 1e9;
  comm::run({.ranks = 1}, [&](comm::Rank& rank) {
    for (int run = 0; run < 5; ++run) {
      sparse::multifrontal::Multifrontal<T> factors;
      const double begin = thread_seconds();
      factors.factorize(rank, &analysis, &A, {});
      least = std::min(least, thread_seconds() - begin);
    }
  });
  return least / static_cast<double>(analysis.tree.fronts());
}

void print(const char* name, const Fit& fit) {
  std::printf(".%s{%s", name, fit.rates.half_border > 0 ? "{" : "");
  const char* before = "";
  for (const double rate : without_falls(fit.rates.rate))
    std::printf("%s%.3g", std::exchange(before, ", "), rate);
  if (fit.rates.half_border > 0) std::printf("}, %.3g", fit.rates.half_border);
  std::printf("},  // within a factor of %.2f\n", std::exp(fit.spread));
}

template <class T>
void print_row() {
  print("update_full", update_rates<T>(false));
  print("update_lower", update_rates<T>(true));
  print("panel_lu", panel_rates<T>(FactorKind::lu, lu<T>));
  print("panel_ldlt", panel_rates<T>(FactorKind::ldlt, ldlt<T>));
  print("panel_cholesky", panel_rates<T>(FactorKind::cholesky, cholesky<T>));
  std::printf(
      "// bounds, in caches: assembly_bytes_per_s at most %.2g, front_s at least %.2g (lu), %.2g (ldlt), "
      "%.2g (cholesky)\n",
      extend_add_rate<T>(), chain_s<T>(FactorKind::lu), chain_s<T>(FactorKind::ldlt),
      chain_s<T>(FactorKind::cholesky));
}

}  // namespace

int main(int argc, char** argv) {
  const SingleThreadedBlas guard;
  const std::string level = argc > 1 ? argv[1] : "best", type = argc > 2 ? argv[2] : "d";
  if (level != "best") use_small_kernel_level(level);
  std::printf("// %s, small kernels %s\n", blas_library().text().c_str(),
              std::string(small_kernel_level()).c_str());
  if (type == "s") print_row<float>();
  if (type == "d") print_row<double>();
  if (type == "c") print_row<std::complex<float>>();
  if (type == "z") print_row<std::complex<double>>();
}
