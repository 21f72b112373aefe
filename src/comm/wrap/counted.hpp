#pragma once
#include "comm/wrap/forwarding.hpp"

#include <map>

namespace overlapack::comm {

/// Counts of one rank's messages, accesses and waits. Parts split from the rank count into the same record.
struct Counts {
  struct Traffic {
    std::int64_t messages = 0;
    std::size_t bytes = 0;
    std::size_t largest_bytes = 0;
    void add(std::size_t message_bytes);
  };
  Traffic sent;                             ///< all lanes
  std::array<Traffic, lane_count> by_lane;  ///< indexed by Lane
  std::map<std::int32_t, Traffic> by_kind;  ///< of the header, all lanes
  Traffic put, got;                         ///< through windows
  std::int64_t signals = 0;                 ///< sent through windows
  std::int64_t put_signals = 0;  ///< puts with a signal as one operation; counted in `put` and `signals`, too
  std::int64_t signals_awaited = 0;
  std::int64_t receives_posted = 0;
  std::int64_t waits = 0;     ///< calls of wait_any
  double wait_s = 0;          ///< seconds spent in them
  std::int64_t computes = 0;  ///< calls of compute, run_slices and run_tasks
  double flops = 0;           ///< sum of Work::flops

  const Traffic& on(Lane lane) const { return by_lane[static_cast<std::size_t>(lane)]; }
};

/// Wrapper that counts the calls of a rank.
class CountedRank final : public ForwardingRank {
 public:
  CountedRank(Rank& inner, Counts& counts) : ForwardingRank(inner), counts_(counts) {}
  CountedRank(std::unique_ptr<Rank> inner, Counts& counts)
      : ForwardingRank(std::move(inner)), counts_(counts) {}

  std::unique_ptr<Rank> split(int color, int key) override;
  Send start_send(Lane lane, int to, const Header& header, Body body) override;
  Recv post_receive(Lane lane, int from) override;
  Woken wait_any(std::span<Request* const> requests, LaneSet probes) override;
  void run_slices(const Work& total, std::size_t count, FunctionRef<void(std::size_t)> slice) override;
  void run_tasks(const Work& total, TaskSource& source) override;

 protected:
  void run_compute(const Work& work, FunctionRef<void()> f) override;
  std::unique_ptr<Window> wrap_window(std::unique_ptr<Window> window) override;

 private:
  Counts& counts_;
};

}  // namespace overlapack::comm
