#pragma once
#include "comm/onesided/signals.hpp"

#include <vector>

namespace overlapack::comm::onesided {

/// Blocks of bytes in a window, `stride_bytes` apart. For a row of a column-major matrix, each block is one number.
struct Strided {
  std::size_t offset = 0;
  std::size_t block_bytes = 0, stride_bytes = 0, blocks = 0;
  std::size_t bytes() const { return block_bytes * blocks; }
};

/// Exchange of rows between two ranks without packing. Each rank signals that its data are final, gets the partner's with a stride, and
/// signals that it has read them; after the partner's signal it may overwrite its own. Order: constructor, get, finish.
/// Cost    2 synchronisations, whatever is exchanged; a strided get for each of `theirs`
/// Source  paper 3, section 2: xVecswap
class PairSwap {
 public:
  /// Signals that this rank's data are final. theirs: where the partner's data stand in the partner's window.
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

/// The exchange of PairSwap as two general transfers through buffers. Each rank signals that its buffer may be written, puts its packed
/// data into the partner's buffer, signals that they are there, copies the partner's data out of its own buffer, and signals that it has.
/// Cost    3 synchronisations, and both sides pack and unpack
/// Shapes  taken: as long as the partner's `packed`; offset: of the buffer, the same in both windows
/// Sync    blocks; a rank with several partners swaps with them in ascending order
/// Source  paper 3, section 2: the general send and receive that xVecswap replaced
void generic_swap(Signals& signals, Window& window, int partner, std::size_t offset,
                  std::span<const std::byte> packed, std::span<std::byte> taken);

}  // namespace overlapack::comm::onesided
