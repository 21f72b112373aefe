#include "dist/rows/local_interchange.hpp"

#include "kernels/rows.hpp"

namespace overlapack::dist {

template <class T>
LocalInterchange<T>::LocalInterchange(comm::Rank& rank, const DistributedMatrix<T>& A, const RowMoves& moves,
                                      MatrixView<T> columns, MatrixView<T> also)
    : U_(columns.block(A.rows.local({moves.first}).value, 0, moves.count, columns.cols)) {
  std::vector<Index> to, from;
  const auto move = [&](Index to_row, Index from_row) {
    if (to_row == from_row) return;
    to.push_back(A.rows.local({to_row}).value);
    from.push_back(A.rows.local({from_row}).value);
  };
  for (Index i = 0; i < moves.count; ++i) move(moves.first + i, moves.into[static_cast<std::size_t>(i)]);
  for (std::size_t k = 0; k < moves.row.size(); ++k) move(moves.row[k], moves.first + moves.from_block[k]);
  const double words = static_cast<double>(to.size()) * static_cast<double>(columns.cols + also.cols);
  rank.compute({.kind = "swap", .bytes = 2 * words * sizeof(T)}, [&] {
    kernels::move_rows(to, from, columns);
    kernels::move_rows(to, from, also);
  });
}

#define OVERLAPACK_INSTANTIATE(T) template class LocalInterchange<T>;
OVERLAPACK_FOR_EACH_SCALAR(OVERLAPACK_INSTANTIATE)
#undef OVERLAPACK_INSTANTIATE

}  // namespace overlapack::dist
