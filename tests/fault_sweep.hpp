#pragma once
#include "comm/collective/collective.hpp"
#include "comm/engine.hpp"
#include "comm/wrap/checked.hpp"
#include "comm/wrap/forwarding.hpp"
#include "counted_allocations.hpp"

#include <chrono>
#include <cstdint>
#include <functional>
#include <string>
#include <thread>
#include <utility>
#include <vector>

/// Faults at every position, for tests with overlapack_count_allocations: the work of a team, in which the k-th call of the contract,
/// the k-th allocation or the k-th piece of large memory of one rank fails, for k = 0, 1, ... until there is no such place.
namespace overlapack::testing {

/// memory: the allocation and all that come after it, until the rank has given back what it had.
enum class FaultOf { call, allocation, memory, large_memory };

constexpr Status kind_of(FaultOf fault) {
  return fault == FaultOf::call ? Status::internal : Status::out_of_memory;
}

using RankWork = std::function<void(comm::Rank&)>;

/// The work of one rank, its position `at` failing; -1: none. What is_struck is afterwards: was there such a position?
inline void work_with_fault(comm::Rank& engine, FaultOf fault, std::int64_t at, const RankWork& work,
                            bool& is_struck) {
  struct AtTheEnd {
    std::function<void()> look;
    ~AtTheEnd() { look(); }
  };
  if (fault == FaultOf::call) {
    comm::CheckedRank rank(engine, {.seed = 3, .delay = 0, .throw_at_call = at});
    const AtTheEnd end{[&] { is_struck = at >= 0 && rank.calls() > at; }};
    work(rank);
    comm::collective::barrier(rank);  // what a CheckedRank holds is lost with it
  } else {
    std::int64_t& left = fault == FaultOf::large_memory ? large_left : allocations_left;
    const std::int64_t failed_before = failed_allocations;
    const AtTheEnd end{[&] {
      is_struck = failed_allocations > failed_before;
      left = -1;
      memory_stays_out = false;
    }};
    left = at;
    memory_stays_out = fault == FaultOf::memory;
    work(engine);
  }
}

/// How many positions there are. All of the first hundred are tried, then steps grow by a twentieth; on processes one in seven, or
/// in `step`. Each run with a fault ends on all ranks, with the error of that fault, or without one where the work does without what failed; and
/// the next run of the same team is right, which `work` sees to.
inline std::int64_t sweep_faults(comm::Team& team, FaultOf fault, int failing, const RankWork& work,
                                 std::int64_t step = comm::conformance::is_thread() ? 1 : 7) {
  constexpr std::int64_t each_below = 100;
  for (std::int64_t at = 0;; at += at < each_below ? step : step + at / 20) {
    bool is_struck = false;  // in the process of the failing rank
    try {
      team.run([&](comm::Rank& rank) {
        const bool fails = rank.rank() == failing;
        bool is_mine_struck = false;
        work_with_fault(rank, fault, fails ? at : -1, work, fails ? is_struck : is_mine_struck);
      });
    } catch (const Error& error) {
      const bool is_it =
          error.status() == kind_of(fault) &&
          (fault != FaultOf::call || error.what() == "a fault was injected at call " + std::to_string(at));
      EXPECT_TRUE(is_it) << "at " << at << ": " << to_string(error.status()) << ": " << error.what();
      if (!is_it) return at;
    }
    int is_any_struck = 0;
    team.run([&](comm::Rank& rank) {
      work(rank);
      const int all = comm::collective::all_reduce(rank, is_struck ? 1 : 0, std::plus<>());
      if (rank.rank() == team.first_local()) is_any_struck = all;
    });
    if (is_any_struck == 0) return at;
  }
}

/// A rank that does nothing for a while before each send and each kernel, and hears nothing meanwhile.
class SlowRank final : public comm::ForwardingRank {
 public:
  explicit SlowRank(comm::Rank& inner) : ForwardingRank(inner) {}
  std::int64_t pauses() const { return pauses_; }

  comm::Send start_send(comm::Lane lane, int to, const comm::Header& header, comm::Body body) override {
    pause();
    return ForwardingRank::start_send(lane, to, header, std::move(body));
  }
  void run_slices(const comm::Work& total, std::size_t count,
                  comm::FunctionRef<void(std::size_t)> slice) override {
    pause();
    ForwardingRank::run_slices(total, count, slice);
  }

  void run_tasks(const comm::Work& total, comm::TaskSource& source) override {
    pause();
    ForwardingRank::run_tasks(total, source);
  }

 protected:
  void run_compute(const comm::Work& work, comm::FunctionRef<void()> f) override {
    pause();
    ForwardingRank::run_compute(work, f);
  }

 private:
  void pause() {
    ++pauses_;
    std::this_thread::sleep_for(std::chrono::microseconds(50));
  }
  std::int64_t pauses_ = 0;
};

/// The work of a team with each rank in turn slow; `work` sees to its results.
inline void slow_each_rank(comm::Team& team, const RankWork& work) {
  std::int64_t pauses = 0;
  for (int slow = 0; slow < team.size(); ++slow)
    team.run([&](comm::Rank& engine) {
      if (engine.rank() != slow) {
        work(engine);
        return comm::collective::barrier(engine);
      }
      SlowRank rank(engine);
      work(rank);
      comm::collective::barrier(rank);
      pauses += rank.pauses();
    });
  if (comm::conformance::is_thread()) {
    EXPECT_GT(pauses, 0);  // of one rank at a time
  }
}

/// On threads teams of each size, elsewhere that of the launcher. A run that hangs ends by the watchdog, as an error of another kind.
inline void on_faulty_teams(const std::vector<int>& sizes, const std::function<void(comm::Team&)>& test) {
  const comm::conformance::Setup& setup = comm::conformance::setup();
  for (const int size : comm::conformance::is_thread() ? sizes : setup.sizes)
    test(*comm::open({.engine = setup.engine, .ranks = size, .watchdog_s = 20}));
}

}  // namespace overlapack::testing
