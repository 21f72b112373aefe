#include "sparse/multifrontal/solve/root_solve.hpp"

#include "base/instantiate.hpp"
#include "comm/collective/collective.hpp"
#include "kernels/update/adjoint.hpp"

#include <algorithm>
#include <utility>

namespace overlapack::sparse::multifrontal {

template <class T>
void solve_root(comm::Rank& rank, FactorState<T>& state, Vectors<T>& vectors) {
  const Index f = state.structure.grid_root;
  if (f < 0) return;
  const Index order = state.root.order(), count = vectors.count;
  comm::Body body;
  if (state.is_mine(f)) {
    std::vector<T> b(static_cast<std::size_t>(order * count));
    const std::int32_t* const names =
        vectors.is_transposed ? state.front(f).col_name : state.front(f).row_name;
    vectors.gather(vectors.equations, names, order, b.data());
    if (vectors.is_shared) vectors.clear(vectors.equations, names, order);
    body = comm::Body::adopt(std::move(b));
  }
  body = comm::collective::broadcast(rank, state.structure.owner[f], std::move(body));
  std::vector<T> lines(body.as<T>().begin(), body.as<T>().end()), x(lines.size());
  const MatrixView<T> by_lines{lines.data(), count, order, count}, by_columns{x.data(), order, count, order};
  kernels::adjoint<T>(by_lines, by_columns, false);
  for (Index r = 0, columns; r < count; r += columns) {
    columns = state.block_width_at(r, count);
    state.root.solve(rank, state.structure.kind,
                     vectors.is_transposed ? kernels::Op::trans : kernels::Op::none, state.walk,
                     by_columns.block(0, r, order, columns));
  }
  kernels::adjoint<T>(by_columns, by_lines, false);
  if (state.is_mine(f))
    vectors.scatter(vectors.unknowns,
                    vectors.is_transposed ? state.front(f).row_name : state.front(f).col_name, order,
                    lines.data());
}

#define OVERLAPACK_INSTANTIATE(T) template void solve_root(comm::Rank&, FactorState<T>&, Vectors<T>&);
OVERLAPACK_FOR_EACH_SCALAR(OVERLAPACK_INSTANTIATE)
#undef OVERLAPACK_INSTANTIATE

}  // namespace overlapack::sparse::multifrontal
