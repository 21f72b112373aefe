#pragma once
#include "comm/engine/mpi/run/engine.hpp"
#include "comm/rank.hpp"

namespace overlapack::comm::mpi {

/// One rank of a team of processes, or of one part of it after split.
class MpiRank final : public Rank {
 public:
  MpiRank(Engine& engine, std::shared_ptr<Endpoint> endpoint);
  ~MpiRank() override;

  int rank() const override { return endpoint_->rank(); }
  int size() const override { return endpoint_->size(); }
  int node() const override { return engine_.site().node(); }
  double now() const override { return engine_.now(); }
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
  std::unique_ptr<Window> make_phantom_window(std::size_t bytes) override;

  void run_slices(const Work& total, std::size_t count, FunctionRef<void(std::size_t)> slice) override;
  void run_tasks(const Work& total, TaskSource& source) override;
  void abort(const Error& error) noexcept override { engine_.abort(error); }

  // For windows
  Engine& engine() { return engine_; }
  void check_peer(int peer) const;
  /// Run hooks, progress, abort and watchdog checks until is_over(). may_block: only arriving messages, finished sends and hooks on
  /// them can make is_over() true, so that a simulated rank may block instead of testing repeatedly.
  void make_progress_until(FunctionRef<bool()> is_over, bool may_block, FunctionRef<std::string()> describe);

 protected:
  void run_compute(const Work& work, FunctionRef<void()> f) override;

 private:
  void simulate_slices(const Work& total, std::size_t count, FunctionRef<void(std::size_t)> slice);
  /// Collective: once all ranks have called it, run `then` on each with the numbers of all.
  void gather_numbers(std::int64_t number, std::string_view call,
                      std::function<void(const Endpoint::Numbers&)> then);
  std::unique_ptr<Window> open_window(WindowMemory memory, std::byte* position, std::size_t bytes);

  Engine& engine_;
  std::shared_ptr<Endpoint> endpoint_;
  bool is_computing_ = false;
};

}  // namespace overlapack::comm::mpi
