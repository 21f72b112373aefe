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

/// One rank's factors in a file instead of the arena. Fronts are made in segments, blocks of memory:
/// consecutive fronts share one as long as they fit, and a larger front has its own. A segment is written as
/// a whole once all of its fronts are final, and read as a whole. Bytes on their way to the file have a
/// budget, as messages have in the outbox; while it is full, the rank polls and waits, between tasks and
/// never inside of one. A solve reads the segments that come next ahead, as far as a window of memory has
/// room.
class FactorFile {
 public:
  /// Errors  BadInput when the folder takes no file
  FactorFile(const DiskPlan& plan, Ledger& ledger)
      : plan_(plan), ledger_(ledger), file_(plan.scratch, plan.fault) {}

  // ---- While the factors are made

  /// Room in a segment, aligned to 64 bytes, which stays in memory until finish(position).
  std::byte* allocate(std::size_t bytes, FilePosition& position, bool is_zeroed = true);
  /// What was allocated is final, and nobody reads it in memory any more.
  void finish(const FilePosition& position);
  /// Starts to write the segments of which everything is final.
  /// Errors  OutOfMemory when the disk is full, CommFailure when it fails
  void write_finished(comm::Rank& rank);
  /// Writes the last segments, too; returns when all of them are in the file.
  void write_all(comm::Rank& rank);
  /// Forget everything, for other factors in the same file.
  void clear();

  // ---- Afterwards

  /// The order in which segments will be needed, as far as is known; it decides what is read ahead.
  void set_read_order(std::vector<std::int32_t> order);
  /// Brings these segments into memory, where they stay until the next call.
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
    std::size_t bytes = 0;     ///< bytes of it that are taken
    Index unfinished = 0;      ///< allocations that are not final
    bool is_here = true;       ///< in memory, and not on its way from the file
    HeldBlock block;           ///< empty if the segment is in the file alone
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
  std::int32_t open_ = -1;              ///< the segment that takes more fronts
  std::size_t open_room_ = 0;           ///< bytes that it has in all
  std::vector<std::int32_t> finished_;  ///< segments that are closed and final, and not yet under way
  std::deque<UnderWay> under_way_;      ///< reads and writes, in the order of their starts
  std::size_t under_way_bytes_ = 0;     ///< bytes of the writes under way
  std::uint64_t end_ = 0;               ///< end of the file

  std::vector<std::int32_t> order_, last_use_;  ///< the read order; segment -> its last position there, or -1
  std::size_t position_ = 0;                    ///< of the present read in order_
  std::vector<std::int32_t> pinned_, held_;     ///< needed now; in memory or on their way there
  std::size_t held_bytes_ = 0;

  double written_bytes_ = 0, read_bytes_ = 0, wait_s_ = 0;
  Index times_full_ = 0, segments_ahead_ = 0;
  comm::ScratchFile file_;
};

}  // namespace overlapack::sparse::multifrontal
