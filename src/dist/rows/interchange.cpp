#include "dist/rows/interchange.hpp"

#include "dist/rows/direct_interchange.hpp"
#include "dist/rows/shared_interchange.hpp"
#include "kernels/operand.hpp"

namespace overlapack::dist {

template <class T>
std::unique_ptr<RowInterchange<T>> start_interchange(comm::Exchange& exchange, const DistributedMatrix<T>& A,
                                                     const RowMoves& moves, Index c0, Index c1,
                                                     MatrixView<T> also, SwapKind kind, Index mix_columns,
                                                     const comm::Key& key) {
  const MatrixView<T> columns = A.local.block(0, c0, A.local.rows, c1 - c0);
  if (kind == SwapKind::direct || A.grid->rows() == 1)
    return std::make_unique<DirectInterchange<T>>(exchange, A, moves, columns, also, key);
  if (also.cols > 0)
    throw Error(ErrorKind::bad_plan, "row interchange",
                "rows of a second matrix travel along with the swap kind direct only; choose it");
  if (kind == SwapKind::mix)
    kind = columns.cols <= mix_columns ? SwapKind::binary_exchange : SwapKind::spread_roll;
  return std::make_unique<SharedInterchange<T>>(exchange, A, moves, columns, kind, key);
}

#define OVERLAPACK_INSTANTIATE(T)                                                                           \
  template std::unique_ptr<RowInterchange<T>> start_interchange<T>(                                         \
      comm::Exchange&, const DistributedMatrix<T>&, const RowMoves&, Index, Index, MatrixView<T>, SwapKind, \
      Index, const comm::Key&);
OVERLAPACK_FOR_EACH_SCALAR(OVERLAPACK_INSTANTIATE)
#undef OVERLAPACK_INSTANTIATE

}  // namespace overlapack::dist
