#pragma once
#include <array>
#include <cstddef>
#include <cstdint>
#include <string_view>

namespace overlapack::trace {

/// What a rank was doing. wait: blocked with work left that needs a message; idle: nothing left to do.
enum class What : std::uint8_t { compute, pack, send, receive, wait, idle };
inline constexpr std::array<std::string_view, 6> what_names{"compute", "pack", "send",
                                                            "receive", "wait", "idle"};
inline constexpr std::size_t what_count = what_names.size();
constexpr std::string_view name(What what) { return what_names[static_cast<std::size_t>(what)]; }

/// One stretch of one rank's time, on the engine's clock.
struct Event {
  double begin_s = 0;
  double end_s = 0;
  What what = What::compute;
  std::string_view kind{};  ///< "front", "contribution", ...: static storage, or owned by the Timeline
  int peer = -1;            ///< send: to whom; receive: from whom
  std::size_t bytes = 0;    ///< of the message, or of the kernel's memory traffic
  double flops = 0;
  int rank = 0;
  /// Messages of one (sender, receiver, stream) arrive in the order they were sent: the k-th send is the k-th
  /// receive, and the writers draw an arrow between them.
  int stream = 0;
};

}  // namespace overlapack::trace
