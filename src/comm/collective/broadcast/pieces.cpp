#include "comm/collective/broadcast/pieces.hpp"

#include <algorithm>
#include <cstring>

namespace overlapack::comm::collective {

namespace {

/// Offset and size of one piece when `bytes` bytes are cut into `count` pieces. Sizes are multiples of the largest scalar, so that no
/// scalar is cut in two; the last pieces may therefore be empty.
struct Extent {
  std::size_t begin, size;
};
Extent extent(std::size_t bytes, std::size_t count, std::size_t piece) {
  constexpr std::size_t scalar = 16;  // bytes of the largest scalar
  const std::size_t each = ((bytes + count - 1) / count + scalar - 1) / scalar * scalar;
  const std::size_t begin = std::min(piece * each, bytes);
  return {begin, std::min(each, bytes - begin)};
}

bool are_adjacent_in_memory(const std::vector<Body>& pieces) {
  const std::byte* end = pieces.front().data() + pieces.front().size();
  return std::all_of(pieces.begin() + 1, pieces.end(), [&](const Body& b) {
    const bool is_next = b.empty() || b.data() == end;
    end += b.size();
    return is_next;
  });
}

Body copied_into_one(const std::vector<Body>& pieces, std::size_t bytes) {
  std::vector<std::byte> whole(bytes);
  std::byte* to = whole.data();
  for (const Body& b : pieces) {
    if (!b.empty()) std::memcpy(to, b.data(), b.size());
    to += b.size();
  }
  return Body::adopt(std::move(whole));
}

Body joined_into_one(std::vector<Body>&& pieces, std::size_t bytes, bool shared_memory) {
  if (pieces.size() == 1) return std::move(pieces.front());
  if (std::ranges::any_of(pieces, &Body::is_phantom)) return Body::phantom(bytes);
  if (!shared_memory || !are_adjacent_in_memory(pieces)) return copied_into_one(pieces, bytes);
  const std::byte* const data = pieces.front().data();
  return Body(std::make_shared<std::vector<Body>>(std::move(pieces)), data, bytes);
}

void check_size(const Body& body, std::size_t bytes) {
  if (body.size() != bytes)
    throw Error(Status::internal, std::to_string(body.size()) + " bytes came where this rank expects " +
                                      std::to_string(bytes) +
                                      ": all ranks must start a broadcast with the same size");
}

}  // namespace

struct Pieces::Arrivals {
  std::vector<Body> pieces;
  std::size_t missing = 0;
  std::size_t bytes = 0;
  Body whole;  ///< set by finish()
};

/// The key of a piece, and the ranks to which this rank forwards it.
struct Pieces::Onward {
  Exchange& exchange;
  Key name;
  std::vector<int> to;
  void send(const Body& piece) const {
    for (const int rank : to) exchange.send(rank, name, piece);
  }
};

Pieces::Pieces(Exchange& exchange, const Group& group, std::span<const Route> routes, const Key& key,
               std::size_t bytes, Body body)
    : exchange_(exchange), arrivals_(std::make_shared<Arrivals>()) {
  const bool is_root = group.me == 0;
  if (is_root) check_size(body, bytes);
  arrivals_->bytes = bytes;
  arrivals_->missing = is_root ? 0 : routes.size();
  arrivals_->pieces.resize(arrivals_->missing);
  for (std::size_t i = 0; i < routes.size(); ++i) {
    const Extent part = extent(bytes, routes.size(), i);
    Onward onward{exchange, key, {}};
    onward.name.piece = static_cast<std::int64_t>(i);
    for (const int position : routes[i].to)
      onward.to.push_back(group.ranks[static_cast<std::size_t>(position)]);
    if (is_root)
      onward.send(body.part(part.begin, part.size));
    else
      expect(group.ranks[static_cast<std::size_t>(routes[i].from)], std::move(onward), part.size);
  }
  if (is_root) arrivals_->whole = std::move(body);
}

void Pieces::expect(int from, Onward onward, std::size_t bytes) {
  const Key name = onward.name;
  exchange_.call_when_arrived(
      from, name, [onward = std::move(onward), bytes, arrivals = arrivals_](Message&& message) {
        check_size(message.body, bytes);
        onward.send(message.body);
        arrivals->pieces[static_cast<std::size_t>(onward.name.piece)] = std::move(message.body);
        --arrivals->missing;
      });
}

bool Pieces::is_done() const { return arrivals_->missing == 0; }

Body Pieces::finish() {
  exchange_.wait_until([this] { return is_done(); });
  Arrivals& all = *arrivals_;
  if (!all.pieces.empty()) {
    all.whole =
        joined_into_one(std::move(all.pieces), all.bytes, exchange_.rank().capabilities().shared_memory);
    all.pieces.clear();
  }
  return all.whole;
}

}  // namespace overlapack::comm::collective
