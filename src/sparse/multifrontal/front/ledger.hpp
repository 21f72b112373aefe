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
/// the bytes that are held besides the factors. The holder of a block or message has an Entry, which counts
/// the bytes as held until it is released or destroyed.
class Ledger {
 public:
  /// A number of bytes on the books, until release() or destruction.
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

    /// Changes the number of bytes. It does not update the peak: the caller does (update_peak), or the next
    /// make_entry.
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
  /// Called after new memory was booked and before it is written to: the system provides pages only when they
  /// are written, so that a limit ends the run in time.
  /// Errors  OutOfMemory if the account has a limit and the ranks of the process hold more than it
  void update_peak() {
    peak_bytes_ = std::max(peak_bytes_, all_bytes());
    update_account();
    const MemoryAccount* const account = part_.account();
    if (account == nullptr || !account->has_limit() || !account->is_exceeded()) return;
    pool.clear();
    update_account();
    account->require();
  }
  /// From now on all bytes of this rank count in the account of its process (null: in none), until
  /// account_part() leaves it.
  void join_account(std::shared_ptr<MemoryAccount> account) {
    part_.remove_from_account(0);  // after a run that ended early
    part_ = AccountPart(std::move(account));
    passed_bytes_ = 0;
    update_account();
  }
  AccountPart& account_part() { return part_; }
  /// Count memory that is passed by pointer, in a message, to another rank of this process: the sender adds
  /// it and the receiver subtracts it, so that the account has it on its way, too.
  void add_passed_bytes(std::size_t bytes) {
    passed_bytes_ += static_cast<double>(bytes);
    update_account();
  }
  void subtract_passed_bytes(std::size_t bytes) { passed_bytes_ -= static_cast<double>(bytes); }
  /// Bytes of the blocks of a compressed front, as stored and in full: if a limit ends the run, its error
  /// predicts from them how much memory would have been enough.
  void add_block_bytes(Index block_bytes, Index full_bytes) {
    if (part_.account() != nullptr) part_.account()->add_block_bytes(block_bytes, full_bytes);
  }
  /// Predicted bytes of a strip that a master gave to this rank; subtracted when the strip gets its memory.
  void add_promised_bytes(double bytes) { promised_bytes_ += bytes; }
  void subtract_promised_bytes(double bytes) { promised_bytes_ -= bytes; }
  /// After a run that ended early.
  void clear_promised_bytes() { promised_bytes_ = 0; }

  /// The bytes of this rank that other ranks hear of (dist::LoadBoard). Free blocks of the pool do not count,
  /// since a strip can have them.
  double bytes_with_promised() const { return bytes() + promised_bytes_; }
  /// The most bytes that were held since reset_peak, free blocks of the pool included.
  double peak_bytes() const { return peak_bytes_; }
  void reset_peak() { peak_bytes_ = 0; }

  Arena factors;   ///< panels, L21, D and names
  BlockPool pool;  ///< contribution blocks

 private:
  double bytes() const { return held_bytes_ + static_cast<double>(factors.used_bytes()); }
  double all_bytes() const { return bytes() + static_cast<double>(pool.kept_bytes()); }
  void update_account() { part_.set_bytes(all_bytes() + passed_bytes_, peak_bytes_); }

  double held_bytes_ = 0;      ///< of all entries: contribution blocks not yet assembled, messages that wait
  double promised_bytes_ = 0;  ///< of strips that this rank was given and has not begun
  double peak_bytes_ = 0;
  double passed_bytes_ = 0;  ///< to other ranks, less what they passed to this one
  AccountPart part_;
};

/// A block of the pool, on the books while it is held.
class HeldBlock {
 public:
  HeldBlock() = default;
  /// Takes a block from the pool and updates the peak.
  HeldBlock(Ledger& ledger, std::size_t bytes)
      : block_(ledger.pool.allocate(bytes)), entry_(ledger.make_entry(block_.bytes)) {}

  template <class T>
  T* as() const {
    return block_.as<T>();
  }
  /// Puts the block back to the pool, if there is one.
  void give_back() {
    if (entry_.ledger_ != nullptr) entry_.ledger_->pool.put_back(std::move(block_));
    entry_.release();
  }
  /// Hands the memory to the caller, off this rank's books.
  Block take_out() {
    entry_.release();
    return std::move(block_);
  }

 private:
  Block block_;
  Ledger::Entry entry_;
};

}  // namespace overlapack::sparse::multifrontal
