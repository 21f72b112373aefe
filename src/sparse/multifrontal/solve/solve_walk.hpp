#pragma once
#include "base/large_memory.hpp"
#include "kernels/product/lines_solve.hpp"
#include "kernels/product/narrow_solve.hpp"
#include "kernels/product/sizes.hpp"
#include "kernels/update/adjoint.hpp"
#include "sparse/multifrontal/factors/read_factors.hpp"
#include "sparse/multifrontal/message/vector_message.hpp"
#include "sparse/multifrontal/solve/front_sweep.hpp"
#include "sparse/multifrontal/solve/low_rank_sweeps.hpp"
#include "sparse/multifrontal/solve/solve_vectors.hpp"

#include <algorithm>
#include <limits>
#include <span>
#include <unordered_map>
#include <utility>
#include <vector>

namespace overlapack::sparse::multifrontal {

/// What the forward and the backward walk share: work space by lines, products with strips, the messages
/// between a task and its parent's. dist::TreeWalk calls it with tasks and messages.
template <class T>
class SolveWalk : public dist::TaskEvents {
  using Block = typename Vectors<T>::Block;

 public:
  SolveWalk(comm::Rank& rank, FactorState<T>& state, Vectors<T>& vectors, dist::Direction direction)
      : rank_(rank),
        state_(state),
        structure_(state.structure),
        vectors_(vectors),
        walk_(rank, state.structure.tasks, direction, state.walk, *this),
        least_shared_(least_shared(comm::slice_threads(rank))) {
    read_file_in_order(direction);
  }

  void run_all() {
    walk_.run();
    if (state_.file) state_.file->stop_thread();
  }
  void on_task_message(Index, comm::Message message) override {
    stored_[front_of(message)] = std::move(message.body);
  }
  void on_message(comm::Message message) override {
    if (message.header.kind == MessageKind::strip_sum) return handle_sum(std::move(message));
    walk_.add_job([this, message = std::move(message)] { multiply_strip(message); });
  }

 protected:
  /// Called with the product of a strip of a distributed front, which is to be added.
  virtual void handle_sum(comm::Message message) = 0;
  /// Called with the numbers by which a strip of this rank is multiplied.
  virtual void multiply_strip(const comm::Message& message) = 0;
  /// Send -L21 y (op none: y of the pivots came) or -L21^T x (op trans: x of the rows came) of this rank's
  /// strip to a rank.
  void multiply_strip(const comm::Message& message, kernels::Op op, int receiver) {
    const bool is_trans = op == kernels::Op::trans;
    Strip<T>& strip = state_.strips.at(front_of(message));
    read_strip(rank_, state_, strip);
    const Index e = strip.eliminated, rows = strip.rows(), count = vectors_.count;
    const Index from = is_trans ? rows : e, to = is_trans ? e : rows;
    const MatrixView<const T> given{message.body.template as<T>().data(), count, from, count};
    std::vector<T> sums(static_cast<std::size_t>(to * count));
    const double flops = 2.0 * static_cast<double>(rows) * static_cast<double>(e * count);
    rank_.compute({is_trans ? "backward" : "forward", flops}, [&] {
      const MatrixView<T> all{sums.data(), count, to, count};
      for_each_block([&](Block block) {
        const auto its_given = given.block(block.first, 0, block.count, from);
        const auto its_sums = all.block(block.first, 0, block.count, to);
        if (strip.low_rank)
          return run_on_columns(its_given, its_sums, [&](MatrixView<const T> x, MatrixView<T> y) {
            is_trans ? subtract_strip_trans<T>(*strip.low_rank, x, y)
                     : subtract_strip<T>(*strip.low_rank, x, y);
          });
        kernels::subtract_lines<T>(op, strip.L21().block(0, 0, rows, e), its_given, false, its_sums);
      });
    });
    auto [header, body] =
        VectorMessage<T>{strip.front, strip.first, rows, {}}.pack(MessageKind::strip_sum, std::move(sums));
    walk_.post(receiver, header, std::move(body));
    walk_.release_hold();
  }
  /// Holds the walk until each strip of this rank was asked for its product.
  void wait_for_strips() {
    for (std::size_t i = 0; i < state_.strips.size(); ++i) walk_.add_hold();
  }

