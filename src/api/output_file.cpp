#include "api/output_file.hpp"

#include "overlapack/error.hpp"

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <unistd.h>

namespace overlapack::api {
namespace {

[[noreturn]] void refuse(const std::string& path) {
  const std::string reason = errno != 0 ? std::strerror(errno) : "unknown reason";
  throw Error(ErrorKind::bad_input, "write",
              "cannot write \"" + path + "\": " + reason + "; give another path");
}

/// A file that goes away again unless it is kept.
class PartialFile {
 public:
  explicit PartialFile(const std::string& path) : path_(path + ".partial-" + std::to_string(getpid())) {
    errno = 0;
    stream_.open(path_, std::ios::binary | std::ios::trunc);
    if (!stream_) refuse(path);
  }
  ~PartialFile() {
    if (!kept_) std::remove(path_.c_str());
  }
  std::ofstream& stream() { return stream_; }
  void keep_as(const std::string& path) {
    errno = 0;
    stream_.close();
    if (!stream_ || std::rename(path_.c_str(), path.c_str()) != 0) refuse(path);
    kept_ = true;
  }

 private:
  std::string path_;
  std::ofstream stream_;
  bool kept_ = false;
};

void require_not_folder(const std::string& path) {
  if (!std::filesystem::is_directory(path)) return;
  errno = EISDIR;
  refuse(path);
}

/// A pipe, a terminal or /dev/stdout is written as it is: it has no half that could stay behind.
bool is_special(const std::string& path) {
  std::error_code ignored;
  const auto type = std::filesystem::status(path, ignored).type();
  return type == std::filesystem::file_type::character || type == std::filesystem::file_type::fifo;
}

void write_special(const std::string& path, const std::function<void(std::ostream&)>& write) {
  errno = 0;
  std::ofstream stream(path, std::ios::binary);
  if (!stream) refuse(path);
  write(stream);
  stream.close();
  if (!stream) refuse(path);
}

}  // namespace

void write_file(const std::string& path, const std::function<void(std::ostream&)>& write) {
  require_not_folder(path);
  if (is_special(path)) return write_special(path, write);
  PartialFile file(path);
  write(file.stream());
  file.keep_as(path);
}

void require_writable(const std::string& path) {
  require_not_folder(path);
  if (!is_special(path)) PartialFile probe(path);
}

}  // namespace overlapack::api
