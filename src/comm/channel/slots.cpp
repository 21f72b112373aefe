#include "comm/channel/slots.hpp"

namespace overlapack::comm {

namespace {

constexpr std::size_t counts_bytes = 16;

std::size_t buffer_bytes(std::size_t message_bytes) { return (message_bytes + 7) / 8 * 8; }

}  // namespace

std::size_t Slots::bytes(std::size_t message_bytes, int count) {
  return counts_bytes + static_cast<std::size_t>(count) * buffer_bytes(message_bytes);
}

std::size_t Slots::offset_of(std::int64_t before) const {
  return counts_bytes + static_cast<std::size_t>(before % count_) * buffer_bytes(bytes_);
}

void Slots::put_in_free_slot(std::int64_t before, std::span<const std::byte> message) {
  window_.put_flag(peer_, theirs_ + offset_of(before), message, theirs_, before + 1);
}

std::span<const std::byte> Slots::message(std::int64_t before) {
  return window_.local().subspan(mine_ + offset_of(before), bytes_);
}

void Slots::acknowledge(std::int64_t count) { window_.put_flag(peer_, theirs_, {}, theirs_ + 8, count); }

}  // namespace overlapack::comm
