#pragma once
#include "comm/shared_count.hpp"

#include <cstdint>
#include <limits>
#include <memory>
#include <string>
#include <utility>

namespace overlapack::sparse {

/// What the ranks of one process hold together in the numerical phase, and its peak. All of them book on it (AccountPart).
/// With a limit, the rank that exceeds it ends the run: numbers decide how much memory that will be, by delayed pivots and the ranks
/// of blocks (LowRankPlan).
class MemoryAccount {
 public:
  struct Bytes {
    double limit = std::numeric_limits<double>::infinity();
    double least = 0, most = 0;  ///< predicted for all ranks: whatever compresses, and if nothing does
  };

  /// Without a limit.
  MemoryAccount() = default;
  /// name: what set the limit; advice: what to do about it; for the message
  MemoryAccount(const Bytes& bytes, std::string name, std::string advice)
      : bytes_(bytes), name_(std::move(name)), advice_(std::move(advice)) {}

  /// Book so many bytes more, or fewer.
  void add(std::int64_t bytes);
  /// A rank that has booked so much leaves; no peak comes of it.
  void subtract(std::int64_t bytes) { held_.add(-bytes); }
  /// The most that was held at one time is at least this.
  void raise_peak(double bytes) { peak_.set_to_at_least(static_cast<std::int64_t>(bytes)); }
  /// The most that was held at one time since the last call, so that one rank of a process has it, and the others 0.
  double read_and_reset_peak() { return static_cast<double>(peak_.take()); }

  bool has_limit() const { return bytes_.limit < std::numeric_limits<double>::infinity(); }
  bool is_exceeded() const { return static_cast<double>(held_.value()) > bytes_.limit; }
  /// Errors  OutOfMemory when it is exceeded, with what would be needed as far as ranks are known
  void require() const;

  /// Book blocks of low-rank fronts, compressed where that paid: their bytes, and those in full.
  void add_block_bytes(std::int64_t bytes, std::int64_t full_bytes);
  /// Prediction from the ranks so far.
  double predicted_bytes() const;

 private:
  /// Share of the bytes of such blocks that remains.
  double share() const;

  const Bytes bytes_;
  const std::string name_, advice_;
  comm::SharedCount held_, peak_, block_bytes_, full_bytes_;
};

/// What one rank has booked on the account of its process; on none where it has none. With a limit it books every change. Without
/// one it books in lumps of 16 KiB, or of 1/64 of its own peak if that is more, so that ranks seldom meet at the account: its peak
/// is as wrong as that at most, for each rank.
class AccountPart {
 public:
  AccountPart() = default;
  explicit AccountPart(std::shared_ptr<MemoryAccount> account) : account_(std::move(account)) {}

  MemoryAccount* account() const { return account_.get(); }
  /// bytes: that this rank holds now; peak: the most that it held so far
  void set_bytes(double bytes, double peak);
  /// Its run is over. Before ranks meet, after which remove_from_account() may be called.
  void update_account_peak(double peak) const {
    if (account_) account_->raise_peak(peak);
  }
  /// It holds nothing more in this account.
  /// Returns  the peak of the process for one of its ranks, for the others 0; without an account `peak`
  double remove_from_account(double peak);

 private:
  std::shared_ptr<MemoryAccount> account_;
  std::int64_t booked_ = 0;  ///< below 0 where more was taken over from other ranks than is held now
};

}  // namespace overlapack::sparse
