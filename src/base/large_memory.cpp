#include "base/large_memory.hpp"

#include "base/fenced.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <memory>
#include <mutex>
#include <pthread.h>
#include <sched.h>
#include <span>
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

/// The NUMA node that holds the first page of `data`; this thread's node if there is only one or the system does not say.
unsigned numa_node_of_address(const std::byte* data) {
  static const bool has_several = access("/sys/devices/system/node/node1", F_OK) == 0;
  constexpr unsigned long node_of_address = 1 | 2;  // MPOL_F_NODE, MPOL_F_ADDR of linux/mempolicy.h
  int node = 0;
  if (!has_several || syscall(SYS_get_mempolicy, &node, nullptr, 0UL, data, node_of_address) != 0)
    return numa_node_of_this_thread();
  return static_cast<unsigned>(node);
}

std::byte* map_pages(std::size_t bytes) {
  void* const p =
      mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  return p == MAP_FAILED ? nullptr : static_cast<std::byte*>(p);
}

/// Map memory that begins at a multiple of huge_page_bytes: the system backs only whole, aligned ranges with huge pages. (Since
/// 6.7, Linux itself aligns mappings whose size is a multiple of a huge page.)
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

/// The memory that waits for its next use: freed ranges, joined with their neighbours, and for each NUMA node the rest of the
/// huge pages from which new memory is cut. Used and waiting memory together stay hardly above the most that was in use at once
/// (keep_bound(); docs/decisions/0077-what-waits-is-joined.md). This class allocates nothing and its object is never destroyed,
/// since freeing must not fail and may happen after main() has returned.
class Waiting {
 public:
  /// Take `bytes` from the front of the smallest waiting range on this thread's NUMA node that is large enough; null if there is
  /// none.
  std::byte* take(std::size_t bytes, Use use) {
    const unsigned node = numa_node_of_this_thread();
    const std::lock_guard guard(mutex_);
    Range* best = nullptr;
    for (Range& range : ranges())
      if (range.node == node && range.bytes >= bytes && (best == nullptr || range.bytes < best->bytes))
        best = &range;
    if (best == nullptr) return nullptr;
    std::byte* const data = best->data;
    best->data += bytes;
    shorten(*best, bytes);
    if (use == Use::at_once) add_used(bytes);
    return data;
  }

  /// Take the next `bytes` of the huge pages mapped for this thread's NUMA node, mapping more if needed; null if the system
  /// refuses.
  /// Reason: on a virtual machine, finding and clearing a huge page took 46 us, and the 512 small pages of the same size 660 us.
  std::byte* cut_from_huge_pages(std::size_t bytes, Use use) {
    const unsigned node = numa_node_of_this_thread();
    const std::lock_guard guard(mutex_);
    Cut& cut = cuts_[node % cuts_.size()];
    std::byte* data = cut.data;
    if (bytes <= cut.left) {
      cut = {cut.data + bytes, cut.left - bytes};
    } else {
      const std::size_t mapped = round_up(bytes, bytes < huge_page_bytes ? cut_bytes : huge_page_bytes);
      data = map_huge_pages(mapped);
      if (data == nullptr) return nullptr;
      Cut rest{data + bytes, mapped - bytes};
      if (rest.left > cut.left) std::swap(rest, cut);
      if (rest.left > 0) insert({rest.data, rest.left, node});
    }
    if (use == Use::at_once) add_used(bytes);
    keep_bound();
    return data;
  }

  void keep_for_reuse(std::byte* data, std::size_t bytes, Use use) {
    const unsigned node = numa_node_of_address(data);
    const std::lock_guard guard(mutex_);
    if (use == Use::at_once) used_ -= bytes;
    insert({data, bytes, node});
    give_back_above(waiting_bytes_at_most);
  }

  void count_use(std::size_t bytes) {
    const std::lock_guard guard(mutex_);
    add_used(bytes);
    keep_bound();
  }
  void discount_use(std::size_t bytes) {
    const std::lock_guard guard(mutex_);
    used_ -= bytes;
  }

 private:
  struct Range {
    std::byte* data;
    std::size_t bytes;
    unsigned node;

    bool is_followed_by(const Range& next) const { return data + bytes == next.data && node == next.node; }
  };
  struct Cut {
    std::byte* data = nullptr;
    std::size_t left = 0;
  };
  static constexpr std::size_t cut_bytes = 4 * huge_page_bytes, share_above_most = 8,
                               most_above_most = std::size_t{8} << 20;
  friend struct Forks;

  std::span<Range> ranges() { return std::span(ranges_).first(count_); }
  void add_used(std::size_t bytes) {
    used_ += bytes;
    most_used_ = std::max(most_used_, used_);
  }

