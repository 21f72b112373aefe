#include "dense/lu/panel/panel_rows.hpp"

#include "base/instantiate.hpp"
#include "kernels/pivoting/pivot_column.hpp"

#include <algorithm>
#include <utility>

namespace overlapack::dense {
namespace {

using kernels::magnitude;

template <class T>
std::vector<T> entries_of(MatrixView<const T> row) {
  std::vector<T> entries(static_cast<std::size_t>(row.cols));
  for (Index j = 0; j < row.cols; ++j) entries[static_cast<std::size_t>(j)] = row(0, j);
  return entries;
}

template <class T>
void set_entries(const std::vector<T>& entries, MatrixView<T> row) {
  for (Index j = 0; j < row.cols; ++j) row(0, j) = entries[static_cast<std::size_t>(j)];
}

}  // namespace

template <class T>
PanelRows<T>::PanelRows(dist::Moves<T>& moves, const dist::DistributedMatrix<T>& A, Index first, Index width,
                        const comm::Key& key)
    : moves_(moves),
      A_(A),
      column_(A.grid->column_group(A.me)),
      first_(first),
      key_(key),
      mine_(A.part({first}, {A.m()}, {first}, {first + width})) {
  factor_.pivots.resize(static_cast<std::size_t>(std::min(width, A.m() - first)));
  factor_.top.resize(static_cast<std::size_t>(width * width));
  top_ = is_alone() ? mine_ : MatrixView<T>{factor_.top.data(), width, width, width};
}

template <class T>
bool PanelRows<T>::find_pivot(Index j) {
  if (is_alone())
    find_local_pivot(j);
  else
    find_pivot_over_ranks(j);
  const bool is_zero = top_(j, j) == T(0);
  if (is_zero && factor_.zero_pivot < 0) factor_.zero_pivot = first_ + j;
  return !is_zero;
}

template <class T>
void PanelRows<T>::find_local_pivot(Index j) {
  const Index pivot = j + kernels::largest_entry(mine_.rows - j, mine_.column(j) + j);
  factor_.pivots[static_cast<std::size_t>(j)] = first_ + pivot;
  std::swap(mine_(j, j), mine_(pivot, j));
}

template <class T>
void PanelRows<T>::find_pivot_over_ranks(Index j) {
  dist::PivotRow<T> pivot = best_row(j);
  comm::Key key = key_;
  key.part = j;
  moves_.reduce_to_best_pivot(column_, key, pivot);
  factor_.pivots[static_cast<std::size_t>(j)] = pivot.row;
  set_entries(pivot.entries, top_.block(j, 0, 1, width()));
  if (A_.owns_row({pivot.row})) set_entries(pivot.displaced, row(pivot.row));
}

/// My candidate for pivot row j, with the present row j, which the pivot row displaces, if I own it.
template <class T>
dist::PivotRow<T> PanelRows<T>::best_row(Index j) const {
  dist::PivotRow<T> best;
  if (A_.owns_row({first_ + j})) best.displaced = entries_of<T>(row(first_ + j));
  const MatrixView<T> candidates = below(j);
  if (candidates.rows == 0) return best;
  const Index i = kernels::largest_entry(candidates.rows, candidates.column(j));
  const Real<T> size = magnitude(candidates(i, j));
  if (size >= 0) best.size = size;  // else NaN
  best.row = A_.rows.global({A_.first_row({first_ + j}) + i}, A_.me.row).value;
  best.entries = entries_of<T>(candidates.block(i, 0, 1, width()));
  return best;
}

template <class T>
MatrixView<T> PanelRows<T>::row(Index global) const {
  return mine_.block(A_.first_row({global}) - A_.first_row({first_}), 0, 1, width());
}

template <class T>
void PanelRows<T>::exchange(Index p0, Index p1, Index c0, Index c1) {
  if (!is_alone()) return;  // find_pivot_over_ranks has exchanged whole rows
  for (Index j = c0; j < c1; ++j) {
    T* column = mine_.column(j);
    for (Index p = p0; p < p1; ++p)
      std::swap(column[p], column[factor_.pivots[static_cast<std::size_t>(p)] - first_]);
  }
}

template <class T>
PanelFactor<T> PanelRows<T>::finish() {
  if (is_alone())
    for (Index j = 0; j < width(); ++j)
      std::copy_n(top_.column(j), most_pivots(), factor_.top.data() + j * width());
  else
    for (Index i = 0; i < most_pivots(); ++i)
      if (A_.owns_row({first_ + i}))
        set_entries(entries_of<T>(top_.block(i, 0, 1, width())), row(first_ + i));
  return std::move(factor_);
}

OVERLAPACK_INSTANTIATE_CLASS(PanelRows);

}  // namespace overlapack::dense
