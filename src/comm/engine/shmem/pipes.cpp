#include "comm/engine/shmem/pipes.hpp"

#include <algorithm>
#include <atomic>
#include <bit>
#include <shmem.h>
#include <utility>

namespace overlapack::comm::shmem {

namespace {
constexpr std::size_t rings_bytes = std::size_t{1} << 26, most_ring_bytes = std::size_t{1} << 18,
                      least_ring_bytes = std::size_t{1} << 10;
constexpr int news_bits = 64;

/// Acquire: another PE has already set this PE's counter to at least `value`. Its earlier puts are guaranteed visible only after a
/// wait for that value (OpenSHMEM 1.4, point-to-point synchronisation), which returns at once.
void acquire_counter(unsigned long* counter, std::uint64_t value) {
  shmem_ulong_wait_until(counter, SHMEM_CMP_GE, value);
}

}  // namespace

Pipes::Pipes()
    : here_(shmem_my_pe()),
      count_(shmem_n_pes()),
      ring_bytes_(std::clamp(std::bit_floor(rings_bytes / static_cast<std::size_t>(count_)), least_ring_bytes,
                             most_ring_bytes)) {
  const std::size_t n = static_cast<std::size_t>(count_);
  rings_ = static_cast<std::byte*>(shmem_malloc(n * ring_bytes_));
  news_ = static_cast<unsigned long*>(shmem_calloc(1, sizeof(unsigned long)));
  written_to_me_ = static_cast<unsigned long*>(shmem_calloc(n, sizeof(std::uint64_t)));
  read_by_ = static_cast<unsigned long*>(shmem_calloc(n, sizeof(std::uint64_t)));
  writing_.resize(n);
  reading_.resize(n);
  read_.resize(n);
  shmem_barrier_all();
}

void Pipes::send(int pe, Frame frame) {
  writing_[static_cast<std::size_t>(pe)].frames.push_back(std::move(frame));
  writing_to_.insert(pe);
}

bool Pipes::is_empty() const { return writing_to_.empty(); }

/// Read and clear the bits that PEs have set after writing.
std::uint64_t Pipes::read_and_clear_news() {
  if (shmem_ulong_atomic_fetch(news_, here_) == 0) return 0;
  shmem_ulong_wait_until(news_, SHMEM_CMP_NE, 0);  // returns at once, as in acquire_counter()
  return shmem_ulong_atomic_swap(news_, 0, here_);
}

bool Pipes::advance(const std::function<void(int, const FrameHeader&, std::vector<std::byte>)>& arrived) {
  bool has_moved = false;
  for (std::uint64_t news = read_and_clear_news(); news != 0; news &= news - 1)
    for (int pe = std::countr_zero(news); pe < count_; pe += news_bits) has_moved |= read(pe, arrived);
  for (auto next = writing_to_.begin(); next != writing_to_.end();) {
    const int pe = *next++;
    has_moved |= write(pe);
    if (writing_[static_cast<std::size_t>(pe)].frames.empty()) writing_to_.erase(pe);
  }
  return has_moved;
}

/// Put as many bytes as the ring has room for; returns that number.
std::size_t Pipes::write_part(int pe, const std::byte* from, std::size_t bytes) {
  Writing& w = writing_[static_cast<std::size_t>(pe)];
  const std::uint64_t read = shmem_ulong_atomic_fetch(&read_by_[pe], here_);
  acquire_counter(&read_by_[pe], read);
  const std::size_t room = ring_bytes_ - static_cast<std::size_t>(w.written - read);
  const std::size_t size = std::min(bytes, room), at = static_cast<std::size_t>(w.written % ring_bytes_);
  const std::size_t first = std::min(size, ring_bytes_ - at);
  std::byte* const ring = rings_ + static_cast<std::size_t>(here_) * ring_bytes_;
  if (first > 0) shmem_putmem(ring + at, from, first, pe);
  if (size > first) shmem_putmem(ring, from + first, size - first, pe);
  w.written += size;
  return size;
}

bool Pipes::write(int pe) {
  Writing& w = writing_[static_cast<std::size_t>(pe)];
  const std::uint64_t before = w.written;
  std::vector<std::function<void()>> sent;
  while (!w.frames.empty()) {
    Frame& frame = w.frames.front();
    const std::span<const std::byte> pieces[] = {std::as_bytes(std::span(&frame.header, 1)), frame.owned,
                                                 frame.parts[0], frame.parts[1]};
    std::size_t first = 0;  // offset of the piece in the frame
    bool is_full = false;
    for (const auto& piece : pieces) {
      if (w.done < first + piece.size()) {
        const std::size_t at = w.done - first;
        const std::size_t put = write_part(pe, piece.data() + at, piece.size() - at);
        w.done += put;
        if (at + put < piece.size()) {
          is_full = true;
          break;
        }
      }
      first += piece.size();
    }
    if (is_full) break;
    if (frame.is_sent) sent.push_back(std::move(frame.is_sent));
    w.frames.pop_front();
    w.done = 0;
  }
  if (w.written == before) return false;
  shmem_fence();  // bytes before their count
  shmem_ulong_atomic_set(&written_to_me_[here_], w.written, pe);
  shmem_fence();  // the count before its bit
  shmem_ulong_atomic_or(news_, 1ul << (here_ % news_bits), pe);
  if (!sent.empty()) shmem_quiet();  // the sender may change its bytes now
  for (const auto& call : sent) call();
  return true;
}

void Pipes::read_bytes(int pe, std::byte* to, std::size_t bytes) {
  std::uint64_t& read = read_[static_cast<std::size_t>(pe)];
  const std::byte* const ring = rings_ + static_cast<std::size_t>(pe) * ring_bytes_;
  const std::size_t at = static_cast<std::size_t>(read % ring_bytes_),
                    first = std::min(bytes, ring_bytes_ - at);
  std::copy_n(ring + at, first, to);
  std::copy_n(ring, bytes - first, to + first);
  read += bytes;
}

bool Pipes::read(int pe,
                 const std::function<void(int, const FrameHeader&, std::vector<std::byte>)>& arrived) {
  const std::size_t position = static_cast<std::size_t>(pe);
  const std::uint64_t written = shmem_ulong_atomic_fetch(&written_to_me_[pe], here_);
  if (written == read_[position]) return false;
  acquire_counter(&written_to_me_[pe], written);
  constexpr std::size_t head = sizeof(FrameHeader);
  std::vector<Reading> complete;
  while (read_[position] < written) {
    Reading& r = reading_[position];
    const std::size_t there = static_cast<std::size_t>(written - read_[position]);
    if (r.done < head) {
      const std::size_t size = std::min(there, head - r.done);
      read_bytes(pe, reinterpret_cast<std::byte*>(&r.header) + r.done, size);
      r.done += size;
      if (r.done == head) r.bytes.resize(static_cast<std::size_t>(r.header.bytes));
    } else {
      const std::size_t size = std::min(there, head + r.bytes.size() - r.done);
      read_bytes(pe, r.bytes.data() + (r.done - head), size);
      r.done += size;
    }
    if (r.done >= head && r.done == head + r.bytes.size()) complete.push_back(std::exchange(r, Reading{}));
  }
  std::atomic_thread_fence(std::memory_order_seq_cst);  // loads before their count
  shmem_ulong_atomic_set(&read_by_[here_], read_[position], pe);
  for (Reading& r : complete) arrived(pe, r.header, std::move(r.bytes));
  return true;
}

}  // namespace overlapack::comm::shmem
