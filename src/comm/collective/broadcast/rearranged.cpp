#include "comm/collective/broadcast/rearranged.hpp"

#include <string>
#include <utility>

namespace overlapack::comm::collective {

RearrangedBroadcast::RearrangedBroadcast(Exchange& exchange, Group group, int root, BroadcastKind kind,
                                         const Key& key, std::vector<std::size_t> part_bytes,
                                         std::vector<Body> parts)
    : exchange_(exchange),
      group_(std::move(group)),
      root_(root),
      kind_(kind),
      key_(key),
      part_bytes_(std::move(part_bytes)),
      parts_(std::move(parts)) {
  parts_.resize(part_bytes_.size());
  if (group_.size() % phases() != 0)
    throw Error(Status::bad_plan,
                std::to_string(phases()) + " phases do not divide the " + std::to_string(group_.size()) +
                    " ranks of the group; choose a grid whose rows or columns hold whole nodes");
}

void RearrangedBroadcast::share_parts_of_root() {
  if (!is_root()) return;
  for (int c = 0; c < phases(); ++c)
    if (c != phase())
      exchange_.send(mate(root_, c), key_of(Stage::share, c), parts_[static_cast<std::size_t>(c)]);
}

void RearrangedBroadcast::broadcast() {
  const auto mine = static_cast<std::size_t>(phase());
  const bool is_in_roots_node = group_.me / phases() == root_ / phases();
  if (is_in_roots_node && !is_root())
    parts_[mine] =
        exchange_.receive(group_.ranks[static_cast<std::size_t>(root_)], key_of(Stage::share, phase())).body;
  Group same_phase;
  for (int position = phase(); position < group_.size(); position += phases())
    same_phase.ranks.push_back(group_.ranks[static_cast<std::size_t>(position)]);
  same_phase.me = group_.me / phases();
  parts_[mine] =
      start_broadcast(exchange_, same_phase, root_ / phases(), kind_, key_of(Stage::broadcast, phase()),
                      part_bytes_[mine], std::move(parts_[mine]))
          ->finish();
}

void RearrangedBroadcast::exchange() {
  const bool is_in_roots_node = group_.me / phases() == root_ / phases();
  for (int c = 0; c < phases(); ++c) {  // not to the root, which has all parts
    const bool is_to_root = is_in_roots_node && c == root_ % phases();
    if (c != phase() && !is_to_root)
      exchange_.send(mate(group_.me, c), key_of(Stage::exchange, phase()),
                     parts_[static_cast<std::size_t>(phase())]);
  }
  if (is_root()) return;
  for (int c = 0; c < phases(); ++c)
    if (c != phase())
      parts_[static_cast<std::size_t>(c)] =
          exchange_.receive(mate(group_.me, c), key_of(Stage::exchange, c)).body;
}

}  // namespace overlapack::comm::collective