  /// Give waiting memory back until used and waiting memory exceed the most ever used by at most an eighth, and by at most 8 MiB.
  /// Without that allowance kkt_aug2dc took 7.1 ms instead of 6.1: a freed block has to wait until a request of its size comes.
  void keep_bound() {
    const std::size_t above = std::min(most_used_ / share_above_most, most_above_most);
    give_back_above(most_used_ + above - used_);
  }
  void insert(Range range) {
    waiting_ += range.bytes;
    Range* next = std::to_address(std::ranges::upper_bound(ranges(), range.data, {}, &Range::data));
    if (next != ranges_.data() && next[-1].is_followed_by(range)) {
      --next;
      range = {next->data, next->bytes + range.bytes, range.node};
      remove(next);
    }
    Range* const end = ranges_.data() + count_;
    if (next != end && range.is_followed_by(*next)) {
      *next = {range.data, range.bytes + next->bytes, range.node};
    } else if (count_ == ranges_.size()) {
      waiting_ -= range.bytes;
      munmap(range.data, range.bytes);
    } else {
      std::copy_backward(next, end, end + 1);
      *next = range;
      ++count_;
    }
  }
  void remove(Range* range) {
    std::copy(range + 1, ranges_.data() + count_, range);
    --count_;
  }
  /// Account for `bytes` cut off one end of the range; the caller moves Range::data if that is the front.
  void shorten(Range& range, std::size_t bytes) {
    range.bytes -= bytes;
    waiting_ -= bytes;
    if (range.bytes == 0) remove(&range);
  }
  /// Give memory back to the system, from the end of the largest range and by whole huge pages, until at most `most` bytes wait.
  void give_back_above(std::size_t most) {
    while (waiting_ > most) {
      Range& largest = *std::ranges::max_element(ranges(), {}, &Range::bytes);
      const std::size_t end = std::bit_cast<std::uintptr_t>(largest.data) + largest.bytes;
      const std::size_t more = waiting_ - most,
                        bytes = std::min(largest.bytes, more + (end - more) % huge_page_bytes);
      munmap(largest.data + largest.bytes - bytes, bytes);
      shorten(largest, bytes);
    }
  }

  std::mutex mutex_;
  std::array<Range, 1024> ranges_{};  ///< by address
  std::size_t count_ = 0;
  std::size_t waiting_ = 0;               ///< sum of Range::bytes
  std::size_t used_ = 0, most_used_ = 0;  ///< bytes in use outside this class, now and at most so far
  std::array<Cut, 8> cuts_{};             ///< by NUMA node
};

constinit Waiting waiting;

/// Holds the lock during fork(): otherwise another thread of the parent might hold it then, and in the child it would never be
/// released.
struct Forks {
  Forks() {
    pthread_atfork([] { waiting.mutex_.lock(); }, [] { waiting.mutex_.unlock(); },
                   [] { waiting.mutex_.unlock(); });
  }
} const forks;

#ifdef __SANITIZE_ADDRESS__
// Reused memory would hide a use after free from the sanitizer
constexpr bool is_kept(std::size_t, Pages) { return false; }
#else
constexpr bool is_kept(std::size_t bytes, Pages pages) {
  return pages == Pages::huge && bytes <= waiting_bytes_at_most;
}
#endif

/// Whether allocate_large() and free_large() must count this memory themselves: it is too large to wait, so Waiting never sees it.
bool is_counted_apart(std::size_t bytes, Pages pages, Use use) {
  return pages == Pages::huge && use == Use::at_once && !is_kept(bytes, pages);
}

}  // namespace

std::size_t rounded_large_bytes(std::size_t bytes) { return round_up(bytes, large_unit); }

LargeMemory allocate_large(std::size_t bytes, Pages pages, Use use) {
  const std::size_t size = rounded_large_bytes(bytes);
  if (size < bytes) return {};
  if (is_kept(size, pages))
    if (std::byte* const kept = waiting.take(size, use)) return {kept, size, false};
  std::byte* const p = is_kept(size, pages)   ? waiting.cut_from_huge_pages(size, use)
                       : pages == Pages::huge ? map_huge_pages(size)
                                              : map_pages(size);
  if (p == nullptr) return {};
  if (is_counted_apart(size, pages, use)) waiting.count_use(size);
  return {p, size, true};
}

void free_large(std::byte* data, std::size_t bytes, Pages pages, Use use) noexcept {
  unpoison_memory(data, bytes);  // or the address would stay poisoned for the next mapping
  if (is_kept(bytes, pages)) return waiting.keep_for_reuse(data, bytes, use);
  munmap(data, bytes);
  if (is_counted_apart(bytes, pages, use)) waiting.discount_use(bytes);
}

void count_large_use(std::size_t bytes) { waiting.count_use(bytes); }

void discount_large_use(std::size_t bytes) noexcept { waiting.discount_use(bytes); }

}  // namespace overlapack
