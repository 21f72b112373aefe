#pragma once
#include "comm/onesided/signals.hpp"

#include <vector>

namespace overlapack::comm::onesided {

/// Blocks of bytes in a window, `stride_bytes` apart: of a row of a matrix, blocks of one number.
struct Strided {
  std::size_t offset = 0;
  std::size_t block_bytes = 0, stride_bytes = 0, blocks = 0;
  std::size_t bytes() const { return block_bytes * blocks; }
};

/// Exchange between two ranks without packing: both signal that their data are final, get the partner's with a stride, and signal
/// that they have read them; then both may overwrite their own.
/// Cost    2 synchronisations, whatever is exchanged; a strided get for each of `theirs`
/// Source  paper 3, section 2: xVecswap
class PairSwap {
 public:
  /// Signals that this rank's data are final. theirs: in the partner's window.
  /// Sync    none; both ranks start and finish their swaps with each other in the same order
  PairSwap(Signals& signals, Window& window, int partner, std::vector<Strided> theirs);

  /// Get `theirs` into values(), contiguously. Call it for all swaps of this rank before finishing any.
  void get();
  const std::vector<std::byte>& values() const { return values_; }
  /// Wait until the partner has read this rank's data.
  void finish() { signals_.wait(partner_, has_read_); }

 private:
  Signals& signals_;
  Window& window_;
  int partner_;
  std::vector<Strided> theirs_;
  std::int64_t is_final_, has_read_ = 0;  ///< numbers of the partner's signals
  std::vector<std::byte> values_;
};

/// The same as two general transfers, each safe by itself: both signal that their buffer may be written, put their packed data,
/// signal that these are there, copy theirs out, and signal that they have.
/// Cost    3 synchronisations, and both sides pack and unpack
/// Shapes  taken: as long as the partner's `packed`; offset: of the buffer, in both windows
/// Sync    blocks; several partners in ascending order
/// Source  paper 3, section 2: the general send and receive that xVecswap replaced
void generic_swap(Signals& signals, Window& window, int partner, std::size_t offset,
                  std::span<const std::byte> packed, std::span<std::byte> taken);

}  // namespace overlapack::comm::onesided
