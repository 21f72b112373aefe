#include "comm/engine/mpi/load/plugin_file.hpp"

#include "base/own_file.hpp"

#include <cerrno>
#include <cstring>
#include <dlfcn.h>
#include <fcntl.h>
#include <memory>
#include <mutex>
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

/// Map a file once. dlopen identifies a file by the name it was opened by, here /proc/self/fd/N, for ever: so the descriptor stays
/// open, and its number never names another file.
MappedPlugin map_once(std::unique_ptr<const Descriptor> file) {
  struct Mapped {
    std::unique_ptr<const Descriptor> file;
    struct stat facts;
    void* handle;
  };
  static std::mutex mutex;
  static auto& all = *new std::vector<Mapped>;  // never destroyed
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

MappedPlugin map_plugin(const fs::path& folder, const std::string& name) {
  const Descriptor in(::open(folder.c_str(), O_PATH | O_DIRECTORY | O_CLOEXEC));
  if (!in.is_open()) return {};
  auto file = std::make_unique<const Descriptor>(
      openat(in.number(), name.c_str(), O_RDONLY | O_NONBLOCK | O_CLOEXEC));
  if (!file->is_open()) return {nullptr, errno == ENOENT ? "" : std::strerror(errno)};
  for (const auto& [opened, what] : {std::pair{&in, "its folder "}, std::pair{&*file, "it "}})
    if (const std::string objection = reason_not_to_execute(opened->number()); !objection.empty())
      return {nullptr, what + objection};
  return map_once(std::move(file));
}

}  // namespace overlapack::comm::mpi
