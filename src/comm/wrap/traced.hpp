#pragma once
#include "comm/wrap/forwarding.hpp"
#include "trace/recorder.hpp"

namespace overlapack::comm {

/// The name of a message kind, for the trace; static storage.
using KindName = std::string_view (*)(Lane lane, Kind kind);

/// Records what the rank does: computing (work of the kind "pack" as packing), sending, receiving, waiting.
/// The rank of a split records into the same recorder, with the part's numbers as peers.
class TracedRank final : public ForwardingRank {
 public:
  TracedRank(Rank& inner, trace::Recorder& recorder, KindName kind_name = nullptr)
      : ForwardingRank(inner), recorder_(recorder), kind_name_(kind_name) {}
  TracedRank(std::unique_ptr<Rank> inner, trace::Recorder& recorder, KindName kind_name)
      : ForwardingRank(std::move(inner)), recorder_(recorder), kind_name_(kind_name) {}

  /// Waits from here on are idle time: nothing is left to do.
  void set_idle(bool is_idle) { is_idle_ = is_idle; }

  std::unique_ptr<Rank> split(int color, int key) override;
  Send start_send(Lane lane, int to, const Header& header, Body body) override;
  Recv post_receive(Lane lane, int from) override;
  Recv post_receive_into(Lane lane, int from, std::span<std::byte> buffer) override;
  bool test(Request& request) override;
  Woken wait_any(std::span<Request* const> requests, LaneSet probes, double deadline) override;
  void run_slices(const Work& total, std::size_t count, FunctionRef<void(std::size_t)> slice) override;

 protected:
  void run_compute(const Work& work, FunctionRef<void()> f) override;

 private:
  std::string_view name(Lane lane, Kind kind) const;
  Recv watch(Recv receive);
  void record_arrivals();
  void record_work(const Work& work, FunctionRef<void()> f);

  trace::Recorder& recorder_;
  KindName kind_name_;
  bool is_idle_ = false;
  bool is_computing_ = false;  ///< only the outermost work is an event
  std::vector<std::weak_ptr<Operation>> posted_;
  /// Registered before any hook of a user, so that an arrival is seen before somebody takes it.
  std::shared_ptr<void> progress_ = inner_.on_progress([this] { record_arrivals(); });
};

}  // namespace overlapack::comm
