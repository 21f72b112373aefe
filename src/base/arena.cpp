#include "base/arena.hpp"

#include "base/huge_pages.hpp"
#include "overlapack/error.hpp"

#include <algorithm>
#include <cstring>
#include <string>
#include <sys/mman.h>

namespace overlapack {

namespace {
constexpr std::size_t round_up(std::size_t x, std::size_t unit) { return (x + unit - 1) / unit * unit; }
}  // namespace

void Arena::Unmap::operator()(std::byte* p) const noexcept { munmap(p, bytes); }

Arena::Arena(std::size_t expected_bytes, Pages pages) : pages_(pages) {
  if (expected_bytes > 0) add_chunk(expected_bytes);
}

void Arena::add_chunk(std::size_t bytes) {
  const std::size_t size = round_up(std::max(bytes, huge_page_bytes), huge_page_bytes);
  void* p = mmap(nullptr, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (p == MAP_FAILED)
    throw Error(ErrorKind::out_of_memory, "memory",
                "the system refused " + std::to_string(size) +
                    " bytes for a matrix or its factors: use fewer ranks, another ordering, or a machine "
                    "with more memory");
  if (bytes >= huge_page_bytes && pages_ == Pages::huge) madvise(p, size, MADV_HUGEPAGE);
  chunks_.push_back({{static_cast<std::byte*>(p), Unmap{size}}, size, 0});
}

void* Arena::take(std::size_t bytes) {
  const std::size_t need = room_for(bytes);
  offset_ = round_up(offset_, alignment_of(bytes));
  while (current_ < chunks_.size() && offset_ + need > chunks_[current_].bytes) {
    ++current_;
    offset_ = 0;
  }
  if (current_ == chunks_.size()) add_chunk(std::max(need, used_ / 4));
  Chunk& chunk = chunks_[current_];
  std::byte* p = chunk.data.get() + offset_;
  if (offset_ < chunk.dirty) std::memset(p, 0, std::min(need, chunk.dirty - offset_));
  offset_ += need;
  used_ += need;
  chunk.dirty = std::max(chunk.dirty, offset_);
  return p;
}

std::size_t Arena::reserved_bytes() const {
  std::size_t bytes = 0;
  for (const Chunk& chunk : chunks_) bytes += chunk.bytes;
  return bytes;
}

void Arena::clear() { current_ = offset_ = used_ = 0; }

}  // namespace overlapack
