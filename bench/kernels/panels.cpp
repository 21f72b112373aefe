// Panels with their updates at the shapes of fronts, against the same work by LAPACK and BLAS in the same run.
#include "base/random.hpp"
#include "kernels/pivoting/cholesky_panel.hpp"
#include "kernels/pivoting/ldlt_panel.hpp"
#include "kernels/pivoting/lu_panel.hpp"
#include "kernels/product/blas_library.hpp"
#include "kernels/product/blas_threads.hpp"
#include "kernels/product/gemm.hpp"
#include "kernels/product/triangular.hpp"
#include "kernels/small/dispatch.hpp"
#include "kernels/update/swap.hpp"
#include "kernels/update/update.hpp"
#include "thread_clock.hpp"

#include <algorithm>
#include <cstdio>
#include <functional>
#include <numeric>
#include <string>
#include <vector>

extern "C" {
void dgetrf_(const int*, const int*, double*, const int*, int*, int*);
void dpotrf_(const char*, const int*, double*, const int*, int*);
void dtrsm_(const char*, const char*, const char*, const char*, const int*, const int*, const double*,
            const double*, const int*, double*, const int*);
void dgemm_(const char*, const char*, const int*, const int*, const int*, const double*, const double*,
            const int*, const double*, const int*, const double*, double*, const int*);
void dsyrk_(const char*, const char*, const int*, const int*, const double*, const double*, const int*,
            const double*, double*, const int*);
}

namespace {

using namespace overlapack;
using namespace overlapack::kernels;

struct Block {
  Index rows, cols, ld;
  std::vector<double> data;
  Block(Index m, Index n) : rows(m), cols(n), ld(padded_ld(m)), data(static_cast<std::size_t>(ld * n)) {}
  MatrixView<double> view() { return {data.data(), rows, cols, ld}; }
};

/// A front of order f with s fully summed rows and columns, as the four blocks of each method.
struct Front {
  Index f, s, delayed = 0;
  Block P, L21, C, P0, L0;
  std::vector<std::int32_t> rows, cols;
  std::vector<double> d, d_off, work;
  std::vector<int> pivots;

