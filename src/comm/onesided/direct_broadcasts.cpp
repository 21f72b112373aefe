#include "comm/onesided/direct_broadcasts.hpp"

#include "comm/values.hpp"

#include <cstring>

namespace overlapack::comm::onesided {

class DirectBroadcasts::Running final : public collective::Broadcast {
 public:
  Running(DirectBroadcasts& all, const Group& group, int root, std::size_t bytes, Body body)
      : all_(all),
        group_(group),
        root_(group.ranks[static_cast<std::size_t>(root)]),
        bytes_(bytes),
        place_(static_cast<std::size_t>(all.started_++ % 2)),
        body_(std::move(body)) {
    if (group_.me == root)
      show();
    else
      is_there_ = all_.signals_.expect(root_);
  }

  bool is_done() const override { return is_done_; }

  Body finish() override {
    if (std::exchange(is_done_, true)) return body_;
    if (root_ == rank().rank()) {
      for (const int reader : group_.ranks)
        if (reader != root_) readers().emplace_back(reader, all_.signals_.expect(reader));
      return body_;
    }
    all_.signals_.wait(root_, is_there_);
    const bool is_phantom = rank().capabilities().is_phantom;
    std::vector<std::byte> bytes(is_phantom ? 0 : bytes_);
    all_.window_.get(root_, offset(), {bytes.data(), bytes_});
    all_.window_.flush(root_);
    all_.signals_.send(root_);
    body_ = is_phantom ? Body::phantom(bytes_) : Body::adopt(std::move(bytes));
    return body_;
  }

 private:
  Rank& rank() const { return all_.signals_.rank(); }
  std::vector<std::pair<int, std::int64_t>>& readers() { return all_.readers_[place_]; }
  std::size_t offset() const { return all_.offset_ + place_ * all_.body_bytes_; }

  /// The body stands in my window, once all have read what stood there before.
  void show() {
    for (const auto& [reader, number] : std::exchange(readers(), {})) all_.signals_.wait(reader, number);
    on_values(rank(), [&] {
      if (bytes_ > 0) std::memcpy(all_.window_.local().data() + offset(), body_.data(), bytes_);
    });
    for (const int reader : group_.ranks)
      if (reader != root_) all_.signals_.send(reader);
  }

  DirectBroadcasts& all_;
  Group group_;
  int root_;
  std::size_t bytes_, place_;
  Body body_;
  std::int64_t is_there_ = 0;
  bool is_done_ = false;
};

std::unique_ptr<collective::Broadcast> DirectBroadcasts::start(const Group& group, int root,
                                                               std::size_t bytes, Body body) {
  return std::make_unique<Running>(*this, group, root, bytes, std::move(body));
}

}  // namespace overlapack::comm::onesided
