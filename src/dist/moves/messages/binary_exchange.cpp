#include "dist/moves/messages/gather.hpp"

#include <algorithm>
#include <cstring>
#include <optional>

namespace overlapack::dist {
namespace {

/// The pieces are stored in one buffer, in the order of the positions me, me + 1, ..., round the group. In the round of distance
/// d, this process sends its first d pieces to position me - d, and receives as many from position me + d, whose buffer begins
/// with its own piece.
class BinaryExchange final : public Gather {
 public:
  explicit BinaryExchange(GatherGroup group) : group_(std::move(group)), begin_(1, 0) {
    for (int d = 0; d < size(); ++d) begin_.push_back(begin_.back() + group_.bytes[position(d)]);
    if (!group_.is_phantom) pieces_ = std::make_shared<std::vector<std::byte>>(begin_.back());
    for (int d = 1; d < size(); d *= 2) rounds_.push_back({.distance = d, .pieces = std::min(d, size() - d)});
  }

  void start(comm::Body mine) override {
    if (!mine.empty() && pieces_) std::memcpy(pieces_->data(), mine.data(), mine.size());
    for (Round& round : rounds_) expect(round);
    send_and_take_arrived();
  }
  bool is_done() const override { return done_ == rounds_.size(); }
  comm::Body piece(int of) const override {
    const int d = (of - group_.group.me + size()) % size();
    return bytes(d, d + 1);
  }

 private:
  struct Round {
    int distance, pieces;
    bool is_sent = false;
    std::optional<comm::Body> arrived{};
  };

  int size() const { return group_.group.size(); }
  std::size_t position(int distance) const {
    return static_cast<std::size_t>((group_.group.me + distance + size()) % size());
  }
  int rank(int distance) const { return group_.group.ranks[position(distance)]; }
  comm::Key key_of_round(const Round& round) const {
    comm::Key key = group_.key;
    key.piece = round.distance;
    return key;
  }
  /// The pieces at distances d0 to d1 - 1 as a body. They are not copied, since pieces that have arrived do not change.
  comm::Body bytes(int d0, int d1) const {
    const std::size_t begin = begin_[static_cast<std::size_t>(d0)],
                      end = begin_[static_cast<std::size_t>(d1)];
    if (!pieces_) return comm::Body::phantom(end - begin);
    return comm::Body(pieces_, pieces_->data() + begin, end - begin);
  }

  void expect(Round& round) {
    if (bytes(round.distance, round.distance + round.pieces).empty()) {
      round.arrived.emplace();
      return;
    }
    group_.exchange->call_when_arrived(rank(round.distance), key_of_round(round),
                                       [this, &round](comm::Message&& message) {
                                         round.arrived = std::move(message.body);
                                         send_and_take_arrived();
                                       });
  }

  /// Messages of rounds may arrive out of order. A round is sent when all rounds before it are complete.
  void send_and_take_arrived() {
    for (; done_ < rounds_.size(); ++done_) {
      Round& round = rounds_[done_];
      send(round);
      if (!round.arrived) return;
      store_arrived_round(round);
    }
  }

  void send(Round& round) {
    const comm::Body first = bytes(0, round.pieces);
    if (!round.is_sent && !first.empty())
      group_.exchange->send(rank(-round.distance), key_of_round(round), first);
    round.is_sent = true;
  }

  void store_arrived_round(Round& round) {
    if (round.arrived->empty() || !pieces_) return;
    std::memcpy(pieces_->data() + begin_[static_cast<std::size_t>(round.distance)], round.arrived->data(),
                round.arrived->size());
    round.arrived = comm::Body();
  }

  GatherGroup group_;
  std::vector<std::size_t> begin_;  ///< offset of the piece at each distance
  std::shared_ptr<std::vector<std::byte>> pieces_;
  std::vector<Round> rounds_;
  std::size_t done_ = 0;  ///< number of complete rounds
};

}  // namespace

std::unique_ptr<Gather> gather_by_binary_exchange(GatherGroup group) {
  return std::make_unique<BinaryExchange>(std::move(group));
}

}  // namespace overlapack::dist
