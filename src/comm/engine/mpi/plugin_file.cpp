#include "comm/engine/mpi/plugin_file.hpp"

#include <cerrno>
#include <cstdint>
#include <cstring>
#include <dlfcn.h>
#include <fcntl.h>
#include <fstream>
#include <memory>
#include <mutex>
#include <sstream>
#include <sys/stat.h>
#include <unistd.h>
#include <utility>
#include <vector>

namespace overlapack::comm::mpi {

namespace {

namespace fs = std::filesystem;

class Descriptor {
 public:
  explicit Descriptor(int number) : number_(number) {}
  ~Descriptor() {
    if (is_open()) close(number_);
  }
  Descriptor(const Descriptor&) = delete;
  Descriptor& operator=(const Descriptor&) = delete;
  bool is_open() const { return number_ >= 0; }
  int number() const { return number_; }
  std::string path() const { return "/proc/self/fd/" + std::to_string(number_); }

 private:
  int number_;
};

/// Who may change the code that runs here already: another file is run if nobody else could have made or changed it.
class Writers {
 public:
  explicit Writers(const fs::path& own) {
    const bool is_known = stat(own.c_str(), &file_) == 0 && stat(own.parent_path().c_str(), &folder_) == 0;
    if (is_known) return;
    file_ = folder_ = {};
    file_.st_uid = geteuid();
  }

  /// What stands against running what is open here, or against a file of that folder; empty: nothing.
  std::string objection(const Descriptor& opened) const {
    struct stat facts {};
    if (fstat(opened.number(), &facts) != 0) return std::strerror(errno);
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

/// The loader knows a file by the name that it was opened by, for ever: a descriptor that gave one stays open, so that its number, and
/// with it the name, is never that of another file.
MappedPlugin map_once(std::unique_ptr<const Descriptor> file) {
  struct Mapped {
    std::unique_ptr<const Descriptor> file;
    struct stat facts;
    void* handle;
  };
  static std::mutex mutex;
  static auto& all = *new std::vector<Mapped>;  // as long as the process
  const std::lock_guard lock(mutex);
  struct stat facts {};
  if (fstat(file->number(), &facts) != 0) return {nullptr, std::strerror(errno)};
  for (const Mapped& mapped : all)
    if (mapped.facts.st_dev == facts.st_dev && mapped.facts.st_ino == facts.st_ino)
      return {mapped.handle, {}};
  all.reserve(all.size() + 1);
  void* const handle = dlopen(file->path().c_str(), RTLD_NOW | RTLD_LOCAL);
  if (!handle) return {nullptr, "it cannot be loaded (" + std::string(dlerror()) + ")"};
  all.push_back({std::move(file), facts, handle});
  return {handle, {}};
}

}  // namespace

fs::path own_file() {
  const auto here = reinterpret_cast<std::uintptr_t>(&own_file);
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

MappedPlugin map_plugin(const fs::path& folder, const std::string& name) {
  const Descriptor in(::open(folder.c_str(), O_PATH | O_DIRECTORY | O_CLOEXEC));
  if (!in.is_open()) return {};
  auto file = std::make_unique<const Descriptor>(
      openat(in.number(), name.c_str(), O_RDONLY | O_NONBLOCK | O_CLOEXEC));
  if (!file->is_open()) return {nullptr, errno == ENOENT ? "" : std::strerror(errno)};
  const Writers writers(own_file());
  for (const auto& [opened, what] : {std::pair{&in, "its folder "}, std::pair{&*file, "it "}})
    if (const std::string objection = writers.objection(*opened); !objection.empty())
      return {nullptr, what + objection};
  return map_once(std::move(file));
}

}  // namespace overlapack::comm::mpi
