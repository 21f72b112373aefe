#include "comm/collective/collective.hpp"
#include "kernels/blas_threads.hpp"
#include "kernels/gemm.hpp"
#include "kernels/ldlt_panel.hpp"
#include "kernels/triangular.hpp"
#include "sparse/multifrontal/multifrontal.hpp"
#include "sparse/multifrontal/root_solve.hpp"
#include "sparse/multifrontal/solve_vectors.hpp"
#include "sparse/multifrontal/state.hpp"

#include <algorithm>
#include <complex>
#include <map>
#include <unordered_map>
#include <utility>
#include <vector>

/// L y = b up the tree, then U x = y down it. The right-hand side is indexed by the rows of B, the solution by its
/// columns; a pivot couples row_name[k] and col_name[k] of its front.
namespace overlapack::sparse {

namespace {

/// What the two walks share: gathering by names, messages between fronts.
template <class T>
class SolveWalk : public dist::FrontEvents {
 public:
  SolveWalk(comm::Rank& rank, FactorState<T>& state, Vectors<T>& vectors, dist::Direction direction)
      : rank_(rank),
        state_(state),
        structure_(state.structure),
        vectors_(vectors),
        walk_(rank, state.structure.tasks, direction, state.walk, *this) {}

  void run_all() { walk_.run(); }
  void arrived(Index, comm::Message message) override {
    const Index front = message.header.id[2];
    parked_[front] = std::move(message.body);
  }

 protected:
  double task_flops(Index task) const {
    double entries = 0;
    for (Index f = structure_.task_front[task]; f < structure_.task_front[task + 1] && f != structure_.grid_root; ++f)
      entries += static_cast<double>(state_.fronts[static_cast<std::size_t>(state_.local[f])].eliminated) *
                 static_cast<double>(structure_.tree.order(f));
    return 2 * entries * static_cast<double>(vectors_.count);
  }
  /// Is f's dependent or source outside of its own task?
  bool leaves_task(Index f) const {
    const Index parent = structure_.tree.parent[f];
    return parent >= 0 && structure_.task_of[parent] != structure_.task_of[f];
  }
  bool is_last_of_task(Index f) const { return f + 1 == structure_.task_front[structure_.task_of[f] + 1]; }

  void send(Index to_task, Index front, comm::Body values, bool last) {
    comm::Header header;
    header.kind = solve_part;
    header.id[2] = front;
    walk_.send(to_task, header, std::move(values), last);
  }
  /// Keep for a front of mine what another rank would be sent.
  void park(Index front, comm::Body values) { parked_[front] = std::move(values); }
  /// The parked message of a child front, once.
  comm::Body take_parked(Index front) {
    auto node = parked_.extract(front);
    return std::move(node.mapped());
  }

  MatrixView<T> workspace(std::vector<T>& work, Index rows) const {
    work.resize(static_cast<std::size_t>(std::max<Index>(rows, 1) * vectors_.count));
    return {work.data(), rows, vectors_.count, std::max<Index>(rows, 1)};
  }

  comm::Rank& rank_;
  FactorState<T>& state_;
  const Structure& structure_;
  Vectors<T>& vectors_;
  dist::TreeWalk walk_;
  std::unordered_map<Index, comm::Body> parked_;
  std::vector<T> pivot_work_, other_work_;
};

template <class T>
class ForwardWalk : public SolveWalk<T> {
 public:
  ForwardWalk(comm::Rank& rank, FactorState<T>& state, Vectors<T>& vectors)
      : SolveWalk<T>(rank, state, vectors, dist::Direction::upward) {
    const Structure& s = this->structure_;
    if (s.is_symmetric()) return;  // strips keep nothing
    for (std::size_t i = 0; i < state.strips.size(); ++i) this->walk_.hold();
    for (Index f = 0; f < s.tree.fronts(); ++f) {
      const Index parent = s.tree.parent[f];
      if (!s.in_strips[f] || !state.is_mine(parent)) continue;
      this->walk_.wait_also(s.task_of[parent]);
      sums_[f].rows_left = s.tree.border(f);
    }
  }

