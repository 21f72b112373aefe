#pragma once
#include "comm/shared_count.hpp"

#include <cstdint>
#include <string>
#include <utility>

namespace overlapack::sparse {

/// Memory limit of the ranks of one process in the numerical phase, where numbers decide how much that will be: delayed pivots,
/// and the ranks of blocks (LowRankPlan). All ranks book the memory they hold; the one that exceeds the limit ends the run.
class MemoryLimit {
 public:
  struct Bytes {
    double limit = 0;
    double least = 0, most = 0;  ///< predicted for all ranks: whatever compresses, and if nothing does
  };

  /// name: what set the limit; advice: what to do about it; for the message
  MemoryLimit(const Bytes& bytes, std::string name, std::string advice)
      : bytes_(bytes), name_(std::move(name)), advice_(std::move(advice)) {}

  /// Book so many bytes more, or fewer.
  void add(std::int64_t bytes) { held_.add(bytes); }
  bool is_exceeded() const { return static_cast<double>(held_.value()) > bytes_.limit; }
  /// Errors  OutOfMemory when it is exceeded, with what would be needed as far as ranks are known
  void require() const;

  /// Book blocks of low-rank fronts, compressed where that paid: their bytes, and those in full.
  void note_blocks(std::int64_t bytes, std::int64_t full_bytes);
  /// Prediction from the ranks so far.
  double predicted_bytes() const;

 private:
  /// Share of the bytes of such blocks that remains.
  double share() const;

  const Bytes bytes_;
  const std::string name_, advice_;
  comm::SharedCount held_, block_bytes_, full_bytes_;
};

}  // namespace overlapack::sparse
