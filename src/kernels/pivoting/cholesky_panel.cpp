#include "kernels/pivoting/cholesky_panel.hpp"

#include "base/instantiate.hpp"
#include "kernels/pivoting/panel_steps.hpp"
#include "kernels/product/gemm.hpp"
#include "kernels/product/sizes.hpp"
#include "kernels/product/triangular.hpp"

#include <algorithm>
#include <cmath>

namespace overlapack::kernels {
namespace {

/// Factorise all of P, left-looking; returns P.cols, or the first column whose pivot is not positive.
template <class T>
Index factorize_base(MatrixView<T> P) {
  for (Index k = 0; k < P.cols; ++k) {
    Real<T> pivot = std::real(P(k, k));
    for (Index p = 0; p < k; ++p) pivot -= std::norm(P(k, p));
    if (!(pivot > 0)) return k;
    P(k, k) = std::sqrt(pivot);
    for (Index i = k + 1; i < P.rows; ++i) {
      T sum = P(i, k);
      for (Index p = 0; p < k; ++p) sum -= P(i, p) * conjugate(P(k, p));
      P(i, k) = sum / P(k, k);
    }
  }
  return P.cols;
}

/// A22 -= L21 L21^H, lower part of columns k..n-1, by block columns.
template <class T>
void update(MatrixView<T> P, Index k, Index n) {
  for (Index j = k; j < n; j += sizes::cholesky_block) {
    const Index width = std::min(sizes::cholesky_block, n - j), rows = P.rows - j;
    gemm_lower(Op::conj_trans, T(-1), P.block(j, 0, rows, k), P.block(j, 0, width, k), T(1),
               P.block(j, j, rows, width));
  }
}

/// Factorise columns 0..n-1 of P in all its rows, recursively; returns n, or the first column whose pivot is not positive.
template <class T>
Index factorize(MatrixView<T> P, Index n) {
  if (n <= sizes::cholesky_columns) {
    const auto D = P.block(0, 0, n, n);
    const Index positive = factorize_base(D);
    solve_right_lower_trans(D.block(0, 0, positive, positive), false, true,
                            P.block(n, 0, P.rows - n, positive));
    return positive;
  }
  const Index left = sizes::first_part(n, sizes::cholesky_columns);
  const Index positive = factorize(P, left);
  if (positive < left) return positive;
  update(P, left, n);
  return left + factorize(P.block(left, left, P.rows - left, n - left), n - left);
}

template <class T>
class CholeskyPanel : public PanelSteps<T> {
 public:
  explicit CholeskyPanel(MatrixView<T> P) : P_(P) {}

  Index eliminate_next(Index width) override {
    const Index k = this->eliminated_, n = std::min(width, P_.cols - k);
    if (has_failed_ || n == 0) return 0;
    gained_ = factorize(P_.block(k, k, P_.rows - k, P_.cols - k), n);
    has_failed_ = gained_ < n;
    this->eliminated_ += gained_;
    return gained_;
  }
  std::vector<Tile> tiles_to_update(double flops) const override {
    if (has_failed_) return {};
    const Index behind = this->eliminated_;
    return lower_tiles(P_.rows - behind, P_.cols - behind, tile_edge<T>(flops, gained_));
  }
  void update(const Tile& tile) override {
    const Index behind = this->eliminated_;
    const MatrixView<T> L = P_.block(behind, behind - gained_, P_.rows - behind, gained_);
    update_tile<T>(tile, L, L, true, true, P_.block(behind, behind, P_.rows - behind, P_.cols - behind));
  }

 private:
  MatrixView<T> P_;
  Index gained_ = 0;  ///< pivots of the last step
  bool has_failed_ = false;
};

}  // namespace

template <class T>
Index cholesky_panel(MatrixView<T> P) {
  return factorize(P, P.cols);
}

template <class T>
std::unique_ptr<PanelSteps<T>> cholesky_panel_steps(MatrixView<T> P) {
  return std::make_unique<CholeskyPanel<T>>(P);
}

#define OVERLAPACK_INSTANTIATE(T)                  \
  template Index cholesky_panel<T>(MatrixView<T>); \
  template std::unique_ptr<PanelSteps<T>> cholesky_panel_steps<T>(MatrixView<T>);
OVERLAPACK_FOR_EACH_SCALAR(OVERLAPACK_INSTANTIATE)
#undef OVERLAPACK_INSTANTIATE

}  // namespace overlapack::kernels
