#include "api/machine/opposite_phases.hpp"

#include "api/hpl/linpack.hpp"
#include "base/larger.hpp"
#include "comm/collective/collective.hpp"
#include "comm/mailbox/exchange.hpp"
#include "dense/lu/plan/overlap_model.hpp"
#include "kernels/product/gemm.hpp"

#include <algorithm>
#include <limits>
#include <string>

namespace overlapack::probe {
namespace {

using comm::collective::Group;

/// Runs the two tasks on one rank, any number of times.
class Tasks {
 public:
  Tasks(comm::Rank& rank, int phases, const PhaseTasks& tasks)
      : exchange_(rank, comm::Lane::user),
        rows_(tasks.rows),
        width_(tasks.width),
        A_(static_cast<std::size_t>(rows_ * width_), 1.0),
        C_(static_cast<std::size_t>(rows_ * rows_)) {
    for (int r = rank.rank() % phases; r < rank.size(); r += phases) phase_.ranks.push_back(r);
    phase_.me = rank.rank() / phases;
  }

  void compute(int times) {
    const kernels::Cost cost = kernels::gemm_cost<double>(rows_, rows_, width_);
    for (int i = 0; i < times; ++i)
      exchange_.rank().compute({"gemm", cost.flops, cost.bytes, rows_, rows_, width_}, [&] {
        kernels::gemm<double>(kernels::Op::none, kernels::Op::none, 1.0, {A_.data(), rows_, width_, rows_},
                              {A_.data(), width_, rows_, width_}, 0.0, {C_.data(), rows_, rows_, rows_});
      });
  }

  void communicate(int times) {
    const int self = exchange_.rank().rank();
    for (int i = 0; i < times; ++i, ++step_) {
      const comm::Body body = comm::Body::copy_of(std::span<const double>(A_));
      if (phase_.size() == 1) {
        exchange_.send(self, {1, step_}, body);
        exchange_.receive(self, {1, step_});
      } else {
        start_broadcast(exchange_, phase_, 0, comm::collective::BroadcastKind::ring, {2, step_}, body.size(),
                        phase_.me == 0 ? body : comm::Body())
            ->finish();
        acknowledge();
      }
    }
  }

  /// Blocks until the broadcast's message was received: a process has one under way at a time, as in the paper.
  void acknowledge() {
    const auto me = static_cast<std::size_t>(phase_.me);
    if (me > 0) exchange_.send(phase_.ranks[me - 1], {3, step_}, comm::Body());
    if (me + 1 < phase_.ranks.size()) exchange_.receive(phase_.ranks[me + 1], {3, step_});
  }

  void close() {
    exchange_.close();
    comm::collective::barrier(exchange_.rank());
  }

 private:
  comm::Exchange exchange_;
  Index rows_, width_;
  std::vector<double> A_, C_;
  Group phase_;
  std::int64_t step_ = 0;
};

/// The seconds of f on the slowest of the timed ranks. All ranks start together.
template <class F>
double seconds_of(comm::Rank& rank, bool is_timed, F&& f) {
  comm::collective::barrier(rank);
  const double begin = rank.now();
  f();
  const double mine = rank.now() - begin;
  return comm::collective::all_reduce(rank, is_timed ? mine : 0.0, Larger());
}

/// How often a task must run to last as long as another that takes `covered_s`, with a margin.
int times_to_cover(double covered_s, double task_s) {
  return 1 + static_cast<int>(1.5 * covered_s / std::max(task_s, 1e-7));
}

}  // namespace

PhaseSpeedups opposite_phase_speedups(comm::Rank& rank, int phases, const PhaseTasks& tasks) {
  if (phases < 2 || rank.size() % phases != 0)
    throw Error(Status::bad_plan,
                "speed-ups of opposite phases need whole nodes of at least two ranks, but there are " +
                    std::to_string(rank.size()) + " ranks in nodes of " + std::to_string(phases) +
                    "; give other numbers");
  constexpr int repeats = 3, rounds = 3;
  const bool talks = rank.rank() % phases == phases - 1;  // paper 2: the odd ones
  Tasks mine(rank, phases, tasks);
  mine.compute(1), mine.communicate(1);  // warming up
  double flat_m = std::numeric_limits<double>::infinity(), flat_p = flat_m, overlap_m = flat_m,
         overlap_p = flat_m;
  for (int round = 0; round < rounds; ++round) {
    flat_m = std::min(flat_m, seconds_of(rank, true, [&] { mine.communicate(repeats); }));
    flat_p = std::min(flat_p, seconds_of(rank, true, [&] { mine.compute(repeats); }));
    const int products = times_to_cover(flat_m, flat_p / repeats),
              sends = times_to_cover(flat_p, flat_m / repeats);
    overlap_m = std::min(overlap_m, seconds_of(rank, talks, [&] {
                           talks ? mine.communicate(repeats) : mine.compute(products);
                         }));
    overlap_p =
        std::min(overlap_p,
                 seconds_of(rank, !talks, [&] { talks ? mine.communicate(sends) : mine.compute(repeats); }));
  }
  mine.close();
  return {.communication = flat_m / overlap_m, .computation = flat_p / overlap_p};
}

SavingRow measure_saving(api::Session& session, Index n, Index block, int phases,
                         const PhaseSpeedups& speedups, int rounds) {
  const int ranks = session.ranks();
  const api::LinpackProblem problem{
      .n = n, .block = block, .grid = {ranks / phases, phases, dist::GridOrder::row_major, ranks}};
  const auto seconds = [&](dense::Schedule schedule) {
    api::LinpackProblem p = problem;
    p.checks = false;
    p.plan = {.schedule = schedule,
              .ranks_per_node = phases,
              .exchange_left = false,
              .messages = {.swap = dist::SwapKind::direct}};
    double least = std::numeric_limits<double>::infinity();
    session.run([&](comm::Rank& rank, int position) {
      session.clear_record(position);
      const api::LinpackResult result =
          api::run_linpack<double>(rank, p, [&] { session.gather_record(rank, position); });
      if (position == 0) least = result.factor_s;
    });
    return least;
  };
  SavingRow row{.n = n};
  double flat_s = std::numeric_limits<double>::infinity(), parity_s = flat_s;
  for (int round = 0; round < rounds; ++round) {
    const double s = seconds(dense::Schedule::flat);
    if (s < flat_s) {
      flat_s = s;
      row.computation_s = 0;
      for (const trace::Totals& t : session.timeline().totals())
        row.computation_s += t[trace::What::compute] / ranks;
    }
    parity_s = std::min(parity_s, seconds(dense::Schedule::parity));
  }
  row.communication_s = std::max(0.0, flat_s - row.computation_s);
  const dense::OverlapPrediction model = dense::predict_overlap(
      row.communication_s, row.computation_s, {speedups.communication, speedups.computation}, phases);
  row.overlap_s = model.overlap_s;
  row.model_saved_s = model.saved_s;
  row.model_speedup = model.speedup;
  row.measured_s = flat_s - parity_s;
  return row;
}

}  // namespace overlapack::probe
