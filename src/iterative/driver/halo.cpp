#include "iterative/driver/halo.hpp"

#include "base/instantiate.hpp"
#include "comm/receive.hpp"

#include <algorithm>
#include <functional>
#include <optional>

namespace overlapack::iterative {

namespace {

template <class T>
class SyncHalo final : public Halo<T> {
 public:
  SyncHalo(comm::Rank& rank, const Block<T>& block) : rank_(rank), block_(block) {}

  bool swap(T* x, T* next) override {
    const auto neighbours = block_.neighbours();
    std::vector<comm::Recv> receives(neighbours.size());
    for (std::size_t k = 0; k < neighbours.size(); ++k)
      if (neighbours[k].in > 0) receives[k] = rank_.post_receive(comm::Lane::bulk, neighbours[k].rank);
    for (std::size_t k = 0; k < neighbours.size(); ++k) {
      if (neighbours[k].out == 0) continue;
      std::vector<T> message(neighbours[k].out);
      block_.pack(x, k, message.data());
      rank_.start_send(comm::Lane::bulk, neighbours[k].rank, {}, comm::Body::adopt(std::move(message)));
      ++counts_.sends;
    }
    for (std::size_t k = 0; k < neighbours.size(); ++k) {
      if (neighbours[k].in == 0) continue;
      comm::wait(rank_, receives[k]);
      const comm::Message message = receives[k].take();
      block_.unpack(message.body.template as<T>().data(), k, x);
      block_.unpack(message.body.template as<T>().data(), k, next);
      counts_.largest_batch = 1;
      ++counts_.batches[0];
    }
    return true;
  }
  bool has_news() override { return true; }
  void close() override {}
  HaloCounts counts() const override { return counts_; }

 private:
  comm::Rank& rank_;
  const Block<T>& block_;
  HaloCounts counts_;
};

/// Numbers in a message: both directions of a channel have the same size, which is that of the longer one.
std::size_t numbers(const Neighbour& n) { return std::max(n.out, n.in); }

/// async channels are puts into buffers if the engine orders puts by a fence instead of a wait. A simulated machine orders them,
/// too, but stands for MPI unless the plan says otherwise.
comm::ChannelMode mode_of(const comm::Rank& rank, const IterationPlan& plan) {
  if (plan.variant == Variant::racy) return comm::ChannelMode::racy;
  const comm::Capabilities can = rank.capabilities();
  const bool has_puts = can.orders_puts && !can.virtual_time;
  const bool by_puts = plan.halo_by == HaloForm::engine ? has_puts : plan.halo_by == HaloForm::puts;
  return by_puts ? comm::ChannelMode::async_puts : comm::ChannelMode::async;
}

template <class T>
comm::ChannelPlan channel_plan(const comm::Rank& rank, const Neighbour& neighbour,
                               const IterationPlan& plan) {
  return {.message_bytes = numbers(neighbour) * sizeof(T),
          .max_messages = plan.in_flight > 0 ? plan.in_flight : usual_in_flight,
          .mode = mode_of(rank, plan),
          .word_bytes = sizeof(T)};
}

template <class T>
std::optional<std::size_t> window_room(const comm::Rank& rank, const Block<T>& block,
                                       const IterationPlan& plan) {
  if (mode_of(rank, plan) == comm::ChannelMode::async) return std::nullopt;
  std::size_t bytes = 0;
  for (const Neighbour& n : block.neighbours()) bytes += room_of(channel_plan<T>(rank, n, plan));
  return bytes;
}

template <class T>
class ChannelHalo final : public Halo<T> {
 public:
  ChannelHalo(comm::Rank& rank, const Block<T>& block, const IterationPlan& plan, const T* start)
      : block_(block), channels_(rank, window_room(rank, block, plan)) {
    const auto neighbours = block_.neighbours();
    for (std::size_t k = 0; k < neighbours.size(); ++k) {
      std::vector<T> message(numbers(neighbours[k]));
      block_.read_halo(start, k, message.data());
      ends_.push_back(channels_.start_create(neighbours[k].rank, channel_plan<T>(rank, neighbours[k], plan),
                                             std::as_bytes(std::span(message))));
      messages_.push_back(std::move(message));
    }
    for (comm::Channel& end : ends_) channels_.finish_create(end);
    has_latest_.resize(ends_.size());
  }

  bool swap(T* x, T* next) override {
    const auto neighbours = block_.neighbours();
    bool has_come = false;
    for (std::size_t k = 0; k < neighbours.size(); ++k) {
      std::vector<T>& message = messages_[k];
      if (neighbours[k].out > 0 && !has_latest_[k]) {
        has_latest_[k] = ends_[k].can_send();
        if (has_latest_[k]) {
          block_.pack(x, k, message.data());
          ends_[k].send(std::as_bytes(std::span(message)));
        }
        skipped_ += !has_latest_[k];
      }
      if (neighbours[k].in > 0 && ends_[k].recv(std::as_writable_bytes(std::span(message)))) {
        block_.unpack(message.data(), k, x);
        block_.unpack(message.data(), k, next);
        has_come = true;
      }
    }
    return has_come;
  }

  bool has_news() override {
    for (std::size_t k = 0; k < ends_.size(); ++k)
      if (block_.neighbours()[k].in > 0 && ends_[k].can_recv()) return true;
    return false;
  }
  void mark_stepped() override { std::fill(has_latest_.begin(), has_latest_.end(), false); }

  void close() override {
    counts_ = counts();
    for (comm::Channel& end : ends_) end.start_destroy();
    for (comm::Channel& end : ends_) end.destroy();
    ends_.clear();
    channels_.close();
  }

  HaloCounts counts() const override {
    HaloCounts counts = counts_;
    counts.skipped_sends = skipped_;
    for (const comm::Channel& end : ends_) {
      counts.sends += end.counts().sent;
      counts.put_sends += end.counts().put;
      counts.largest_batch = std::max(counts.largest_batch, end.counts().largest_batch);
      counts.most_in_flight = std::max<Index>(counts.most_in_flight, end.counts().most_in_flight);
      std::ranges::transform(counts.batches, end.counts().batches, counts.batches.begin(), std::plus<>());
    }
    return counts;
  }

 private:
  const Block<T>& block_;
  comm::Channels channels_;
  std::vector<comm::Channel> ends_;
  std::vector<std::vector<T>> messages_;
  std::vector<bool> has_latest_;  ///< by neighbour: my values of the last step have been sent to it
  Index skipped_ = 0;
  HaloCounts counts_;
};

}  // namespace

template <class T>
std::unique_ptr<Halo<T>> open_halo(comm::Rank& rank, const Block<T>& block, const IterationPlan& plan,
                                   const T* start) {
  if (plan.variant == Variant::sync) return std::make_unique<SyncHalo<T>>(rank, block);
  return std::make_unique<ChannelHalo<T>>(rank, block, plan, start);
}

#define OVERLAPACK_INSTANTIATE(T) \
  template std::unique_ptr<Halo<T>> open_halo(comm::Rank&, const Block<T>&, const IterationPlan&, const T*);
OVERLAPACK_FOR_EACH_SCALAR(OVERLAPACK_INSTANTIATE)
#undef OVERLAPACK_INSTANTIATE

}  // namespace overlapack::iterative
