#include "sparse/multifrontal/solve/low_rank_sweeps.hpp"

#include "base/instantiate.hpp"
#include "kernels/product/triangular.hpp"

#include <algorithm>
#include <vector>

namespace overlapack::sparse::multifrontal {

namespace {

/// One factor of a front, L or U, as its panels hold it. Blocks have the order of rows of the time of their
/// panel, so the sweeps make and undo the exchanges panel by panel. w comes and goes in the order of all
/// exchanges.
template <class T>
class Factor {
 public:
  /// is_below: what stands below the pivots of the panel, U^T of LU; else beside them
  Factor(const Structure& structure, const LowRankFactors<T>& factors, bool is_below)
      : structure_(structure), factors_(factors), is_below_(is_below) {}

  /// All exchanges are undone. Then, panel by panel: its own variables change places, y = L_kk^{-1} y, those
  /// behind it get -L y.
  void forward(MatrixView<T> w) {
    for (auto panel = factors_.panels.rbegin(); panel != factors_.panels.rend(); ++panel) put_back(*panel, w);
    for (const LowRankPanel<T>& panel : factors_.panels) {
      exchange(panel, w);
      const MatrixView<T> y = w.block(panel.first, 0, panel.pivots, w.cols);
      if (is_below_)
        kernels::solve_left_lower<T>(panel.square, structure_.has_unit_diagonal(), y);
      else
        kernels::solve_left_upper_trans<T>(panel.square, false, false, y);
      for (const LowRankBlock<T>& block : blocks(panel))
        kernels::subtract_low_rank_times<T>(block.of, y, space_,
                                            w.block(block.top, 0, block.of.rows(), w.cols));
    }
  }

  /// Panel by panel, the last one first: x gets -L^T x of those behind it, x = L_kk^{-T} x, and its exchanges
  /// are undone. In the end all are made again.
  void backward(MatrixView<T> w) {
    const bool conj = structure_.is_conjugated();
    for (auto panel = factors_.panels.rbegin(); panel != factors_.panels.rend(); ++panel) {
      const MatrixView<T> x = w.block(panel->first, 0, panel->pivots, w.cols);
      for (const LowRankBlock<T>& block : blocks(*panel))
        kernels::subtract_low_rank_trans_times<T>(block.of, conj,
                                                  w.block(block.top, 0, block.of.rows(), w.cols), space_, x);
      if (is_below_)
        kernels::solve_left_lower_trans<T>(panel->square, structure_.has_unit_diagonal(), conj, x);
      else
        kernels::solve_left_upper<T>(panel->square, false, x);
      put_back(*panel, w);
    }
    for (const LowRankPanel<T>& panel : factors_.panels) exchange(panel, w);
  }

 private:
  const std::vector<LowRankBlock<T>>& blocks(const LowRankPanel<T>& panel) const {
    return is_below_ ? panel.below : panel.beside;
  }
  /// The exchanges of the rows of this factor: L of LU has A's rows, U^T A's columns.
  const std::int32_t* order(const LowRankPanel<T>& panel) const {
    return is_below_ && !structure_.is_symmetric() ? panel.col_order : panel.row_order;
  }
  void exchange(const LowRankPanel<T>& panel, MatrixView<T> w) {
    move(panel, w, [&](T* x, Index i, std::int32_t from) { x[i] = old_[static_cast<std::size_t>(from)]; });
  }
  void put_back(const LowRankPanel<T>& panel, MatrixView<T> w) {
    move(panel, w, [&](T* x, Index i, std::int32_t from) { x[from] = old_[static_cast<std::size_t>(i)]; });
  }
  template <class F>
  void move(const LowRankPanel<T>& panel, MatrixView<T> w, F&& put) {
    const std::int32_t* const from = order(panel);
    if (from == nullptr) return;
    for (Index r = 0; r < w.cols; ++r) {
      T* const x = w.column(r) + panel.first;
      old_.assign(x, x + panel.width);
      for (Index i = 0; i < panel.width; ++i) put(x, i, from[i]);
    }
  }

  const Structure& structure_;
  const LowRankFactors<T>& factors_;
  const bool is_below_;
  std::vector<T> old_;
  kernels::LowRankSpace<T> space_;
};

}  // namespace

template <class T>
void forward_sweep(const Structure& structure, const Front<T>& front, bool is_transposed, MatrixView<T> w) {
  Factor<T>(structure, *front.low_rank, structure.is_symmetric() || is_transposed).forward(w);
}

template <class T>
void backward_sweep(const Structure& structure, const Front<T>& front, bool is_transposed, MatrixView<T> w) {
  Factor<T>(structure, *front.low_rank, structure.is_symmetric() || !is_transposed).backward(w);
}

template <class T>
void subtract_strip(const LowRankFactors<T>& L21, MatrixView<const T> X, MatrixView<T> Y) {
  kernels::LowRankSpace<T> space;
  for (const LowRankPanel<T>& panel : L21.panels)
    for (const LowRankBlock<T>& block : panel.beside)
      kernels::subtract_low_rank_times<T>(block.of, X.block(panel.first, 0, panel.pivots, X.cols), space,
                                          Y.block(block.top, 0, block.of.rows(), Y.cols));
}

template <class T>
void subtract_strip_trans(const LowRankFactors<T>& L21, MatrixView<const T> Y, MatrixView<T> X) {
  kernels::LowRankSpace<T> space;
  for (const LowRankPanel<T>& panel : L21.panels)
    for (const LowRankBlock<T>& block : panel.beside)
      kernels::subtract_low_rank_trans_times<T>(block.of, false,
                                                Y.block(block.top, 0, block.of.rows(), Y.cols), space,
                                                X.block(panel.first, 0, panel.pivots, X.cols));
}

#define OVERLAPACK_INSTANTIATE(T)                                                             \
  template void forward_sweep(const Structure&, const Front<T>&, bool, MatrixView<T>);        \
  template void backward_sweep(const Structure&, const Front<T>&, bool, MatrixView<T>);       \
  template void subtract_strip(const LowRankFactors<T>&, MatrixView<const T>, MatrixView<T>); \
  template void subtract_strip_trans(const LowRankFactors<T>&, MatrixView<const T>, MatrixView<T>);
OVERLAPACK_FOR_EACH_SCALAR(OVERLAPACK_INSTANTIATE)
#undef OVERLAPACK_INSTANTIATE

}  // namespace overlapack::sparse::multifrontal
