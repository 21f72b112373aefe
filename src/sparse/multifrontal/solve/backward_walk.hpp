#pragma once
#include "kernels/product/gemm.hpp"
#include "kernels/product/triangular.hpp"
#include "sparse/multifrontal/solve/solve_walk.hpp"

#include <map>

namespace overlapack::sparse::multifrontal {

/// The backward solve: U x = y down the tree; for B^T  L^T x = y.
template <class T>
class BackwardWalk : public SolveWalk<T> {
 public:
  BackwardWalk(comm::Rank& rank, FactorState<T>& state, Vectors<T>& vectors)
      : SolveWalk<T>(rank, state, vectors, dist::Direction::downward) {
    if (this->structure_.is_symmetric() || !vectors.is_transposed) return;  // strips have L21 of LU alone
    this->wait_for_strips();
  }

  bool run(Index task) override {
    const Structure& s = this->structure_;
    const Index first = s.task_front[task];
    take_from_parent(task);
    if (this->is_distributed(first) && this->vectors_.is_transposed) {
      send_to_strips_for_sums(first);
      return false;
    }
    this->read_factors_of(task);
    this->compute("backward", task, [&] {
      for (Index f = s.last_front(task); f >= first; --f)
        if (!this->is_idle(f) && s.has_panel(f)) substitute(this->state_.front(f));
    });
    for (Index f = first; f <= s.last_front(task); ++f) send_to_children(f);
    return true;
  }

 private:
  void take_from_parent(Index task) {
    const Structure& s = this->structure_;
    const Index last = s.last_front(task);
    if (s.tasks.parent[task] < 0 || this->state_.is_mine(s.tree.parent[last])) return;
    const comm::Body body = this->take_stored(last);
    if (body.size() == 0) return;  // idle, or x is in one vector of all ranks
    const T* values = body.as<T>().data();
    const auto set = [&](const std::int32_t* names, Index length) {
      this->vectors_.scatter(this->vectors_.unknowns, names, length, values);
      values += length * this->vectors_.count;
    };
    s.for_each_root(task, [&](Index f) {
      const Front<T>& front = this->state_.front(f);
      set(this->unknowns_of(front) + front.eliminated, front.delayed());
    });
    set(s.task_rows(task).data(), static_cast<Index>(s.task_rows(task).size()));
  }

  /// y1 of the pivots, x2 of the delayed and the border unknowns.
  MatrixView<T> gather(const Front<T>& front, typename Vectors<T>::Block block) {
    const Index s = front.summed;
    const MatrixView<T> lines = this->workspace(front, block);
    const Vectors<T>& vectors = this->vectors_;
    vectors.gather(vectors.unknowns, this->unknowns_of(front), s, lines.data, lines.ld, block);
    vectors.gather(vectors.unknowns, this->structure_.tree.rows(front.number), front.border, lines.column(s),
                   lines.ld, block);
    return lines;
  }

  /// Does the panel hold [U11^T; U12^T]? Of a symmetric matrix [L11; L21].
  bool is_whole() const { return this->structure_.is_symmetric() || !this->vectors_.is_transposed; }

  /// x1 = U11^{-1} (y1 - U12 x2), x2 at the delayed and the border columns.
  void substitute(const Front<T>& front) {
    this->for_each_block([&](auto block) {
      const MatrixView<T> lines = gather(front, block);
      if (front.low_rank)
        this->run_on_columns(lines.block(0, 0, block.count, lines.cols), [&](MatrixView<T> columns) {
          backward_sweep(this->structure_, front, this->vectors_.is_transposed, columns);
        });
      else if (this->is_in_blocks(front))
        this->sweep(front, is_whole(), FrontSweep<T>::Way::backward, lines);
      else if (is_whole() && this->is_narrow(front))
        kernels::solve_vector_backward<T>(front.panel().block(0, 0, lines.cols, front.eliminated),
                                          this->structure_.has_unit_diagonal(),
                                          this->structure_.is_conjugated(), lines.data);
      else
        this->triangle_of(front, is_whole()).backward(lines);
      this->vectors_.scatter(this->vectors_.unknowns, this->unknowns_of(front), front.eliminated, lines.data,
                             lines.ld, block);
    });
  }

