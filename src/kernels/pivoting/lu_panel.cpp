#include "kernels/pivoting/lu_panel.hpp"

#include "base/instantiate.hpp"
#include "kernels/pivoting/panel_steps.hpp"
#include "kernels/product/gemm.hpp"
#include "kernels/product/sizes.hpp"
#include "kernels/product/triangular.hpp"
#include "kernels/small/dispatch.hpp"
#include "kernels/update/swap.hpp"

#include <algorithm>
#include <limits>
#include <vector>

namespace overlapack::kernels {
namespace {

template <class T>
class LuPanel : public PanelSteps<T> {
 public:
  LuPanel(MatrixView<T> P, Real<T> u, std::span<std::int32_t> row_order, std::span<std::int32_t> column_order,
          Real<T> least, std::vector<std::int32_t>* pivot_rows = nullptr)
      : pivot_row_(pivot_rows ? *pivot_rows : own_pivot_rows_),
        P_(P),
        u_(u),
        least_(std::max(least, std::numeric_limits<Real<T>>::min())),
        row_order_(row_order),
        column_order_(column_order) {}

  /// Eliminate all columns in one step, so that there are no columns behind it to update.
  LuPanelResult run() {
    pivot_row_.resize(P_.cols > sizes::lu_columns ? static_cast<std::size_t>(P_.cols) : 0);
    while (step(P_.cols) > 0) {
    }
    result_.eliminated = round_.next;
    return result_;
  }

  Index eliminate_next(Index width) override {
    pivot_row_.resize(static_cast<std::size_t>(P_.cols));
    const Index gained = step(width);
    this->eliminated_ += gained;
    exchanged_ = {pivot_row_.data() + round_.next - gained, static_cast<std::size_t>(gained)};
    return gained;
  }
  std::vector<Tile> tiles_to_update(double flops) const override {
    return full_tiles(P_.rows - round_.next, P_.cols - round_.first_column_behind(),
                      tile_edge<T>(flops, round_.pivots));
  }
  void update(const Tile& tile) override {
    subtract(round_.first, round_.pivots, round_.first_column_behind(), tile);
  }
  std::span<const std::int32_t> exchanged() const override { return exchanged_; }

 private:
  Index step(Index width) {
    for (;;) {
      round_.move_failed_columns_back([&](Index a, Index b) { exchange_columns(a, b); });
      if (round_.is_over()) {
        if (round_.next == P_.cols || (round_.number > 0 && round_.gained == 0)) return 0;
        round_.begin_round(P_.cols);
      }
      const Index k = round_.next, n = std::min(width, round_.end - k), e = eliminate(k, n);
      exchange_rows(k, e, 0, k);
      solve(k, e, k + n, P_.cols - k - n);
      round_.end_step(e, n);
      if (e > 0) return e;
    }
  }

  /// Eliminates what it can of columns k..k+n-1, which are up to date with pivots 0..k-1, and moves the others behind these.
  /// Returns the number e of pivots; afterwards columns k+e..k+n-1 are up to date with pivots 0..k+e-1.
  Index eliminate(Index k, Index n) {
    if (n <= sizes::lu_columns) return eliminate_base_case(k, n);
    const Index left = sizes::first_part(n, sizes::lu_columns), right = n - left;
    const Index e1 = eliminate(k, left), failed = left - e1;
    update(k, e1, k + left, right);
    for (Index i = 0; i < std::min(failed, right); ++i) exchange_columns(k + e1 + i, k + n - 1 - i);
    const Index e2 = eliminate(k + e1, right);
    exchange_rows(k + e1, e2, k, e1);
    update(k + e1, e2, k + n - failed, failed);
    return e1 + e2;
  }

  /// Brings columns first..first+n-1 up to date with pivots k..k+e-1.
  void update(Index k, Index e, Index first, Index n) {
    solve(k, e, first, n);
    if (e > 0 && n > 0) subtract(k, e, first, {0, 0, P_.rows - k - e, n});
  }

  /// Compute U, the rows k..k+e-1, in the columns first..first+n-1: exchange rows, then solve with L.
  void solve(Index k, Index e, Index first, Index n) {
    if (e == 0 || n == 0) return;
    exchange_rows(k, e, first, n);
    solve_left_lower(P_.block(k, k, e, e), true, P_.block(k, first, e, n));
  }

  /// Subtract L U of the pivots k..k+e-1 from a tile, whose rows count from k+e and whose columns count from `first`.
  void subtract(Index k, Index e, Index first, const Tile& tile) {
    const Index row = k + e + tile.top, column = first + tile.left;
    gemm(Op::none, Op::none, T(-1), P_.block(row, k, tile.rows, e), P_.block(k, column, e, tile.cols), T(1),
         P_.block(row, column, tile.rows, tile.cols));
  }

  /// Apply the row exchanges of pivots k..k+e-1 in columns first..first+n-1.
  void exchange_rows(Index k, Index e, Index first, Index n) {
    for (Index j = first; j < first + n; ++j) {
      T* column = P_.column(j);
      for (Index p = k; p < k + e; ++p)
        if (pivot_row_[p] != p) std::swap(column[p], column[pivot_row_[p]]);
    }
  }

  void exchange_columns(Index a, Index b) {
    if (a == b) return;
    swap_columns(P_, a, b);
    std::swap(column_order_[a], column_order_[b]);
  }