  bool run(Index task) override {
    const Structure& s = this->structure_;
    this->rank_.compute({"forward", this->task_flops(task)}, [&] {
      for (Index f = s.task_front[task]; f < s.task_front[task + 1]; ++f) {
        add_rhs(f);
        add_children(f);
        if (f != s.grid_root) eliminate(this->state_.front(f));  // else all ranks do, after the walk
      }
    });
    for (Index f = s.task_front[task]; f < s.task_front[task + 1]; ++f) {
      if (this->leaves_task(f)) hand_over(this->state_.front(f));
      if (s.in_strips[f] && !s.is_symmetric()) send_to_strips(f);
    }
    return true;
  }

  void received(comm::Message message) override {
    if (message.header.kind == strip_sum) return take_sum(std::move(message));
    this->walk_.add_job([this, message = std::move(message)] { multiply_strip(message); });
  }

 private:
  /// What the strips of a child subtract from its border rows, as it comes in.
  struct StripSums {
    Index rows_left = 0;
    std::map<Index, comm::Message> parts;  ///< by first row
  };

  /// The strips of a distributed front need y of its pivots, which eliminate left in the workspace.
  void send_to_strips(Index f) {
    comm::Header header;
    header.kind = strip_rhs;
    header.id[2] = f;
    const comm::Body y = comm::Body::copy_of(std::span<const T>(this->pivot_work_));
    for (const int to : this->state_.strips_of.at(f).rank)
      if (to == this->rank_.rank())
        received({header, y, to, comm::Lane::bulk});
      else
        this->walk_.post(to, header, y);
  }
  /// -L21 y of my rows goes to the parent.
  void multiply_strip(const comm::Message& message) {
    const Strip<T>& strip = this->state_.strips.at(message.header.id[2]);
    const Index e = strip.eliminated, rows = strip.rows(), count = this->vectors_.count;
    const MatrixView<const T> y{message.body.template as<T>().data(), e, count, std::max<Index>(e, 1)};
    std::vector<T> sums(static_cast<std::size_t>(rows * count));
    const double flops = 2.0 * static_cast<double>(rows) * static_cast<double>(e * count);
    this->rank_.compute({"forward", flops}, [&] {
      kernels::gemm<T>(kernels::Op::none, kernels::Op::none, T(-1), strip.lower().block(0, 0, rows, e), y, T(0),
                       {sums.data(), rows, count, rows});
    });
    comm::Header header;
    header.kind = strip_sum;
    header.id = {0, 0, strip.front, strip.first, rows, 0};
    const int to = this->structure_.owner[this->structure_.tree.parent[strip.front]];
    comm::Body body = comm::Body::adopt(std::move(sums));
    if (to == this->rank_.rank())
      take_sum({header, std::move(body), to, comm::Lane::bulk});
    else
      this->walk_.post(to, header, std::move(body));
    this->walk_.release();
  }
  void take_sum(comm::Message message) {
    const Index f = message.header.id[2], first = message.header.id[3];
    StripSums& sums = sums_.at(f);
    sums.rows_left -= message.header.id[4];
    sums.parts[first] = std::move(message);
    if (sums.rows_left == 0) this->walk_.fulfil(this->structure_.task_of[this->structure_.tree.parent[f]]);
  }

  void add_rhs(Index f) {
    const Index first = this->structure_.tree.first_pivot[f], end = this->structure_.tree.first_pivot[f + 1];
    for (Index at = 0; at < this->vectors_.count * this->vectors_.n; at += this->vectors_.n)
      for (Index i = at + first; i < at + end; ++i)
        this->vectors_.rows[static_cast<std::size_t>(i)] += this->vectors_.rhs[i];
  }

