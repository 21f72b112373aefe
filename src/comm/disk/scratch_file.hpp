#pragma once
#include "overlapack/error.hpp"

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

namespace overlapack::comm {

/// For tests: one call of the system that does not do what it should. Calls are counted from 1; 0: none.
struct DiskFault {
  std::int64_t write = 0, read = 0;
  int error =
      0;  ///< errno of the call; 0: a write transfers half of its bytes, a read finds the end of the file
};

/// Bytes on their way to a file, or from it. Their memory stays as it is until `done`.
struct Transfer {
  bool is_read = false;
  std::uint64_t offset = 0;
  std::byte* data = nullptr;
  std::size_t bytes = 0;
  bool done = false;  ///< set by ScratchFile::collect
  int error = 0;      ///< errno of a transfer that failed; -1: the file ended before the bytes did
  double begin_s = 0, end_s = 0;  ///< on the clock of ScratchFile::now
};

/// A file that one rank writes to and reads from while it computes: a thread carries the bytes. It has no name (O_TMPFILE, or
/// unlinked as soon as it is open), so that nothing is left of it however the process ends.
/// Used by one thread at a time, beside the one of its own, which lives from the first transfer until `rest`.
class ScratchFile {
 public:
  /// Errors  BadInput when no file can be made in the folder
  explicit ScratchFile(std::string folder, const DiskFault& fault = {});
  /// After what is under way.
  ~ScratchFile();
  ScratchFile(const ScratchFile&) = delete;
  ScratchFile& operator=(const ScratchFile&) = delete;

  /// One after the other, in the order of these calls. Cost: none of the disk's; a thread where there was none.
  std::shared_ptr<Transfer> start_write(std::uint64_t offset, std::byte* data, std::size_t bytes);
  std::shared_ptr<Transfer> start_read(std::uint64_t offset, std::byte* data, std::size_t bytes);
  /// Those that have ended since the last call, successful or not.
  std::vector<std::shared_ptr<Transfer>> collect();
  /// Sleep until a transfer ends that was not collected, at most so long; not at all if none is under way.
  void wait(double most_s);
  /// Until nothing is under way; the thread ends.
  void rest();

  double now() const;
  const std::string& folder() const { return folder_; }

 private:
  struct Carrier;
  std::shared_ptr<Transfer> start(bool is_read, std::uint64_t offset, std::byte* data, std::size_t bytes);

  std::string folder_;
  std::unique_ptr<Carrier> carrier_;
};

/// Why a transfer failed, as one sentence.
/// Kind  OutOfMemory where the disk is full, else CommFailure
Error disk_error(const ScratchFile& file, const Transfer& transfer);

}  // namespace overlapack::comm
