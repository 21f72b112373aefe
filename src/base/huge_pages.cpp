#include "base/huge_pages.hpp"

#include <cstdlib>
#include <new>
#include <sys/mman.h>

namespace overlapack {

void* take_huge(std::size_t bytes) {
  if (bytes < huge_page_bytes) return ::operator new(bytes);
  const std::size_t whole = (bytes + huge_page_bytes - 1) / huge_page_bytes * huge_page_bytes;
  if (whole < bytes) throw std::bad_alloc();
  void* memory = std::aligned_alloc(huge_page_bytes, whole);
  if (!memory) throw std::bad_alloc();
  madvise(memory, whole, MADV_HUGEPAGE);  // a wish: without huge pages it is memory like any other
  return memory;
}

void give_back_huge(void* memory, std::size_t bytes) noexcept {
  if (bytes < huge_page_bytes) return ::operator delete(memory);
  std::free(memory);
}

}  // namespace overlapack
