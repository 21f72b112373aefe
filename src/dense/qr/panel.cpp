#include "dense/qr/panel.hpp"

#include "base/instantiate.hpp"
#include "dense/message_kinds.hpp"
#include "dense/packed.hpp"
#include "dense/qr/block_reflector.hpp"
#include "kernels/pivoting/pivot_column.hpp"
#include "kernels/product/householder.hpp"

#include <algorithm>
#include <complex>
#include <utility>

namespace overlapack::dense {
namespace {

using kernels::Op;

/// Cost of the reflections and S of a panel with `rows` rows on this rank.
template <class T>
kernels::Cost panel_cost_of_reflections(Index rows, Index width) {
  const double m = static_cast<double>(rows), n = static_cast<double>(width);
  return kernels::cost_of<T>(n * n * (1.5 * m - n / 2), 2 * m * n);
}

}  // namespace

/// A panel while Householder reflections triangularise it, recursively by columns. V_ begins as a copy of my rows of the panel. A row of
/// R that is final moves to R_, and V_ has V's ones and zeros in its place. Rows and columns count from the panel's first.
template <class T>
class PanelReflections {
 public:
  PanelReflections(dist::Moves<T>& moves, const dist::DistributedMatrix<T>& A, Index first, Index width,
                   Index smallest, Index number)
      : moves_(moves),
        A_(A),
        column_(A.grid->column_group(A.me)),
        first_(first),
        smallest_(smallest),
        number_(number),
        panel_(A.part({first}, {A.m()}, {first}, {first + width})),
        memory_(width, panel_.rows),
        V_(memory_.V()),
        S_(memory_.S()),
        r_(static_cast<std::size_t>(width * width)),
        R_{r_.data(), width, width, width} {
    copy_into<T>(panel_, V_);
  }

  bool is_alone() const { return column_.size() == 1; }

  /// Compute V, S and R of the columns c0..c1-1, to which all reflections before c0 have been applied.
  void factorize(Index c0, Index c1) {
    if (c1 - c0 <= smallest_) {
      for (Index j = c0; j < c1; ++j) reflect_column(j, c0, c1);
      return;
    }
    const Index c = c0 + std::max(smallest_, (c1 - c0) / 2 / smallest_ * smallest_);
    factorize(c0, c);         // [A1] = (I - V1 S1 V1^H) R1
    reflect_rest(c0, c, c1);  // A2 <- (I - V1 S1^H V1^H) A2
    factorize(c, c1);         // [A2] = (I - V2 S2 V2^H) R2
    join_S(c0, c, c1);        // S12 = -S1 (V1^H V2) S2
  }

  comm::Body finish() {
    copy_into<T>(V_, panel_);
    for (Index j = 0; j < V_.cols; ++j)
      if (is_mine(j))
        for (Index c = j; c < V_.cols; ++c) panel_(row(j), c) = R_(j, c);
    return std::move(memory_).body();
  }

 private:
  bool is_mine(Index i) const { return A_.owns_row({first_ + i}); }
  /// Local position of my first row at or after row i.
  Index row(Index i) const { return A_.first_row({first_ + i}) - A_.first_row({first_}); }
  MatrixView<T> rows_from(Index i, Index c0, Index c1) const {
    return V_.block(row(i), c0, V_.rows - row(i), c1 - c0);
  }

  /// Run f as work between messages. A process that is alone has no messages: reflect_panel makes the whole panel one event.
  template <class F>
  void compute(kernels::Cost cost, F&& f) {
    if (is_alone()) return f();
    moves_.rank().compute({.kind = "panel", .flops = cost.flops, .bytes = cost.bytes}, f);
  }

  /// x <- the sum of x over the process column.
  void sum_over_column(std::vector<T>& x) {
    if (is_alone()) return;
    const int root = static_cast<int>(sums_ % column_.size());
    moves_.sum_to_root(column_, root, {QrMove::column_sum, number_, sums_}, x);
    const std::size_t bytes = x.size() * sizeof(T);
    const comm::Body sum =
        moves_
            .start_broadcast(column_, root, {QrMove::column_total, number_, sums_}, bytes,
                             column_.me == root ? comm::Body::copy_of(std::span<const T>(x)) : comm::Body())
            ->finish();
    std::ranges::copy(sum.as<T>(), x.begin());
    ++sums_;
  }

