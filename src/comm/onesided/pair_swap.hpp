#pragma once
#include "comm/onesided/signals.hpp"

#include <vector>

namespace overlapack::comm::onesided {

/// Blocks of bytes in somebody's window, `stride_bytes` apart: a matrix row by row has blocks of one number.
struct Strided {
  std::size_t offset = 0;
  std::size_t block_bytes = 0, stride_bytes = 0, blocks = 0;
  std::size_t bytes() const { return block_bytes * blocks; }
};

/// What two ranks exchange without packing: both say that theirs is final, get the other's from where it lies, say that they
/// have read, and may overwrite theirs then.
/// Cost    2 synchronisations, whatever is exchanged; a strided get for each of `theirs`
/// Source  paper 3, section 2: xVecswap
class PairSwap {
 public:
  /// theirs: in the partner's window. Mine is final.
  /// Sync    none; both ranks start and finish their swaps with each other in the same order
  PairSwap(Signals& signals, Window& window, int partner, std::vector<Strided> theirs);

  /// The bytes of `theirs`, one after the other. When all swaps of mine have been got, each may be finished.
  void get();
  const std::vector<std::byte>& values() const { return values_; }
  /// Until the partner has read mine.
  void finish() { signals_.wait(partner_, has_read_); }

 private:
  Signals& signals_;
  Window& window_;
  int partner_;
  std::vector<Strided> theirs_;
  std::int64_t is_final_, has_read_ = 0;  ///< numbers of the partner's signals
  std::vector<std::byte> values_;
};

/// The same as two general transfers, each of which has to be safe by itself: both say that their buffer may be written, put
/// what they have packed, and say that it is there; and that they have taken theirs out.
/// Cost    3 synchronisations, and both sides pack and unpack
/// Shapes  taken: as long as what the partner has packed; offset: of the buffer in both windows
/// Sync    blocks; several partners in ascending order
/// Source  paper 3, section 2: the general send and receive that xVecswap replaced
void generic_swap(Signals& signals, Window& window, int partner, std::size_t offset,
                  std::span<const std::byte> packed, std::span<std::byte> taken);

}  // namespace overlapack::comm::onesided
