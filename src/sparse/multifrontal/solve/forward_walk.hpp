#pragma once
#include "kernels/pivoting/ldlt_panel.hpp"
#include "sparse/multifrontal/solve/solve_walk.hpp"

#include <map>

namespace overlapack::sparse::multifrontal {

/// The forward solve: L y = b up the tree; for B^T  U^T y = b, whose factor [U11^T; U12^T] stands whole in
/// the panels. LDL^T: y is also divided by D.
template <class T>
class ForwardWalk : public SolveWalk<T> {
 public:
  ForwardWalk(comm::Rank& rank, FactorState<T>& state, Vectors<T>& vectors)
      : SolveWalk<T>(rank, state, vectors, dist::Direction::upward) {
    const Structure& s = this->structure_;
    if (s.is_symmetric() || vectors.is_transposed) return;  // strips have L21 of LU alone
    this->wait_for_strips();
    for (Index f = 0; f < s.tree.fronts(); ++f) {
      const Index parent = s.tree.parent[f];
      if (!this->is_distributed(f) || !state.is_mine(parent)) continue;
      this->walk_.add_dependency(s.task_of[parent]);
      sums_[f].rows_left = s.tree.border(f);
    }
  }

  bool run(Index task) override {
    const Structure& s = this->structure_;
    this->read_factors_of(task);
    this->compute("forward", task, [&] {
      for (Index f = s.task_front[task]; f < s.task_front[task + 1]; ++f) {
        add_children(f);
        if (this->is_idle(f)) {
          clear_idle(f);
          continue;
        }
        add_rhs(f);
        if (s.has_panel(f)) eliminate(this->state_.front(f));  // else all ranks do, after the walk
      }
    });
    if (s.tasks.parent[task] >= 0) send_to_parent(task);
    if (const Index f = s.last_front(task); has_sums(f)) send_to_strips(f);
    return true;
  }

 private:
  /// The products -L21 y of a child's strips, as they come in.
  struct StripSums {
    Index rows_left = 0;
    std::map<Index, comm::Message> parts;  ///< by first row
  };

  /// Do strips of front f subtract their part by themselves?
  bool has_sums(Index f) const { return this->is_distributed(f) && !this->vectors_.is_transposed; }

  /// The strips of a distributed front need y of its pivots.
  void send_to_strips(Index f) {
    const Front<T>& front = this->state_.front(f);
    const Index e = front.eliminated;
    std::vector<T> values(static_cast<std::size_t>(e * this->vectors_.count));
    this->vectors_.gather(this->vectors_.unknowns, this->unknowns_of(front), e, values.data());
    const auto [header, y] = VectorMessage<T>{f, 0, 0, {}}.pack(MessageKind::strip_rhs, std::move(values));
    for (const int to : this->state_.strips_of.at(f).rank) this->walk_.post(to, header, y);
  }
  /// Sends -L21 y of this rank's strip to the owner of the parent.
  void multiply_strip(const comm::Message& message) override {
    const Index parent = this->structure_.tree.parent[front_of(message)];
    SolveWalk<T>::multiply_strip(message, kernels::Op::none, this->structure_.owner[parent]);
  }
  void handle_sum(comm::Message message) override {
    const auto part = VectorMessage<T>::parse(message);
    const Index f = part.front;
    StripSums& sums = sums_.at(f);
    sums.rows_left -= part.rows;
    sums.parts[part.first_row] = std::move(message);
    if (sums.rows_left == 0)
      this->walk_.fulfil_dependency(this->structure_.task_of[this->structure_.tree.parent[f]]);
  }

  /// y of an idle front is zero. A vector that ranks share may hold anything there.
  void clear_idle(Index f) {
    if (!this->vectors_.is_shared || !this->structure_.has_panel(f)) return;
    const Front<T>& front = this->state_.front(f);
    this->vectors_.clear(this->vectors_.unknowns, this->unknowns_of(front), front.eliminated);
  }

  void add_rhs(Index f) {
    const Index first = this->structure_.tree.first_pivot[f], end = this->structure_.tree.first_pivot[f + 1];
    const T* b = this->vectors_.rhs + first * this->vectors_.count;
    for (T& equation : this->vectors_.values_of(this->vectors_.equations, first, end - first))
      equation += *b++;
  }

