#include "kernels/pivoting/ldlt_panel.hpp"

#include "base/instantiate.hpp"
#include "kernels/pivoting/pair_pivot.hpp"
#include "kernels/pivoting/panel_steps.hpp"
#include "kernels/product/gemm.hpp"
#include "kernels/product/sizes.hpp"
#include "kernels/small/dispatch.hpp"
#include "kernels/update/swap.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

namespace overlapack::kernels {
namespace {

template <class T>
class LdltPanel : public PanelSteps<T> {
 public:
  LdltPanel(MatrixView<T> P, bool hermitian, Real<T> u, std::span<std::int32_t> order, std::span<T> d,
            std::span<T> d_off, Real<T> least, const PivotSigns<T>& signs)
      : P_(P),
        hermitian_(hermitian && ScalarTraits<T>::is_complex),
        u_(u),
        least_(std::max(least, std::numeric_limits<Real<T>>::min())),
        signs_(signs),
        order_(order),
        d_(d),
        d_off_(d_off) {}

  /// Eliminate all columns at once.
  LdltPanelResult run() {
    while (eliminate_next(P_.cols) > 0) {
    }
    result_.eliminated = round_.next;
    return result_;
  }

  Index eliminate_next(Index width) override {
    const Index even = std::max<Index>(2, width + width % 2);
    for (;;) {
      round_.move_failed_columns_back([&](Index a, Index b) { exchange(a, b); });
      if (round_.is_over()) {
        if (round_.next == P_.cols || (round_.number > 1 && round_.gained == 0)) return 0;
        if (round_.number > 0) move_pivot_partners_together(round_.next);
        round_.begin_round(P_.cols);
      }
      const Index k = round_.next, n = std::min(even, round_.end - k), e = eliminate(k, n);
      multiply_rows_by_d(k, e, k + n, P_.cols - k - n);
      round_.end_step(e, n);
      this->eliminated_ += e;
      this->two_by_two_ = result_.two_by_two;
      this->negative_ = result_.negative;
      this->mended_ = result_.mended;
      if (e > 0) return e;
    }
  }
  std::vector<Tile> tiles_to_update(double flops) const override {
    const Index behind = round_.first_column_behind();
    return lower_tiles(P_.rows - behind, P_.cols - behind, tile_edge<T>(flops, round_.pivots));
  }
  void update(const Tile& tile) override {
    const Index k = round_.first, e = round_.pivots, row = round_.first_column_behind() + tile.top,
                column = round_.first_column_behind() + tile.left;
    const MatrixView<T> L = P_.block(row, k, tile.rows, e), DLt = P_.block(k, column, e, tile.cols),
                        C = P_.block(row, column, tile.rows, tile.cols);
    if (tile.is_diagonal)
      gemm_lower(Op::none, T(-1), L, DLt, T(1), C);
    else
      gemm(Op::none, Op::none, T(-1), L, DLt, T(1), C);
  }

 private:
  T conj(T x) const { return hermitian_ ? conjugate(x) : x; }

  /// Eliminates what it can of columns k..k+n-1, which are up to date with pivots 0..k-1, and moves the others behind these.
  /// Returns the number e of pivots; afterwards columns k+e..k+n-1 are up to date with pivots 0..k+e-1.
  Index eliminate(Index k, Index n) {
    if (n <= sizes::ldlt_columns) return eliminate_base_case(k, n);
    const Index left = sizes::first_part(n, sizes::ldlt_columns), right = n - left;
    const Index e1 = eliminate(k, left), failed = left - e1;
    update(k, e1, k + left, right);
    for (Index i = 0; i < std::min(failed, right); ++i) exchange(k + e1 + i, k + n - 1 - i);
    const Index e2 = eliminate(k + e1, right);
    update(k + e1, e2, k + n - failed, failed);
    return e1 + e2;
  }

