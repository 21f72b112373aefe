#pragma once
#include <cstddef>
#include <cstdint>
#include <deque>
#include <functional>
#include <set>
#include <span>
#include <vector>

/// Byte streams between all pairs of processing elements (PEs), by puts into the symmetric heap. Each PE has a ring buffer for
/// each sender. A sender puts its bytes into its ring at the receiver, then, after a fence, the total number of bytes written;
/// the receiver puts back the total number of bytes read. The rings of a PE share 64 MiB and have at most 256 KiB each. After
/// another fence the sender sets its bit in one word of the receiver, so that a PE for which nothing has come looks at that word
/// alone, however many PEs there are.
namespace overlapack::comm::shmem {

/// Start of a frame, followed by `bytes` bytes.
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
  std::vector<std::byte> owned = {};  ///< bytes that the frame owns, or ...
  /// ... the sender's, which must stay valid until is_sent is called
  std::span<const std::byte> parts[2] = {};
  std::function<void()> is_sent = {};
};

class Pipes {
 public:
  /// Sync    collective over all PEs
  Pipes();
  /// Whether the symmetric heap had room for the rings; else only is_empty() may be called.
  bool have_room() const { return rings_ && written_to_me_ && read_by_ && news_; }

  int here() const { return here_; }
  int count() const { return count_; }
  void send(int pe, Frame frame);
  /// Write as much as fits and read what has arrived. Calls `arrived` for each complete frame, in the order in which its sender
  /// sent it. Returns whether any bytes moved.
  bool advance(const std::function<void(int pe, const FrameHeader&, std::vector<std::byte>)>& arrived);
  bool is_empty() const;

 private:
  /// The frame being read from one PE.
  struct Reading {
    FrameHeader header;
    std::size_t done = 0;  ///< bytes read, header included
    std::vector<std::byte> bytes;
  };
  struct Writing {
    std::deque<Frame> frames;
    std::size_t done = 0;  ///< bytes written of the first frame
    std::uint64_t written = 0;
  };
  bool write(int pe);
  std::size_t write_part(int pe, const std::byte* from, std::size_t bytes);
  bool read(int pe, const std::function<void(int, const FrameHeader&, std::vector<std::byte>)>& arrived);
  void read_bytes(int pe, std::byte* to, std::size_t bytes);
  std::uint64_t read_and_clear_news();

  int here_ = 0, count_ = 1;
  std::size_t ring_bytes_;
  std::byte* rings_ = nullptr;  ///< symmetric: a ring for each sending PE
  /// symmetric: by sender, the total bytes it has written to this PE
  unsigned long* written_to_me_ = nullptr;
  /// symmetric: by receiver, the total bytes it has read from this PE
  unsigned long* read_by_ = nullptr;
  unsigned long* news_ = nullptr;  ///< symmetric: bit s is set by PEs s, s + 64, ... when they have written
  std::vector<Writing> writing_;
  std::set<int> writing_to_;  ///< PEs for which frames are not yet completely written
  std::vector<Reading> reading_;
  std::vector<std::uint64_t> read_;  ///< by sender: total bytes read
};

}  // namespace overlapack::comm::shmem
