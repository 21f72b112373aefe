#include "dense/multiply/multiply.hpp"

#include "base/instantiate.hpp"
#include "comm/collective/collective.hpp"
#include "dense/message_kinds.hpp"
#include "dense/packed.hpp"
#include "dense/tiled_product.hpp"
#include "dist/moves/messages/message_moves.hpp"
#include "kernels/product/blas_threads.hpp"

#include <algorithm>
#include <deque>
#include <memory>
#include <string>

namespace overlapack::dense {
namespace {

using comm::collective::Broadcast;

/// Whether both cut `size` lines at the same places. Blocks as long as that, or longer, are one block.
bool are_cut_alike(const dist::BlockCyclic& a, const dist::BlockCyclic& b) {
  return a.size == b.size && std::min(a.block, a.size) == std::min(b.block, b.size);
}

bool have_same_blocks(const dist::BlockCyclic& a, const dist::BlockCyclic& b) {
  return are_cut_alike(a, b) && a.source == b.source;
}

/// Check that the distributions fit; that the matrices are on one grid is the caller's responsibility.
template <class T>
void require_matching_blocks(const dist::DistributedMatrix<T>& A, const dist::DistributedMatrix<T>& B,
                             const dist::DistributedMatrix<T>& C) {
  const auto refuse = [](const std::string& what) { throw Error(Status::bad_input, what); };
  if (!have_same_blocks(A.rows, C.rows))
    refuse("the rows of A and C are not distributed alike; redistribute one of them");
  if (!have_same_blocks(B.cols, C.cols))
    refuse("the columns of B and C are not distributed alike; redistribute one of them");
  if (!are_cut_alike(A.cols, B.rows))
    refuse("A has " + std::to_string(A.n()) + " columns in blocks of " + std::to_string(A.cols.block) +
           ", B " + std::to_string(B.m()) + " rows in blocks of " + std::to_string(B.rows.block) +
           "; they must be equal");
}

/// The product as a sum over panels (SUMMA), with the broadcasts of plan.depth further panel pairs under way.
template <class T>
class Product {
 public:
  Product(dist::Moves<T>& moves, T alpha, const dist::DistributedMatrix<T>& A,
          const dist::DistributedMatrix<T>& B, const dist::DistributedMatrix<T>& C, const MultiplyPlan& plan)
      : moves_(moves), alpha_(alpha), A_(A), B_(B), C_(C), plan_(plan) {}

  void run() {
    const Index panels = A_.cols.blocks();
    const Index tile = is_product_tiled(moves_.rank(), C_.grid->size()) ? plan_.tile : 0;
    Index started = 0;
    for (Index p = 0; p < panels; ++p) {
      while (started < panels && started <= p + plan_.depth) start(started++);
      const Pair pair = std::move(under_way_.front());
      under_way_.pop_front();
      const comm::Body a = pair.left->finish(), b = pair.right->finish();
      const MatrixView<const T> Ap = packed_matrix<T>(a, C_.local.rows, pair.width);
      const MatrixView<const T> Bp = packed_matrix<T>(b, pair.width, C_.local.cols);
      add_product<T>(moves_.rank(), tile, kernels::Op::none, alpha_, Ap, Bp,
                     C_.local);  // C += alpha A_p B_p
    }
  }

 private:
  struct Pair {
    Index width = 0;
    std::unique_ptr<Broadcast> left, right;
  };

  void start(Index p) {
    const dist::Global first{p * A_.cols.block}, end{std::min(first.value + A_.cols.block, A_.n())};
    const Index width = end.value - first.value;
    const auto bytes = [&](Index count) { return static_cast<std::size_t>(count * width) * sizeof(T); };
    Pair pair;
    pair.width = width;
    pair.left = moves_.start_broadcast(
        A_.grid->row_group(A_.me), A_.cols.owner(first), {MultiplyMove::left_panel, p}, bytes(C_.local.rows),
        A_.owns_col(first) ? packed_body<T>(A_.part({0}, {A_.m()}, first, end)) : comm::Body());
    pair.right = moves_.start_broadcast(
        B_.grid->column_group(B_.me), B_.rows.owner(first), {MultiplyMove::right_panel, p},
        bytes(C_.local.cols),
        B_.owns_row(first) ? packed_body<T>(B_.part(first, end, {0}, {B_.n()})) : comm::Body());
    under_way_.push_back(std::move(pair));
  }

  dist::Moves<T>& moves_;
  T alpha_;
  const dist::DistributedMatrix<T>&A_, &B_, &C_;
  const MultiplyPlan& plan_;
  std::deque<Pair> under_way_;
};

}  // namespace

template <class T>
void multiply(comm::Rank& rank, T alpha, const dist::DistributedMatrix<T>& A,
              const dist::DistributedMatrix<T>& B, const dist::DistributedMatrix<T>& C,
              const MultiplyPlan& plan) {
  const kernels::SingleThreadedBlas one_thread_a_rank;
  require_matching_blocks(A, B, C);
  if (C.grid->holds(rank.rank())) {
    comm::Exchange exchange(rank, comm::Lane::bulk, plan.inbox);
    dist::MessageMoves<T> moves(exchange, plan.messages);
    Product<T>(moves, alpha, A, B, C, plan).run();
    exchange.close();
  }
  comm::collective::barrier(rank);
}

#define OVERLAPACK_INSTANTIATE(T)                                                              \
  template void multiply(comm::Rank&, T, const dist::DistributedMatrix<T>&,                    \
                         const dist::DistributedMatrix<T>&, const dist::DistributedMatrix<T>&, \
                         const MultiplyPlan&);
OVERLAPACK_FOR_EACH_SCALAR(OVERLAPACK_INSTANTIATE)
#undef OVERLAPACK_INSTANTIATE

}  // namespace overlapack::dense