  double task_flops(Index task) const {
    double entries = 0;
    for (Index f = structure_.task_front[task];
         f < structure_.task_front[task + 1] && structure_.has_panel(f); ++f)
      entries +=
          static_cast<double>(state_.front(f).eliminated) * static_cast<double>(structure_.tree.order(f));
    return 2 * entries * static_cast<double>(vectors_.count);
  }
  /// The names of a front's equations and unknowns: pivots, then what is delayed.
  const std::int32_t* equations_of(const Front<T>& front) const {
    return vectors_.is_transposed ? front.col_name : front.row_name;
  }
  const std::int32_t* unknowns_of(const Front<T>& front) const {
    return vectors_.is_transposed ? front.row_name : front.col_name;
  }
  /// Do the strips of front f take part? They have L21, which only LU keeps.
  bool is_distributed(Index f) const { return structure_.in_strips[f] && !structure_.is_symmetric(); }
  bool is_idle(Index f) const {
    return !vectors_.is_idle.empty() && vectors_.is_idle[static_cast<std::size_t>(f)];
  }
  /// Are all subtrees of a task idle?
  bool is_idle_task(Index task) const {
    bool is_all = !vectors_.is_idle.empty();
    if (is_all) structure_.for_each_root(task, [&](Index f) { is_all = is_all && is_idle(f); });
    return is_all;
  }

  /// Sends all numbers that pass between a task, by its last front, and its parent's task.
  void send(Index to_task, Index front, UnsetVector<T> values) {
    auto [header, body] = VectorMessage<T>{front, 0, 0, {}}.pack(MessageKind::solve_part, std::move(values));
    walk_.send(to_task, header, std::move(body), true);
  }
  /// Keeps such numbers of a task, by its last front, if the parent's task is this rank's.
  void store_for(Index front, UnsetVector<T> values) {
    stored_[front] = comm::Body::adopt(std::move(values));
  }
  /// Takes the numbers that came for a task or were kept, by the task's last front.
  comm::Body take_stored(Index front) {
    auto node = stored_.extract(front);
    return std::move(node.mapped());
  }