  /// V^H A over all rows of the process column.
  std::vector<T> product_over_column(MatrixView<const T> V, MatrixView<const T> A) {
    std::vector<T> sums(static_cast<std::size_t>(V.cols * A.cols));
    compute(kernels::gemm_cost<T>(V.cols, A.cols, A.rows), [&] {
      kernels::gemm<T>(Op::conj_trans, Op::none, T(1), V, A, T(0), {sums.data(), V.cols, A.cols, V.cols});
    });
    sum_over_column(sums);
    return sums;
  }

  /// Move row i of the columns c0..c1-1 from V to R.
  void take_row(Index i, Index c0, Index c1) {
    for (Index c = c0; c < c1; ++c) R_(i, c) = std::exchange(V_(row(i), c), T(0));
  }

  void reflect_column(Index j, Index c0, Index c1);
  void extend_S(Index c0, Index j, T tau, T scale, const T* below, const T* beside);
  void reflect_rest(Index c0, Index c, Index c1);
  void join_S(Index c0, Index c, Index c1);

  dist::Moves<T>& moves_;
  const dist::DistributedMatrix<T>& A_;
  comm::collective::Group column_;
  Index first_, smallest_, number_;
  MatrixView<T> panel_;
  ReflectorMemory<T> memory_;
  MatrixView<T> V_, S_;
  std::vector<T> r_;
  MatrixView<T> R_;  ///< only my rows are set
  Index sums_ = 0;
};

/// Reflect column j to beta e_j, and apply the reflection to the columns j+1..c1-1. One sum over the process column serves three uses:
/// the reflection itself, the products with those columns, and the products with the columns c0..j-1, which S needs.
template <class T>
void PanelReflections<T>::reflect_column(Index j, Index c0, Index c1) {
  const Index count = c1 - c0, k = j - c0;
  const MatrixView<T> below = rows_from(j + 1, c0, c1), x = below.block(0, k, below.rows, 1);
  std::vector<T> sums(static_cast<std::size_t>(2 * count));
  T* const products = sums.data();        // (columns c0..c1-1)^H x below row j
  T* const beside = sums.data() + count;  // row j of these columns
  compute(kernels::gemm_cost<T>(count, 1, below.rows), [&] {
    kernels::gemm<T>(Op::conj_trans, Op::none, T(1), below, x, T(0), {products, count, 1, count});
  });
  if (is_mine(j))
    for (Index c = 0; c < count; ++c) beside[c] = V_(row(j), c0 + c);
  sum_over_column(sums);

  const auto H = kernels::reflection(beside[k], static_cast<Real<T>>(std::real(products[k])));
  const T scale = H.pivot == T(0) ? T(0) : T(1) / H.pivot;
  extend_S(c0, j, H.tau, scale, products, beside);
  // u = conj(tau) v^H A(:, j+1:c1)
  std::vector<T> u;
  for (Index c = k + 1; c < count; ++c)
    u.push_back(conjugate(H.tau) * (beside[c] + conjugate(scale * products[c])));
  const auto others = static_cast<Index>(u.size());
  if (is_mine(j)) {
    take_row(j, j, c1);
    for (Index c = 0; c < others; ++c) R_(j, j + 1 + c) -= u[static_cast<std::size_t>(c)];
    R_(j, j) = H.beta;
    V_(row(j), j) = T(1);
  }
  compute(kernels::gemm_cost<T>(below.rows, others, 1), [&] {
    // v = x / pivot;  A(j+1:m, j+1:c1) -= v u
    if (H.pivot == T(0))
      std::fill_n(x.column(0), x.rows, T(0));
    else
      kernels::divide_column(x.rows, H.pivot, x.column(0));
    kernels::gemm<T>(Op::none, Op::none, T(-1), x, {u.data(), 1, others, 1}, T(1),
                     below.block(0, k + 1, below.rows, others));
  });
}

/// S(c0:j, j) = -tau S(c0:j, c0:j) V(:, c0:j)^H v_j, S(j, j) = tau.
template <class T>
void PanelReflections<T>::extend_S(Index c0, Index j, T tau, T scale, const T* products, const T* beside) {
  const Index before = j - c0;
  for (Index i = 0; i < before; ++i) {
    T sum(0);
    for (Index c = i; c < before; ++c)
      sum += S_(c0 + i, c0 + c) * (conjugate(beside[c]) + scale * products[c]);
    S_(c0 + i, j) = -tau * sum;
  }
  S_(j, j) = tau;
}

/// A2 <- (I - V1 S1^H V1^H) A2; moves its rows c0..c-1 to R.
template <class T>
void PanelReflections<T>::reflect_rest(Index c0, Index c, Index c1) {
  const MatrixView<T> V1 = rows_from(c0, c0, c), A2 = rows_from(c0, c, c1);
  const Index h = c - c0, cols = c1 - c;
  std::vector<T> w = product_over_column(V1, A2), sw(w.size());
  const MatrixView<T> W{w.data(), h, cols, h}, SW{sw.data(), h, cols, h};
  compute(kernels::gemm_cost<T>(A2.rows, cols, h), [&] {
    kernels::gemm<T>(Op::conj_trans, Op::none, T(1), S_.block(c0, c0, h, h), W, T(0), SW);
    kernels::gemm<T>(Op::none, Op::none, T(-1), V1, SW, T(1), A2);
  });
  for (Index i = c0; i < c; ++i)
    if (is_mine(i)) take_row(i, c, c1);
}

/// S12 = -S1 (V1^H V2) S2
template <class T>
void PanelReflections<T>::join_S(Index c0, Index c, Index c1) {
  const MatrixView<T> V1 = rows_from(c, c0, c), V2 = rows_from(c, c, c1);
  const Index h = c - c0, cols = c1 - c;
  std::vector<T> g = product_over_column(V1, V2), gs(g.size());
  const MatrixView<T> G{g.data(), h, cols, h}, GS{gs.data(), h, cols, h};
  compute(kernels::gemm_cost<T>(h, cols, h), [&] {
    kernels::gemm<T>(Op::none, Op::none, T(1), G, S_.block(c, c, cols, cols), T(0), GS);
    kernels::gemm<T>(Op::none, Op::none, T(-1), S_.block(c0, c0, h, h), GS, T(0), S_.block(c0, c, h, cols));
  });
}

template <class T>
comm::Body reflect_panel(dist::Moves<T>& moves, const dist::DistributedMatrix<T>& A, Index first, Index width,
                         Index smallest, Index number) {
  PanelReflections<T> panel(moves, A, first, width, smallest, number);
  if (panel.is_alone()) {
    const Index m = A.m() - first;
    const kernels::Cost cost = panel_cost_of_reflections<T>(m, width);
    moves.rank().compute({"panel", cost.flops, cost.bytes, m, width, width},
                         [&] { panel.factorize(0, width); });
  } else {
    panel.factorize(0, width);
  }
  return panel.finish();
}

template <class T>
comm::Body charge_reflections(dist::Moves<T>& moves, const dist::DistributedMatrix<T>& A, Index first,
                              Index width, Index number) {
  const comm::collective::Group column = A.grid->column_group(A.me);
  const Index rows = A.local.rows - A.first_row({first});
  const Index together = std::max<Index>(1, moves.rank().capabilities().columns_per_exchange);
  const kernels::Cost cost = panel_cost_of_reflections<T>(rows, width);
  for (Index j = 0; j < width; j += together) {
    const Index columns = std::min(together, width - j);
    const double share = static_cast<double>(columns) / static_cast<double>(width);
    moves.rank().compute({"panel", share * cost.flops, share * cost.bytes, rows, columns, width}, [] {});
    // a sum goes up a tree and down again: the rounds of two searches for a pivot
    const auto bytes = static_cast<std::size_t>(columns * width) * sizeof(T);
    moves.charge_pivot_search(column, {QrMove::column_sum, number, j}, 2 * columns, bytes);
  }
  return comm::Body::phantom(ReflectorMemory<T>::bytes(width, rows));
}

#define OVERLAPACK_INSTANTIATE(T)                                                                        \
  template comm::Body reflect_panel<T>(dist::Moves<T>&, const dist::DistributedMatrix<T>&, Index, Index, \
                                       Index, Index);                                                    \
  template comm::Body charge_reflections<T>(dist::Moves<T>&, const dist::DistributedMatrix<T>&, Index,   \
                                            Index, Index);
OVERLAPACK_FOR_EACH_SCALAR(OVERLAPACK_INSTANTIATE)
#undef OVERLAPACK_INSTANTIATE

}  // namespace overlapack::dense
