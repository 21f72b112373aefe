#pragma once
#include "comm/channel/channel.hpp"
#include "comm/receive.hpp"
#include "engine.hpp"

/// What the tests of channels share: messages of equal words, ranks in pairs.
namespace overlapack::comm::conformance {

using Words = std::vector<std::int64_t>;

inline std::span<const std::byte> bytes_of(const Words& words) { return std::as_bytes(std::span(words)); }
inline std::span<std::byte> room_of(Words& words) { return std::as_writable_bytes(std::span(words)); }

inline constexpr std::size_t length = 40;
inline constexpr ChannelPlan plan_of(int max_messages, ChannelMode mode = ChannelMode::async) {
  return {.message_bytes = length * sizeof(std::int64_t), .max_messages = max_messages, .mode = mode};
}
inline Words all(std::int64_t value) { return Words(length, value); }

/// Let time pass until it is so.
inline void await(Rank& rank, const std::function<bool()>& is_so) {
  while (!is_so()) pause(rank, 1e-4);
}

/// Ranks 2k and 2k+1 of a team as pairs; the last of an odd number has none.
inline int partner_of(const Rank& rank) {
  const int partner = rank.rank() ^ 1;
  return partner < rank.size() ? partner : -1;
}

/// fn on a fresh team of each size, where the engine has this mode.
inline void on_each_team_in(ChannelMode mode, const std::function<void(Rank&)>& fn) {
  on_each_team([&](Rank& rank) {
    if (mode != ChannelMode::async_puts || rank.capabilities().orders_puts) fn(rank);
  });
}
inline constexpr ChannelMode both_forms[] = {ChannelMode::async, ChannelMode::async_puts};

/// fn(channel, is_first) at both ends of a channel of each pair; async: of one of each form.
inline void on_pairs(ChannelPlan plan, const std::function<void(Rank&, Channel&, bool)>& fn) {
  const bool is_racy = plan.mode == ChannelMode::racy;
  for (const ChannelMode mode : both_forms) {
    if (!is_racy) plan.mode = mode;
    on_each_team_in(plan.mode, [&](Rank& rank) {
      Channels channels(rank, room_of(plan));
      if (const int partner = partner_of(rank); partner >= 0) {
        Channel channel = channels.create(partner, plan, bytes_of(all(-1)));
        fn(rank, channel, rank.rank() < partner);
        channel.destroy();
      }
      channels.close();
    });
    if (is_racy) return;
  }
}

}  // namespace overlapack::comm::conformance