  /// Brings columns first..first+n-1 up to date with pivots k..k+e-1:  A22 -= L21 (D L21^T), lower part.
  void update(Index k, Index e, Index first, Index n) {
    if (e == 0 || n == 0) return;
    multiply_rows_by_d(k, e, first, n);
    for (Index j = first; j < first + n; j += sizes::ldlt_block) {
      const Index width = std::min(sizes::ldlt_block, first + n - j), rows = P_.rows - j;
      gemm_lower(Op::none, T(-1), P_.block(j, k, rows, e), P_.block(k, j, e, width), T(1),
                 P_.block(j, j, rows, width));
    }
  }

  /// Store D L21^T of the rows first..first+n-1 above the diagonal of P, for the pivots k..k+e-1.
  void multiply_rows_by_d(Index k, Index e, Index first, Index n) {
    for (Index j = first; j < first + n && e > 0; ++j) multiply_row_by_d(j, k, k + e, P_.column(j) + k);
  }

  /// w = D(from:to, from:to) L(j, from:to)^T  (^H for Hermitian fronts).
  void multiply_row_by_d(Index j, Index from, Index to, T* w) const {
    for (Index p = from; p < to; ++p, ++w) {
      if (d_off_[p] == T(0)) {
        w[0] = d_[p] * conj(P_(j, p));
      } else {
        const T l1 = conj(P_(j, p)), l2 = conj(P_(j, p + 1));
        w[0] = d_[p] * l1 + conj(d_off_[p]) * l2;
        w[1] = d_off_[p] * l1 + d_[p + 1] * l2;
        ++p, ++w;
      }
    }
  }

  /// Exchange rows and columns a < b of the lower part, and their labels.
  void exchange(Index a, Index b) {
    if (a == b) return;
    swap_rows(P_.block(0, 0, P_.rows, a), a, b);
    std::swap(P_(a, a), P_(b, b));
    for (Index i = a + 1; i < b; ++i) {
      const T below = P_(i, a);
      P_(i, a) = conj(P_(b, i));
      P_(b, i) = conj(below);
    }
    P_(b, a) = conj(P_(b, a));
    swap_columns(P_.block(b + 1, 0, P_.rows - b - 1, P_.cols), a, b);
    record_exchange(a, b);
  }

  void record_exchange(Index a, Index b) {
    std::swap(order_[a], order_[b]);
    ++result_.exchanges;
  }

  /// Reorders the columns from k on, all of which are up to date, into pairs of a column and its partner, the row of its largest
  /// entry; the pairs with the largest entries come first. Then the base case has both columns of a possible 2x2 pivot.
  void move_pivot_partners_together(Index k) {
    const Index n = P_.cols - k;
    std::vector<Index> partner(n), by_size(n), position(n), at(n);
    std::vector<Real<T>> size(n, Real<T>(-1));
    for (Index j = 0; j < n; ++j)
      for (Index i = j + 1; i < n; ++i) {
        const Real<T> here = magnitude(P_(k + i, k + j));
        if (here > size[j]) size[j] = here, partner[j] = i;
        if (here > size[i]) size[i] = here, partner[i] = j;
      }
    for (Index i = 0; i < n; ++i) by_size[i] = position[i] = at[i] = i;
    std::stable_sort(by_size.begin(), by_size.end(), [&](Index i, Index j) { return size[i] > size[j]; });
    std::vector<bool> paired(n, false);
    Index next = 0;
    auto move_to_next = [&](Index i) {  // position[i]: where column i is now; at: its inverse
      const Index other = at[next];
      exchange(k + next, k + position[i]);
      std::swap(at[next], at[position[i]]);
      std::swap(position[other], position[i]);
      paired[i] = true;
      ++next;
    };
    for (Index i : by_size)
      if (size[i] > 0 && !paired[i] && !paired[partner[i]]) {
        move_to_next(i);
        move_to_next(partner[i]);
      }
  }

  // ---- The base of the recursion: a block of at most 16 columns with all rows below. Both triangles of its square are stored.
  // It is left-looking: the block's earlier pivots are applied to a column when the column is tried, as a pivot or as the partner
  // of one.

