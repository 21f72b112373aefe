#include "base/arena.hpp"

#include "base/fenced.hpp"
#include "base/huge_pages.hpp"
#include "overlapack/error.hpp"

#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <string>
#include <sys/mman.h>

namespace overlapack {

namespace {
constexpr std::size_t round_up(std::size_t x, std::size_t unit) { return (x + unit - 1) / unit * unit; }

// Below it the heap gives memory in a fraction of the microseconds that the system takes to map and to unmap some.
constexpr std::size_t least_mapped_bytes = std::size_t{128} << 10;
constexpr std::size_t least_from_heap_bytes = std::size_t{4} << 10, cache_line = 64;

void* zeros_of_heap(std::size_t bytes) {
  void* const p = std::aligned_alloc(cache_line, bytes);
  return p ? std::memset(p, 0, bytes) : nullptr;
}
void* zeros_of_system(std::size_t bytes) {
  void* const p =
      mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  return p == MAP_FAILED ? nullptr : p;
}
}  // namespace

void Arena::GiveBack::operator()(std::byte* p) const noexcept {
  open_fence(p, bytes);
  if (bytes < least_mapped_bytes)
    std::free(p);
  else
    munmap(p, bytes);
}

Arena::Arena(std::size_t expected_bytes, Pages pages) : pages_(pages) {
  if (expected_bytes > 0) add_chunk(expected_bytes);
}

void Arena::add_chunk(std::size_t bytes) {
  const bool is_mapped = bytes >= least_mapped_bytes;
  const std::size_t size = is_mapped ? round_up(bytes, huge_page_bytes)
                                     : round_up(std::max(bytes, least_from_heap_bytes), cache_line);
  void* const p = is_mapped ? zeros_of_system(size) : zeros_of_heap(size);
  if (!p)
    throw Error(ErrorKind::out_of_memory, "memory",
                "the system refused " + std::to_string(size) +
                    " bytes for a matrix or its factors: use fewer ranks, another ordering, or a machine "
                    "with more memory");
  if (bytes >= huge_page_bytes && pages_ == Pages::huge) madvise(p, size, MADV_HUGEPAGE);
  fence_off(p, size);
  chunks_.push_back({{static_cast<std::byte*>(p), GiveBack{size}}, size, 0});
}

void* Arena::take(std::size_t bytes) {
  const std::size_t need = room_for(bytes);
  offset_ = round_up(offset_, alignment_of(bytes));
  while (current_ < chunks_.size() && offset_ + need > chunks_[current_].bytes) {
    ++current_;
    offset_ = 0;
  }
  if (current_ == chunks_.size()) add_chunk(std::max({need, used_ / 4, std::min(used_, huge_page_bytes)}));
  Chunk& chunk = chunks_[current_];
  std::byte* p = chunk.data.get() + offset_;
  open_fence(p, bytes);
  if (offset_ < chunk.dirty) std::memset(p, 0, std::min(bytes, chunk.dirty - offset_));
  offset_ += need + fence_bytes;
  used_ += need;
  chunk.dirty = std::max(chunk.dirty, offset_);
  return p;
}

std::size_t Arena::reserved_bytes() const {
  std::size_t bytes = 0;
  for (const Chunk& chunk : chunks_) bytes += chunk.bytes;
  return bytes;
}

void Arena::clear() {
  for (const Chunk& chunk : chunks_) fence_off(chunk.data.get(), chunk.bytes);
  current_ = offset_ = used_ = 0;
}

}  // namespace overlapack
