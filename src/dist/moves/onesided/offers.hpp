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

/// Bytes rounded up to whole cache lines, so that buffers of a window begin at a cache line.
inline std::size_t rounded_to_line(std::size_t bytes) { return (bytes + 63) / 64 * 64; }

/// All-reduces of bodies in one group, by puts with signals: in each round of a butterfly a rank puts its body to its partner of
/// that round. Two sets of buffers in the window are used in turn. So a buffer may be overwritten without a wait: its reader has
/// read the use before the last, since it has received a later put of this rank.
class Offers {
 public:
  using Merge = comm::FunctionRef<comm::Body(const comm::Body&, const comm::Body&)>;

  /// offset: where the window_bytes() bytes of buffers begin in the window, the same on all ranks; body_bytes: size of the
  /// largest body
  Offers(comm::onesided::Signals& signals, comm::Window& window, std::size_t offset, std::size_t body_bytes)
      : signals_(signals),
        window_(window),
        offset_(offset),
        bytes_(rounded_to_line(bytes_with_size_in_front(body_bytes))) {}

  static std::size_t window_bytes(int group_size, std::size_t body_bytes) {
    return 2 * static_cast<std::size_t>(Butterfly(group_size).rounds()) *
           rounded_to_line(bytes_with_size_in_front(body_bytes));
  }

  /// As Moves::all_reduce.
  comm::Body all_reduce(const comm::collective::Group& group, comm::Body mine, Merge merge);

 private:
  void put(int to, std::size_t position, const comm::Body& body);

  comm::onesided::Signals& signals_;
  comm::Window& window_;
  std::size_t offset_, bytes_;
  std::int64_t uses_ = 0;
};

}  // namespace overlapack::dist
