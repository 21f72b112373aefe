#pragma once
#include <cstddef>
#include <cstdint>
#include <deque>
#include <functional>
#include <span>
#include <vector>

/// Streams of bytes between all pairs of processing elements (PEs), by puts into the symmetric heap: each PE has a ring for
/// each other one (of 256 KiB), which writes to it, then, after a fence, how far it has written; the reader writes back how far it has read.
namespace overlapack::comm::shmem {

/// What travels: a header, then `bytes` bytes.
struct FrameHeader {
  std::int32_t kind = 0;
  std::int32_t context = 0;  ///< of the communicator
  std::int32_t tag = 0;
  std::int32_t unused = 0;
  std::int64_t bytes = 0;
  std::int64_t token = 0;
  std::int64_t more[4] = {};
};

struct Frame {
  FrameHeader header;
  std::vector<std::byte> owned = {};  ///< bytes of its own, or ...
  /// ... of the sender, which keeps them until `is_sent` is called
  std::span<const std::byte> parts[2] = {};
  std::function<void()> is_sent = {};
};

class Pipes {
 public:
  /// Sync    collective over all PEs
  Pipes();
  /// Has the symmetric heap had room for them? Else nothing here may be called but is_empty().
  bool have_room() const { return rings_ && written_to_me_ && read_by_; }

  int here() const { return here_; }
  int count() const { return count_; }
  void send(int pe, Frame frame);
  /// Write what there is room for, read what has come; `arrived` gets each frame that is complete, in the order of its sender.
  bool advance(const std::function<void(int pe, const FrameHeader&, std::vector<std::byte>)>& arrived);
  bool is_empty() const;

 private:
  /// The frame that is being read of one PE.
  struct Reading {
    FrameHeader header;
    std::size_t done = 0;  ///< of header and bytes
    std::vector<std::byte> bytes;
  };
  struct Writing {
    std::deque<Frame> frames;
    std::size_t done = 0;  ///< of the first frame
    std::uint64_t written = 0;
  };
  bool write(int pe);
  std::size_t write_part(int pe, const std::byte* from, std::size_t bytes);
  bool read(int pe, const std::function<void(int, const FrameHeader&, std::vector<std::byte>)>& arrived);
  void read_bytes(int pe, std::byte* to, std::size_t bytes);

  int here_ = 0, count_ = 1;
  std::byte* rings_ = nullptr;              ///< symmetric: a ring for each PE that writes to me
  unsigned long* written_to_me_ = nullptr;  ///< symmetric: by PE
  unsigned long* read_by_ = nullptr;        ///< symmetric: by PE, of what I wrote to it
  std::vector<Writing> writing_;
  std::vector<Reading> reading_;
  std::vector<std::uint64_t> read_;  ///< by PE
};

}  // namespace overlapack::comm::shmem
