#include "dense/qr/qr.hpp"

#include "base/instantiate.hpp"
#include "base/larger.hpp"
#include "comm/collective/collective.hpp"
#include "dense/by_puts.hpp"
#include "dense/look_ahead.hpp"
#include "dense/message_kinds.hpp"
#include "dense/packed.hpp"
#include "dense/panels.hpp"
#include "dense/qr/block_reflector.hpp"
#include "dense/qr/panel.hpp"
#include "dense/tiled_product.hpp"
#include "dist/moves/messages/message_moves.hpp"
#include "dist/moves/room.hpp"
#include "kernels/pivoting/pivot_column.hpp"
#include "kernels/product/blas_threads.hpp"
#include "kernels/product/householder.hpp"

#include <cmath>
#include <map>
#include <string>

namespace overlapack::dense {
namespace {

using comm::collective::Broadcast;
using kernels::Op;

/// The tasks of one QR step, which look_ahead.hpp calls, and the application of Q, which uses the same broadcasts and reflections.
template <class T>
class QrSteps {
 public:
  QrSteps(dist::Moves<T>& moves, const QrFactors<T>& factors, const QrPlan& plan)
      : moves_(moves),
        A_(factors.VR),
        S_(factors.S),
        plan_(plan),
        panels_{A_.m(), A_.n(), A_.cols.block},
        row_(A_.grid->row_group(A_.me)),
        position_{.column = A_.grid->column_group(A_.me),
                  .tile = is_product_tiled(moves.rank(), A_.grid->size()) ? plan.tile : 0,
                  .tiles = plan.tiles},
        is_phantom_(moves.rank().capabilities().is_phantom) {}

  Index panels() const { return panels_.count(); }
  ColumnRange block(Index k) const { return panels_.columns_of(k); }
  ColumnRange columns_behind(Index k) const { return panels_.columns_behind(k); }
  FactorResult& result() { return result_; }

  /// A(k:m, k) = Q_k R_kk, Q_k = I - V S V^H, on the process column of panel k.
  void factor_panel(Index k) {
    if (plan_.on_progress) plan_.on_progress(panels_.share_before(k));
    ++result_.panels;
    const Index first = panels_.first_of(k), width = panels_.width_of(k);
    if (!owns_panel(k)) return;
    made_[k] = is_phantom_ ? charge_reflections(moves_, A_, first, width, k)
                           : reflect_panel(moves_, A_, first, width, plan_.smallest, k);
  }

  /// Start the broadcast of V and S along the process rows.
  void start_broadcast(Index k) {
    const std::size_t bytes = ReflectorMemory<T>::bytes(panels_.width_of(k), rows_from(k));
    comm::Body body;
    if (owns_panel(k)) body = std::move(made_.extract(k).mapped());
    broadcasts_[k] = moves_.start_broadcast(row_, A_.cols.owner({panels_.first_of(k)}),
                                            {QrMove::reflector, k}, bytes, std::move(body));
  }

  BlockReflector<T> finish_broadcast(Index k) {
    BlockReflector<T> H = received_reflector(k);
    form_adjoint(moves_.rank(), H, A_.local.cols - A_.first_col({panels_.end_of(k)}));
    return H;
  }

  /// A(k:m, columns) <- Q_k^H A(k:m, columns) = A - V S^H V^H A
  void apply(const BlockReflector<T>& H, ColumnRange columns) {
    reflect_rows(Op::conj_trans, H, A_, columns.begin, columns.end);
  }

  /// C <- op(Q) C for the stored Q = Q_0 Q_1 ...: the factors are applied from the last one on (op none), or from the first one on
  /// (conj_trans). While one is applied, the broadcast of the next is under way.
  void multiply(Op op, const dist::DistributedMatrix<T>& C) {
    const Index count = panels();
    const auto in_order = [&](Index i) { return op == Op::none ? count - 1 - i : i; };
    const auto start = [&](Index i) {
      const Index k = in_order(i);
      if (owns_panel(k)) made_[k] = stored_reflector(k);
      start_broadcast(k);
    };
    if (count > 0) start(0);
    for (Index i = 0; i < count; ++i) {
      if (i + 1 < count) start(i + 1);
      BlockReflector<T> H = received_reflector(in_order(i));
      form_adjoint(moves_.rank(), H, C.local.cols);
      reflect_rows(op, H, C, {0}, {C.n()});
    }
  }

 private:
  BlockReflector<T> received_reflector(Index k) {
    const Index first = panels_.first_of(k), width = panels_.width_of(k);
    BlockReflector<T> H =
        view_reflector<T>(k, first, width, rows_from(k), broadcasts_.extract(k).mapped()->finish());
    if (!is_phantom_) copy_into<T>(H.S, S_.block(0, first, width, width));
    return H;
  }

