#include "comm/engine/mpi/run/port.hpp"

#include "comm/engine/mpi/run/engine.hpp"

#include <algorithm>
#include <utility>

namespace overlapack::comm::mpi {

Port::Port(Engine& engine, Lane lane) : engine_(engine), lane_(lane) {
  free_buffers_.reserve(most_free_buffers);
}

void Port::open(OverlapackComm heads, OverlapackComm parts, PartTags& part_tags, int size) {
  heads_ = heads;
  parts_ = parts;
  part_tags_ = &part_tags;
  size_ = size;
}

/// The count for `rank`; allocates the zeroed counts at first use.
std::uint32_t& Port::count_of(std::vector<std::uint32_t>& counts, int size, int rank) {
  if (counts.empty()) counts.resize(static_cast<std::size_t>(size));
  return counts[static_cast<std::size_t>(rank)];
}

BodyForm Port::form_of(const Body& body, bool waits_for_receive) const {
  if (body.is_phantom()) return BodyForm::phantom;
  const bool has_position =
      body.size() >= sizeof(Body*) && body.size() <= most_simulated_bytes - sizeof(WireHeader);
  return engine_.library.is_simulated() && waits_for_receive && has_position ? BodyForm::reference
                                                                             : BodyForm::bytes;
}

/// Bytes of a body that are sent with the header: all of a small one; none of a large one, so that MPI transfers it in one piece
/// without copies. Simulated: as many as fit.
std::size_t Port::bytes_in_head(std::size_t bytes) const {
  if (bytes <= engine_.head_bytes()) return bytes;
  return engine_.library.is_simulated() ? engine_.head_bytes() : 0;
}

/// Number of parts that follow a head of `head` bytes.
std::size_t Port::count_parts_behind_head(std::size_t bytes, std::size_t head) const {
  return (bytes - head + engine_.split_bytes() - 1) / engine_.split_bytes();
}

std::shared_ptr<SendOperation> Port::send(int to, const Header& header, Body body) {
  Sends one;
  const Sends::iterator send = one.insert(one.end(), std::make_shared<SendOperation>());
  const std::shared_ptr<SendOperation> o = *send;
  o->peer = to;
  o->lane = lane_;
  o->kind = header.kind;
  o->bytes = body.size();
  std::uint32_t& number = count_of(sent_, size_, to);
  // A message that is sent eagerly must fit into the receiver's buffer.
  const bool waits_for_receive =
      o->bytes >
      (body.is_phantom() ? std::min(engine_.eager_bytes(), engine_.head_bytes()) : engine_.eager_bytes());
  const BodyForm form = form_of(body, waits_for_receive);
  o->body = std::move(body);
  const std::size_t real = form == BodyForm::bytes ? o->body.size() : 0;
  const std::size_t head = bytes_in_head(real);
  const int part_tag = real > head ? part_tags_->next_tag() : 0;
  o->header.wire = {header.kind, header.sequence, header.id, o->bytes, number, form, part_tag};
  o->parts_left = 1 + count_parts_behind_head(real, head);
  if (o->parts_left > 1) engine_.transfers.reserve(static_cast<int>(o->parts_left));

  const auto& table = engine_.table();
  const auto when_done = [this, send](const OverlapackCompletion&) { on_part_sent(send); };
  std::size_t first_bytes = sizeof(WireHeader), second_bytes = head;
  if (form == BodyForm::phantom && engine_.library.is_simulated()) second_bytes = o->bytes;
  if (form == BodyForm::reference) {
    o->header.handed = new Body(o->body);
    first_bytes = sizeof(ReferenceHeader);
    second_bytes = o->bytes - sizeof(Body*);
  }
  engine_.transfers.start("MPI_Isend", when_done, [&](OverlapackRequest* request) {
    return table.send(heads_, &o->header, static_cast<std::int64_t>(first_bytes),
                      head > 0 ? o->body.data() : nullptr, static_cast<std::int64_t>(second_bytes), to, tag_,
                      waits_for_receive, request);
  });
  // From here on the message is under way, and nothing allocates.
  sends_.splice(sends_.end(), one);
  ++number;
  ++all_sent_;
  if (waits_for_receive) ++engine_.counters.deferred_sends;
  for (std::size_t at = head; at < real; at += engine_.split_bytes()) {
    const std::size_t part = std::min(engine_.split_bytes(), real - at);
    engine_.transfers.start("MPI_Isend", when_done, [&](OverlapackRequest* request) {
      return table.send(parts_, o->body.data() + at, static_cast<std::int64_t>(part), nullptr, 0, to,
                        part_tag, 0, request);
    });
  }
  return o;
}

void Port::on_part_sent(Sends::iterator send) {
  SendOperation& o = **send;
  if (--o.parts_left > 0) return;
  o.body = {};
  engine_.finish(std::move(*send));
  sends_.erase(send);
}

void Port::post(const std::shared_ptr<ReceiveOperation>& receive) {
  const auto parked = first_parked(receive->peer);
  if (parked == arrivals_.end()) {
    open_slot_if_missing(receive->peer, 1);
    posted_.push_back(receive);
    return;
  }
  parked->receive = receive;
  if (parked->parts_left == 0) finish(parked);
}

void Port::withdraw(const ReceiveOperation& receive) {
  if (std::erase_if(posted_, [&](const auto& r) { return r.get() == &receive; }) > 0) return;
  for (Arrival& arrival : arrivals_)
    if (arrival.receive.get() == &receive) arrival.receive = nullptr;
}

void Port::open_slot(int from, SlotUse use) {
  Arrivals one(1);
  const ArrivalPosition slot = one.begin();
  slot->buffer = reuse_or_make_buffer();
  slot->from = from;
  slot->use = use;
  // Simulated: only the header of a long message is written, so a message of any size fits.
  const auto bytes = static_cast<std::int64_t>(
      engine_.library.is_simulated() ? most_simulated_bytes : sizeof(WireHeader) + engine_.head_bytes());
  slot->request = engine_.transfers.start(
      "MPI_Irecv", [this, slot](const OverlapackCompletion& done) { on_head_arrived(slot, done); },
      [&](OverlapackRequest* request) {
        const auto& table = engine_.table();
        const auto receive = use == SlotUse::standing && table.stand ? table.stand : table.receive;
        return receive(heads_, slot->buffer.get() + header_offset, bytes, from, tag_, request);
      });
  slots_.splice(slots_.end(), one);
}

/// Open a slot for `from` (a rank or any_rank) if there are fewer than posted receives for it plus `coming`.
void Port::open_slot_if_missing(int from, std::ptrdiff_t coming) {
  const auto slots =
      std::count_if(slots_.begin(), slots_.end(), [&](const Arrival& s) { return s.from == from; });
  const auto receives =
      std::count_if(posted_.begin(), posted_.end(), [&](const auto& r) { return r->peer == from; });
  if (slots < receives + coming) open_slot(from, SlotUse::posted);
}

Port::ArrivalPosition Port::first_parked(int from) {
  return std::find_if(arrivals_.begin(), arrivals_.end(), [&](const Arrival& arrival) {
    return !arrival.receive && (from == any_rank || from == arrival.message.source);
  });
}

/// Whether a posted receive will take the probed message.
bool Port::has_receive_waiting(const Arrival& probed) const {
  return std::any_of(posted_.begin(), posted_.end(),
                     [&](const auto& receive) { return receive->accepts(probed.from); });
}

/// A message found by MPI_Iprobe gets a slot at once (paper 1's Algorithm 1: mpi_recv follows mpi_iprobe), one at a time. Does not
/// probe while such a slot, or one for any rank, is open: that takes the next message.
std::optional<int> Port::probe(int from) {
  if (const auto parked = first_parked(from); parked != arrivals_.end()) return parked->message.source;
  for (const Arrival& slot : slots_) {
    const bool is_probed = slot.use == SlotUse::probed;
    if (is_probed && !has_receive_waiting(slot) && (from == any_rank || from == slot.from)) return slot.from;
    if (is_probed || slot.from == any_rank) return std::nullopt;
  }
  int found = 0, source = any_rank;
  engine_.check(engine_.table().probe(heads_, from, tag_, &found, &source), "MPI_Iprobe");
  if (!found) return std::nullopt;
  open_slot(source, SlotUse::probed);
  return source;
}

void Port::open_standing_slot() {
  if (first_parked(any_rank) == arrivals_.end()) open_slot_for_any_sender();
}

void Port::open_slot_for_any_sender() {
  const bool is_served = std::any_of(slots_.begin(), slots_.end(), [](const Arrival& slot) {
    return slot.from == any_rank || slot.use == SlotUse::probed;
  });
  if (is_served) return;
  int found = 0, source = any_rank;
  if (engine_.library.is_simulated())
    engine_.check(engine_.table().probe(heads_, any_rank, tag_, &found, &source), "MPI_Iprobe");
  open_slot(found ? source : any_rank, found != 0 ? SlotUse::probed : SlotUse::standing);
}

void Port::begin_run(int first_tag) {
  keeps_buffers_ = true;
  tag_ = first_tag + static_cast<int>(lane_);
  for (const auto& receive : posted_) open_slot_if_missing(receive->peer);
}

void Port::receive_more() {
  accept_in_order();
  open_slot_for_any_sender();
}

void Port::end_run(bool has_failed) {
  if (has_failed) {
    for (const auto& receive : posted_) receive->abandon();
    posted_.clear();
    for (Arrival& arrival : arrivals_) {
      if (arrival.receive) arrival.receive->abandon();
      arrival.receive = nullptr;
      arrival.is_dropped = true;
    }
    std::erase_if(arrivals_, [](const Arrival& a) { return a.parts_left == 0; });
  }
  for (const Arrival& slot : slots_) engine_.check(engine_.table().cancel(slot.request), "MPI_Cancel");
  keeps_buffers_ = false;
  free_buffers_.clear();
  sent_ = {};
  arrived_ = {};
  all_sent_ = all_arrived_ = 0;
}

}  // namespace overlapack::comm::mpi
