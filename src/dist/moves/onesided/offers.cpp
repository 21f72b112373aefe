#include "dist/moves/onesided/offers.hpp"

#include "overlapack/error.hpp"

#include <string>
#include <utility>

namespace overlapack::dist {

std::vector<std::byte> with_size_in_front(const comm::Body& body) {
  const std::size_t size = body.size();
  std::vector<std::byte> bytes(bytes_with_size_in_front(size));
  std::memcpy(bytes.data(), &size, sizeof size);
  if (size > 0) std::memcpy(bytes.data() + sizeof size, body.data(), size);
  return bytes;
}

std::span<const std::byte> without_size_in_front(const std::byte* there) {
  std::size_t size = 0;
  std::memcpy(&size, there, sizeof size);
  return {there + sizeof size, size};
}

comm::Body Offers::all_reduce(const comm::collective::Group& group, comm::Body mine, Merge merge) {
  const Butterfly butterfly(group.size());
  const std::int64_t first_round = uses_++ % 2 * butterfly.rounds();
  const auto rank_of = [&](int position) { return group.ranks[static_cast<std::size_t>(position)]; };
  return butterfly.run(
      group.me, std::move(mine), merge, [&](int round, int to, int from, const comm::Body& body) {
        const std::size_t position = offset_ + static_cast<std::size_t>(first_round + round) * bytes_;
        if (to >= 0) put(rank_of(to), position, body);
        if (from < 0) return comm::Body();
        signals_.wait_for_next(rank_of(from));
        return comm::pack_body(signals_.rank(), body.size(), [&] {
          return comm::Body::copy_of(without_size_in_front(window_.local().data() + position));
        });
      });
}

void Offers::put(int to, std::size_t position, const comm::Body& body) {
  if (bytes_with_size_in_front(body.size()) > bytes_)
    throw Error(Status::internal, "a body of " + std::to_string(body.size()) +
                                      " bytes is put into a buffer of " + std::to_string(bytes_));
  const bool is_phantom = signals_.rank().capabilities().is_phantom;
  const std::vector<std::byte> bytes = is_phantom ? std::vector<std::byte>() : with_size_in_front(body);
  signals_.put_with_signal(to, position, {bytes.data(), bytes_with_size_in_front(body.size())});
}

}  // namespace overlapack::dist
