#include "dense/lu/panel/panel.hpp"

#include "base/instantiate.hpp"
#include "dense/lu/panel/panel_rows.hpp"
#include "kernels/pivoting/pivot_column.hpp"
#include "kernels/product/gemm.hpp"
#include "kernels/product/triangular.hpp"

#include <algorithm>
#include <string>

namespace overlapack::dense {
namespace {

using kernels::Op;

/// Cost of r = min(m, n) pivots in m rows and n columns: n^2 (m - n / 3) / 2 multiply-adds for m >= n.
template <class T>
kernels::Cost panel_cost(Index rows, Index width) {
  const double m = static_cast<double>(rows), n = static_cast<double>(width), r = std::min(m, n);
  return kernels::cost_of<T>(r * (m * n - (m + n) * r / 2 + r * r / 3), 2 * m * n);
}

}  // namespace

/// The order of work inside a panel, recursive by columns as in HPL. PanelRows searches the pivots and holds the rows. Pivots and
/// columns count from the panel's first.
template <class T>
class PanelElimination {
 public:
  PanelElimination(PanelRows<T>& rows, const PanelPlan& plan) : rows_(rows), plan_(plan) {}

  void eliminate(Index begin, Index end);

 private:
  /// Pivots p0..p1-1, cut off at most_pivots().
  struct Pivots {
    Index begin, end;
    Index count() const { return end - begin; }
  };
  Pivots pivots(Index p0, Index p1) const {
    return {std::min(p0, rows_.most_pivots()), std::min(p1, rows_.most_pivots())};
  }

  Index part_width(Index width) const;
  void eliminate_column(Index j);
  void solve_rows(Pivots p, Index c0, Index c1);
  void subtract_rows(Pivots done, Pivots p, Index c0, Index c1);
  void update(Pivots p, Index c0, Index c1);

  /// Run f as work between messages. A process that is alone has no messages: factor_panel makes the whole panel one event.
  template <class F>
  void compute(kernels::Cost cost, F&& f) {
    if (rows_.is_alone()) return f();
    rows_.rank().compute({.kind = "panel", .flops = cost.flops, .bytes = cost.bytes}, f);
  }