  /// Add what children in other tasks handed over, in the order of their numbers: the same ranks give the same bits.
  void add_children(Index f) {
    const Structure& s = this->structure_;
    for (Index c = s.first_child[f]; c >= 0; c = s.next_sibling[c]) {
      if (s.task_of[c] == s.task_of[f]) continue;
      const comm::Body body = this->take_parked(c);
      const T* values = body.as<T>().data();
      const auto names = delayed_rows(c);
      const auto d = static_cast<Index>(names.size()), m = s.tree.border(c);
      this->vectors_.scatter_add(this->vectors_.rows, names.data(), d, values, d + m);
      this->vectors_.scatter_add(this->vectors_.rows, s.tree.rows(c), m, values + d, d + m);
      if (!s.in_strips[c] || s.is_symmetric()) continue;
      for (const auto& [first, part] : sums_.at(c).parts) {
        const Index rows = part.header.id[4];
        this->vectors_.scatter_add(this->vectors_.rows, s.tree.rows(c) + first, rows, part.body.template as<T>().data(), rows);
      }
      sums_.erase(c);
    }
  }
  std::span<const std::int32_t> delayed_rows(Index f) {
    if (!this->state_.is_mine(f)) return this->state_.remote[f].row_name();
    const Front<T>& front = this->state_.front(f);
    return {front.row_name + front.eliminated, static_cast<std::size_t>(front.delayed())};
  }

  /// y1 = L11^{-1} b1;   b2 -= L21 y1 for the delayed and the border rows.
  void eliminate(const Front<T>& front) {
    const Index e = front.eliminated, s = front.summed, m = front.border, d = s - e;
    const MatrixView<T> P = front.panel();
    const MatrixView<T> y = this->workspace(this->pivot_work_, e),
                        other = this->workspace(this->other_work_, d + m);
    this->vectors_.gather(this->vectors_.rows, front.row_name, e, y.data, y.ld);
    using kernels::Op;
    if (!this->structure_.is_symmetric()) {  // L11^T is the upper triangle of P, the delayed rows of L stand beside it
      kernels::solve_left_upper_trans<T>(P.block(0, 0, e, e), false, false, y);
      kernels::gemm<T>(Op::trans, Op::none, T(-1), P.block(0, e, e, d), y, T(0),
                       other.block(0, 0, d, y.cols));
      if (front.lower_data != nullptr)
        kernels::gemm<T>(Op::none, Op::none, T(-1), front.lower().block(0, 0, m, e), y, T(0),
                         other.block(d, 0, m, y.cols));
      else  // in strips
        for (Index r = 0; r < y.cols; ++r) std::fill_n(other.column(r) + d, m, T(0));
    } else {
      kernels::solve_left_lower<T>(P.block(0, 0, e, e), front.d != nullptr, y);
      kernels::gemm<T>(Op::none, Op::none, T(-1), P.block(e, 0, d + m, e), y, T(0), other);
    }
    this->vectors_.scatter_add(this->vectors_.rows, front.row_name + e, d, other.data, other.ld);
    this->vectors_.scatter_add(this->vectors_.rows, this->structure_.tree.rows(front.number), m, other.data + d,
                      other.ld);
    if (front.d != nullptr) {  // y1 <- D^{-1} y1
      const auto size = static_cast<std::size_t>(e);
      kernels::solve_d<T>(this->structure_.hermitian, {front.d, size}, {front.d_off, size}, y);
    }
    this->vectors_.scatter(this->vectors_.columns, front.col_name, e, y.data, y.ld);
  }

  /// All that this task subtracted from the rows of this contribution goes to the parent.
  void hand_over(const Front<T>& front) {
    const Index d = front.delayed(), m = front.border, count = this->vectors_.count;
    std::vector<T> values(static_cast<std::size_t>((d + m) * count));
    const std::int32_t* delayed = front.row_name + front.eliminated;
    const std::int32_t* border = this->structure_.tree.rows(front.number);
    this->vectors_.gather(this->vectors_.rows, delayed, d, values.data(), d + m);
    this->vectors_.gather(this->vectors_.rows, border, m, values.data() + d, d + m);
    const std::vector<T> zeros(static_cast<std::size_t>(std::max(d, m) * count));
    this->vectors_.scatter(this->vectors_.rows, delayed, d, zeros.data(), d);
    this->vectors_.scatter(this->vectors_.rows, border, m, zeros.data(), m);
    comm::Body body = comm::Body::adopt(std::move(values));
    const Index parent = this->structure_.tree.parent[front.number];
    if (this->state_.is_mine(parent))
      this->park(front.number, std::move(body));
    else
      this->send(this->structure_.task_of[parent], front.number, std::move(body), this->is_last_of_task(front.number));
  }

