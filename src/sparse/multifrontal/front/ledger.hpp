#pragma once
#include "base/arena.hpp"
#include "base/block_pool.hpp"
#include "overlapack/scalar.hpp"
#include "sparse/factors/memory_account.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <utility>

namespace overlapack::sparse::multifrontal {

/// The memory of one rank's factorisation: the arena of its factors, the pool of its contribution blocks, and the books on
/// what is held besides the factors. Whoever holds something has an Entry for it, which goes with its holder.
class Ledger {
 public:
  /// So many bytes are held, until it is released or goes.
  class Entry {
   public:
    Entry() = default;
    Entry(Entry&& other) noexcept
        : ledger_(std::exchange(other.ledger_, nullptr)), bytes_(std::exchange(other.bytes_, 0)) {}
    Entry& operator=(Entry&& other) noexcept {
      release();
      ledger_ = std::exchange(other.ledger_, nullptr);
      bytes_ = std::exchange(other.bytes_, 0);
      return *this;
    }
    ~Entry() { release(); }

    /// What is held has grown, or begins to be. The peak is noted with what is held next.
    void set(Ledger& ledger, std::size_t bytes) {
      ledger.held_bytes_ += static_cast<double>(bytes) - bytes_;
      ledger_ = &ledger;
      bytes_ = static_cast<double>(bytes);
    }
    void release() {
      if (ledger_ != nullptr) {
        ledger_->held_bytes_ -= bytes_;
        ledger_->update_account();
      }
      ledger_ = nullptr;
      bytes_ = 0;
    }

   private:
    friend class HeldBlock;
    Ledger* ledger_ = nullptr;
    double bytes_ = 0;
  };

  Ledger() = default;
  Ledger(const Ledger&) = delete;

  Entry make_entry(std::size_t bytes) {
    Entry entry;
    entry.set(*this, bytes);
    update_peak();
    return entry;
  }
  /// Called before what is new was written to: only then does the system find memory for it.
  /// Errors  OutOfMemory where the account has a limit, and all that ranks hold is above it
  void update_peak() {
    peak_bytes_ = std::max(peak_bytes_, all_bytes());
    update_account();
    const MemoryAccount* const account = part_.account();
    if (account == nullptr || !account->has_limit() || !account->is_exceeded()) return;
    pool.clear();
    update_account();
    account->require();
  }
  /// From now on all of it counts in this account, or in none, until the part leaves it.
  void join_account(std::shared_ptr<MemoryAccount> account) {
    part_.remove_from_account(0);  // after a run that ended early
    part_ = AccountPart(std::move(account));
    passed_bytes_ = 0;
    update_account();
  }
  AccountPart& account_part() { return part_; }
  /// Memory that another rank of this process gets from this one, with a message, or this one from another: it is in the account
  /// on its way, too.
  void add_passed_bytes(std::size_t bytes) {
    passed_bytes_ += static_cast<double>(bytes);
    update_account();
  }
  void subtract_passed_bytes(std::size_t bytes) { passed_bytes_ -= static_cast<double>(bytes); }
  /// Blocks of a front that was compressed, for what the limit says of the rest.
  void add_block_bytes(Index block_bytes, Index full_bytes) {
    if (part_.account() != nullptr) part_.account()->add_block_bytes(block_bytes, full_bytes);
  }
  /// Of a strip that this rank was given, as predicted, until it begins.
  void add_promised_bytes(double bytes) { promised_bytes_ += bytes; }
  void subtract_promised_bytes(double bytes) { promised_bytes_ -= bytes; }
  /// Of a run that ended early.
  void clear_promised_bytes() { promised_bytes_ = 0; }

  /// What others are told that this rank holds: without blocks that wait for reuse, since a strip takes them.
  double bytes_with_promised() const { return bytes() + promised_bytes_; }
  /// The most that was held, blocks that wait for reuse included, since this was called for.
  double peak_bytes() const { return peak_bytes_; }
  void reset_peak() { peak_bytes_ = 0; }

  Arena factors;   ///< panels, L21, D and names
  BlockPool pool;  ///< contribution blocks

 private:
  double bytes() const { return held_bytes_ + static_cast<double>(factors.used_bytes()); }
  double all_bytes() const { return bytes() + static_cast<double>(pool.kept_bytes()); }
  void update_account() { part_.set_bytes(all_bytes() + passed_bytes_, peak_bytes_); }

  double held_bytes_ = 0;      ///< contribution blocks not yet assembled, mine and parked
  double promised_bytes_ = 0;  ///< of strips that I was given and have not begun
  double peak_bytes_ = 0;
  double passed_bytes_ = 0;  ///< to other ranks, less what they passed to this one
  AccountPart part_;
};

/// A block of the pool, on the books while it is held.
class HeldBlock {
 public:
  HeldBlock() = default;
  /// The peak is noted.
  HeldBlock(Ledger& ledger, std::size_t bytes)
      : block_(ledger.pool.allocate(bytes)), entry_(ledger.make_entry(block_.bytes)) {}

  template <class T>
  T* as() const {
    return block_.as<T>();
  }
  /// Back to the pool; nothing where there is none.
  void give_back() {
    if (entry_.ledger_ != nullptr) entry_.ledger_->pool.put_back(std::move(block_));
    entry_.release();
  }
  /// It leaves this rank's books with its memory.
  Block take_out() {
    entry_.release();
    return std::move(block_);
  }

 private:
  Block block_;
  Ledger::Entry entry_;
};

}  // namespace overlapack::sparse::multifrontal
