#include "comm/engine/mpi/run/engine.hpp"
#include "comm/engine/mpi/run/port.hpp"

#include <algorithm>
#include <cstring>
#include <new>
#include <utility>

// What becomes of a message once its head has arrived.

namespace overlapack::comm::mpi {

namespace {

/// How much the simulator copies of a message without content
constexpr std::size_t simulated_page_bytes = 4096;

AlignedBuffer make_buffer(std::size_t bytes) {
  return AlignedBuffer(static_cast<std::byte*>(::operator new[](bytes, std::align_val_t{cache_line})));
}

/// Element of a small body's memory: aligned for any scalar.
struct alignas(std::max_align_t) Unit {
  std::byte bytes[sizeof(std::max_align_t)];
};

/// Take the Body whose address is at `position`, and delete the original.
Body handed_body(const std::byte* position) {
  Body* handed = nullptr;
  std::memcpy(&handed, position, sizeof handed);
  const std::unique_ptr<Body> owned(handed);
  return std::move(*owned);
}

Body body_in(AlignedBuffer&& buffer, std::size_t offset, std::size_t bytes) {
  const std::byte* data = buffer.get() + offset;
  return Body(std::shared_ptr<std::byte[]>(std::move(buffer)), data, bytes);
}

}  // namespace

void AlignedDelete::operator()(std::byte* bytes) const {
  ::operator delete[](bytes, std::align_val_t{cache_line});
}

void Port::on_head_arrived(ArrivalPosition slot, const OverlapackCompletion& done) {
  const int from = slot->from;
  if (done.cancelled) {
    keep_buffer(std::move(slot->buffer));
    slots_.erase(slot);
    return;
  }
  WireHeader& wire = slot->wire;
  slot->head_bytes = static_cast<std::size_t>(done.bytes) - sizeof wire;
  std::memcpy(&wire, slot->buffer.get() + header_offset, sizeof wire);
  slot->message.header = {wire.kind, wire.sequence, wire.id};
  slot->message.source = done.source;
  slot->message.lane = lane_;
  if (slot->use != SlotUse::posted) charge_copy(wire.bytes);
  early_.splice(early_.end(), slots_, slot);
  accept_in_order();
  open_slot_if_missing(from);
}

/// Accept the arrived heads in the order in which each sender numbered them: MPI may report several completions in any order.
void Port::accept_in_order() {
  for (;;) {
    const auto next = std::find_if(early_.begin(), early_.end(), [&](const Arrival& h) {
      return h.wire.number == count_of(arrived_, size_, h.message.source);
    });
    if (next == early_.end()) return;
    accept(next);
  }
}

/// Charge the copy of the short protocol: MPI buffers a message without a posted receive, and the receiver copies it out (paper 1,
/// section 3). With a receive posted that copy is hidden.
void Port::charge_copy(std::uint64_t bytes) {
  if (bytes > engine_.eager_bytes()) return;
  engine_.charge({.kind = "copy", .bytes = 2 * static_cast<double>(bytes)});
}

/// Turn a head into a message for the first receive that accepts it. Allocates first: if that fails, the head stays in early_.
void Port::accept(ArrivalPosition head) {
  set_or_allocate_body(*head);
  const int source = head->message.source;
  const auto receive =
      std::find_if(posted_.begin(), posted_.end(), [&](const auto& r) { return r->accepts(source); });
  if (receive == posted_.end()) {
    ++engine_.counters.unexpected;
  } else {
    head->receive = std::move(*receive);
    posted_.erase(receive);
  }
  ++arrived_[static_cast<std::size_t>(source)];
  ++all_arrived_;
  arrivals_.splice(arrivals_.end(), early_, head);
  if (head->position) receive_parts(head);
  if (head->buffer) keep_buffer(std::move(head->buffer));
  if (head->receive && head->parts_left == 0) finish(head);
}

/// Set the body, or allocate it if it is sent in parts, with all memory that receiving them needs.
void Port::set_or_allocate_body(Arrival& head) {
  const WireHeader& wire = head.wire;
  Body& body = head.message.body;
  if (wire.form == BodyForm::reference)
    body = handed_body(head.buffer.get() + body_offset);
  else if (wire.form == BodyForm::phantom)
    body = Body::phantom(wire.bytes);
  else if (wire.bytes > head.head_bytes)
    allocate_body(head);
  else if (wire.bytes > 0)
    body = body_of_head(head);
}

/// A body in the buffer itself if it nearly fills it, else a copy of the exact size, so that a small message does not keep a
/// large buffer.
Body Port::body_of_head(Arrival& head) const {
  const std::size_t bytes = head.wire.bytes;
  if (bytes >= engine_.head_bytes() / 4 * 3) return body_in(std::move(head.buffer), body_offset, bytes);
  const auto exact = std::make_shared_for_overwrite<Unit[]>((bytes + sizeof(Unit) - 1) / sizeof(Unit));
  std::memcpy(exact.get(), head.buffer.get() + body_offset, bytes);
  return Body(exact, exact.get(), bytes);
}

void Port::allocate_body(Arrival& head) {
  const std::size_t bytes = head.wire.bytes;
  AlignedBuffer buffer = make_buffer(bytes);
  head.position = buffer.get();
  head.message.body = body_in(std::move(buffer), 0, bytes);
  head.parts_left = count_parts_behind_head(bytes, head.head_bytes);
  engine_.transfers.reserve(static_cast<int>(head.parts_left));
}

/// Copy the part of the body that came with the head, and post the receives of the other parts. Allocates nothing.
void Port::receive_parts(ArrivalPosition arrival) {
  const std::size_t bytes = arrival->wire.bytes, in_head = arrival->head_bytes;
  std::memcpy(arrival->position, arrival->buffer.get() + body_offset, in_head);
  const auto when_done = [this, arrival](const OverlapackCompletion&) {
    --parts_under_way_;
    if (--arrival->parts_left > 0) return;
    if (arrival->is_dropped)
      arrivals_.erase(arrival);
    else if (arrival->receive)
      finish(arrival);
  };
  for (std::size_t at = in_head; at < bytes; at += engine_.split_bytes()) {
    const std::size_t part = std::min(engine_.split_bytes(), bytes - at);
    engine_.transfers.start("MPI_Irecv", when_done, [&](OverlapackRequest* request) {
      return engine_.table().receive(parts_, arrival->position + at, static_cast<std::int64_t>(part),
                                     arrival->message.source, arrival->wire.part_tag, request);
    });
    ++parts_under_way_;
  }
}

void Port::finish(ArrivalPosition arrival) {
  arrival->receive->message = std::move(arrival->message);
  engine_.finish(std::move(arrival->receive));
  arrivals_.erase(arrival);
}

AlignedBuffer Port::reuse_or_make_buffer() {
  if (free_buffers_.empty())
    return make_buffer(body_offset + std::max(engine_.head_bytes(), simulated_page_bytes));
  AlignedBuffer buffer = std::move(free_buffers_.back());
  free_buffers_.pop_back();
  return buffer;
}

void Port::keep_buffer(AlignedBuffer&& buffer) {
  if (keeps_buffers_ && free_buffers_.size() < most_free_buffers) free_buffers_.push_back(std::move(buffer));
}

}  // namespace overlapack::comm::mpi
