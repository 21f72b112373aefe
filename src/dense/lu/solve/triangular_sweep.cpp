#include "dense/lu/solve/triangular_sweep.hpp"

#include "base/instantiate.hpp"
#include "comm/collective/collective.hpp"
#include "dense/by_puts.hpp"
#include "dense/message_kinds.hpp"
#include "dense/packed.hpp"
#include "dist/moves/messages/message_moves.hpp"
#include "dist/moves/room.hpp"
#include "dist/moves/superstep/bsp2d_moves.hpp"
#include "dist/moves/superstep/superstep_moves.hpp"
#include "kernels/product/triangular.hpp"

#include <algorithm>
#include <memory>

namespace overlapack::dense {
namespace {

using comm::collective::Group;
using kernels::Op;

/// Copies columns [c0, c1) of X into my part of B.
template <class T>
void copy_own_columns(MatrixView<const T> X, dist::Global c0, dist::Global c1,
                      const dist::DistributedMatrix<T>& B) {
  for (Index j = B.first_col(c0); j < B.first_col(c1); ++j)
    for (Index i = 0; i < B.local.rows; ++i)
      B.local(i, j) = X(B.rows.global({i}, B.me.row).value, B.cols.global({j}, B.me.col).value - c0.value);
}

/// Calls f with moves of the plan's discipline, messages or superstep, on the processes of the grid.
template <class T, class F>
void with_moves(comm::Rank& rank, const dist::ProcessGrid& grid, const SolvePlan& plan, F&& f) {
  if (plan.discipline == Discipline::superstep) {
    comm::superstep::World world(rank, plan.world, dist::world_ranks(grid));
    dist::Bsp2d bsp(world, grid);
    dist::Bsp2dMoves<T> moves(bsp);
    f(moves);
    return world.end();
  }
  comm::Exchange exchange(rank, comm::Lane::bulk, plan.inbox);
  dist::MessageMoves<T> moves(exchange, messages_of_solves);
  f(moves);
  exchange.close();
}

/// Room in the window that a onesided solve of `columns` right-hand sides needs.
/// most_rows: most rows of B that one process owns
template <class T>
dist::DirectRoom room_of(const SolvePlan& plan, std::size_t most_rows, Index columns) {
  const std::size_t line = static_cast<std::size_t>(columns) * sizeof(T);
  const std::size_t block = static_cast<std::size_t>(plan.block) * line;
  return {
      .row = {.sum = block}, .column = {.sum = block}, .grid = {.body = std::max(block, most_rows * line)}};
}

/// Call f(moves, begin, end) for the ranges of plan.columns columns of 0 .. n - 1, on the processes of the grid.
/// most_rows: most rows of B that one process owns
template <class T, class F>
void for_columns(comm::Rank& rank, const dist::ProcessGrid& grid, Index n, std::size_t most_rows,
                 const SolvePlan& plan, F&& f) {
  const auto for_ranges = [&](auto&& g) {
    for (Index c = 0; c < n; c += plan.columns) g(c, std::min(c + plan.columns, n));
  };
  if (plan.discipline == Discipline::onesided) {  // one window serves all ranges
    run_with_puts<T>(rank, grid, room_of<T>(plan, most_rows, std::min(plan.columns, n)),
                     [&](dist::Moves<T>& moves) {
                       for_ranges([&](Index begin, Index end) { f(moves, begin, end); });
                       return FactorResult();
                     });
    return;
  }
  for_ranges([&](Index begin, Index end) {
    if (grid.holds(rank.rank()))
      with_moves<T>(rank, grid, plan, [&](dist::Moves<T>& moves) { f(moves, begin, end); });
    comm::collective::barrier(rank);
  });
}

/// One triangular solve. Each process keeps sums_, the products of its part of A with the blocks of X solved so far, by its local rows
/// (op none) or columns. For each block k, line_ adds up its sums, the owner of the diagonal block solves, and all processes receive X_k.
template <class T>
class Sweep {
 public:
  Sweep(dist::Moves<T>& moves, const TriangleOf<T>& of, MatrixView<T> X, comm::Kind move)
      : moves_(moves),
        A_(of.A),
        n_(of.n),
        is_lower_(of.triangle == Triangle::unit_lower || of.triangle == Triangle::lower),
        is_unit_(of.triangle == Triangle::unit_lower || of.triangle == Triangle::unit_upper),
        op_(of.op),
        X_(X),
        move_(move),
        all_(A_.grid->everyone(A_.me)),
        line_(op_ == Op::none ? A_.grid->row_group(A_.me) : A_.grid->column_group(A_.me)),
        ld_(padded_ld(op_ == Op::none ? A_.local.rows : A_.local.cols)),
        sums_(static_cast<std::size_t>(ld_ * X.cols), T(0)) {}

