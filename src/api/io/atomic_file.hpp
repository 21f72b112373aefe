#pragma once
#include <string>
#include <string_view>

namespace overlapack::io {

/// Writes a file that appears whole or not at all. The text goes into a temporary file beside it, which commit() renames; without commit()
/// it is removed. If the path is a symbolic link, the file that it leads to is replaced and keeps its permissions. A path that exists and is
/// no regular file (a pipe, /dev/stdout) is written directly.
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

  std::string path_;       ///< the path after symbolic links are followed
  std::string temporary_;  ///< path_ itself when written directly
  int descriptor_ = -1;
};

/// Check that an AtomicFile can be opened at this path. A pipe is not opened, since its reader would see the end of the data.
/// Errors  BadInput
void require_possible(const std::string& path);

}  // namespace overlapack::io
