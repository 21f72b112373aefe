#include "comm/onesided/direct_broadcasts.hpp"

#include "comm/values.hpp"
#include "overlapack/error.hpp"

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
        position_(static_cast<std::size_t>(all.started_++ % 2)),
        body_(std::move(body)) {
    if (group_.me == root)
      show();
    else
      look_in_polls();
  }

  bool is_done() const override { return is_done_; }

  Body finish() override {
    if (std::exchange(is_done_, true)) return body_;
    if (root_ == rank().rank()) {
      for (const int reader : group_.ranks)
        if (reader != root_) readers().emplace_back(reader, all_.signals_.expect(reader));
      return body_;
    }
    in_polls_.reset();
    if (!has_got_) {
      comm::wait(rank(), is_there_);
      get();
    }
    all_.window_.flush(root_);
    all_.signals_.send(root_);
    body_ = body_of(rank(), bytes_, [&] { return Body::adopt(std::move(got_)); });
    return body_;
  }

 private:
  Rank& rank() const { return all_.signals_.rank(); }
  std::vector<std::pair<int, std::int64_t>>& readers() { return all_.readers_[position_]; }
  std::size_t offset() const { return all_.offset_ + position_ * all_.body_bytes_; }

  /// On the root: wait until all have read the last body in this buffer, copy the new one into it, and signal.
  void show() {
    for (const auto& [reader, number] : std::exchange(readers(), {})) all_.signals_.wait(reader, number);
    on_values(rank(), [&] {
      if (bytes_ > 0) std::memcpy(all_.window_.local().data() + offset(), body_.data(), bytes_);
    });
    for (const int reader : group_.ranks)
      if (reader != root_) all_.signals_.send(reader);
  }

  void look_in_polls() {
    is_there_ = all_.signals_.request(root_, all_.signals_.expect(root_));
    in_polls_ = rank().on_progress([this] {
      if (!has_got_ && rank().test(is_there_)) get();
    });
  }

  /// Start the get of the root's body; complete after a flush.
  void get() {
    has_got_ = true;
    on_values(rank(), [&] { got_.resize(bytes_); });
    all_.window_.get(root_, offset(), {got_.data(), bytes_});
  }

  DirectBroadcasts& all_;
  Group group_;
  int root_;
  std::size_t bytes_, position_;
  Body body_;
  Request is_there_;
  std::vector<std::byte> got_;
  bool has_got_ = false, is_done_ = false;
  std::shared_ptr<void> in_polls_;
};

std::unique_ptr<collective::Broadcast> DirectBroadcasts::start(const Group& group, int root,
                                                               std::size_t bytes, Body body) {
  if (bytes > body_bytes_)
    throw Error(Status::internal, "a body of " + std::to_string(bytes) +
                                      " bytes is broadcast through buffers of " +
                                      std::to_string(body_bytes_));
  return std::make_unique<Running>(*this, group, root, bytes, std::move(body));
}

}  // namespace overlapack::comm::onesided
