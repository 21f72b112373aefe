#include "comm/onesided/pair_swap.hpp"

#include "comm/values.hpp"

#include <algorithm>
#include <numeric>

namespace overlapack::comm::onesided {

PairSwap::PairSwap(Signals& signals, Window& window, int partner, std::vector<Strided> theirs)
    : signals_(signals),
      window_(window),
      partner_(partner),
      theirs_(std::move(theirs)),
      is_final_(signals.expect(partner)) {
  signals_.send(partner_);
}

void PairSwap::get() {
  signals_.wait(partner_, is_final_);
  run_unless_phantom(signals_.rank(), [&] {
    values_.resize(std::accumulate(theirs_.begin(), theirs_.end(), std::size_t{0},
                                   [](std::size_t sum, const Strided& s) { return sum + s.bytes(); }));
  });
  std::byte* to = values_.data();
  for (const Strided& s : theirs_) {
    window_.get_strided(partner_, s.offset, s.block_bytes, s.stride_bytes, s.blocks, to);
    if (to) to += s.bytes();
  }
  window_.flush(partner_);
  signals_.send(partner_);
  has_read_ = signals_.expect(partner_);
}

void generic_swap(Signals& signals, Window& window, int partner, std::size_t offset,
                  std::span<const std::byte> packed, std::span<std::byte> taken) {
  signals.send(partner);  // this rank's buffer may be written
  signals.wait_for_next(partner);
  window.put(partner, offset, packed);
  signals.send(partner);  // this rank's data are in the partner's buffer
  signals.wait_for_next(partner);
  run_unless_phantom(signals.rank(),
                     [&] { std::ranges::copy(window.local().subspan(offset, taken.size()), taken.begin()); });
  signals.send(partner);  // this rank's buffer has been read
  signals.wait_for_next(partner);
}

}  // namespace overlapack::comm::onesided
