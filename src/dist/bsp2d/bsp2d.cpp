#include "dist/bsp2d/bsp2d.hpp"

#include <cstring>
#include <iterator>

namespace overlapack::dist {
namespace {

constexpr std::string_view entry_names[] = {"integers", "float32", "float64", "complex64", "complex128"};

std::string text_of(std::size_t bytes, EntryType type) {
  return std::to_string(bytes) + " bytes of " + std::string(entry_names[static_cast<std::size_t>(type)]);
}

}  // namespace

Bsp2d::Bsp2d(comm::superstep::World& world, const ProcessGrid& grid)
    : world_(world),
      grid_(grid),
      me_(grid.position_of(world.rank().rank())),
      sent_(static_cast<std::size_t>(world.processes())),
      arrived_(static_cast<std::size_t>(world.processes())) {
  world_.set_tagsize(sizeof(Tag));
  world_.sync();  // tags have this size from here on; so each construction is a superstep of all processes
}

void Bsp2d::misuse(const std::string& what) const {
  throw Error(Status::internal,
              name_of(me_) + ", superstep " + std::to_string(world_.superstep()) + ": " + what);
}

std::string Bsp2d::name_of(GridPosition position) const {
  return "process (" + std::to_string(position.row) + ", " + std::to_string(position.col) + ")";
}

int Bsp2d::process_at(GridPosition position) const {
  if (position.row < 0 || position.row >= grid_.rows() || position.col < 0 || position.col >= grid_.cols())
    misuse("there is no " + name_of(position) + " in a grid of " + std::to_string(grid_.rows()) + " x " +
           std::to_string(grid_.cols()));
  return world_.process_of(grid_.rank_at(position.row, position.col));
}

int Bsp2d::size(Scope scope) const {
  if (scope == Scope::all) return grid_.size();
  return scope == Scope::row ? grid_.cols() : grid_.rows();
}

int Bsp2d::position(Scope scope) const {
  if (scope == Scope::all) return me_.row + me_.col * grid_.rows();
  return scope == Scope::row ? me_.col : me_.row;
}

GridPosition Bsp2d::member(Scope scope, int position) const {
  if (scope == Scope::all) return {position % grid_.rows(), position / grid_.rows()};
  return scope == Scope::row ? GridPosition{me_.row, position} : GridPosition{position, me_.col};
}

void Bsp2d::send(GridPosition to, EntryType type, std::span<const std::byte> values) {
  const int process = process_at(to);
  const Tag tag{type, world_.process(), sent_[static_cast<std::size_t>(process)]++};
  world_.send(process, std::as_bytes(std::span(&tag, 1)), values);
  ++counters_.sends;
}

std::span<const std::byte> Bsp2d::receive(GridPosition from, EntryType type, std::size_t bytes) {
  Sender& sender = this->sender(from);
  if (sender.next == sender.messages.size())
    misuse(name_of(from) + " has sent " + std::to_string(sender.messages.size()) + " messages to " +
           name_of(me_) + ", which receives one more; send it before the last sync");
  const Arrived& message = sender.messages[sender.next];
  if (message.type != type || message.values.size() != bytes)
    misuse(name_of(me_) + " receives " + text_of(bytes, type) + " from " + name_of(from) +
           ", whose next message has " + text_of(message.values.size(), message.type) +
           "; receive in the order of sending");
  ++sender.next;
  return message.values;
}

void Bsp2d::sync() {
  world_.sync();
  read_queue();
}

/// Sort the received messages: the queue may have any order, so count them by sender, then store each at its number.
void Bsp2d::read_queue() {
  std::ranges::fill(sent_, 0);
  for (Sender& sender : arrived_) sender = {};
  std::vector<std::pair<Tag, std::span<const std::byte>>> messages;
  while (world_.front() != nullptr) {
    const comm::superstep::MessageView message = world_.hpmove();
    Tag tag;
    std::memcpy(&tag, message.tag.data(), sizeof tag);
    arrived_[static_cast<std::size_t>(tag.sender)].messages.emplace_back();
    messages.emplace_back(tag, message.payload);
  }
  for (const auto& [tag, values] : messages)
    arrived_[static_cast<std::size_t>(tag.sender)].messages[static_cast<std::size_t>(tag.number)] = {tag.type,
                                                                                                     values};
}

/// Begin a collective: check that no message was sent in this superstep, and count the collective.
void Bsp2d::begin_collective(Scope scope) {
  if (std::ranges::any_of(sent_, [](std::int64_t messages) { return messages > 0; }))
    misuse("something was sent before a collective, which has supersteps of its own; call sync first");
  const int q = size(scope);
  ++(q == 1 ? counters_.scopes_of_one : q == 2 ? counters_.scopes_of_two : counters_.scopes_of_more);
}

void Bsp2d::start_broadcast(Scope scope, int root, EntryType type, std::size_t entry_bytes,
                            std::span<std::byte> values) {
  begin_collective(scope);
  const TwoPhase phases(size(scope));
  if (root < 0 || root >= phases.processes)
    misuse("there is no place " + std::to_string(root) + " in a scope of " +
           std::to_string(phases.processes));
  under_way_ = {scope, root, type, entry_bytes, phases, values};
  if (phases.processes == 1) return;
  if (position(scope) == root)
    for (int to = 0; to < phases.processes; ++to)
      if (to != root) send_piece(to, to);
  world_.start_sync();
}

/// Send a piece of the broadcast under way; nothing if it is empty.
void Bsp2d::send_piece(int to, int piece) {
  const std::span<const std::byte> values = piece_of(piece);
  if (!values.empty()) send(member(under_way_.scope, to), under_way_.type, values);
}

void Bsp2d::receive_piece(int from, int piece) {
  const std::span<std::byte> to = piece_of(piece);
  if (!to.empty())
    std::ranges::copy(receive(member(under_way_.scope, from), under_way_.type, to.size()), to.begin());
}

/// The memory of a position's piece of the broadcast under way, in this process's values.
std::span<std::byte> Bsp2d::piece_of(int position) const {
  const auto& [scope, root, type, entry_bytes, phases, values] = under_way_;
  const auto piece = phases.broadcast_piece(position, root, values.size() / entry_bytes);
  return values.subspan(piece.begin * entry_bytes, piece.size * entry_bytes);
}

void Bsp2d::finish_broadcast() {
  const int q = under_way_.phases.processes, root = under_way_.root, mine = position(under_way_.scope);
  if (q == 1) return;
  world_.finish_sync();
  read_queue();
  if (mine != root) receive_piece(root, mine);
  if (q == 2) return;
  for (int to = 0; to < q; ++to)
    if (to != mine && to != root) send_piece(to, mine);
  sync();
  if (mine == root) return;
  for (int from = 0; from < q; ++from)
    if (from != mine) receive_piece(from, from);
}

}  // namespace overlapack::dist
