#pragma once
#include <string>
#include <string_view>

namespace overlapack::io {

/// Writes a file that appears whole or not at all: into a new file beside it, renamed by commit() and otherwise removed.
/// A path that exists and is no regular file (a pipe, /dev/stdout) is written directly.
class AtomicFile {
 public:
  /// Errors  BadInput if the directory is missing or not writable
  explicit AtomicFile(std::string path);
  ~AtomicFile();
  AtomicFile(const AtomicFile&) = delete;
  AtomicFile& operator=(const AtomicFile&) = delete;

  /// Errors  BadInput if the disk is full or fails
  void write(std::string_view text);
  void commit();

 private:
  [[noreturn]] void fail(const char* action) const;

  std::string path_;
  std::string temporary_;  ///< path_ itself when written directly
  int descriptor_ = -1;
};

}  // namespace overlapack::io