  Front(Index f_, Index s_, double dominance)
      : f(f_),
        s(s_),
        P(f, s),
        L21(f - s, s),
        C(f - s, f - s),
        P0(f, s),
        L0(f - s, s),
        rows(s),
        cols(s),
        d(s),
        d_off(s),
        work(static_cast<std::size_t>(f * std::max<Index>(s, 64))),
        pivots(s) {
    Random random(1);
    for (double& x : P0.data) x = random.uniform(-1, 1);
    for (double& x : L0.data) x = random.uniform(-1, 1);
    for (Index j = 0; j < s; ++j) P0.view()(j, j) += dominance;
  }
  void reset() {
    P.data = P0.data;
    L21.data = L0.data;
    std::iota(rows.begin(), rows.end(), 0);
    std::iota(cols.begin(), cols.end(), 0);
  }
};

using Work = std::function<void(Front&)>;

/// Least seconds of `work` on a fresh front; of both, alternately.
void compare(const char* name, Index f, Index s, double dominance, double flops, const Work& ours,
             const Work& theirs) {
  Front front(f, s, dominance);
  double best[2] = {1e9, 1e9};
  const int rounds = f > 500 ? 15 : 300;
  for (int round = 0; round < rounds; ++round)
    for (int who : {0, 1}) {
      front.reset();
      const double start = thread_seconds(f < 100);
      (who == 0 ? ours : theirs)(front);
      best[who] = std::min(best[who], thread_seconds(f < 100) - start);
    }
  std::printf("%-26s %5ld/%-4ld ours %6.2f  LAPACK %6.2f GF/s  ratio %5.2f   (%.1f us)%s\n", name, long(f),
              long(s), flops / best[0] / 1e9, flops / best[1] / 1e9, best[1] / best[0], best[0] * 1e6,
              front.delayed > 0 ? " delayed some" : "");
}

void lu(Front& F) {
  const auto P = F.P.view();
  const Index s = F.s, r = F.f - F.s, e = lu_panel(P, 0.01, F.rows, F.cols).eliminated;
  F.delayed = s - e;
  if (r == 0) return;
  permute_columns(F.L21.view(), F.rows, F.work);
  solve_right_lower_trans(P.block(0, 0, e, e), true, false, F.L21.view().block(0, 0, r, e));
  full_update(F.L21.view().block(0, 0, r, e), P.block(s, 0, r, e), false, F.C.view());
}

void lu_panel_only(Front& F) { lu_panel(F.P.view(), 0.01, F.rows, F.cols); }

void lapack_panel(Front& F) {
  const int f = F.f, s = F.s, ldp = F.P.ld;
  int info;
  dgetrf_(&f, &s, F.P.data.data(), &ldp, F.pivots.data(), &info);
}

void lapack_lu(Front& F) {
  lapack_panel(F);
  const int s = F.s, r = F.f - F.s, ldp = F.P.ld, ldl = F.L21.ld, ldc = F.C.ld;
  const double one = 1, minus = -1, zero = 0;
  if (r == 0) return;
  dtrsm_("R", "L", "T", "U", &r, &s, &one, F.P.data.data(), &ldp, F.L21.data.data(), &ldl);
  dgemm_("N", "T", &r, &r, &s, &minus, F.L21.data.data(), &ldl, F.P.data.data() + s, &ldp, &zero,
         F.C.data.data(), &ldc);
}

void ldlt_only(Front& F) {
  const auto result = ldlt_panel(F.P.view(), false, 0.01, F.rows, F.d, F.d_off);
  F.delayed = F.s - result.eliminated;
}
void ldlt(Front& F) {
  ldlt_only(F);
  const auto L = F.P.view().block(F.s, 0, F.f - F.s, F.s);
  scale_by_d<double>(L, false, F.d, F.d_off, F.L21.view());
  lower_update(F.L21.view(), L, false, false, F.C.view());
}

void cholesky_only(Front& F) { cholesky_panel(F.P.view()); }
void cholesky(Front& F) {
  cholesky_only(F);
  const auto L = F.P.view().block(F.s, 0, F.f - F.s, F.s);
  lower_update(L, L, false, false, F.C.view());
}

void lapack_cholesky_only(Front& F) {
  const int s = F.s, r = F.f - F.s, ldp = F.P.ld;
  const double one = 1;
  int info;
  dpotrf_("L", &s, F.P.data.data(), &ldp, &info);
  dtrsm_("R", "L", "T", "N", &r, &s, &one, F.P.data.data(), &ldp, F.P.data.data() + s, &ldp);
}
void lapack_cholesky(Front& F) {
  lapack_cholesky_only(F);
  const int s = F.s, r = F.f - F.s, ldp = F.P.ld, ldc = F.C.ld;
  const double minus = -1, zero = 0;
  if (r == 0) return;
  dsyrk_("L", "N", &r, &s, &minus, F.P.data.data() + s, &ldp, &zero, F.C.data.data(), &ldc);
}

}  // namespace

int main(int argc, char** argv) {
  const SingleThreadedBlas guard;
  if (argc > 1) use_small_kernel_level(argv[1]);
  std::printf("%s, small kernels %s\n", blas_library().text().c_str(),
              std::string(small_kernel_level()).c_str());
  const std::vector<std::pair<Index, Index>> shapes{{10, 1},   {16, 2},   {24, 4},     {32, 8},   {64, 16},
                                                    {128, 48}, {256, 96}, {1000, 256}, {400, 400}};
  for (auto [f, s] : shapes) {
    const double r = f - s, panel_lu = lu_panel_cost<double>(f, s).flops,
                 half = ldlt_panel_cost<double>(f, s).flops;
    const double update = 2 * r * r * s, right = r * s * s, lower = r * (r + 1) * s;
    compare("LU panel", f, s, 0, panel_lu, lu_panel_only, lapack_panel);
    compare("LU panel+solve+update", f, s, 0, panel_lu + right + update, lu, lapack_lu);
    compare("same, dominant", f, s, 2 * f, panel_lu + right + update, lu, lapack_lu);
    compare("Cholesky panel", f, s, 2 * f, half, cholesky_only, lapack_cholesky_only);
    compare("Cholesky panel+update", f, s, 2 * f, half + lower, cholesky, lapack_cholesky);
    compare("LDLT panel (dpotrf)", f, s, 2 * f, half, ldlt_only, lapack_cholesky_only);
    compare("LDLT panel+update", f, s, 2 * f, half + lower, ldlt, lapack_cholesky);
  }
}
