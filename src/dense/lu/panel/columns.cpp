#include "dense/lu/panel/columns.hpp"

#include "base/instantiate.hpp"
#include "comm/values.hpp"
#include "dense/lu/panel/phantom_panel.hpp"
#include "dense/message_kinds.hpp"
#include "dense/packed.hpp"
#include "dense/panels.hpp"
#include "dist/moves/row_pair.hpp"
#include "kernels/pivoting/pivot_column.hpp"
#include "kernels/product/gemm.hpp"

#include <algorithm>

namespace overlapack::dense {
namespace {

using dist::Global;
using dist::PivotCandidate;

/// The steps of ScaLAPACK's PSGETF2 on the columns first .. first + width - 1. Rows and columns are global numbers.
template <class T>
class PanelColumns {
 public:
  PanelColumns(dist::Moves<T>& moves, const dist::DistributedMatrix<T>& A, Index first, Index width,
               std::int64_t number)
      : moves_(moves),
        A_(A),
        first_(first),
        end_(first + width),
        number_(number),
        column_(A.grid->column_group(A.me)),
        row_(A.grid->row_group(A.me)),
        is_phantom_(moves.rank().capabilities().is_phantom) {
    if (is_phantom_) policy_ = phantom_pivots(first, width, A.m());
  }

  PivotCandidate<T> find_pivot(Index j);
  void swap_rows(Index i, Index j);
  void scale(Index j, T pivot);
  void update(Index j);
  std::vector<T> gather_top();
  /// On a phantom rank: charge all columns. The moves of one column are charged for up to columns_charged_together() columns.
  void charge_by_shapes();

 private:
  MatrixView<T> mine(Index r0, Index r1, Index c0, Index c1) const {
    return A_.part(Global{r0}, Global{r1}, Global{c0}, Global{c1});
  }
  int position_of_row(Index i) const { return A_.rows.owner({i}); }
  PivotCandidate<T> largest_of_mine(Index j) const;
  comm::Body from_row(Index i, std::int64_t part, Index words, MatrixView<const T> M);
  comm::Body from_column(Index j, std::int64_t part, Index words, MatrixView<const T> M);
  comm::Body broadcast(const comm::collective::Group& group, int root, std::int64_t part, Index words,
                       MatrixView<const T> M);

