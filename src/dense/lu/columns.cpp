#include "dense/lu/columns.hpp"

#include "base/instantiate.hpp"
#include "dense/lu/phantom_panel.hpp"
#include "dense/message_kinds.hpp"
#include "dense/packed.hpp"
#include "kernels/gemm.hpp"
#include "kernels/pivot_column.hpp"

#include <algorithm>
#include <complex>

namespace overlapack::dense {
namespace {

using dist::Global;
using dist::PivotCandidate;

/// The verbs of PSGETF2 on the columns first .. first + width. Rows and columns are global numbers.
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
        is_phantom_(moves.rank().capabilities().is_phantom) {
    if (is_phantom_) policy_ = phantom_pivots(first, width, A.m());
  }

  PivotCandidate<T> find_pivot(Index j);
  void swap_rows(Index i, Index j);
  void scale(Index j, T pivot);
  void update(Index j);
  std::vector<T> top();

 private:
  MatrixView<T> mine(Index r0, Index r1, Index c0, Index c1) const {
    return A_.part(Global{r0}, Global{r1}, Global{c0}, Global{c1});
  }
  int place_of_row(Index i) const { return A_.rows.owner({i}); }
  comm::Body from_row(Index i, std::int64_t part, Index words, MatrixView<const T> M);

  dist::Moves<T>& moves_;
  const dist::DistributedMatrix<T>& A_;
  Index first_, end_;
  std::int64_t number_;
  comm::collective::Group column_;
  bool is_phantom_;
  std::vector<Index> policy_;
};

/// The largest entry of A(j:m, j), as all processes of the grid know it.
template <class T>
PivotCandidate<T> PanelColumns<T>::find_pivot(Index j) {
  PivotCandidate<T> best;
  const MatrixView<T> a = mine(j, A_.m(), j, j + 1);
  if (!a.empty() && !is_phantom_) {
    const Index i = kernels::largest_entry(a.rows, a.column(0));
    best.value = a(i, 0);
    const Real<T> size = kernels::magnitude(best.value);
    if (size >= 0) best.size = size;  // else NaN
    best.row = A_.rows.global({A_.first_row({j}) + i}, A_.me.row).value;
  }
  moves_.find_pivot(A_.cols.owner({first_}), {LuMove::pivots, number_, j - first_}, best);
  if (is_phantom_) return {1, policy_[static_cast<std::size_t>(j - first_)], T(1)};
  return best;
}

/// A(i, panel) <-> A(j, panel). Nobody need know where both are in one process row.
template <class T>
void PanelColumns<T>::swap_rows(Index i, Index j) {
  if (i == j) return;
  if (place_of_row(i) != place_of_row(j)) {
    const dist::RowMoves moves = dist::row_moves(i, std::span(&j, 1));
    const dist::MovedRows<T> rows{A_, moves, A_.first_col({first_}), A_.first_col({end_})};
    moves_.start_interchange(rows, {LuMove::interchange, number_, i - first_})->finish();
  } else if (A_.owns_row({i})) {
    const MatrixView<T> a = mine(i, i + 1, first_, end_), b = mine(j, j + 1, first_, end_);
    moves_.rank().compute({.kind = "swap", .bytes = 4.0 * static_cast<double>(a.cols) * sizeof(T)}, [&] {
      for (Index c = 0; c < a.cols; ++c) std::swap(a(0, c), b(0, c));
    });
  }
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

/// A(j+1:m, j+1:end) -= A(j+1:m, j) A(j, j+1:end), whose row comes down the process column.
template <class T>
void PanelColumns<T>::update(Index j) {
  const MatrixView<T> C = mine(j + 1, A_.m(), j + 1, end_), l = mine(j + 1, A_.m(), j, j + 1);
  const comm::Body row = from_row(j, j - first_, C.cols, mine(j, j + 1, j + 1, end_));
  if (C.empty()) return;
  const MatrixView<const T> u{row.as<T>().data(), 1, C.cols, 1};
  const auto cost = kernels::gemm_cost<T>(C.rows, C.cols, 1);
  moves_.rank().compute({"panel", cost.flops, cost.bytes, C.rows, C.cols, 1}, [&] {
    kernels::gemm<T>(kernels::Op::none, kernels::Op::none, T(-1), l, u, T(1), C);
  });
}

/// L11 \ U11 down the process column.
template <class T>
std::vector<T> PanelColumns<T>::top() {
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

/// M of the process row that has row i, on all of my process column; 0 words on those that have none of the panel.
template <class T>
comm::Body PanelColumns<T>::from_row(Index i, std::int64_t part, Index words, MatrixView<const T> M) {
  const std::size_t bytes = static_cast<std::size_t>(words) * sizeof(T);
  comm::Body body;
  if (A_.owns_row({i})) body = is_phantom_ ? comm::Body::phantom(bytes) : packed_body<T>(M);
  return moves_
      .start_broadcast(column_, place_of_row(i), {LuMove::panel, number_, part}, bytes, std::move(body))
      ->finish();
}

}  // namespace

template <class T>
PanelFactor<T> factor_columns(dist::Moves<T>& moves, const dist::DistributedMatrix<T>& A, Index first,
                              Index width, std::int64_t number) {
  PanelColumns<T> panel(moves, A, first, width, number);
  PanelFactor<T> factor;
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
  factor.top = panel.top();
  return factor;
}

#define OVERLAPACK_INSTANTIATE(T)                                                                      \
  template PanelFactor<T> factor_columns<T>(dist::Moves<T>&, const dist::DistributedMatrix<T>&, Index, \
                                            Index, std::int64_t);
OVERLAPACK_FOR_EACH_SCALAR(OVERLAPACK_INSTANTIATE)
#undef OVERLAPACK_INSTANTIATE

}  // namespace overlapack::dense
