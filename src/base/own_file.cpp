#include "base/own_file.hpp"

#include <cerrno>
#include <cstdint>
#include <cstring>
#include <fstream>
#include <sstream>
#include <sys/stat.h>
#include <unistd.h>

namespace overlapack {
namespace {

namespace fs = std::filesystem;

/// The users and groups that may change the code that is running now. Executing another file adds no risk if only they could have
/// made or changed it.
class Writers {
 public:
  explicit Writers(const fs::path& own) {
    const bool is_known = stat(own.c_str(), &file_) == 0 && stat(own.parent_path().c_str(), &folder_) == 0;
    if (is_known) return;
    file_ = folder_ = {};
    file_.st_uid = geteuid();
  }

  /// What reason_not_to_execute() returns.
  std::string objection(int descriptor) const {
    struct stat facts {};
    if (fstat(descriptor, &facts) != 0) return std::strerror(errno);
    if (facts.st_uid != 0 && facts.st_uid != geteuid() && facts.st_uid != file_.st_uid)
      return "belongs to user " + std::to_string(facts.st_uid);
    if ((facts.st_mode & S_IWOTH) && !(file_.st_mode & S_IWOTH)) return "may be written to by everybody";
    if ((facts.st_mode & S_IWGRP) && !is_open_to(facts.st_gid, file_) && !is_open_to(facts.st_gid, folder_))
      return "may be written to by group " + std::to_string(facts.st_gid);
    return {};
  }

 private:
  static bool is_open_to(gid_t group, const struct stat& facts) {
    return (facts.st_mode & S_IWOTH) || ((facts.st_mode & S_IWGRP) && facts.st_gid == group);
  }

  struct stat file_ {
  }, folder_{};
};

}  // namespace

fs::path own_binary_path() {
  const auto here = reinterpret_cast<std::uintptr_t>(&own_binary_path);
  std::ifstream maps("/proc/self/maps");
  for (std::string line; std::getline(maps, line);) {
    std::istringstream words(line);
    std::uintptr_t first = 0, last = 0;
    char dash = 0;
    std::string rights, offset, device, inode, path;
    words >> std::hex >> first >> dash >> last >> rights >> offset >> device >> inode >> std::ws;
    if (here < first || here >= last) continue;
    std::getline(words, path);
    return path;
  }
  return {};
}

fs::path folder_of_installation() {
  for (const fs::path part : {"bin", OVERLAPACK_LIBRARY_FOLDER}) {
    if (part.is_absolute()) continue;  // has no prefix
    fs::path prefix = own_binary_path().parent_path(), rest = part;
    for (; !rest.empty() && prefix.filename() == rest.filename(); rest = rest.parent_path())
      prefix = prefix.parent_path();
    if (rest.empty()) return prefix / "lib/overlapack";
  }
  return {};
}

std::string reason_not_to_execute(int descriptor) { return Writers(own_binary_path()).objection(descriptor); }

}  // namespace overlapack
