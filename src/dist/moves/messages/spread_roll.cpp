#include "dist/moves/messages/gather.hpp"

namespace overlapack::dist {
namespace {

/// A ring broadcast of each piece.
class Roll final : public Gather {
 public:
  explicit Roll(GatherGroup group) : group_(std::move(group)), rolling_(group_.bytes.size()) {
    for (int from = 0; from < group_.group.size(); ++from)
      if (from != group_.group.me) forward_round_ring(from, {});
  }

  void start(comm::Body mine) override {
    mine_ = mine;
    forward_round_ring(group_.group.me, std::move(mine));
    is_started_ = true;
  }
  bool is_done() const override {
    for (const auto& piece : rolling_)
      if (piece && !piece->is_done()) return false;
    return is_started_;
  }
  comm::Body piece(int of) const override {
    if (of == group_.group.me) return mine_;
    const auto& rolled = rolling_[static_cast<std::size_t>(of)];
    return rolled ? rolled->finish() : comm::Body();
  }

 private:
  void forward_round_ring(int from, comm::Body body) {
    const auto i = static_cast<std::size_t>(from);
    if (group_.bytes[i] == 0) return;
    comm::Key key = group_.key;
    key.part += from;
    rolling_[i] = comm::collective::start_broadcast(*group_.exchange, group_.group, from,
                                                    comm::collective::BroadcastKind::ring, key,
                                                    group_.bytes[i], std::move(body));
  }

  GatherGroup group_;
  std::vector<std::unique_ptr<comm::collective::Broadcast>> rolling_;
  comm::Body mine_;
  bool is_started_ = false;
};

}  // namespace

std::unique_ptr<Gather> gather_by_roll(GatherGroup group) { return std::make_unique<Roll>(std::move(group)); }

}  // namespace overlapack::dist