  bool owns_panel(Index k) const { return A_.owns_col({panels_.first_of(k)}); }
  Index rows_from(Index k) const { return A_.local.rows - A_.first_row({panels_.first_of(k)}); }

  void reflect_rows(Op op, const BlockReflector<T>& H, const dist::DistributedMatrix<T>& C,
                    dist::Global begin, dist::Global end) {
    position_.rows_in_all = C.m() - H.first;
    position_.first_column = C.first_col(begin);
    reflect<T>(moves_, position_, H, op, C.part({H.first}, {C.m()}, begin, end));
  }

  /// S and V of panel k from the stored factors; V's ones and zeros replace R's entries.
  comm::Body stored_reflector(Index k) const {
    const Index first = panels_.first_of(k), end = panels_.end_of(k), width = end - first;
    ReflectorMemory<T> memory(width, rows_from(k));
    const MatrixView<T> V = memory.V();
    copy_into<T>(S_.block(0, first, width, width), memory.S());
    copy_into<T>(A_.part({first}, {A_.m()}, {first}, {end}), V);
    for (Index j = 0; j < width; ++j) {
      if (!A_.owns_row({first + j})) continue;
      const Index i = A_.first_row({first + j}) - A_.first_row({first});
      V(i, j) = T(1);
      for (Index c = j + 1; c < width; ++c) V(i, c) = T(0);
    }
    return std::move(memory).body();
  }

