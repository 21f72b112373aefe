#pragma once
#include "overlapack/error.hpp"

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

namespace overlapack::comm {

/// For tests: which write and which read call of the system shall fail, counted from 1; 0: none.
struct DiskFault {
  std::int64_t write = 0, read = 0;
  /// errno of the failing call; 0: a write transfers only half of its bytes, a read finds the end of the file
  int error = 0;
};

/// A read or write under way. The caller keeps the memory valid, and does not write to it, until `done`.
struct Transfer {
  bool is_read = false;
  std::uint64_t offset = 0;
  std::byte* data = nullptr;
  std::size_t bytes = 0;
  bool done = false;  ///< set by ScratchFile::collect
  int error = 0;      ///< errno of a transfer that failed; -1: the file ended before the bytes did
  double begin_s = 0, end_s = 0;  ///< on the clock of ScratchFile::now
};

/// Temporary file of a rank with asynchronous I/O, for factors on disk: an I/O thread reads and writes while the rank computes. The file
/// has no name (O_TMPFILE, or unlinked once open), so that nothing is left of it however the process ends.
/// One thread at a time may call. The I/O thread lives from the first transfer until stop_thread().
class ScratchFile {
 public:
  /// Errors  BadInput if no file can be created in the folder
  explicit ScratchFile(std::string folder, const DiskFault& fault = {});
  /// Completes all transfers first.
  ~ScratchFile();
  ScratchFile(const ScratchFile&) = delete;
  ScratchFile& operator=(const ScratchFile&) = delete;

  /// Queue a transfer; transfers are done in the order of these calls. Does not wait for the disk; starts the thread if needed.
  std::shared_ptr<Transfer> start_write(std::uint64_t offset, std::byte* data, std::size_t bytes);
  std::shared_ptr<Transfer> start_read(std::uint64_t offset, std::byte* data, std::size_t bytes);
  /// The transfers that have ended since the last call, successful or not; sets their `done`.
  std::vector<std::shared_ptr<Transfer>> collect();
  /// Sleep until there is a transfer to collect, for at most most_s seconds; returns at once if none is under way.
  void wait(double most_s);
  /// Complete all transfers and end the thread.
  void stop_thread();

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
