#pragma once
#include "comm/onesided/signals.hpp"
#include "comm/values.hpp"
#include "dist/moves/butterfly.hpp"

#include <cstring>
#include <span>
#include <vector>

namespace overlapack::dist {

/// Frame of a body whose receiver does not know its size: the size, then the bytes.
inline std::size_t bytes_with_size_in_front(std::size_t body_bytes) {
  return sizeof(std::size_t) + body_bytes;
}
std::vector<std::byte> with_size_in_front(const comm::Body& body);
std::span<const std::byte> without_size_in_front(const std::byte* there);

/// Bytes that start at a cache line of a window.
inline std::size_t rounded_to_line(std::size_t bytes) { return (bytes + 63) / 64 * 64; }

/// All-reduces of bodies by puts with signals, in one group: in each round of a butterfly to the partner of this round. Two sets of
/// buffers in the window are used in turn: a buffer of the use before the last has been read, as its reader has since received a
/// later put of this rank.
class Offers {
 public:
  using Merge = comm::FunctionRef<comm::Body(const comm::Body&, const comm::Body&)>;

  /// offset: of window_bytes() in the window, the same on all ranks; body_bytes: of the largest body
  Offers(comm::onesided::Signals& signals, comm::Window& window, std::size_t offset, std::size_t body_bytes)
      : signals_(signals),
        window_(window),
        offset_(offset),
        bytes_(rounded_to_line(bytes_with_size_in_front(body_bytes))) {}

  static std::size_t window_bytes(int group_size, std::size_t body_bytes) {
    return 2 * static_cast<std::size_t>(Butterfly(group_size).rounds()) *
           rounded_to_line(bytes_with_size_in_front(body_bytes));
  }

  /// As Moves::combine.
  comm::Body all_reduce(const comm::collective::Group& group, comm::Body mine, Merge merge);

 private:
  void put(int to, std::size_t position, const comm::Body& body);

  comm::onesided::Signals& signals_;
  comm::Window& window_;
  std::size_t offset_, bytes_;
  std::int64_t uses_ = 0;
};

}  // namespace overlapack::dist