  /// The base of the recursion, left-looking: a column is updated when it is tried.
  Index eliminate_base_case(Index first, Index n) {
    Index done[sizes::lu_columns];  // done[j - first]: column j is up to date with pivots first..done-1
    std::fill_n(done, n, first);
    Index k = first;
    // Rounds over the columns that failed; the last one finds no pivot, and brings all of them up to date.
    for (Index before = -1; before < k && k < first + n;) {
      before = k;
      for (Index end = first + n; k < end;) {
        const Index pivot = choose_pivot(k, apply_pending_pivots(k, done[k - first], k));
        done[k - first] = k;
        if (pivot >= 0) {
          eliminate_column(k++, pivot, first, n);
        } else if (--end > k) {
          exchange_columns(k, end);
          std::swap(done[k - first], done[end - first]);
        }
      }
    }
    return k - first;
  }

  struct Largest {
    Real<T> candidate;  ///< largest magnitude in the fully summed rows
    Real<T> column;     ///< largest magnitude in all rows
  };

  /// Applies pivots from..to-1 to column j, which has the earlier ones already. Returns the largest magnitudes in rows to..f-1.
  Largest apply_pending_pivots(Index j, Index from, Index to) {
    T* column = P_.column(j);
    for (Index p = from; p < to; ++p)  // U(from:to, j) = L^{-1} P(from:to, j)
      for (Index i = p + 1; i < to; ++i) column[i] -= P_(i, p) * column[p];
    auto subtract = [&](Index top, Index bottom) {
      return small::kernels<T>().subtract_columns(bottom - top, to - from, P_.data + top + from * P_.ld,
                                                  P_.ld, column + from, column + top);
    };
    const Real<T> candidate = subtract(to, P_.cols), below = subtract(P_.cols, P_.rows);
    return {candidate, std::max(candidate, below)};
  }

  /// The row of column k's pivot, or -1 if none passes. The diagonal is preferred if it is at least a tenth of the largest
  /// candidate. That costs a factor of 10 in growth, which is within 1/u for u <= 0.1, and saves exchanges in all blocks of the
  /// front.
  Index choose_pivot(Index k, Largest largest) const {
    const T* column = P_.column(k);
    const Real<T> least = std::max(u_ * largest.column, least_);
    if (magnitude(column[k]) >= std::max(least, largest.candidate / 10)) return k;
    if (!(largest.candidate >= least)) return -1;
    for (Index i = k; i < P_.cols; ++i)
      if (magnitude(column[i]) >= largest.candidate) return i;
    return -1;  // only NaN
  }

  void eliminate_column(Index k, Index pivot, Index first, Index n) {
    if (!pivot_row_.empty()) pivot_row_[k] = static_cast<std::int32_t>(pivot);
    if (pivot != k) {
      swap_rows(P_.block(0, first, P_.rows, n), k, pivot);
      std::swap(row_order_[k], row_order_[pivot]);
      ++result_.exchanges;
    }
    const double size = magnitude(P_(k, k));
    result_.smallest_pivot = k == 0 ? size : std::min(result_.smallest_pivot, size);
    result_.largest_pivot = std::max(result_.largest_pivot, size);
    const T reciprocal = T(1) / P_(k, k);
    small::kernels<T>().scale(P_.rows - k - 1, &reciprocal, P_.column(k) + k + 1);
  }

  std::vector<std::int32_t> own_pivot_rows_;
  std::vector<std::int32_t>&
      /// By eliminated column: the row of its pivot; empty if the base case eliminates the whole panel
      pivot_row_;
  MatrixView<T> P_;
  Real<T> u_, least_;
  std::span<std::int32_t> row_order_;
  std::span<std::int32_t> column_order_;
  std::span<const std::int32_t> exchanged_;
  PanelRound round_;
  LuPanelResult result_;
};

}  // namespace

template <class T>
LuPanelResult lu_panel(MatrixView<T> P, Real<Scalar<T>> u, std::span<std::int32_t> row_order,
                       std::span<std::int32_t> column_order, Real<Scalar<T>> least,
                       std::vector<std::int32_t>* pivot_rows) {
  return LuPanel<T>(P, u, row_order, column_order, least, pivot_rows).run();
}

template <class T>
std::unique_ptr<PanelSteps<T>> lu_panel_steps(MatrixView<T> P, Real<Scalar<T>> u,
                                              std::span<std::int32_t> row_order,
                                              std::span<std::int32_t> column_order, Real<Scalar<T>> least) {
  return std::make_unique<LuPanel<T>>(P, u, row_order, column_order, least);
}

#define OVERLAPACK_INSTANTIATE(T)                                                                            \
  template LuPanelResult lu_panel<T>(MatrixView<T>, Real<T>, std::span<std::int32_t>,                        \
                                     std::span<std::int32_t>, Real<T>, std::vector<std::int32_t>*);          \
  template std::unique_ptr<PanelSteps<T>> lu_panel_steps<T>(MatrixView<T>, Real<T>, std::span<std::int32_t>, \
                                                            std::span<std::int32_t>, Real<T>);
OVERLAPACK_FOR_EACH_SCALAR(OVERLAPACK_INSTANTIATE)
#undef OVERLAPACK_INSTANTIATE

}  // namespace overlapack::kernels