  std::map<Index, StripSums> sums_;  ///< of distributed children of my fronts
};

template <class T>
class BackwardWalk : public SolveWalk<T> {
 public:
  BackwardWalk(comm::Rank& rank, FactorState<T>& state, Vectors<T>& vectors)
      : SolveWalk<T>(rank, state, vectors, dist::Direction::downward) {}

  bool run(Index task) override {
    const Structure& s = this->structure_;
    this->rank_.compute({"backward", this->task_flops(task)}, [&] {
      for (Index f = s.task_front[task + 1] - 1; f >= s.task_front[task]; --f) {
        if (this->leaves_task(f) && !this->state_.is_mine(s.tree.parent[f]))
          take_from_parent(this->state_.front(f));
        if (f != s.grid_root) substitute(this->state_.front(f));
      }
    });
    for (Index f = s.task_front[task]; f < s.task_front[task + 1]; ++f) send_to_children(f);
    return true;
  }

 private:
  void take_from_parent(const Front<T>& front) {
    const comm::Body body = this->take_parked(front.number);
    const T* values = body.as<T>().data();
    const Index d = front.delayed(), m = front.border;
    this->vectors_.scatter(this->vectors_.columns, front.col_name + front.eliminated, d, values, d + m);
    this->vectors_.scatter(this->vectors_.columns, this->structure_.tree.rows(front.number), m, values + d, d + m);
  }

  /// x1 = U11^{-1} (y1 - U12 x2), x2 at the delayed and the border columns.
  void substitute(const Front<T>& front) {
    const Index e = front.eliminated, s = front.summed, m = front.border, d = s - e;
    const MatrixView<T> P = front.panel();
    const MatrixView<T> x = this->workspace(this->pivot_work_, e),
                        other = this->workspace(this->other_work_, d + m);
    this->vectors_.gather(this->vectors_.columns, front.col_name, e, x.data, x.ld);
    this->vectors_.gather(this->vectors_.columns, front.col_name + e, d, other.data, other.ld);
    this->vectors_.gather(this->vectors_.columns, this->structure_.tree.rows(front.number), m, other.data + d,
                 other.ld);
    const bool is_cholesky = this->structure_.kind == FactorKind::cholesky;
    const bool conjugated = this->structure_.hermitian || is_cholesky;
    kernels::gemm<T>(conjugated ? kernels::Op::conj_trans : kernels::Op::trans, kernels::Op::none, T(-1),
                     P.block(e, 0, d + m, e), other, T(1), x);
    kernels::solve_left_lower_trans<T>(P.block(0, 0, e, e), !is_cholesky, conjugated, x);
    this->vectors_.scatter(this->vectors_.columns, front.col_name, e, x.data, x.ld);
  }

