#pragma once
#include "comm/rank.hpp"

namespace overlapack::comm {

/// A rank that forwards every call to another rank, `inner`: the base class of the wrappers, which override the calls they observe.
class ForwardingRank : public Rank {
 public:
  explicit ForwardingRank(Rank& inner) : inner_(inner) {}
  /// For the rank that split returns, which the wrapper then owns.
  explicit ForwardingRank(std::unique_ptr<Rank> inner) : owned_(std::move(inner)), inner_(*owned_) {}

  int rank() const override { return inner_.rank(); }
  int size() const override { return inner_.size(); }
  int node() const override { return inner_.node(); }
  double now() const override { return inner_.now(); }
  Capabilities capabilities() const override { return inner_.capabilities(); }
  EngineCounters counters() const override { return inner_.counters(); }
  std::unique_ptr<Rank> split(int color, int key) override { return inner_.split(color, key); }

  Send start_send(Lane lane, int to, const Header& header, Body body) override {
    return inner_.start_send(lane, to, header, std::move(body));
  }
  Recv post_receive(Lane lane, int from) override { return inner_.post_receive(lane, from); }
  void cancel(Recv& receive) override { inner_.cancel(receive); }
  bool test(Request& request) override { return inner_.test(request); }
  std::optional<int> probe(Lane lane, int from) override { return inner_.probe(lane, from); }
  Woken wait_any(std::span<Request* const> requests, LaneSet probes) override {
    return inner_.wait_any(requests, probes);
  }
  void poll() override { inner_.poll(); }
  std::shared_ptr<void> on_progress(std::function<void()> hook) override {
    return inner_.on_progress(std::move(hook));
  }

  std::unique_ptr<Window> make_window(std::size_t bytes) override {
    return wrap_window(inner_.make_window(bytes));
  }
  std::unique_ptr<Window> attach(std::span<std::byte> memory) override {
    return wrap_window(inner_.attach(memory));
  }
  std::unique_ptr<Window> make_phantom_window(std::size_t bytes) override {
    return wrap_window(inner_.make_phantom_window(bytes));
  }

  void run_slices(const Work& total, std::size_t count, FunctionRef<void(std::size_t)> slice) override {
    inner_.run_slices(total, count, slice);
  }
  void run_tasks(const Work& total, TaskSource& source) override { inner_.run_tasks(total, source); }
  void note(const trace::Event& event) override { inner_.note(event); }
  void abort(const Error& error) noexcept override { inner_.abort(error); }

 protected:
  void run_compute(const Work& work, FunctionRef<void()> f) override { inner_.compute(work, f); }
  /// Called with each window that the inner rank makes; returns what the caller of the wrapper gets.
  virtual std::unique_ptr<Window> wrap_window(std::unique_ptr<Window> window) { return window; }

 private:
  std::unique_ptr<Rank> owned_;

 protected:
  Rank& inner_;
};

}  // namespace overlapack::comm
