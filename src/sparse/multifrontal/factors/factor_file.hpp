#pragma once
#include "comm/disk/scratch_file.hpp"
#include "comm/rank.hpp"
#include "sparse/factors/disk_plan.hpp"
#include "sparse/multifrontal/front/front.hpp"
#include "sparse/multifrontal/front/ledger.hpp"

#include <cstddef>
#include <cstdint>
#include <deque>
#include <memory>
#include <optional>
#include <span>
#include <string_view>
#include <utility>
#include <vector>

namespace overlapack::sparse::multifrontal {

/// What one rank keeps of its fronts, in a file instead of the arena. Fronts that come one after the other share a segment, as long
/// as they fit: memory in which they are made, which is written as one once all of them are final, and read as one. Larger fronts have
/// a segment each. What is written counts in a budget, as messages do in the outbox: while it is full the rank moves messages and
/// waits, between tasks and never inside of one. In a solve the segments that come next are read ahead, as far as a window of memory
/// has room.
class FactorFile {
 public:
  /// Errors  BadInput when the folder takes no file
  FactorFile(const DiskPlan& plan, Ledger& ledger)
      : plan_(plan), ledger_(ledger), file_(plan.scratch, plan.fault) {}

  // ---- While the factors are made

  /// Room aligned to 64 bytes, which stays in memory until it is final.
  std::byte* allocate(std::size_t bytes, FilePosition& position, bool is_zeroed = true);
  /// It is final, and nobody reads it in memory any more.
  void finish(const FilePosition& position);
  /// Segments of which everything is final set out for the file.
  /// Errors  OutOfMemory when the disk is full, CommFailure when it fails
  void write_finished(comm::Rank& rank);
  /// The last ones, too; returns when all of them are in the file.
  void write_all(comm::Rank& rank);
  /// Forget everything, for other factors in the same file.
  void clear();

  // ---- Afterwards

  /// In which order segments will be needed, as far as is known.
  void set_read_order(std::vector<std::int32_t> order);
  /// These segments are in memory until the next call.
  /// Errors  CommFailure when the file cannot be read
  void read_segments(comm::Rank& rank, std::span<const std::int32_t> segments);
  std::byte* at(const FilePosition& position) const {
    return segments_[static_cast<std::size_t>(position.segment)].block.as<std::byte>() + position.offset;
  }
  /// No thread is left; what is in memory stays.
  void stop_thread() { file_.stop_thread(); }

  double written_bytes() const { return written_bytes_; }
  double read_bytes() const { return read_bytes_; }
  double wait_s() const { return wait_s_; }
  Index times_full() const { return times_full_; }
  Index segments_ahead() const { return segments_ahead_; }

 private:
  struct Segment {
    std::uint64_t offset = 0;  ///< in the file
    std::size_t bytes = 0;     ///< that are taken
    Index unfinished = 0;
    bool is_here = true;  ///< in memory, and not on its way from the file
    HeldBlock block;      ///< empty where it is in the file alone
  };
  struct UnderWay {
    std::shared_ptr<comm::Transfer> transfer;
    std::int32_t segment = -1;
  };

  Segment& segment(std::int32_t s) { return segments_[static_cast<std::size_t>(s)]; }
  void close(std::int32_t s);
  void collect(comm::Rank& rank);
  void ended(const UnderWay& of);
  void wait(comm::Rank& rank, std::string_view kind, comm::FunctionRef<bool()> is_over);
  bool is_pinned(std::int32_t s) const;
  bool is_passed(std::int32_t s) const;
  bool make_room(std::size_t bytes, bool for_now);
  void start_read(std::int32_t s);
  void read_ahead();

  const DiskPlan plan_;
  Ledger& ledger_;
  std::deque<Segment> segments_;        // before file_: its thread may use their memory
  std::int32_t open_ = -1;              ///< takes more
  std::size_t open_room_ = 0;           ///< of it in all
  std::vector<std::int32_t> finished_;  ///< and closed, not yet under way
  std::deque<UnderWay> under_way_;      ///< in the order of their starts
  std::size_t under_way_bytes_ = 0;     ///< of writes
  std::uint64_t end_ = 0;               ///< of the file

  std::vector<std::int32_t> order_,
      last_use_;              ///< as of set_read_order; segment -> its last position there, -1: none
  std::size_t position_ = 0;  ///< in order_
  std::vector<std::int32_t> pinned_, held_;  ///< held: in memory or on their way there
  std::size_t held_bytes_ = 0;

  double written_bytes_ = 0, read_bytes_ = 0, wait_s_ = 0;
  Index times_full_ = 0, segments_ahead_ = 0;
  comm::ScratchFile file_;
};

}  // namespace overlapack::sparse::multifrontal