  struct Base {
    Index first, last;                ///< columns first..last-1
    Index k;                          ///< next pivot
    Index done[sizes::ldlt_columns];  ///< done[j - first]: column j is up to date with pivots before this one
  };

  Index eliminate_base_case(Index first, Index n) {
    Base B{first, first + n, first, {}};
    std::fill_n(B.done, n, first);
    for (Index j = first; j < B.last; ++j) {
      if (hermitian_) P_(j, j) = std::real(P_(j, j));
      for (Index i = first; i < j; ++i) P_(i, j) = conj(P_(j, i));
    }
    // Rounds over the columns that failed; the last one finds no pivot, and brings all of them up to date.
    for (Index before = -1; before < B.k && B.k < B.last;) {
      before = B.k;
      for (Index end = B.last; B.k < end;)
        if (!eliminate_next(B)) exchange_in_base(B, B.k, --end);
    }
    return B.k - first;
  }

  /// One step at column k: eliminates a 1x1 pivot there, or at its partner r, or a 2x2 pivot of both; returns false if none passes.
  bool eliminate_next(Base& B) {
    const Index k = B.k;
    const Real<T> column_max = apply_pending_pivots(B, k);
    if (signs_) {
      P_(k, k) = signs_.mended(std::real(P_(k, k)), k, result_.mended);
      return eliminate_1x1_pivot(B);
    }
    if (accepts_1x1_pivot(P_(k, k), column_max)) return eliminate_1x1_pivot(B);
    Index r = k;
    for (Index i = k + 1; i < B.last; ++i)
      if (r == k || magnitude(P_(i, k)) > magnitude(P_(r, k))) r = i;
    if (r == k || P_(r, k) == T(0)) return false;
    const Real<T> partner_max = apply_pending_pivots(B, r);
    if (accepts_1x1_pivot(P_(r, r), partner_max)) {
      exchange_in_base(B, k, r);
      return eliminate_1x1_pivot(B);
    }
    if (!accepts_2x2_pivot(k, r)) return false;
    exchange_in_base(B, k + 1, r);
    return eliminate_2x2_pivot(B);
  }

  /// Applies to column j the pivots of the block that it does not have yet. Returns its largest magnitude in the rows k..f-1.
  Real<T> apply_pending_pivots(Base& B, Index j) {
    Index& done = B.done[j - B.first];
    T w[sizes::ldlt_columns];
    multiply_row_by_d(j, done, B.k, w);
    T* column = P_.column(j);
    const Real<T> largest = small::kernels<T>().subtract_columns(
        P_.rows - B.k, B.k - done, P_.column(done) + B.k, P_.ld, w, column + B.k);
    if (hermitian_) column[j] = std::real(column[j]);
    done = B.k;
    return largest;
  }

  void exchange_in_base(Base& B, Index a, Index b) {
    if (a == b) return;
    swap_columns(P_.block(B.first, 0, P_.rows - B.first, P_.cols), a, b);
    swap_rows(P_.block(0, 0, P_.rows, B.last), a, b);
    std::swap(B.done[a - B.first], B.done[b - B.first]);
    record_exchange(a, b);
  }

  bool accepts_1x1_pivot(T pivot, Real<T> column_max) const {
    return magnitude(pivot) >= std::max(u_ * column_max, least_);
  }

  bool accepts_2x2_pivot(Index k, Index r) const {
    const PairPivot<T> pair(P_(k, k), P_(r, k), P_(r, r), hermitian_);
    return pair.passes_threshold_test(largest_outside_pivot(k, k, r), largest_outside_pivot(r, k, r), u_,
                                      least_);
  }

  /// Largest magnitude in column j, rows k+1..f-1 without r (and without k).
  Real<T> largest_outside_pivot(Index j, Index k, Index r) const {
    auto largest = [&](Index top, Index bottom) {
      return small::kernels<T>().subtract_columns(bottom - top, 0, P_.data, P_.ld, P_.data,
                                                  P_.column(j) + top);
    };
    return std::max(largest(k + 1, r), largest(r + 1, P_.rows));
  }

