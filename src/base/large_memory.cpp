#include "base/large_memory.hpp"

#include "base/fenced.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <mutex>
#include <pthread.h>
#include <sched.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>
#include <utility>

namespace overlapack {

namespace {

unsigned numa_node_of_this_thread() {
  unsigned cpu = 0, node = 0;
  getcpu(&cpu, &node);
  return node;
}

/// The NUMA node of the first page of `data`; this thread's node where there is only one or the system does not say.
unsigned numa_node_of_address(const std::byte* data) {
  static const bool has_several = access("/sys/devices/system/node/node1", F_OK) == 0;
  constexpr unsigned long node_of_address = 1 | 2;  // MPOL_F_NODE, MPOL_F_ADDR of linux/mempolicy.h
  int node = 0;
  if (!has_several || syscall(SYS_get_mempolicy, &node, nullptr, 0UL, data, node_of_address) != 0)
    return numa_node_of_this_thread();
  return static_cast<unsigned>(node);
}

/// The largest memory that a loose request for so much is given.
constexpr std::size_t most_bytes_of_loose_fit(std::size_t bytes) { return bytes + bytes / 2; }

std::byte* map_pages(std::size_t bytes) {
  void* const p =
      mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  return p == MAP_FAILED ? nullptr : static_cast<std::byte*>(p);
}

/// From the beginning of a huge page on: the system gives none for the rest of one. (Linux aligns such memory by itself since 6.7, where
/// its size is a multiple.)
std::byte* map_huge_pages(std::size_t bytes) {
  std::byte* const all = map_pages(bytes + huge_page_bytes);
  if (all == nullptr) return nullptr;
  const std::size_t into = std::bit_cast<std::uintptr_t>(all) % huge_page_bytes;
  const std::size_t before = into > 0 ? huge_page_bytes - into : 0;
  if (before > 0) munmap(all, before);
  std::byte* const data = all + before;
  munmap(data + bytes, huge_page_bytes - before);
  madvise(data, bytes, MADV_HUGEPAGE);  // a hint
  return data;
}

/// Freed memory kept for reuse, oldest first, and huge pages from which smaller memory is cut. Allocates nothing and is never destroyed:
/// freeing must not fail and may follow main.
class Waiting {
 public:
  /// The smallest of those with `bytes` to `most` bytes on this thread's NUMA node; data is null where there is none.
  LargeMemory take_smallest_fitting(std::size_t bytes, std::size_t most) {
    const unsigned node = numa_node_of_this_thread();
    const std::lock_guard guard(mutex_);
    std::size_t best = count_;
    for (std::size_t k = count_; k-- > 0;) {
      const Memory& m = all_[k];
      const bool fits = m.node == node && m.bytes >= bytes && m.bytes <= most;
      if (fits && (best == count_ || m.bytes < all_[best].bytes)) best = k;
    }
    if (best == count_) return {};
    const Memory taken = remove_entry(best);
    return {taken.data, taken.bytes, false};
  }

  /// The next `bytes` of this NUMA node's huge pages; null where the system refuses more. To find and clear a huge page took a virtual
  /// machine 46 us, and the 512 small ones of as much memory 660 us.
  std::byte* cut_from_huge_pages(std::size_t bytes) {
    const unsigned node = numa_node_of_this_thread();
    const std::lock_guard guard(mutex_);
    Cut& cut = cuts_[node % cuts_.size()];
    if (cut.left < bytes) {
      std::byte* const data = map_huge_pages(cut_bytes);
      if (data == nullptr) return nullptr;
      if (cut.left >= least_large_bytes) {
        const std::size_t fits = cut.left - cut.left % (std::bit_floor(cut.left) / 8);
        append_freed(cut.data, fits, node);
      }
      cut = {data, cut_bytes};
    }
    cut.left -= bytes;
    return std::exchange(cut.data, cut.data + bytes);
  }

  void keep_for_reuse(std::byte* data, std::size_t bytes) {
    const unsigned node = numa_node_of_address(data);
    const std::lock_guard guard(mutex_);
    append_freed(data, bytes, node);
  }

 private:
  struct Memory {
    std::byte* data;
    std::size_t bytes;
    unsigned node;
  };
  struct Cut {
    std::byte* data = nullptr;
    std::size_t left = 0;
  };
  static constexpr std::size_t cut_bytes = 4 * huge_page_bytes;
  friend struct Forks;

  void append_freed(std::byte* data, std::size_t bytes, unsigned node) {
    while (count_ == all_.size() || bytes_ + bytes > waiting_bytes_at_most) {
      const Memory oldest = remove_entry(0);
      munmap(oldest.data, oldest.bytes);
    }
    all_[count_++] = {data, bytes, node};
    bytes_ += bytes;
  }
  Memory remove_entry(std::size_t k) {
    const Memory memory = all_[k];
    std::copy(all_.begin() + k + 1, all_.begin() + count_, all_.begin() + k);
    --count_;
    bytes_ -= memory.bytes;
    return memory;
  }

  std::mutex mutex_;
  std::array<Memory, 256> all_{};
  std::size_t count_ = 0;
  std::size_t bytes_ = 0;
  std::array<Cut, 8> cuts_{};  ///< by NUMA node
};

constinit Waiting waiting;

/// Holds the lock over fork(), so that it is free in the child whatever other threads of the parent did.
struct Forks {
  Forks() {
    pthread_atfork([] { waiting.mutex_.lock(); }, [] { waiting.mutex_.unlock(); },
                   [] { waiting.mutex_.unlock(); });
  }
} const forks;

#ifdef __SANITIZE_ADDRESS__
constexpr bool is_kept(std::size_t, Pages) { return false; }  // so that the sanitizer sees a use after free
#else
constexpr bool is_kept(std::size_t bytes, Pages pages) {
  return pages == Pages::huge && bytes <= waiting_bytes_at_most;
}
#endif

}  // namespace

std::size_t rounded_large_bytes(std::size_t bytes) { return round_up(bytes, std::bit_floor(bytes) / 8); }

LargeMemory allocate_large(std::size_t bytes, Pages pages, Fit fit) {
  const std::size_t size = rounded_large_bytes(bytes);
  if (size < bytes) return {};
  if (is_kept(size, pages))
    if (const LargeMemory kept =
            waiting.take_smallest_fitting(size, fit == Fit::loose ? most_bytes_of_loose_fit(size) : size);
        kept.data)
      return kept;
  std::byte* const p = pages == Pages::small     ? map_pages(size)
                       : size >= huge_page_bytes ? map_huge_pages(size)
                                                 : waiting.cut_from_huge_pages(size);
  return p == nullptr ? LargeMemory{} : LargeMemory{p, size, true};
}

void free_large(std::byte* data, std::size_t bytes, Pages pages) noexcept {
  unpoison_memory(data, bytes);  // or the address would stay poisoned for the next mapping
  if (is_kept(bytes, pages))
    waiting.keep_for_reuse(data, bytes);
  else
    munmap(data, bytes);
}

}  // namespace overlapack