  /// Children on other ranks need x at their delayed and border columns.
  void send_to_children(Index f) {
    const Structure& s = this->structure_;
    for (Index c = s.first_child[f]; c >= 0; c = s.next_sibling[c]) {
      if (this->state_.is_mine(c)) continue;
      const auto& names = this->state_.remote[c].col_name();
      const auto d = static_cast<Index>(names.size()), m = s.tree.border(c);
      std::vector<T> values(static_cast<std::size_t>((d + m) * this->vectors_.count));
      this->vectors_.gather(this->vectors_.columns, names.data(), d, values.data(), d + m);
      this->vectors_.gather(this->vectors_.columns, s.tree.rows(c), m, values.data() + d, d + m);
      this->send(s.task_of[c], c, comm::Body::adopt(std::move(values)), this->is_last_of_task(c));
    }
  }
};

/// Rank 0's right-hand sides, permuted and scaled (b_i = row_scale[r] b[r], r = row_perm[i]), on every rank.
template <class T>
comm::Body broadcast_rhs(comm::Rank& rank, const FactorState<T>& state, const T* b, Index nrhs) {
  comm::Body body;
  if (rank.rank() == 0) {
    const Index n = state.structure.tree.n;
    std::vector<T> permuted(static_cast<std::size_t>(n * nrhs));
    for (Index j = 0; j < nrhs; ++j)
      for (Index i = 0; i < n; ++i) {
        const Index r = state.row_perm[i];
        permuted[static_cast<std::size_t>(i + j * n)] =
            static_cast<Real<T>>(state.row_scale[r]) * b[r + j * n];
      }
    body = comm::Body::adopt(std::move(permuted));
  }
  return comm::collective::broadcast(rank, 0, std::move(body));
}

/// x[c] = col_scale[c] x_j, c = col_perm[j], from the ranks that own the pivots.
template <class T>
void gather_solution(comm::Rank& rank, const FactorState<T>& state, const Vectors<T>& vectors, T* x) {
  std::vector<T> mine;
  for (Index j = 0; j < vectors.count; ++j)
    for (const Front<T>& front : state.fronts)
      for (Index k = 0; k < front.eliminated; ++k)
        mine.push_back(vectors.columns[static_cast<std::size_t>(front.col_name[k] + j * vectors.n)]);
  const std::vector<comm::Body> parts = comm::collective::gather(rank, 0, comm::Body::adopt(std::move(mine)));
  for (std::size_t r = 0; r < parts.size(); ++r) {
    const auto names = state.pivot_columns[r].template as<std::int32_t>();
    const T* value = parts[r].template as<T>().data();
    for (Index j = 0; j < vectors.count; ++j)
      for (const std::int32_t name : names) {
        const Index c = state.col_perm[name];
        x[c + j * vectors.n] = static_cast<Real<T>>(state.col_scale[c]) * *value++;
      }
  }
}

template <class T>
void solve_block(comm::Rank& rank, FactorState<T>& state, const T* b, T* x, Index nrhs) {
  Vectors<T> vectors;
  vectors.n = state.structure.tree.n;
  vectors.count = nrhs;
  const auto size = static_cast<std::size_t>(vectors.n * nrhs);
  vectors.rows.assign(size, T(0));
  vectors.columns.assign(size, T(0));
  const comm::Body rhs = broadcast_rhs(rank, state, b, nrhs);
  vectors.rhs = rhs.as<T>().data();
  ForwardWalk<T>(rank, state, vectors).run_all();
  solve_root(rank, state, vectors);
  BackwardWalk<T>(rank, state, vectors).run_all();
  gather_solution(rank, state, vectors, x);
}

}  // namespace

template <class T>
void Multifrontal<T>::solve(comm::Rank& rank, const T* b, T* x, Index nrhs) {
  const kernels::SingleThreadedBlas one_thread_a_rank;
  const Index n = state_->structure.tree.n;
  const bool has_vectors = rank.rank() == 0;
  const Index rhs_block = state_->rhs_block;
  for (Index j = 0; j < nrhs; j += rhs_block)
    solve_block(rank, *state_, has_vectors ? b + j * n : nullptr, has_vectors ? x + j * n : nullptr,
                std::min(rhs_block, nrhs - j));
}

template void Multifrontal<float>::solve(comm::Rank&, const float*, float*, Index);
template void Multifrontal<double>::solve(comm::Rank&, const double*, double*, Index);
template void Multifrontal<std::complex<float>>::solve(comm::Rank&, const std::complex<float>*,
                                                       std::complex<float>*, Index);
template void Multifrontal<std::complex<double>>::solve(comm::Rank&, const std::complex<double>*,
                                                        std::complex<double>*, Index);

}  // namespace overlapack::sparse
