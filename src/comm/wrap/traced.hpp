#pragma once
#include "comm/wrap/forwarding.hpp"
#include "trace/record/recorder.hpp"

namespace overlapack::comm {

/// The name of a message kind, for the trace; static storage.
using KindName = std::string_view (*)(Lane lane, Kind kind);

/// Wrapper that records a rank's events for the trace: computing (work of the kind "pack" counts as packing), sending, receiving and
/// waiting, and, if events are kept, accesses to windows. A part that is split from it records into the same recorder, with the rank
/// numbers of the whole team.
class TracedRank final : public ForwardingRank {
 public:
  TracedRank(Rank& inner, trace::Recorder& recorder, KindName kind_name = nullptr)
      : ForwardingRank(inner), recorder_(recorder), kind_name_(kind_name) {}
  /// names: rank in the whole team, by rank of the part; team: unique for each team of a rank.
  TracedRank(std::unique_ptr<Rank> inner, trace::Recorder& recorder, KindName kind_name,
             std::vector<int> names, int team)
      : ForwardingRank(std::move(inner)),
        recorder_(recorder),
        kind_name_(kind_name),
        names_(std::move(names)),
        team_(team) {}

  std::unique_ptr<Rank> split(int color, int key) override;
  Send start_send(Lane lane, int to, const Header& header, Body body) override;
  Recv post_receive(Lane lane, int from) override;
  bool test(Request& request) override;
  Woken wait_any(std::span<Request* const> requests, LaneSet probes) override;
  void run_slices(const Work& total, std::size_t count, FunctionRef<void(std::size_t)> slice) override;
  void run_tasks(const Work& total, TaskSource& source) override;
  void note(const trace::Event& event) override { recorder_.add(event); }

 protected:
  void run_compute(const Work& work, FunctionRef<void()> f) override;
  std::unique_ptr<Window> wrap_window(std::unique_ptr<Window> window) override;

 private:
  /// A send or receive under way, with its number in the record.
  struct Watched {
    std::weak_ptr<Operation> operation;
    std::int64_t number = 0;
    double posted_s = 0;
  };

  std::string_view name(Lane lane, Kind kind) const;
  int peer(int rank) const { return names_.empty() ? rank : names_[static_cast<std::size_t>(rank)]; }
  int stream(Lane lane) const { return static_cast<int>(lane) + lane_count * team_; }
  Recv record_posted_receive(Recv receive);
  std::int64_t number_of(const Woken& woken, std::span<Request* const> requests) const;
  void record_arrivals();
  void record_work(const Work& work, FunctionRef<void()> f);

  trace::Recorder& recorder_;
  KindName kind_name_;
  bool is_computing_ = false;  ///< within work: nested work is no event of its own
  std::vector<int> names_;     ///< rank in the whole team; empty: the same number
  int team_ = 0;
  std::vector<Watched> posted_;
  bool is_waiting_ = false;
  std::vector<Watched> arrived_;  ///< receives completed during the last wait
  /// Sends that were not complete when the last wait began, or were started since
  std::vector<Watched> sent_;
  /// Registered before any other hook, so that an arrival is recorded before a hook takes it.
  std::shared_ptr<void> progress_ = inner_.on_progress([this] { record_arrivals(); });
};

}  // namespace overlapack::comm