  bool eliminate_1x1_pivot(Base& B) {
    const Index k = B.k++;
    const T a = d_[k] = P_(k, k), reciprocal = T(1) / a;
    d_off_[k] = T(0);
    small::kernels<T>().scale(P_.rows - k - 1, &reciprocal, P_.column(k) + k + 1);
    if (counts_signs()) result_.negative += std::real(a) < 0;
    record_pivot(k, magnitude(a));
    return true;
  }

  /// [l1 l2] = [x1 x2] E^{-1}
  bool eliminate_2x2_pivot(Base& B) {
    const Index k = B.k, below = k + 2;
    d_[k] = P_(k, k), d_off_[k] = P_(k + 1, k), d_[k + 1] = P_(k + 1, k + 1), d_off_[k + 1] = T(0);
    const PairPivot<T> pair(d_[k], d_off_[k], d_[k + 1], hermitian_);
    pair.divide(P_.column(k) + below, P_.column(k + 1) + below, P_.rows - below);
    P_(k + 1, k) = T(0);
    if (counts_signs()) result_.negative += pair.negative();
    ++result_.two_by_two;
    const Real<T> largest = std::max({magnitude(d_[k]), magnitude(d_off_[k]), magnitude(d_[k + 1])});
    record_pivot(k, std::sqrt(static_cast<double>(pair.size()) * static_cast<double>(largest)));
    B.k += 2;
    return true;
  }

  bool counts_signs() const { return !ScalarTraits<T>::is_complex || hermitian_; }

  void record_pivot(Index k, double size) {
    result_.smallest_pivot = k == 0 ? size : std::min(result_.smallest_pivot, size);
    result_.largest_pivot = std::max(result_.largest_pivot, size);
  }

  MatrixView<T> P_;
  bool hermitian_;
  Real<T> u_, least_;
  const PivotSigns<T> signs_;
  std::span<std::int32_t> order_;
  std::span<T> d_, d_off_;
  PanelRound round_;
  LdltPanelResult result_;
};

}  // namespace

template <class T>
LdltPanelResult ldlt_panel(MatrixView<T> P, bool hermitian, Real<Scalar<T>> u, std::span<std::int32_t> order,
                           std::span<Scalar<T>> d, std::span<Scalar<T>> d_off, Real<Scalar<T>> least,
                           const PivotSigns<Scalar<T>>& signs) {
  return LdltPanel<T>(P, hermitian, u, order, d, d_off, least, signs).run();
}

template <class T>
std::unique_ptr<PanelSteps<T>> ldlt_panel_steps(MatrixView<T> P, bool hermitian, Real<Scalar<T>> u,
                                                std::span<std::int32_t> order, std::span<Scalar<T>> d,
                                                std::span<Scalar<T>> d_off, Real<Scalar<T>> least,
                                                const PivotSigns<Scalar<T>>& signs) {
  return std::make_unique<LdltPanel<T>>(P, hermitian, u, order, d, d_off, least, signs);
}

#define OVERLAPACK_INSTANTIATE(T)                                                                    \
  template LdltPanelResult ldlt_panel<T>(MatrixView<T>, bool, Real<T>, std::span<std::int32_t>,      \
                                         std::span<T>, std::span<T>, Real<T>, const PivotSigns<T>&); \
  template std::unique_ptr<PanelSteps<T>> ldlt_panel_steps<T>(MatrixView<T>, bool, Real<T>,          \
                                                              std::span<std::int32_t>, std::span<T>, \
                                                              std::span<T>, Real<T>, const PivotSigns<T>&);
OVERLAPACK_FOR_EACH_SCALAR(OVERLAPACK_INSTANTIATE)
#undef OVERLAPACK_INSTANTIATE

}  // namespace overlapack::kernels
