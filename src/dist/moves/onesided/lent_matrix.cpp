#include "dist/moves/onesided/lent_matrix.hpp"

#include "base/instantiate.hpp"
#include "comm/collective/collective.hpp"

#include <algorithm>

namespace overlapack::dist {
namespace {

/// Up to the last entry: the caller's memory may end there.
template <class T>
std::span<std::byte> bytes_of(MatrixView<T> M) {
  const Index entries = M.empty() ? 0 : M.ld * (M.cols - 1) + M.rows;
  return {reinterpret_cast<std::byte*>(M.data), static_cast<std::size_t>(entries) * sizeof(T)};
}

template <class T>
void copy_entries(MatrixView<T> from, MatrixView<T> to) {
  for (Index j = 0; j < from.cols; ++j) std::copy_n(from.column(j), from.rows, to.column(j));
}

}  // namespace

template <class T>
LentMatrix<T>::LentMatrix(comm::Rank& rank, const DistributedMatrix<T>& A)
    : A_(A), view_(A), ld_(static_cast<std::size_t>(rank.size())) {
  const bool is_member = A.grid->holds(rank.rank());
  const MatrixView<T> local = is_member ? A.local : MatrixView<T>{};
  const comm::Capabilities can = rank.capabilities();
  if (can.is_phantom) {
    window_ = rank.make_phantom_window(bytes_of(local).size());
  } else if (can.reaches_attached) {
    window_ = rank.attach(bytes_of(local));
  } else {
    view_.local.ld = padded_ld(local.rows);
    window_ = rank.make_window(static_cast<std::size_t>(view_.local.ld * local.cols) * sizeof(T));
    view_.local.data = reinterpret_cast<T*>(window_->local().data());
    if (is_member) copy_entries(local, view_.local);
  }
  ld_[static_cast<std::size_t>(rank.rank())] = is_member ? view_.local.ld : 0;
  comm::collective::all_reduce(rank, std::span<Index>(ld_), std::plus<>());
}

template <class T>
void LentMatrix<T>::take_back() const {
  if (view_.local.data != A_.local.data) copy_entries(view_.local, A_.local);
}

#define OVERLAPACK_INSTANTIATE(T) template class LentMatrix<T>;
OVERLAPACK_FOR_EACH_SCALAR(OVERLAPACK_INSTANTIATE)
#undef OVERLAPACK_INSTANTIATE

}  // namespace overlapack::dist