  dist::Moves<T>& moves_;
  const dist::DistributedMatrix<T>& A_;
  MatrixView<T> S_;
  const QrPlan& plan_;
  Panels panels_;
  comm::collective::Group row_;
  ReflectionPosition position_;
  bool is_phantom_;
  std::map<Index, comm::Body> made_;  ///< by panel: reflectors made here and not yet broadcast
  std::map<Index, std::unique_ptr<Broadcast>> broadcasts_;
  FactorResult result_;
};

template <class T>
void require_qr_shape(const QrFactors<T>& factors, bool is_phantom) {
  const dist::DistributedMatrix<T>& A = factors.VR;
  if (A.rows.block != A.cols.block)
    throw Error(Status::bad_plan, "the blocks are " + std::to_string(A.rows.block) + " x " +
                                      std::to_string(A.cols.block) + "; QR needs square ones");
  const Index least = std::min(A.m(), A.n());
  if (!is_phantom && (factors.S.cols != least || factors.S.rows < std::min(A.cols.block, least)))
    throw Error(Status::bad_input, "there is room for S of " + std::to_string(factors.S.rows) + " x " +
                                       std::to_string(factors.S.cols) + ", but the matrix is " +
                                       std::to_string(A.m()) + " x " + std::to_string(A.n()) +
                                       " in blocks of " + std::to_string(A.cols.block));
}

/// Multiplies A's columns by their scales (powers of two), or divides R's columns by them.
template <class T>
void scale_columns(const dist::DistributedMatrix<T>& A, std::span<const Real<T>> scale, bool is_of_r) {
  for (Index j = 0; j < A.local.cols; ++j) {
    const Index column = A.cols.global({j}, A.me.col).value;
    const Real<T> by = scale[static_cast<std::size_t>(column)];
    if (by == 1) continue;
    const Index rows = is_of_r ? std::min(A.first_row({column + 1}), A.local.rows) : A.local.rows;
    for (Index i = 0; i < rows; ++i) A.local(i, j) = is_of_r ? A.local(i, j) / by : A.local(i, j) * by;
  }
}

/// A power of two for each column such that a reflection treats only rounding errors as zero and no square overflows. Scaling
/// does not change Q, and scales R's columns by the same factors.
/// Sync    collective over the team
template <class T>
std::vector<Real<T>> column_scales(comm::Rank& rank, const dist::DistributedMatrix<T>& A) {
  using R = Real<T>;
  std::vector<R> scale(static_cast<std::size_t>(A.n()), 0);
  for (Index j = 0; j < A.local.cols && A.local.rows > 0; ++j) {
    const T* const column = A.local.column(j);
    scale[static_cast<std::size_t>(A.cols.global({j}, A.me.col).value)] =
        kernels::magnitude(column[kernels::largest_entry(A.local.rows, column)]);
  }
  comm::collective::all_reduce(rank, std::span<R>(scale), Larger());
  const R least = std::sqrt(kernels::least_square<R>) / std::numeric_limits<R>::epsilon();
  for (R& size : scale) {
    const bool is_in_range = size == 0 || (size >= least && size <= 1 / least);
    // the bound makes the inverse a number of the type, too
    constexpr int most = std::numeric_limits<R>::max_exponent - 2;
    size = is_in_range || !std::isfinite(size)
               ? R(1)
               : std::scalbn(R(1), std::clamp(-std::ilogb(size), -most, most));
  }
  return scale;
}

template <class T, class F>
FactorResult qr_by_messages(comm::Rank& rank, const QrFactors<T>& factors, const QrPlan& plan, F&& f) {
  comm::Exchange exchange(rank, comm::Lane::bulk, plan.inbox);
  dist::MessageMoves<T> moves(exchange, plan.messages);
  QrSteps<T> steps(moves, factors, plan);
  f(steps);
  FactorResult result = steps.result();
  result.overlapped_messages = exchange.overlapped_messages();
  exchange.close();
  return result;
}

/// reflected: the matrix whose rows are reflected, A itself or another one.
/// Sync    collective over the team
template <class T, class F>
FactorResult qr_by_puts(comm::Rank& rank, const QrFactors<T>& factors,
                        const dist::DistributedMatrix<T>& reflected, const QrPlan& plan, F&& f) {
  const Index width = std::min(factors.VR.cols.block, std::max(factors.VR.m(), factors.VR.n()));
  const auto columns = static_cast<Index>(dist::most_of_a_process(reflected.cols, reflected.n()));
  // sums: in a panel, two columns or a square of its order; of a strip, at most all columns
  const auto sum = static_cast<std::size_t>(width * std::max({Index{2}, width, columns})) * sizeof(T);
  const dist::DirectRoom room{.row = {.body = dist::room_for(factors.VR, width).body},
                              .column = {.body = sum, .sum = sum}};
  return run_with_puts<T>(rank, *factors.VR.grid, room, [&](dist::Moves<T>& moves) {
    QrSteps<T> steps(moves, factors, plan);
    f(steps);
    return steps.result();
  });
}

/// Calls f(steps) on the processes of the grid; returns the result and its counters.
template <class T, class F>
FactorResult run_steps_by_discipline(comm::Rank& rank, const QrFactors<T>& factors,
                                     const dist::DistributedMatrix<T>& reflected, const QrPlan& plan, F&& f) {
  const kernels::SingleThreadedBlas one_thread_a_rank;
  FactorResult result;
  if (plan.discipline == Discipline::onesided)
    result = qr_by_puts(rank, factors, reflected, plan, f);
  else if (factors.VR.grid->holds(rank.rank()))
    result = qr_by_messages(rank, factors, plan, f);
  comm::collective::barrier(rank);
  return result;
}

void require_discipline(const QrPlan& plan, bool is_phantom) {
  if (plan.discipline == Discipline::superstep)
    throw Error(Status::bad_plan, "discipline superstep is for LU and Cholesky; choose messages or onesided");
  if (plan.discipline == Discipline::onesided && is_phantom)
    throw Error(Status::bad_plan, "QR by puts has no simulation by shapes; choose discipline messages");
  if (plan.discipline == Discipline::onesided && plan.depth > 1)
    throw Error(Status::bad_plan,
                "depth is " + std::to_string(plan.depth) +
                    ", but QR by puts factorises at most 1 panel ahead; choose 1, or messages");
}

}  // namespace

template <class T>
FactorResult qr_factor(comm::Rank& rank, const QrFactors<T>& factors, const QrPlan& plan) {
  const bool is_phantom = rank.capabilities().is_phantom;
  require_discipline(plan, is_phantom);
  require_qr_shape(factors, is_phantom);
  std::vector<Real<T>> scale;
  if (!is_phantom) {
    scale = column_scales(rank, factors.VR);
    scale_columns<T>(factors.VR, scale, false);
  }
  const FactorResult result = run_steps_by_discipline(
      rank, factors, factors.VR, plan, [&](QrSteps<T>& steps) { look_ahead(steps, plan.depth); });
  if (!is_phantom) scale_columns<T>(factors.VR, scale, true);
  return result;
}

template <class T>
void qr_multiply(comm::Rank& rank, Op op, const QrFactors<T>& factors, const dist::DistributedMatrix<T>& C,
                 const QrPlan& plan) {
  const dist::BlockCyclic &a = factors.VR.rows, &c = C.rows;
  if (c.size != a.size || c.block != a.block || c.source != a.source)
    throw Error(Status::bad_input, "the rows of Q and C are not distributed alike; redistribute C");
  run_steps_by_discipline(rank, factors, C, plan, [&](QrSteps<T>& steps) { steps.multiply(op, C); });
}

#define OVERLAPACK_INSTANTIATE(T)                                                                    \
  template FactorResult qr_factor(comm::Rank&, const QrFactors<T>&, const QrPlan&);                  \
  template void qr_multiply(comm::Rank&, Op, const QrFactors<T>&, const dist::DistributedMatrix<T>&, \
                            const QrPlan&);
OVERLAPACK_FOR_EACH_SCALAR(OVERLAPACK_INSTANTIATE)
#undef OVERLAPACK_INSTANTIATE

}  // namespace overlapack::dense