  /// Add what tasks of children handed over, in the order of their numbers: the same tasks give the same bits.
  void add_children(Index f) {
    const Structure& s = this->structure_;
    for (Index c = s.first_child[f]; c >= 0; c = s.next_sibling[c])
      if (const Index task = s.task_of[c]; task != s.task_of[f] && c == s.last_front(task)) add_task(task);
  }
  void add_task(Index task) {
    const Structure& s = this->structure_;
    const Index last = s.last_front(task);
    const comm::Body body = this->take_stored(last);
    if (body.size() == 0) return;  // idle
    const T* values = body.as<T>().data();
    const auto add = [&](std::span<const std::int32_t> names) {
      const auto length = static_cast<Index>(names.size());
      this->vectors_.scatter_add(this->vectors_.equations, names.data(), length, values);
      values += length * this->vectors_.count;
    };
    s.for_each_root(task, [&](Index c) { add(delayed_equations(c)); });
    add(s.task_rows(task));
    if (!has_sums(last)) return;
    for (const auto& [first, message] : sums_.at(last).parts) {
      const auto part = VectorMessage<T>::parse(message);
      this->vectors_.scatter_add(this->vectors_.equations, s.tree.rows(last) + first, part.rows,
                                 part.values.data());
    }
    sums_.erase(last);
  }
  std::span<const std::int32_t> delayed_equations(Index f) {
    if (!this->state_.is_mine(f)) {
      const auto& remote = this->state_.remote[f];
      return this->vectors_.is_transposed ? remote.col_name() : remote.row_name();
    }
    const Front<T>& front = this->state_.front(f);
    return {this->equations_of(front) + front.eliminated, static_cast<std::size_t>(front.delayed())};
  }

  /// y1 = L11^{-1} b1;   b2 -= L21 y1 for the delayed and the border rows.
  void eliminate(const Front<T>& front) {
    this->for_each_block([&](auto block) { eliminate(front, block); });
  }
  void eliminate(const Front<T>& front, typename Vectors<T>::Block block) {
    const Index e = front.eliminated, d = front.delayed();
    const MatrixView<T> lines = this->workspace(front, block);
    const std::int32_t* names = this->equations_of(front);
    Vectors<T>& vectors = this->vectors_;
    vectors.gather(vectors.equations, names, e, lines.data, lines.ld, block);
    if (vectors.is_shared) vectors.clear(vectors.equations, names, e, block);
    if (front.low_rank)
      substitute_low_rank(front, lines.block(0, 0, block.count, lines.cols));
    else if (this->is_in_blocks(front))
      this->sweep(front, is_whole(), FrontSweep<T>::Way::forward, lines);
    else if (this->is_narrow(front))
      substitute_narrow(front, lines.data);
    else
      this->triangle_of(front, is_whole()).forward(lines);
    vectors.scatter_add(vectors.equations, names + e, d, lines.column(e), lines.ld, block);
    vectors.scatter_add(vectors.equations, this->structure_.tree.rows(front.number), front.border,
                        lines.column(e + d), lines.ld, block);
    if (front.d != nullptr) {  // y1 <- D^{-1} y1
      const auto size = static_cast<std::size_t>(e);
      kernels::solve_lines_d<T>(this->structure_.hermitian, {front.d, size}, {front.d_off, size},
                                lines.block(0, 0, block.count, e));
    }
    vectors.scatter(vectors.unknowns, this->unknowns_of(front), e, lines.data, lines.ld, block);
  }

  /// Does the panel hold [L11; L21]? Of a symmetric matrix, and, as [U11^T; U12^T], of B^T.
  bool is_whole() const { return this->structure_.is_symmetric() || this->vectors_.is_transposed; }

  void substitute_narrow(const Front<T>& front, T* w) const {
    const Index e = front.eliminated, m = front.border, d = front.delayed();
    const MatrixView<T> P = front.panel();
    std::fill_n(w + e, d + m, T(0));
    if (is_whole())
      return kernels::solve_vector_forward<T>(P.block(0, 0, front.order(), e),
                                              this->structure_.has_unit_diagonal(), w);
    kernels::solve_vector_forward_upper<T>(P.block(0, 0, e, front.summed), w);
    kernels::subtract_from_vector<T>(front.L21().block(0, 0, m, e), w, w + front.summed);
  }

  void substitute_low_rank(const Front<T>& front, MatrixView<T> lines) {
    const Index e = front.eliminated;
    for (Index i = e; i < lines.cols; ++i) std::fill_n(lines.column(i), lines.rows, T(0));
    this->run_on_columns(lines, [&](MatrixView<T> w) {
      forward_sweep(this->structure_, front, this->vectors_.is_transposed, w);
    });
  }

  /// Hands all that a task subtracted from rows of others to the parent's task: delayed rows of its subtrees,
  /// then border rows.
  void send_to_parent(Index task) {
    const Structure& s = this->structure_;
    const Index count = this->vectors_.count, last = s.last_front(task);
    UnsetVector<T> values;
    const auto take = [&](std::span<const std::int32_t> names) {
      const std::size_t before = values.size();
      values.resize(before + names.size() * static_cast<std::size_t>(count));
      this->vectors_.gather_and_clear(this->vectors_.equations, names.data(),
                                      static_cast<Index>(names.size()), values.data() + before);
    };
    if (!this->is_idle_task(task)) {
      s.for_each_root(task, [&](Index c) { take(delayed_equations(c)); });
      take(s.task_rows(task));
    }
    if (this->state_.is_mine(s.tree.parent[last]))
      this->store_for(last, std::move(values));
    else
      this->send(s.tasks.parent[task], last, std::move(values));
  }

  std::map<Index, StripSums> sums_;  ///< of distributed children of this rank's fronts
};

}  // namespace overlapack::sparse::multifrontal