  void run() {
    const Index b = A_.cols.block, blocks = (n_ + b - 1) / b;
    const bool is_ascending = is_lower_ == (op_ == Op::none);
    for (Index i = 0; i < blocks; ++i) step(is_ascending ? i : blocks - 1 - i, is_ascending);
  }

 private:
  void step(Index k, bool is_ascending) {
    const Index first = k * A_.cols.block, end = std::min(first + A_.cols.block, n_);
    const dist::Global f{first}, e{end};
    const int row = A_.rows.owner(f), col = A_.cols.owner(f);
    const MatrixView<T> X = X_.block(first, 0, end - first, X_.cols);
    comm::Body solved;
    // X_k -= sum of A(k, j) X_j over the blocks j solved so far; sums have the minus sign
    const bool is_in_line = op_ == Op::none ? A_.me.row == row : A_.me.col == col;
    if (is_in_line) {
      std::vector<T> sum = packed<T>(sums(op_ == Op::none ? A_.first_row(f) : A_.first_col(f), end - first));
      moves_.sum_to_root(line_, op_ == Op::none ? col : row, {move_, k, sum_part}, sum);
      if (A_.me.row == row && A_.me.col == col) solved = solve(f, e, X, std::move(sum));
    } else {
      moves_.take_part_in_syncs(dist::Moves<T>::Verb::sum, line_);
    }
    solved = moves_
                 .start_broadcast(all_, row + col * A_.grid->rows(), {move_, k, solved_part},
                                  static_cast<std::size_t>(X.rows * X.cols) * sizeof(T), std::move(solved))
                 ->finish();
    copy_into<T>(packed_matrix<T>(solved, X.rows, X.cols), X);
    subtract_from_unsolved(f, e, is_ascending, X);
  }

  /// X_k = op(A_kk)^{-1} (X_k + sum)
  comm::Body solve(dist::Global f, dist::Global e, MatrixView<const T> X, std::vector<T> sum) {
    const MatrixView<T> Y{sum.data(), X.rows, X.cols, X.rows};
    for (Index j = 0; j < X.cols; ++j)
      for (Index i = 0; i < X.rows; ++i) Y(i, j) += X(i, j);
    const MatrixView<const T> D = A_.part(f, e, f, e);
    const bool conj = op_ == Op::conj_trans;
    if (is_lower_ && op_ == Op::none) kernels::solve_left_lower<T>(D, is_unit_, Y);
    if (is_lower_ && op_ != Op::none) kernels::solve_left_lower_trans<T>(D, is_unit_, conj, Y);
    if (!is_lower_ && op_ == Op::none) kernels::solve_left_upper<T>(D, is_unit_, Y);
    if (!is_lower_ && op_ != Op::none) kernels::solve_left_upper_trans<T>(D, is_unit_, conj, Y);
    return comm::Body::adopt(std::move(sum));
  }

  /// sums -= op(A)(unsolved blocks, k) X_k, on the owners of block column k (op none) or block row k
  void subtract_from_unsolved(dist::Global f, dist::Global e, bool is_ascending, MatrixView<const T> X) {
    const dist::Global from = is_ascending ? e : dist::Global{0}, to = is_ascending ? dist::Global{n_} : f;
    if (op_ == Op::none && A_.owns_col(f)) {
      const MatrixView<const T> M = A_.part(from, to, f, e);
      subtract(M, X, sums(A_.first_row(from), M.rows));
    } else if (op_ != Op::none && A_.owns_row(f)) {
      const MatrixView<const T> M = A_.part(f, e, from, to);
      subtract(M, X, sums(A_.first_col(from), M.cols));
    }
  }

  void subtract(MatrixView<const T> M, MatrixView<const T> X, MatrixView<T> sum) {
    const auto cost = kernels::gemm_cost<T>(sum.rows, sum.cols, X.rows);
    moves_.rank().compute({"sweep", cost.flops, cost.bytes, sum.rows, sum.cols, X.rows},
                          [&] { kernels::gemm<T>(op_, Op::none, T(-1), M, X, T(1), sum); });
  }

  MatrixView<T> sums(Index first, Index count) { return {sums_.data() + first, count, X_.cols, ld_}; }

