#include "api/io/atomic_file.hpp"

#include "overlapack/error.hpp"
#include "overlapack/io.hpp"

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <fcntl.h>
#include <filesystem>
#include <unistd.h>
#include <utility>

namespace overlapack::io {
namespace {

bool is_special(const std::string& path) {
  std::error_code code;
  const auto status = std::filesystem::status(path, code);
  return std::filesystem::exists(status) && !std::filesystem::is_regular_file(status);
}

/// Concurrent writers of one path use different temporary files: O_EXCL lets one of them create a name.
constexpr int most_writers = 100;
std::string temporary_name(const std::string& path, int writer) {
  return path + "." + std::to_string(::getpid()) + "-" + std::to_string(writer) + ".part";
}

}  // namespace

void remove_unfinished(const std::string& path) {
  for (int writer = 0; writer < most_writers; ++writer) ::unlink(temporary_name(path, writer).c_str());
}

AtomicFile::AtomicFile(std::string path) : path_(std::move(path)), temporary_(path_) {
  if (path_ == "-" || path_ == "/dev/stdout") {
    descriptor_ = ::dup(STDOUT_FILENO);  // opening by name would overwrite a file that it is redirected to
  } else if (is_special(path_)) {
    descriptor_ = ::open(path_.c_str(), O_WRONLY | O_CLOEXEC);
  } else {
    for (int writer = 0; descriptor_ < 0 && writer < most_writers; ++writer) {
      temporary_ = temporary_name(path_, writer);
      descriptor_ = ::open(temporary_.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
      if (descriptor_ < 0 && errno != EEXIST) break;
    }
  }
  if (descriptor_ < 0) fail("cannot be written");
}

AtomicFile::~AtomicFile() {
  if (descriptor_ < 0) return;
  ::close(descriptor_);
  if (temporary_ != path_) ::unlink(temporary_.c_str());
}

void AtomicFile::write(std::string_view text) {
  while (!text.empty()) {
    const ssize_t written = ::write(descriptor_, text.data(), text.size());
    if (written < 0 && errno == EINTR) continue;
    if (written < 0) fail("cannot be written to its end");
    text.remove_prefix(static_cast<std::size_t>(written));
  }
}

void AtomicFile::commit() {
  const int descriptor = std::exchange(descriptor_, -1);
  const bool is_closed = ::close(descriptor) == 0;
  const bool is_in_place =
      temporary_ == path_ || (is_closed && std::rename(temporary_.c_str(), path_.c_str()) == 0);
  if (is_closed && is_in_place) return;
  const int reason = errno;
  if (temporary_ != path_) ::unlink(temporary_.c_str());
  errno = reason;
  fail("cannot be put in place");
}

void AtomicFile::fail(const char* action) const {
  throw Error(Status::bad_input, path_ + ": " + action + " (" + std::strerror(errno) +
                                     "); check the directory and the space left");
}

}  // namespace overlapack::io