  PanelRows<T>& rows_;
  PanelPlan plan_;
};

/// Width of the parts into which HPL divides `width` columns: a multiple of the smallest width, and single columns below that.
template <class T>
Index PanelElimination<T>::part_width(Index width) const {
  if (width <= plan_.smallest) return 1;
  const Index smallest_parts = (width + plan_.smallest - 1) / plan_.smallest;
  return (smallest_parts + plan_.parts - 1) / plan_.parts * plan_.smallest;
}

/// Eliminate the columns begin..end-1, to which the pivots before `begin` have been applied:
///
///   [ U1 ]  rows of the pivots begin..j-1, found already        columns: part | rest
///   [ A2 ]  all rows below; U2: the rows of the part's pivots
template <class T>
void PanelElimination<T>::eliminate(Index begin, Index end) {
  if (end - begin == 1) return eliminate_column(begin);
  const PanelOrder order = end - begin > plan_.smallest ? plan_.recursion : plan_.base;
  const Index width = part_width(end - begin);
  for (Index j = begin, next; j < end; j = next) {
    next = std::min(j + width, end);
    const Pivots before = pivots(begin, j), here = pivots(j, next);
    if (order == PanelOrder::left) solve_rows(before, j, next);  // U1 part = L11^{-1} U1 part
    if (order != PanelOrder::right) update(before, j, next);     // A2 part -= L21 U1 part
    eliminate(j, next);                                          // P A2 part = L2 U2
    rows_.exchange(here.begin, here.end, begin, j);
    rows_.exchange(here.begin, here.end, next, end);
    if (order == PanelOrder::crout) subtract_rows(before, here, next, end);  // U2 rest -= L21 U1 rest
    if (order != PanelOrder::left) solve_rows(here, next, end);              // U2 rest = L22^{-1} U2 rest
    if (order == PanelOrder::right) update(here, next, end);                 // A3 rest -= L32 U2 rest
  }
}

template <class T>
void PanelElimination<T>::eliminate_column(Index j) {
  if (j >= rows_.most_pivots() || !rows_.find_pivot(j)) return;
  // l = a(j+1:m, j) / pivot
  const MatrixView<T> l = rows_.below(j + 1);
  const double entries = static_cast<double>(l.rows);
  compute(kernels::cost_of<T>(entries, 3 * entries),
          [&] { kernels::divide_column(l.rows, rows_.top()(j, j), l.column(j)); });
}

/// U(p, c0:c1) <- L(p, p)^{-1} U(p, c0:c1)
template <class T>
void PanelElimination<T>::solve_rows(Pivots p, Index c0, Index c1) {
  if (p.count() == 0 || c0 == c1) return;
  const MatrixView<T> U = rows_.top().block(p.begin, c0, p.count(), c1 - c0);
  compute(kernels::triangular_cost<T>(U.rows, U.cols), [&] {
    kernels::solve_left_lower(rows_.top().block(p.begin, p.begin, p.count(), p.count()), true, U);
  });
}

/// U(p, c0:c1) -= L(p, done) U(done, c0:c1)
template <class T>
void PanelElimination<T>::subtract_rows(Pivots done, Pivots p, Index c0, Index c1) {
  if (done.count() == 0) return;
  const MatrixView<T> top = rows_.top(), U = top.block(p.begin, c0, p.count(), c1 - c0);
  compute(kernels::gemm_cost<T>(U.rows, U.cols, done.count()), [&] {
    kernels::gemm(Op::none, Op::none, T(-1), top.block(p.begin, done.begin, p.count(), done.count()),
                  top.block(done.begin, c0, done.count(), c1 - c0), T(1), U);
  });
}

/// A(p.end:m, c0:c1) -= L(p.end:m, p) U(p, c0:c1)
template <class T>
void PanelElimination<T>::update(Pivots p, Index c0, Index c1) {
  if (p.count() == 0) return;
  const MatrixView<T> below = rows_.below(p.end), A = below.block(0, c0, below.rows, c1 - c0);
  compute(kernels::gemm_cost<T>(A.rows, A.cols, p.count()), [&] {
    kernels::gemm(Op::none, Op::none, T(-1), below.block(0, p.begin, below.rows, p.count()),
                  rows_.top().block(p.begin, c0, p.count(), c1 - c0), T(1), A);
  });
}

namespace {

void check(const PanelPlan& plan) {
  if (plan.smallest < 1 || plan.parts < 2)
    throw Error(Status::bad_plan, "a panel cannot be divided into " + std::to_string(plan.parts) +
                                      " parts down to " + std::to_string(plan.smallest) +
                                      " columns; set parts >= 2 and smallest >= 1");
}

}  // namespace

template <class T>
PanelFactor<T> factor_panel(dist::Moves<T>& moves, const dist::DistributedMatrix<T>& A, Index first,
                            Index width, const PanelPlan& plan, const comm::Key& key) {
  check(plan);
  PanelRows<T> rows(moves, A, first, width, key);
  PanelElimination<T> elimination(rows, plan);
  if (width > 0) {
    if (rows.is_alone()) {
      const Index m = A.m() - first;
      const kernels::Cost cost = panel_cost<T>(m, width);
      moves.rank().compute({"panel", cost.flops, cost.bytes, m, width, width},
                           [&] { elimination.eliminate(0, width); });
    } else {
      elimination.eliminate(0, width);
    }
  }
  return rows.finish();
}

#define OVERLAPACK_INSTANTIATE(T)                                                                           \
  template PanelFactor<T> factor_panel<T>(dist::Moves<T>&, const dist::DistributedMatrix<T>&, Index, Index, \
                                          const PanelPlan&, const comm::Key&);
OVERLAPACK_FOR_EACH_SCALAR(OVERLAPACK_INSTANTIATE)
#undef OVERLAPACK_INSTANTIATE

}  // namespace overlapack::dense
