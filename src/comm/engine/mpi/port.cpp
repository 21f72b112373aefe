#include "comm/engine/mpi/port.hpp"

#include "comm/engine/mpi/engine.hpp"

#include <algorithm>
#include <cstring>
#include <new>

namespace overlapack::comm::mpi {

namespace {

constexpr std::size_t alignment = 64;
// The body behind a wire header starts on a cache line; the header ends just before it.
constexpr std::size_t body_offset = (sizeof(WireHeader) + alignment - 1) / alignment * alignment;
constexpr std::size_t header_offset = body_offset - sizeof(WireHeader);
constexpr std::size_t most_free_rooms = 8;

Room make_room(std::size_t bytes) {
  return Room(static_cast<std::byte*>(::operator new[](bytes, std::align_val_t{alignment})));
}

Body body_in(Room&& room, std::size_t offset, std::size_t bytes) {
  const std::byte* data = room.get() + offset;
  return Body(std::shared_ptr<std::byte[]>(std::move(room)), data, bytes);
}

}  // namespace

void AlignedDelete::operator()(std::byte* bytes) const {
  ::operator delete[](bytes, std::align_val_t{alignment});
}

Port::Port(Engine& engine, Lane lane, OverlapackComm heads, OverlapackComm parts, int size)
    : engine_(engine),
      lane_(lane),
      heads_(heads),
      parts_(parts),
      sent_(static_cast<std::size_t>(size)),
      arrived_(static_cast<std::size_t>(size)) {}

/// Parts of different messages of one sender may be under way at once, and their receives are posted as the heads
/// come in: the number in the tag tells them apart.
int Port::tag_of(std::uint32_t number) const {
  const auto numbers = static_cast<std::uint32_t>(engine_.largest_tag() / lane_count);
  return static_cast<int>(number % numbers) * lane_count + static_cast<int>(lane_);
}

std::shared_ptr<SendOperation> Port::send(int to, const Header& header, Body body) {
  auto o = std::make_shared<SendOperation>();
  o->peer = to;
  o->lane = lane_;
  o->kind = header.kind;
  o->bytes = body.size();
  const auto number = static_cast<std::uint32_t>(sent_[static_cast<std::size_t>(to)]);
  o->wire = {header.kind, header.sequence, header.id, body.size(), number, body.is_phantom()};
  o->body = std::move(body);

  const std::size_t real = o->body.is_phantom() ? 0 : o->body.size();
  const std::size_t head = std::min(real, engine_.head_bytes());
  const bool waits_for_receive = o->bytes > engine_.options.eager_bytes;
  if (waits_for_receive) ++engine_.counters.deferred_sends;
  const auto when_done = [this, o](const OverlapackCompletion&) {
    if (--o->parts_left > 0) return;
    o->body = {};
    --sends_under_way_;
    engine_.finish(o);
  };
  o->parts_left = 1 + (real - head + engine_.split_bytes() - 1) / engine_.split_bytes();
  ++sent_[static_cast<std::size_t>(to)];
  ++sends_under_way_;

  const auto& table = engine_.table();
  OverlapackRequest request = -1;
  engine_.check(table.send(heads_, &o->wire, sizeof o->wire, o->body.data(), static_cast<std::int64_t>(head),
                           to, 0, waits_for_receive, &request),
                "MPI_Isend");
  engine_.transfers.expect(request, when_done);
  for (std::size_t at = head; at < real; at += engine_.split_bytes()) {
    const std::size_t part = std::min(engine_.split_bytes(), real - at);
    engine_.check(table.send(parts_, o->body.data() + at, static_cast<std::int64_t>(part), nullptr, 0, to,
                             tag_of(number), 0, &request),
                  "MPI_Isend");
    engine_.transfers.expect(request, when_done);
  }
  return o;
}

void Port::post(const std::shared_ptr<ReceiveOperation>& receive) {
  if (take_parked(receive)) return;
  // The engine's own receives have no owner yet: one that is sure to get what this one would is taken over, any other
  // is ended first, so that no message overtakes another.
  for (Slot& slot : slots_) {
    if (slot.receive || !receive->accepts(slot.from)) continue;
    if (slot.from != any_rank || receive->peer == any_rank) {
      slot.receive = receive;
      return;
    }
  }
  const auto is_standing = [](const Slot& s) { return !s.receive && s.from == any_rank; };
  if (std::any_of(slots_.begin(), slots_.end(), is_standing)) {
    for (Slot& slot : slots_)
      if (is_standing(slot)) cancel(slot);
    engine_.serve_until([&] { return std::none_of(slots_.begin(), slots_.end(), is_standing); });
  }
  if (!take_parked(receive)) open_slot(receive, receive->peer);
}

bool Port::take_parked(const std::shared_ptr<ReceiveOperation>& receive) {
  const auto parked = std::find_if(parked_.begin(), parked_.end(),
                                   [&](const Message& m) { return receive->accepts(m.source); });
  if (parked == parked_.end()) return false;
  hand_over(*receive, std::move(*parked));
  parked_.erase(parked);
  engine_.finish(receive);
  return true;
}

void Port::open_slot(const std::shared_ptr<ReceiveOperation>& receive, int from) {
  slots_.push_back({.room = take_room(), .receive = receive, .from = from, .message = {}});
  const SlotPlace slot = std::prev(slots_.end());
  const auto bytes = static_cast<std::int64_t>(sizeof(WireHeader) + engine_.head_bytes());
  engine_.check(
      engine_.table().receive(heads_, slot->room.get() + header_offset, bytes, from, 0, &slot->request),
      "MPI_Irecv");
  engine_.transfers.expect(slot->request,
                           [this, slot](const OverlapackCompletion& done) { head_arrived(slot, done); });
}

void Port::head_arrived(SlotPlace slot, const OverlapackCompletion& done) {
  slot->request = -1;
  if (done.cancelled) {
    rooms_.push_back(std::move(slot->room));
    slots_.erase(slot);
    return;
  }
  ++arrived_[static_cast<std::size_t>(done.source)];
  WireHeader wire;
  std::memcpy(&wire, slot->room.get() + header_offset, sizeof wire);
  slot->message.header = {wire.kind, wire.sequence, wire.id};
  slot->message.source = done.source;
  slot->message.lane = lane_;
  const std::size_t head = static_cast<std::size_t>(done.bytes) - sizeof wire;
  if (wire.is_phantom)
    slot->message.body = Body::phantom(wire.bytes);
  else if (wire.bytes > head)
    return receive_parts(slot, wire, head);
  else if (head > 0)
    slot->message.body = body_of_head(std::move(slot->room), head);
  complete(slot);
}

/// The room itself where the body nearly fills it, else a copy of the right size, so that a small message does not
/// hold a large buffer.
Body Port::body_of_head(Room&& room, std::size_t bytes) {
  if (bytes >= engine_.head_bytes() / 4 * 3) return body_in(std::move(room), body_offset, bytes);
  Room exact = make_room(bytes);
  std::memcpy(exact.get(), room.get() + body_offset, bytes);
  rooms_.push_back(std::move(room));
  return body_in(std::move(exact), 0, bytes);
}

void Port::receive_parts(SlotPlace slot, const WireHeader& wire, std::size_t head) {
  const ReceiveOperation* receive = slot->receive.get();
  const bool goes_to_buffer = receive && receive->has_buffer && receive->buffer.size() >= wire.bytes;
  if (goes_to_buffer) {
    slot->place = receive->buffer.data();
    slot->message.body = Body(nullptr, slot->place, wire.bytes);
  } else {
    Room room = make_room(wire.bytes);
    slot->place = room.get();
    slot->message.body = body_in(std::move(room), 0, wire.bytes);
  }
  std::memcpy(slot->place, slot->room.get() + body_offset, head);
  rooms_.push_back(std::move(slot->room));

  slot->parts_left = (wire.bytes - head + engine_.split_bytes() - 1) / engine_.split_bytes();
  for (std::size_t at = head; at < wire.bytes; at += engine_.split_bytes()) {
    const std::size_t part = std::min<std::size_t>(engine_.split_bytes(), wire.bytes - at);
    OverlapackRequest request = -1;
    engine_.check(engine_.table().receive(parts_, slot->place + at, static_cast<std::int64_t>(part),
                                          slot->message.source, tag_of(wire.number), &request),
                  "MPI_Irecv");
    engine_.transfers.expect(request, [this, slot](const OverlapackCompletion&) {
      if (--slot->parts_left == 0) complete(slot);
    });
  }
}

void Port::complete(SlotPlace slot) {
  if (slot->room) rooms_.push_back(std::move(slot->room));
  if (rooms_.size() > most_free_rooms) rooms_.resize(most_free_rooms);
  if (slot->receive) {
    hand_over(*slot->receive, std::move(slot->message));
    engine_.finish(std::move(slot->receive));
  } else {
    ++engine_.counters.unexpected;
    parked_.push_back(std::move(slot->message));
  }
  slots_.erase(slot);
}

void Port::hand_over(ReceiveOperation& receive, Message&& message) {
  const Body& body = message.body;
  if (receive.has_buffer && body.size() > receive.buffer.size()) {
    receive.error = std::make_unique<Error>(
        ErrorKind::bad_input, "post_receive_into",
        "a message of " + std::to_string(body.size()) + " bytes from rank " + std::to_string(message.source) +
            " came for a buffer of " + std::to_string(receive.buffer.size()) +
            "; post a buffer that is large enough");
    return;
  }
  if (receive.has_buffer && !body.empty() && !body.is_phantom() && body.data() != receive.buffer.data()) {
    std::memcpy(receive.buffer.data(), body.data(), body.size());
    engine_.counters.copied_bytes += static_cast<std::int64_t>(body.size());
    message.body = Body(nullptr, receive.buffer.data(), body.size());
  }
  receive.message = std::move(message);
}

Room Port::take_room() {
  if (rooms_.empty()) return make_room(body_offset + engine_.head_bytes());
  Room room = std::move(rooms_.back());
  rooms_.pop_back();
  return room;
}

void Port::start_cancel(const ReceiveOperation& receive) {
  for (Slot& slot : slots_)
    if (slot.receive.get() == &receive) cancel(slot);
}

void Port::cancel(Slot& slot) {
  if (slot.request < 0 || slot.is_cancelled) return;
  slot.is_cancelled = true;
  engine_.check(engine_.table().cancel(slot.request), "MPI_Cancel");
}

bool Port::is_posted(const ReceiveOperation& receive) const {
  return std::any_of(slots_.begin(), slots_.end(),
                     [&](const Slot& s) { return s.receive.get() == &receive; });
}

std::optional<Envelope> Port::probe(int from) {
  const auto find = [&]() -> const Message* {
    for (const Message& m : parked_)
      if (from == any_rank || from == m.source) return &m;
    return nullptr;
  };
  const Message* message = find();
  // One probed message on its way at a time: the next is left to MPI.
  const bool is_coming = std::any_of(slots_.begin(), slots_.end(), [](const Slot& s) { return !s.receive; });
  if (!message && !is_coming) {
    int found = 0, source = any_rank;
    engine_.check(engine_.table().probe(heads_, from, 0, &found, &source), "MPI_Iprobe");
    if (!found) return std::nullopt;
    open_slot(nullptr, source);
    engine_.advance();
    message = find();
  }
  if (!message) return std::nullopt;
  return Envelope{message->source, message->header.kind, message->body.size()};
}

void Port::stand() {
  const bool is_served =
      std::any_of(slots_.begin(), slots_.end(), [](const Slot& s) { return s.from == any_rank; });
  if (!is_served && parked_.empty()) open_slot(nullptr, any_rank);
}

void Port::cancel_all() {
  for (Slot& slot : slots_) cancel(slot);
}

bool Port::drain(std::span<const std::int64_t> sent_to_me) {
  parked_.clear();
  const bool is_all_here = std::equal(arrived_.begin(), arrived_.end(), sent_to_me.begin(), sent_to_me.end());
  if (!is_all_here && slots_.empty()) open_slot(nullptr, any_rank);
  return is_all_here && slots_.empty() && sends_under_way_ == 0;
}

}  // namespace overlapack::comm::mpi
