#include "api/io/atomic_file.hpp"

#include "api/io/refuse.hpp"
#include "overlapack/io.hpp"

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <fcntl.h>
#include <filesystem>
#include <sys/stat.h>
#include <unistd.h>
#include <utility>

namespace overlapack::io {
namespace {

namespace fs = std::filesystem;

[[noreturn]] void fail(const std::string& path, const char* action) {
  refuse(path,
         std::string(action) + " (" + std::strerror(errno) + "); check the directory and the space left");
}

bool is_standard_output(const std::string& path) { return path == "-" || path == "/dev/stdout"; }

bool is_special(const std::string& path) {
  std::error_code code;
  const auto status = fs::status(path, code);
  return fs::exists(status) && !fs::is_regular_file(status);
}

/// The file that symbolic links lead to, whether or not it exists.
std::string behind_links(const std::string& path) {
  constexpr int most_links = 40;  // as Linux follows
  fs::path file = path;
  std::error_code code;
  for (int links = 0; links < most_links && fs::is_symlink(fs::symlink_status(file, code)); ++links)
    file = file.parent_path() / fs::read_symlink(file, code);
  return file.string();
}

/// Concurrent writers of one path use different temporary files: O_EXCL lets one of them create a name.
constexpr int most_writers = 100;
std::string temporary_name(const std::string& path, int writer) {
  return path + "." + std::to_string(::getpid()) + "-" + std::to_string(writer) + ".part";
}

}  // namespace

void remove_unfinished(const std::string& path) {
  const std::string file = behind_links(path);
  for (int writer = 0; writer < most_writers; ++writer) ::unlink(temporary_name(file, writer).c_str());
}

void require_possible(const std::string& path) {
  if (is_standard_output(path) || !is_special(path))
    const AtomicFile probe(path);
  else if (::access(path.c_str(), W_OK) != 0)
    fail(path, "cannot be written");
}

AtomicFile::AtomicFile(const std::string& path) : path_(path), temporary_(path) {
  if (is_standard_output(path)) {
    descriptor_ = ::dup(STDOUT_FILENO);  // opening by name would overwrite a file that it is redirected to
  } else if (is_special(path)) {
    descriptor_ = ::open(path.c_str(), O_WRONLY | O_CLOEXEC);
  } else {
    path_ = behind_links(path);
    open_beside();
  }
  if (descriptor_ < 0) fail(path, "cannot be written");
}

/// Open a new file in the folder of path_. It gets the permissions of the file that it will replace, which must be writable.
void AtomicFile::open_beside() {
  struct stat old {};
  const bool is_there = ::stat(path_.c_str(), &old) == 0;
  if (is_there && ::access(path_.c_str(), W_OK) != 0) return;
  const mode_t permissions = is_there ? old.st_mode & 0777 : 0666;
  for (int writer = 0; descriptor_ < 0 && writer < most_writers; ++writer) {
    temporary_ = temporary_name(path_, writer);
    descriptor_ = ::open(temporary_.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, permissions);
    if (descriptor_ < 0 && errno != EEXIST) return;
  }
  // beyond the umask; where the file system has no permissions, there are none to keep
  if (is_there && descriptor_ >= 0) static_cast<void>(::fchmod(descriptor_, permissions));
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
    if (written < 0) fail(path_, "cannot be written to its end");
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
  fail(path_, "cannot be put in place");
}

}  // namespace overlapack::io
