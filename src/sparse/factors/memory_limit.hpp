#pragma once
#include "comm/shared_count.hpp"

#include <cstdint>
#include <string>
#include <utility>

namespace overlapack::sparse {

/// What the ranks of one process may hold in the numerical phase, where it is not known before how much that will be: the ranks of
/// blocks decide (LowRankPlan). All of them book here what they hold; who would bring it above the limit ends the run.
class MemoryLimit {
 public:
  struct Bytes {
    double limit = 0;
    double least = 0, most = 0;  ///< predicted for all ranks: whatever compresses, and if nothing does
  };

  /// name: what set the limit; advice: what to do about it; for the message
  MemoryLimit(const Bytes& bytes, std::string name, std::string advice)
      : bytes_(bytes), name_(std::move(name)), advice_(std::move(advice)) {}

  /// They hold so much more, or less.
  void add(std::int64_t bytes) { held_.add(bytes); }
  bool is_exceeded() const { return static_cast<double>(held_.value()) > bytes_.limit; }
  /// Errors  OutOfMemory when it is exceeded, with what would be needed as far as ranks are known
  void require() const;

  /// Blocks of low-rank fronts, compressed where that paid: what they take, and what they would in full.
  void note_blocks(std::int64_t bytes, std::int64_t full_bytes);
  /// By the ranks so far.
  double predicted_bytes() const;

 private:
  /// Of the bytes of such blocks, how many stay.
  double share() const;

  const Bytes bytes_;
  const std::string name_, advice_;
  comm::SharedCount held_, block_bytes_, full_bytes_;
};

}  // namespace overlapack::sparse
