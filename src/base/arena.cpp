#include "base/arena.hpp"

#include "base/fenced.hpp"
#include "overlapack/error.hpp"

#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <string>
#include <utility>

namespace overlapack {

namespace {
constexpr std::size_t least_from_heap_bytes = std::size_t{4} << 10, cache_line = 64;
}  // namespace

void Arena::GiveBack::operator()(std::byte* p) const noexcept {
  unpoison_memory(p, bytes);
  if (bytes < least_large_bytes) return std::free(p);
  discount_large_use(counted);
  free_large(p, bytes, pages, Use::as_counted);
}

Arena::Arena(std::size_t expected_bytes, Pages pages) : pages_(pages) {
  if (expected_bytes > 0) add_chunk(expected_bytes);
}

void Arena::add_chunk(std::size_t bytes) {
  const std::size_t size = round_up(std::max(bytes, least_from_heap_bytes), cache_line);
  LargeMemory memory;
  if (size < least_large_bytes)  // the same test as in GiveBack
    memory = {static_cast<std::byte*>(std::aligned_alloc(cache_line, size)), size, false};
  else
    memory = allocate_large(size, pages_, Use::as_counted);
  if (!memory.data)
    throw Error(Status::out_of_memory,
                "the system refused " + std::to_string(bytes) +
                    " bytes for a matrix or its factors: use fewer ranks, another ordering, or a machine "
                    "with more memory");
  poison_memory(memory.data, memory.bytes);
  chunks_.push_back(
      {{memory.data, GiveBack{memory.bytes, pages_}}, memory.bytes, memory.is_zero ? 0 : memory.bytes});
  count_use(chunks_.back());
}

void Arena::count_use(Chunk& chunk) {
  auto& [bytes, pages, counted] = chunk.data.get_deleter();
  if (chunk.dirty <= counted || pages == Pages::small || bytes < least_large_bytes) return;
  const std::size_t all = std::min(round_up(chunk.dirty, huge_page_bytes), bytes);
  count_large_use(all - std::exchange(counted, all));
}

void* Arena::take(std::size_t bytes, bool is_zeroed) {
  const std::size_t need = room_for(bytes);
  offset_ = round_up(offset_, alignment_of(bytes));
  while (current_ < chunks_.size() && offset_ + need > chunks_[current_].bytes) {
    ++current_;
    offset_ = 0;
  }
  if (current_ == chunks_.size()) add_chunk(std::max({need, used_ / 16, std::min(used_, huge_page_bytes)}));
  Chunk& chunk = chunks_[current_];
  std::byte* p = chunk.data.get() + offset_;
  unpoison_memory(p, bytes);
  if (is_zeroed && offset_ < chunk.dirty) std::memset(p, 0, std::min(bytes, chunk.dirty - offset_));
  offset_ += need + fence_bytes;
  used_ += need;
  chunk.dirty = std::max(chunk.dirty, offset_);
  count_use(chunk);
  return p;
}

std::size_t Arena::reserved_bytes() const {
  std::size_t bytes = 0;
  for (const Chunk& chunk : chunks_) bytes += chunk.bytes;
  return bytes;
}

void Arena::clear() {
  for (const Chunk& chunk : chunks_) poison_memory(chunk.data.get(), chunk.bytes);
  current_ = offset_ = used_ = 0;
}

}  // namespace overlapack
