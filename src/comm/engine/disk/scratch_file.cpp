#include "comm/disk/scratch_file.hpp"

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <condition_variable>
#include <cstdlib>
#include <cstring>
#include <fcntl.h>
#include <list>
#include <mutex>
#include <system_error>
#include <thread>
#include <unistd.h>

namespace overlapack::comm {

namespace {

using Clock = std::chrono::steady_clock;

std::string folder_text(const std::string& folder) { return "the scratch folder " + folder; }

Error open_error(const std::string& folder, int error) {
  return {Status::bad_input, folder_text(folder) + " takes no file (" +
                                 std::generic_category().message(error) +
                                 "): give a folder that exists and may be written to, or factors = memory"};
}

/// Open a file without a name: O_TMPFILE, else create and unlink it.
int open_unlinked(const std::string& folder) {
#ifdef O_TMPFILE
  const int nameless = open(folder.c_str(), O_TMPFILE | O_RDWR | O_CLOEXEC, 0600);
  if (nameless >= 0) return nameless;
  if (errno != EOPNOTSUPP && errno != EISDIR && errno != EINVAL) throw open_error(folder, errno);
#endif
  std::string name = folder + "/overlapack-XXXXXX";
  const int named = mkostemp(name.data(), O_CLOEXEC);
  if (named < 0) throw open_error(folder, errno);
  unlink(name.c_str());
  return named;
}

}  // namespace

struct ScratchFile::Carrier {
  Carrier(int its_file, const DiskFault& its_fault) : file(its_file), fault(its_fault) {}
  ~Carrier() {
    end();
    close(file);
  }

  void begin() {
    if (thread.joinable()) return;
    try {
      thread = std::thread([this] { run_thread_loop(); });
    } catch (const std::system_error&) {
      throw Error(Status::out_of_memory,
                  "the system refused a thread for reading and writing factors: set factors to memory, or "
                  "raise the limit of processes");
    }
  }
  void end() {
    if (!thread.joinable()) return;
    {
      const std::lock_guard lock(mutex);
      is_ending = true;
    }
    changed.notify_all();
    thread.join();
    is_ending = false;
  }
  void run_thread_loop() {
    std::unique_lock lock(mutex);
    for (;;) {
      changed.wait(lock, [this] { return is_ending || !waiting.empty(); });
      if (waiting.empty()) return;
      const std::shared_ptr<Transfer> next = waiting.front();
      lock.unlock();
      carry(*next);
      lock.lock();
      ended.splice(ended.end(), waiting,
                   waiting.begin());  // allocates nothing: this thread could not report a failure
      changed.notify_all();
    }
  }
  void carry(Transfer& t) {
    t.begin_s = seconds();
    for (std::size_t at = 0; at < t.bytes && t.error == 0;) {
      const ssize_t moved = call(t, at);
      if (moved > 0)
        at += static_cast<std::size_t>(moved);
      else if (moved == 0)
        t.error = t.is_read ? -1 : ENOSPC;
      else if (errno != EINTR)
        t.error = errno;
    }
    t.end_s = seconds();
  }
  ssize_t call(const Transfer& t, std::size_t at) {
    constexpr std::size_t most = std::size_t{1} << 30;  // Linux transfers at most 2 GiB a call
    std::size_t bytes = std::min(t.bytes - at, most);
    const bool fails = t.is_read ? ++reads == fault.read : ++writes == fault.write;
    if (fails && fault.error != 0) {
      errno = fault.error;
      return -1;
    }
    if (fails && t.is_read) return 0;
    if (fails) bytes = (bytes + 1) / 2;
    const auto offset = static_cast<off_t>(t.offset + at);
    return t.is_read ? pread(file, t.data + at, bytes, offset) : pwrite(file, t.data + at, bytes, offset);
  }
  static double seconds() { return std::chrono::duration<double>(Clock::now().time_since_epoch()).count(); }

  const int file;
  const DiskFault fault;
  std::int64_t writes = 0, reads = 0;  ///< calls so far; used by the I/O thread only
  std::thread thread;
  std::mutex mutex;
  std::condition_variable changed;
  // guarded by mutex:
  std::list<std::shared_ptr<Transfer>> waiting;  ///< the first one is under way
  std::list<std::shared_ptr<Transfer>> ended;
  bool is_ending = false;
};

ScratchFile::ScratchFile(std::string folder, const DiskFault& fault)
    : folder_(std::move(folder)), carrier_(std::make_unique<Carrier>(open_unlinked(folder_), fault)) {}

ScratchFile::~ScratchFile() = default;

std::shared_ptr<Transfer> ScratchFile::start(bool is_read, std::uint64_t offset, std::byte* data,
                                             std::size_t bytes) {
  auto transfer = std::make_shared<Transfer>();
  transfer->is_read = is_read;
  transfer->offset = offset;
  transfer->data = data;
  transfer->bytes = bytes;
  carrier_->begin();
  {
    const std::lock_guard lock(carrier_->mutex);
    carrier_->waiting.push_back(transfer);
  }
  carrier_->changed.notify_all();
  return transfer;
}

std::shared_ptr<Transfer> ScratchFile::start_write(std::uint64_t offset, std::byte* data, std::size_t bytes) {
  return start(false, offset, data, bytes);
}

std::shared_ptr<Transfer> ScratchFile::start_read(std::uint64_t offset, std::byte* data, std::size_t bytes) {
  return start(true, offset, data, bytes);
}

std::vector<std::shared_ptr<Transfer>> ScratchFile::collect() {
  std::vector<std::shared_ptr<Transfer>> ended;
  {
    const std::lock_guard lock(carrier_->mutex);
    ended.assign(carrier_->ended.begin(), carrier_->ended.end());
    carrier_->ended.clear();
  }
  for (const auto& transfer : ended) transfer->done = true;
  return ended;
}

void ScratchFile::wait(double most_s) {
  std::unique_lock lock(carrier_->mutex);
  carrier_->changed.wait_for(lock, std::chrono::duration<double>(most_s),
                             [this] { return !carrier_->ended.empty() || carrier_->waiting.empty(); });
}

void ScratchFile::stop_thread() { carrier_->end(); }

double ScratchFile::now() const { return Carrier::seconds(); }

Error disk_error(const ScratchFile& file, const Transfer& t) {
  const std::string what = (t.is_read ? "reading " : "writing ") + std::to_string(t.bytes) +
                           " bytes of factors " + (t.is_read ? "from " : "to ") + folder_text(file.folder());
  if (t.error == ENOSPC || t.error == EDQUOT || t.error == EFBIG)
    return {Status::out_of_memory,
            what + " found no room left: free some, or give another folder as scratch"};
  return {Status::comm_failure, what + " failed (" +
                                    (t.error < 0 ? std::string("the file is shorter than what was written")
                                                 : std::generic_category().message(t.error)) +
                                    "): look after the disk, or give another folder as scratch"};
}

}  // namespace overlapack::comm