  // ---- B^T and a front whose L21 is in strips: they send L21^T x2, then x1 follows

  struct StripSums {
    Index strips_left = 0;
    std::map<Index, comm::Message> parts;  ///< by first row
  };

  void send_to_strips_for_sums(Index f) {
    const Strips& strips = this->state_.strips_of.at(f);
    const Index count = this->vectors_.count;
    sums_[f].strips_left = strips.count();
    for (Index i = 0; i < strips.count(); ++i) {
      const Index first = strips.start[i], rows = strips.start[i + 1] - first;
      std::vector<T> x2(static_cast<std::size_t>(rows * count));
      this->vectors_.gather(this->vectors_.unknowns, this->structure_.tree.rows(f) + first, rows, x2.data());
      auto [header, body] = VectorMessage<T>{f, 0, 0, {}}.pack(MessageKind::strip_rhs, std::move(x2));
      this->walk_.post(strips.rank[i], header, std::move(body));
    }
  }
  void multiply_strip(const comm::Message& message) override {
    SolveWalk<T>::multiply_strip(message, kernels::Op::trans, message.source);
  }
  void handle_sum(comm::Message message) override {
    const auto part = VectorMessage<T>::parse(message);
    const Index f = part.front;
    StripSums& sums = sums_.at(f);
    sums.parts[part.first_row] = std::move(message);
    if (--sums.strips_left == 0) this->walk_.add_urgent_job([this, f] { finish_distributed(f); });
  }
  /// Adds the strips' sums in the order of their rows, so that the same ranks give the same bits; then
  /// substitutes.
  void finish_distributed(Index f) {
    const Front<T>& front = this->state_.front(f);
    const Index e = front.eliminated;
    this->read_factors_of(this->structure_.task_of[f]);
    this->rank_.compute({"backward", this->task_flops(this->structure_.task_of[f])}, [&] {
      const std::int32_t* names = this->unknowns_of(front);
      for (const auto& [first, part] : sums_.at(f).parts) {
        const T* sum = part.body.template as<T>().data();
        this->vectors_.scatter_add(this->vectors_.unknowns, names, e, sum);
      }
      substitute(front);
    });
    sums_.erase(f);
    send_to_children(f);
    this->walk_.complete(this->structure_.task_of[f]);
  }

  /// Tasks of children on other ranks need x at their delayed and border columns.
  void send_to_children(Index f) {
    const Structure& s = this->structure_;
    for (Index c = s.first_child[f]; c >= 0; c = s.next_sibling[c])
      if (const Index task = s.task_of[c]; !this->state_.is_mine(c) && c == s.last_front(task))
        send_to_task(task);
  }
  void send_to_task(Index task) {
    const Structure& s = this->structure_;
    UnsetVector<T> values;
    const auto add = [&](std::span<const std::int32_t> names) {
      const std::size_t before = values.size();
      values.resize(before + names.size() * static_cast<std::size_t>(this->vectors_.count));
      this->vectors_.gather(this->vectors_.unknowns, names.data(), static_cast<Index>(names.size()),
                            values.data() + before);
    };
    if (!this->is_idle_task(task) && !this->vectors_.is_shared) {  // shared: the child reads x there itself
      s.for_each_root(task, [&](Index c) {
        const auto& remote = this->state_.remote[c];
        add(this->vectors_.is_transposed ? remote.row_name() : remote.col_name());
      });
      add(s.task_rows(task));
    }
    this->send(task, s.last_front(task), std::move(values));
  }

  std::map<Index, StripSums> sums_;  ///< of this rank's distributed fronts
};

}  // namespace overlapack::sparse::multifrontal
