#pragma once
#include "comm/shared_count.hpp"

#include <cstdint>
#include <limits>
#include <memory>
#include <string>
#include <utility>

namespace overlapack::sparse {

/// The bytes that the ranks of one process hold together in the numerical phase, and their peak. All ranks
/// book on it (AccountPart). With a limit, the rank that exceeds it ends the run. No prediction can replace
/// that: delayed pivots and the ranks of compressed blocks (LowRankPlan) depend on the numbers.
class MemoryAccount {
 public:
  struct Bytes {
    double limit = std::numeric_limits<double>::infinity();
    /// Predicted for all ranks: if everything that can be compressed vanishes; if nothing is compressed.
    double least = 0, most = 0;
  };

  /// Without a limit.
  MemoryAccount() = default;
  /// name: what set the limit; advice: what to do about it; for the message
  MemoryAccount(const Bytes& bytes, std::string name, std::string advice)
      : bytes_(bytes), name_(std::move(name)), advice_(std::move(advice)) {}

  /// Book so many bytes more, or fewer.
  void add(std::int64_t bytes);
  /// A rank that has booked so many bytes leaves; the peak stays.
  void subtract(std::int64_t bytes) { held_.add(-bytes); }
  /// The most that was held at one time is at least this.
  void raise_peak(double bytes) { peak_.set_to_at_least(static_cast<std::int64_t>(bytes)); }
  /// The most bytes that were held at one time since the last call: one rank of the process gets them, and
  /// the others, later, 0.
  double read_and_reset_peak() { return static_cast<double>(peak_.take()); }

  bool has_limit() const { return bytes_.limit < std::numeric_limits<double>::infinity(); }
  bool is_exceeded() const { return static_cast<double>(held_.value()) > bytes_.limit; }
  /// Errors  OutOfMemory if the limit is exceeded, with a prediction of the memory that would be enough
  void require() const;

  /// Counts blocks of low-rank fronts: the bytes as they are stored, and those of the full blocks.
  void add_block_bytes(std::int64_t bytes, std::int64_t full_bytes);
  /// Predicted bytes of all ranks, if later blocks compress as those so far.
  double predicted_bytes() const;

 private:
  /// The share of the bytes of low-rank fronts' blocks that compression has left so far.
  double share() const;

  const Bytes bytes_;
  const std::string name_, advice_;
  comm::SharedCount held_, peak_, block_bytes_, full_bytes_;
};

/// What one rank has booked on the account of its process, if there is one. With a limit it books every
/// change. Without a limit it books in lumps of 16 KiB, or of 1/64 of its own peak if that is more, so that
/// ranks seldom meet at the account. For each rank, the account's peak is wrong by at most a lump.
class AccountPart {
 public:
  AccountPart() = default;
  explicit AccountPart(std::shared_ptr<MemoryAccount> account) : account_(std::move(account)) {}

  MemoryAccount* account() const { return account_.get(); }
  /// bytes: those that this rank holds now; peak: the most that it held so far
  void set_bytes(double bytes, double peak);
  /// At the end of the run: the account's peak is at least this rank's. All ranks call it, and meet, before
  /// one calls remove_from_account().
  void update_account_peak(double peak) const {
    if (account_) account_->raise_peak(peak);
  }
  /// Takes all of this rank's bytes off the account, and leaves it.
  /// Returns  the peak of the process for one of its ranks, for the others 0; without an account `peak`
  double remove_from_account(double peak);

 private:
  std::shared_ptr<MemoryAccount> account_;
  std::int64_t booked_ = 0;  ///< below 0 if this rank took over more from other ranks than it holds now
};

}  // namespace overlapack::sparse
