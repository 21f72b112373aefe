#pragma once
#include <string>
#include <string_view>

namespace overlapack::io {

/// Writes a file that appears whole or not at all: into a new file beside it, renamed by commit() and otherwise removed.
/// A symbolic link stays: the file that it leads to is replaced, and its permissions are kept.
/// A path that exists and is no regular file (a pipe, /dev/stdout) is written directly.
class AtomicFile {
 public:
  /// Errors  BadInput if the directory is missing, or it or a file of that name is not writable
  explicit AtomicFile(const std::string& path);
  ~AtomicFile();
  AtomicFile(const AtomicFile&) = delete;
  AtomicFile& operator=(const AtomicFile&) = delete;

  /// Errors  BadInput if the disk is full or fails
  void write(std::string_view text);
  void commit();

 private:
  void open_beside();

  std::string path_;       ///< behind symbolic links
  std::string temporary_;  ///< path_ itself when written directly
  int descriptor_ = -1;
};

/// Check that an AtomicFile can be opened. A pipe is not: its reader would see the end of it.
/// Errors  BadInput
void require_possible(const std::string& path);

}  // namespace overlapack::io
