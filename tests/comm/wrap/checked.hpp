#pragma once
#include "base/random.hpp"
#include "comm/hooks.hpp"
#include "comm/wrap/forwarding.hpp"

#include <deque>
#include <map>

namespace overlapack::comm {

struct CheckedOptions {
  std::uint64_t seed = 1;
  /// Share of the calls that hold back a message which could have been delivered.
  double delay = 0.5;
  /// Throw at this contract call of the rank, counted from 0, on the parts of its team as well; -1: never.
  std::int64_t throw_at_call = -1;
  /// Messages of this rank on lane bulk come only after the first one of another rank; -1: no such rule.
  int last_on_bulk = -1;
};

/// For tests: an engine as unkind as the contract allows. Messages of different sources and lanes overtake
/// each other, deliveries are late, a message with a body is whole later than one that its sender sent after it; misuse of the contract is an Error of kind Internal: an unknown peer, the
/// control lane, a request of another rank, a body that was changed after it was sent, while others hold it. Can throw at
/// the k-th contract call.
///
/// It takes every message of a lane itself as soon as the lane is used for receiving, so the whole run goes
/// through it and ends with a barrier.
class CheckedRank final : public ForwardingRank {
 public:
  CheckedRank(Rank& inner, const CheckedOptions& options);
  CheckedRank(std::unique_ptr<Rank> inner, const CheckedOptions& options);

  /// Contract calls so far, with those on parts of the team.
  std::int64_t calls() const { return *calls_; }
  /// Deliveries that were held back, messages that overtook one of another source, and those that were whole before one that
  /// their sender had sent before.
  std::int64_t delayed() const { return delayed_; }
  std::int64_t overtaken() const { return overtaken_; }
  std::int64_t outrun() const { return outrun_; }

  std::unique_ptr<Rank> split(int color, int key) override;
  Send start_send(Lane lane, int to, const Header& header, Body body) override;
  Recv post_receive(Lane lane, int from) override;
  void cancel(Recv& receive) override;
  bool test(Request& request) override;
  std::optional<int> probe(Lane lane, int from) override;
  Woken wait_any(std::span<Request* const> requests, LaneSet probes) override;
  void poll() override;
  std::shared_ptr<void> on_progress(std::function<void()> hook) override {
    return hooks_.add(std::move(hook));
  }
  std::unique_ptr<Window> make_window(std::size_t bytes) override;
  std::unique_ptr<Window> attach(std::span<std::byte> memory) override;
  std::unique_ptr<Window> make_phantom_window(std::size_t bytes) override;
  void run_slices(const Work& total, std::size_t count, FunctionRef<void(std::size_t)> slice) override;
  void run_tasks(const Work& total, TaskSource& source) override;

 protected:
  void run_compute(const Work& work, FunctionRef<void()> f) override;

 private:
  struct Receive : Operation {
    const CheckedRank* owner = nullptr;
    int from = any_rank;
  };
  struct Arrival {
    Message message;
    std::int64_t number = 0;  ///< in the order in which the engine delivered
  };
  struct UnderWay {
    std::shared_ptr<Receive> receive;
    Message message;
  };
  struct LaneState {
    Recv next;                                ///< the engine's receive; posted once the lane is used
    std::map<int, std::deque<Arrival>> held;  ///< by source
    std::deque<std::shared_ptr<Receive>> posted;
    std::vector<UnderWay> under_way;  ///< have found their receives, and are not whole yet
    std::int64_t arrivals = 0;
    int held_back = any_rank;  ///< source whose messages nothing may have seen yet
  };
  struct Sent {
    std::shared_ptr<const Body> body;  ///< held by all who hold what was sent
    std::uint64_t sum = 0;
  };

  LaneState& lane_state(Lane lane);
  void count_call();
  void check_peer(int peer) const;
  std::unique_ptr<Window> observe(std::unique_ptr<Window> window);
  Receive* mine(const Request& request) const;
  Recv post(Lane lane, std::shared_ptr<Receive> operation);
  void pump();
  bool deliver_one(LaneState& lane, bool may_delay);
  bool finish(LaneState& lane, bool may_delay);
  bool deliver(bool may_delay);
  void run_hooks(bool may_refuse_probes);
  std::int64_t arrivals() const;
  static void complete(Receive& receive, Message&& message);
  static const Message* first_held(const LaneState& lane, int from);
  std::optional<Woken> look(std::span<Request* const> requests, LaneSet probes);
  Body watched(Body body);
  void check_sent();

  CheckedOptions options_;
  Random random_;
  Hooks hooks_;
  std::array<LaneState, lane_count> lanes_;
  std::deque<Sent> sent_;  ///< the latest, to see that nobody changes them
  bool may_refuse_probes_ = true;
  std::shared_ptr<std::int64_t> calls_ = std::make_shared<std::int64_t>(0);
  std::int64_t delayed_ = 0;
  std::int64_t overtaken_ = 0;
  std::int64_t outrun_ = 0;
};

}  // namespace overlapack::comm
