#include "comm/onesided/direct_broadcasts.hpp"

#include "comm/values.hpp"
#include "overlapack/error.hpp"

#include <algorithm>
#include <cstring>
#include <string>

namespace overlapack::comm::onesided {

class DirectBroadcasts::Running final : public collective::Broadcast {
 public:
  Running(DirectBroadcasts& all, const Group& group, int root, std::size_t bytes, Body body)
      : all_(all),
        group_(group),
        root_(group.ranks[static_cast<std::size_t>(root)]),
        bytes_(bytes),
        number_(all.started_++),
        position_(static_cast<std::size_t>(number_ % 2)),
        body_(std::move(body)) {
    // node of the tree; 0: the root
    const int size = group_.size(), position = (group_.me - root + size) % size;
    const auto at = [&](int node) { return group_.ranks[static_cast<std::size_t>((node + root) % size)]; };
    News& news = all_.news_.emplace_back();
    const int first = position * all_.told_by_one_ + 1, end = std::min(size, first + all_.told_by_one_);
    for (int reader = first; reader < end; ++reader) news.readers.push_back(at(reader));
    if (position == 0)
      show();
    else
      look_in_polls(at((position - 1) / all_.told_by_one_));
  }

  Running(const Running&) = delete;
  Running& operator=(const Running&) = delete;
  /// A get is complete before its target goes, also where an error ends this rank's part. In simulated time it writes nothing then.
  ~Running() override {
    if (!has_got_ || is_done_ || rank().capabilities().virtual_time) return;
    try {
      all_.bodies_.flush(root_);
    } catch (...) {  // of another rank, after which the get is complete as well
    }
  }

  bool is_done() const override { return is_done_; }

  Body finish() override {
    if (is_done_) return body_;
    if (root_ == rank().rank()) {
      is_done_ = true;
      for (const int reader : group_.ranks)
        if (reader != root_) readers().emplace_back(reader, all_.read_.expect(reader));
      return body_;
    }
    in_polls_.reset();
    if (!has_got_) {
      comm::wait(rank(), is_there_);
      get();
    }
    all_.bodies_.flush(root_);
    is_done_ = true;
    all_.read_.send(root_);
    body_ = pack_body(rank(), bytes_, [&] { return Body::adopt(std::move(got_)); });
    return body_;
  }

 private:
  Rank& rank() const { return all_.read_.rank(); }
  std::vector<std::pair<int, std::int64_t>>& readers() { return all_.readers_[position_]; }
  std::size_t offset() const { return all_.offset_ + position_ * all_.body_bytes_; }

  /// On the root: wait until all have read the body that was in this buffer, copy the new one into it, and signal the readers.
  void show() {
    for (const auto& [reader, number] : std::exchange(readers(), {})) all_.read_.wait(reader, number);
    run_unless_phantom(rank(), [&] {
      if (bytes_ > 0) std::memcpy(all_.bodies_.local().data() + offset(), body_.data(), bytes_);
    });
    all_.announce_ready(number_);
  }

  void look_in_polls(int parent) {
    is_there_ = all_.ready_.request(parent, all_.ready_.expect(parent));
    in_polls_ = rank().on_progress([this] {
      if (!has_got_ && rank().test(is_there_)) get();
    });
  }

  /// Signal this rank's readers that the body is ready, and start to get it; the get is complete after a flush.
  void get() {
    has_got_ = true;
    all_.announce_ready(number_);
    run_unless_phantom(rank(), [&] { got_.resize(bytes_); });
    all_.bodies_.get(root_, offset(), {got_.data(), bytes_});
  }

  DirectBroadcasts& all_;
  Group group_;
  int root_;
  std::size_t bytes_;
  std::int64_t number_;
  std::size_t position_;
  Body body_;
  Request is_there_;
  std::vector<std::byte> got_;
  bool has_got_ = false, is_done_ = false;
  std::shared_ptr<void> in_polls_;
};

void DirectBroadcasts::announce_ready(std::int64_t number) {
  news_[static_cast<std::size_t>(number - passed_)].is_known = true;
  for (; !news_.empty() && news_.front().is_known; news_.pop_front(), ++passed_)
    for (const int reader : news_.front().readers) ready_.send(reader);
}

std::unique_ptr<collective::Broadcast> DirectBroadcasts::start(const Group& group, int root,
                                                               std::size_t bytes, Body body) {
  if (bytes > body_bytes_)
    throw Error(Status::internal, "a body of " + std::to_string(bytes) +
                                      " bytes is broadcast through buffers of " +
                                      std::to_string(body_bytes_));
  return std::make_unique<Running>(*this, group, root, bytes, std::move(body));
}

}  // namespace overlapack::comm::onesided