  dist::Moves<T>& moves_;
  const dist::DistributedMatrix<T>& A_;
  Index first_, end_;
  std::int64_t number_;
  comm::collective::Group column_, row_;
  bool is_phantom_;
  std::vector<Index> policy_;
};

/// The largest entry of A(j:m, j), the same on all ranks that take part.
template <class T>
PivotCandidate<T> PanelColumns<T>::find_pivot(Index j) {
  PivotCandidate<T> best = largest_of_mine(j);
  moves_.find_pivot(column_, A_.cols.owner({j}), {LuMove::pivots, number_, j - first_}, best);
  if (is_phantom_) return {1, policy_[static_cast<std::size_t>(j - first_)], T(1)};
  return best;
}

template <class T>
PivotCandidate<T> PanelColumns<T>::largest_of_mine(Index j) const {
  PivotCandidate<T> best;
  const MatrixView<T> a = mine(j, A_.m(), j, j + 1);
  if (a.empty()) return best;
  moves_.rank().compute({.kind = "panel", .bytes = static_cast<double>(a.rows) * sizeof(T)}, [&] {
    const Index i = kernels::largest_entry(a.rows, a.column(0));
    best.value = a(i, 0);
    const Real<T> size = kernels::magnitude(best.value);
    if (size >= 0) best.size = size;  // else NaN
    best.row = A_.rows.global({A_.first_row({j}) + i}, A_.me.row).value;
  });
  return best;
}

/// A(i, panel) <-> A(j, panel)
template <class T>
void PanelColumns<T>::swap_rows(Index i, Index j) {
  dist::swap_pair(moves_, A_, i, j, A_.first_col({first_}), A_.first_col({end_}),
                  {LuMove::interchange, number_ * (A_.n() + 1) + first_, i - first_});
}

/// A(j+1:m, j) /= pivot
template <class T>
void PanelColumns<T>::scale(Index j, T pivot) {
  const MatrixView<T> l = mine(j + 1, A_.m(), j, j + 1);
  if (l.empty()) return;
  const double entries = static_cast<double>(l.rows);
  const auto cost = kernels::cost_of<T>(entries / 2, 2 * entries);
  moves_.rank().compute({"panel", cost.flops, cost.bytes, l.rows, 1, 1},
                        [&] { kernels::divide_column(l.rows, pivot, l.column(0)); });
}

/// A(j+1:m, j+1:end) -= A(j+1:m, j) A(j, j+1:end). The row is broadcast down the process column; if the panel extends into other
/// process columns, the column is broadcast along the process row too.
template <class T>
void PanelColumns<T>::update(Index j) {
  const MatrixView<T> C = mine(j + 1, A_.m(), j + 1, end_);
  MatrixView<const T> l = mine(j + 1, A_.m(), j, j + 1);
  const comm::Body row = from_row(j, j - first_, C.cols, mine(j, j + 1, j + 1, end_));
  comm::Body column;
  if (is_of_several_blocks(A_.cols, {{j}, {end_}})) {
    column = from_column(j, end_ - first_ + j - first_, C.rows, l);
    l = {column.as<T>().data(), C.rows, 1, C.rows};
  }
  if (C.empty()) return;
  const MatrixView<const T> u{row.as<T>().data(), 1, C.cols, 1};
  const auto cost = kernels::gemm_cost<T>(C.rows, C.cols, 1);
  moves_.rank().compute({"panel", cost.flops, cost.bytes, C.rows, C.cols, 1}, [&] {
    kernels::gemm<T>(kernels::Op::none, kernels::Op::none, T(-1), l, u, T(1), C);
  });
}

/// Broadcast L11 \ U11 from its owner down the process column; returns it as a width x width matrix.
template <class T>
std::vector<T> PanelColumns<T>::gather_top() {
  const Index width = end_ - first_;
  const MatrixView<T> mine_of_it = mine(first_, std::min(end_, A_.m()), first_, end_);
  const Index words = mine_of_it.cols * std::min(width, A_.m() - first_);
  const comm::Body body = from_row(first_, width, words, mine_of_it);
  std::vector<T> top(static_cast<std::size_t>(width * width));
  if (words == 0 || is_phantom_) return top;
  const Index rows = words / width;
  copy_into<T>(packed_matrix<T>(body, rows, width), {top.data(), rows, width, width});
  return top;
}

template <class T>
void PanelColumns<T>::charge_by_shapes() {
  const Index last = std::min(end_, A_.m());
  const auto exchange = [this](Index i) { swap_rows(i, policy_[static_cast<std::size_t>(i - first_)]); };
  const auto column = [this](Index j) {
    find_pivot(j);
    scale(j, T(1));
    if (j + 1 < end_) update(j);
  };
  for (Index j = first_, next; j < last; j = next) {
    next = std::min(j + moves_.columns_charged_together(), last);
    std::vector<Index> remote;
    for (Index i = j; i < next; ++i)
      if (position_of_row(i) == position_of_row(policy_[static_cast<std::size_t>(i - first_)]))
        exchange(i);
      else
        remote.push_back(i);
    const Index updating = std::min(next, end_ - 1) - j;
    if (updating > 0) moves_.repeat_verbs(updating, [&] { column(j + updating / 2); });
    if (!remote.empty())
      moves_.repeat_verbs(std::ssize(remote), [&] { exchange(remote[remote.size() / 2]); });
    if (j + updating < next) column(end_ - 1);
  }
}

/// Broadcast M from the owner of row i to my process column. words: scalars of M; 0 on processes that own no columns of the panel.
template <class T>
comm::Body PanelColumns<T>::from_row(Index i, std::int64_t part, Index words, MatrixView<const T> M) {
  return broadcast(column_, position_of_row(i), part, words, M);
}

/// Broadcast M from the owner of column j to my process row.
template <class T>
comm::Body PanelColumns<T>::from_column(Index j, std::int64_t part, Index words, MatrixView<const T> M) {
  return broadcast(row_, A_.cols.owner({j}), part, words, M);
}

template <class T>
comm::Body PanelColumns<T>::broadcast(const comm::collective::Group& group, int root, std::int64_t part,
                                      Index words, MatrixView<const T> M) {
  const std::size_t bytes = static_cast<std::size_t>(words) * sizeof(T);
  comm::Body body;
  if (group.me == root) body = comm::pack_body(moves_.rank(), bytes, [&] { return packed_body<T>(M); });
  return moves_.start_broadcast(group, root, {LuMove::panel, number_, part}, bytes, std::move(body))
      ->finish();
}

}  // namespace

template <class T>
PanelFactor<T> factor_columns(dist::Moves<T>& moves, const dist::DistributedMatrix<T>& A, Index first,
                              Index width, std::int64_t number) {
  PanelColumns<T> panel(moves, A, first, width, number);
  PanelFactor<T> factor;
  const bool is_of_one = !is_of_several_blocks(A.cols, {{first}, {first + width}});
  if (moves.columns_charged_together() > 1) {
    panel.charge_by_shapes();
    if (is_of_one) factor.top = panel.gather_top();
    return factor;
  }
  for (Index j = first; j < std::min(first + width, A.m()); ++j) {
    // Find pivot and test for singularity.
    const PivotCandidate<T> pivot = panel.find_pivot(j);
    factor.pivots.push_back(pivot.row);
    if (pivot.value != T(0)) {
      panel.swap_rows(j, pivot.row);  // Apply the row interchanges to the panel's columns.
      panel.scale(j, pivot.value);    // Compute elements j+1:m of the j-th column.
    } else if (factor.zero_pivot < 0) {
      factor.zero_pivot = j;
    }
    // Update trailing submatrix.
    if (j + 1 < first + width) panel.update(j);
  }
  if (is_of_one) factor.top = panel.gather_top();
  return factor;
}

#define OVERLAPACK_INSTANTIATE(T)                                                                      \
  template PanelFactor<T> factor_columns<T>(dist::Moves<T>&, const dist::DistributedMatrix<T>&, Index, \
                                            Index, std::int64_t);
OVERLAPACK_FOR_EACH_SCALAR(OVERLAPACK_INSTANTIATE)
#undef OVERLAPACK_INSTANTIATE

}  // namespace overlapack::dense
