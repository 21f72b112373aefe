#pragma once
#include "comm/engine/thread/team_threads.hpp"

namespace overlapack::comm::thread {

/// One rank of a group. It receives through the mailbox of its thread and a port of its own in the group. A message is matched with a
/// posted receive by whichever thread comes second: the sender (deliver) or the receiver (match_with_arrived).
class ThreadRank final : public Rank {
 public:
  ThreadRank(TeamThreads& threads, std::shared_ptr<Group> group, int index);

  int rank() const override { return index_; }
  int size() const override { return group_->size(); }
  int node() const override { return 0; }
  double now() const override { return threads_.now(); }
  Capabilities capabilities() const override;
  EngineCounters counters() const override;
  std::unique_ptr<Rank> split(int color, int key) override;

  Send start_send(Lane lane, int to, const Header& header, Body body) override;
  Recv post_receive(Lane lane, int from) override;
  void cancel(Recv& receive) override;
  bool test(Request& request) override;
  std::optional<int> probe(Lane lane, int from) override;
  Woken wait_any(std::span<Request* const> requests, LaneSet probes) override;
  void poll() override;
  std::shared_ptr<void> on_progress(std::function<void()> hook) override;

  std::unique_ptr<Window> make_window(std::size_t bytes) override;
  std::unique_ptr<Window> attach(std::span<std::byte> memory) override;

  void run_slices(const Work& total, std::size_t count, FunctionRef<void(std::size_t)> slice) override;
  void run_tasks(const Work& total, TaskSource& source) override;
  void abort(const Error& error) noexcept override { threads_.abort(error); }

  // For windows
  TeamThreads& threads() { return threads_; }
  Group& group() { return *group_; }
  void check_peer(int peer) const;
  /// Block until is_over(); the only function in which a rank sleeps. Meanwhile it runs hooks and slices of other ranks, and checks for
  /// an abort and for the watchdog. describe(): text of what the rank waits for, for the watchdog's report.
  void block_until(FunctionRef<bool()> is_over, FunctionRef<std::string()> describe);

 protected:
  void run_compute(const Work& work, FunctionRef<void()> f) override;

 private:
  bool deliver(int to, Parcel&& parcel, const std::shared_ptr<SendOperation>& operation);
  Recv post(std::shared_ptr<ReceiveOperation> operation, Lane lane, int from);
  bool match_with_arrived(const std::shared_ptr<ReceiveOperation>& operation);
  Group::Shared exchange_objects(Group::Shared brought,
                                 FunctionRef<Group::Shared(const std::vector<Group::Shared>&)> combine,
                                 std::string_view call);
  std::unique_ptr<Window> open_window(std::shared_ptr<void> owner, std::span<std::byte> memory);
  void inform_watchdog(std::string waits_for, Clock::time_point since);
  void run_job(const Work& work, Job& job);
  void count_slices(std::int64_t all, const Job& job);
  bool move_bytes();
  bool spin(std::uint64_t seen);
  bool run_slices_of_others(std::uint64_t seen);
  Clock::time_point next_hooks() const;

  TeamThreads& threads_;
  std::shared_ptr<Group> group_;
  const int index_;
  ThreadMailbox& mailbox_;
  Port& port_;
  /// shared by all sends that are done as soon as they start
  std::shared_ptr<SendOperation> finished_send_ = std::make_shared<SendOperation>();
  int quiet_polls_ = 0;  ///< polls since the last one that finished an operation, or since the last yield
};

}  // namespace overlapack::comm::thread