  /// Work space: a line for each row of a front, for a block of right-hand sides. Pivots first, then delayed
  /// rows, then the border.
  MatrixView<T> workspace(const Front<T>& front, Block block) {
    const Index length = kernels::line_length<T>(block.count), lines = front.order();
    work_.resize(static_cast<std::size_t>(lines * length));
    return {work_.data(), length, lines, length};
  }
  /// Calls f(block) for one block of right-hand sides after the other. Each is as in a walk for it alone: the
  /// same kernels, the same bits.
  template <class F>
  void for_each_block(F&& f) const {
    for (Index r = 0; r < vectors_.count; r += state_.block_width_at(r, vectors_.count))
      f(Block{r, state_.block_width_at(r, vectors_.count)});
  }
  /// Calls f with a copy of w by columns, one for each right-hand side, and copies it back to the lines of w.
  template <class F>
  void run_on_columns(MatrixView<T> w, F&& f) {
    columns_.resize(static_cast<std::size_t>(w.rows * w.cols));
    const MatrixView<T> columns{columns_.data(), w.cols, w.rows, std::max<Index>(w.cols, 1)};
    kernels::adjoint<T>(w, columns, false);
    f(columns);
    kernels::adjoint<T>(columns, w, false);
  }
  /// Calls f with copies of `from` and `to` by columns, and copies the second back to the lines of `to`.
  template <class F>
  void run_on_columns(MatrixView<const T> from, MatrixView<T> to, F&& f) {
    from_columns_.resize(static_cast<std::size_t>(from.rows * from.cols));
    const MatrixView<T> columns{from_columns_.data(), from.cols, from.rows, std::max<Index>(from.cols, 1)};
    kernels::adjoint<T>(from, columns, false);
    run_on_columns(to, [&](MatrixView<T> to_columns) { f(columns, to_columns); });
  }
  /// Is a front large enough for substitution by blocks (FrontSweep)? Threads may share it or not: the
  /// numbers are the same.
  bool is_in_blocks(const Front<T>& front) const {
    return front.eliminated * front.order() >= state_.sweep.least_entries && !front.low_rank &&
           !is_distributed(front.number);
  }
  /// Is f in blocks and a task of its own, and are there threads that may help?
  bool is_shared_by_threads(Index f) const {
    const Index task = structure_.task_of[f];
    if (structure_.task_front[task + 1] - structure_.task_front[task] > 1 || !structure_.has_panel(f) ||
        is_idle(f))
      return false;
    const Front<T>& front = state_.front(f);
    return is_in_blocks(front) && front.eliminated * front.order() >= least_shared_;
  }
  /// Calls f, which works off the fronts of a task: as one event, or for a front that threads share as an
  /// event for each of its tasks.
  template <class F>
  void compute(const char* kind, Index task, F&& f) {
    if (is_shared_by_threads(structure_.task_front[task])) return f();
    rank_.compute({kind, task_flops(task)}, f);
  }
  FrontTriangle<T> triangle_of(const Front<T>& front, bool is_whole) const {
    return {front, is_whole, is_whole && structure_.has_unit_diagonal(), structure_.is_conjugated()};
  }
  /// Substitutes in a large front by blocks. is_whole: as FrontTriangle's
  void sweep(const Front<T>& front, bool is_whole, typename FrontSweep<T>::Way way, MatrixView<T> lines) {
    FrontSweep<T> tasks(triangle_of(front, is_whole), way, lines, state_.sweep);
    if (!is_shared_by_threads(front.number)) {
      while (!tasks.is_over()) tasks.run_next();
      return;
    }
    const double flops =
        2.0 * static_cast<double>(front.eliminated * front.order()) * static_cast<double>(lines.rows);
    rank_.run_tasks({way == FrontSweep<T>::Way::forward ? "forward" : "backward", flops, 0, front.order(),
                     front.eliminated},
                    tasks);
  }
  /// Are there one right-hand side and few pivots, with all rows of L21 on this rank? Then there are kernels
  /// for a vector.
  bool is_narrow(const Front<T>& front) const {
    return vectors_.count == 1 && front.eliminated <= kernels::sizes::narrow_solve &&
           (structure_.is_symmetric() || front.lower_data != nullptr);
  }

  /// Factors on disk: reads those that a task needs into memory, where they stay until the next call.
  void read_factors_of(Index task) {
    if (!state_.file) return;
    std::vector<Index> fronts;
    for (Index f = structure_.task_front[task]; f < structure_.task_front[task + 1]; ++f)
      if (structure_.has_panel(f) && !is_idle(f)) fronts.push_back(f);
    read_fronts(rank_, state_, fronts);
  }

  comm::Rank& rank_;
  FactorState<T>& state_;
  const Structure& structure_;
  Vectors<T>& vectors_;
  dist::TreeWalk walk_;
  const Index least_shared_;  ///< pivots x order of a front in blocks that threads share
  std::unordered_map<Index, comm::Body> stored_;
  std::vector<T> work_, columns_, from_columns_;

 private:
  Index least_shared(int threads) const {
    if (threads == 1 || rank_.capabilities().virtual_time) return std::numeric_limits<Index>::max();
    return static_cast<Index>(state_.sweep.least_share * panel_entries(structure_) / threads);
  }
  /// Announces to the file of factors the order in which the walk will need its segments.
  void read_file_in_order(dist::Direction direction) {
    if (!state_.file) return;
    std::vector<std::int32_t> order;
    const auto add = [&](const FilePosition& position) {
      if (position.segment >= 0 && (order.empty() || order.back() != position.segment))
        order.push_back(position.segment);
    };
    const Index fronts = structure_.tree.fronts();
    for (Index i = 0; i < fronts; ++i) {
      const Index f = direction == dist::Direction::upward ? i : fronts - 1 - i;
      if (state_.is_mine(f) && !is_idle(f)) add(state_.front(f).position);
      if (const auto strip = state_.strips.find(f); strip != state_.strips.end()) add(strip->second.position);
    }
    state_.file->set_read_order(std::move(order));
  }
};

}  // namespace overlapack::sparse::multifrontal
