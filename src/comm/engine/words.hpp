#pragma once
#include "overlapack/error.hpp"

#include <atomic>
#include <cstdint>
#include <cstring>
#include <span>
#include <string>

/// Words of 4 or 8 bytes in memory that several threads or processes read and write at once, accessed by relaxed atomics: no word is
/// torn, and words are not ordered with each other.
namespace overlapack::comm {

/// Errors  Internal for other word sizes, and for an offset or a length that is no multiple of the word
inline void require_words(std::size_t word_bytes, std::size_t offset, std::size_t bytes) {
  if ((word_bytes == 4 || word_bytes == 8) && offset % word_bytes == 0 && bytes % word_bytes == 0) return;
  throw Error(Status::internal, std::to_string(bytes) + " bytes at offset " + std::to_string(offset) +
                                    " are no whole words of " + std::to_string(word_bytes) +
                                    " bytes; words have 4 or 8");
}

template <class Word>
void store_each_word(std::byte* to, std::span<const std::byte> from) {
  for (std::size_t i = 0; i < from.size(); i += sizeof(Word)) {
    Word word;
    std::memcpy(&word, from.data() + i, sizeof word);
    std::atomic_ref(*reinterpret_cast<Word*>(to + i)).store(word, std::memory_order_relaxed);
  }
}

template <class Word>
void load_each_word(std::byte* from, std::span<std::byte> to) {
  for (std::size_t i = 0; i < to.size(); i += sizeof(Word)) {
    const Word word = std::atomic_ref(*reinterpret_cast<Word*>(from + i)).load(std::memory_order_relaxed);
    std::memcpy(to.data() + i, &word, sizeof word);
  }
}

inline void store_words_at(std::byte* to, std::size_t word_bytes, std::span<const std::byte> from) {
  word_bytes == 4 ? store_each_word<std::uint32_t>(to, from) : store_each_word<std::uint64_t>(to, from);
}

inline void load_words_at(std::byte* from, std::size_t word_bytes, std::span<std::byte> to) {
  word_bytes == 4 ? load_each_word<std::uint32_t>(from, to) : load_each_word<std::uint64_t>(from, to);
}

}  // namespace overlapack::comm