  static constexpr std::int64_t sum_part = 0, solved_part = 1;
  dist::Moves<T>& moves_;
  const dist::DistributedMatrix<T>& A_;
  Index n_;
  bool is_lower_, is_unit_;
  Op op_;
  MatrixView<T> X_;
  comm::Kind move_;
  Group all_, line_;  ///< line_: my process row (op none) or column, whose sums add up to a block of X
  Index ld_;
  std::vector<T> sums_;  ///< as above, one column for each right-hand side
};

}  // namespace

template <class T>
void triangular_sweep(dist::Moves<T>& moves, const TriangleOf<T>& of, MatrixView<T> X, comm::Kind move) {
  Sweep<T>(moves, of, X, move).run();
}

template <class T>
std::vector<T> replicated(dist::Moves<T>& moves, const dist::DistributedMatrix<T>& A, dist::Global c0,
                          dist::Global c1, const comm::Key& key) {
  const dist::ProcessGrid& grid = *A.grid;
  const Group all = grid.everyone(A.me);
  const MatrixView<const T> mine = A.part({0}, {A.m()}, c0, c1);
  std::vector<std::size_t> bytes;
  for (int r = 0; r < all.size(); ++r) {
    const int p = r % grid.rows(), q = r / grid.rows();
    const Index cols = A.cols.count_before(c1, q).value - A.cols.count_before(c0, q).value;
    bytes.push_back(static_cast<std::size_t>(A.rows.local_size(p) * cols) * sizeof(T));
  }
  const std::vector<comm::Body> parts = moves.all_gather(all, key, bytes, packed_body<T>(mine));
  std::vector<T> X(static_cast<std::size_t>(A.m() * (c1.value - c0.value)));
  for (int r = 0; r < all.size(); ++r) {
    const int p = r % grid.rows(), q = r / grid.rows();
    const comm::Body& body = parts[static_cast<std::size_t>(r)];
    const T* value = body.as<T>().data();
    const Index first = A.cols.count_before(c0, q).value, last = A.cols.count_before(c1, q).value;
    for (Index j = first; j < last; ++j)
      for (Index i = 0; i < A.rows.local_size(p); ++i)
        X[static_cast<std::size_t>(A.rows.global({i}, p).value +
                                   (A.cols.global({j}, q).value - c0.value) * A.m())] = *value++;
  }
  return X;
}

template <class T>
void solve_by_columns(comm::Rank& rank, const dist::DistributedMatrix<T>& B, const SolvePlan& plan,
                      const std::function<void(dist::Moves<T>&, MatrixView<T>)>& solve) {
  const std::size_t rows = dist::most_of_a_process(B.rows, B.m());
  for_columns<T>(rank, *B.grid, B.n(), rows, plan, [&](dist::Moves<T>& moves, Index begin, Index end) {
    const dist::Global c0{begin}, c1{end};
    std::vector<T> values = replicated(moves, B, c0, c1, {SolveMove::replicate});
    const MatrixView<T> X{values.data(), B.m(), end - begin, B.m()};
    solve(moves, X);
    copy_own_columns<T>(X, c0, c1, B);
  });
}

template <class T>
void solve_by_columns(comm::Rank& rank, const dist::ProcessGrid& grid, MatrixView<T> X, const SolvePlan& plan,
                      const std::function<void(dist::Moves<T>&, MatrixView<T>)>& solve) {
  for_columns<T>(rank, grid, X.cols, 0, plan, [&](dist::Moves<T>& moves, Index begin, Index end) {
    solve(moves, X.block(0, begin, X.rows, end - begin));
  });
}

#define OVERLAPACK_INSTANTIATE(T)                                                                        \
  template void triangular_sweep(dist::Moves<T>&, const TriangleOf<T>&, MatrixView<T>, comm::Kind);      \
  template std::vector<T> replicated(dist::Moves<T>&, const dist::DistributedMatrix<T>&, dist::Global,   \
                                     dist::Global, const comm::Key&);                                    \
  template void solve_by_columns(comm::Rank&, const dist::DistributedMatrix<T>&, const SolvePlan&,       \
                                 const std::function<void(dist::Moves<T>&, MatrixView<T>)>&);            \
  template void solve_by_columns(comm::Rank&, const dist::ProcessGrid&, MatrixView<T>, const SolvePlan&, \
                                 const std::function<void(dist::Moves<T>&, MatrixView<T>)>&);
OVERLAPACK_FOR_EACH_SCALAR(OVERLAPACK_INSTANTIATE)
#undef OVERLAPACK_INSTANTIATE

}  // namespace overlapack::dense
