#pragma once
#include "comm/engine/thread/thread_rank.hpp"

namespace overlapack::comm::thread {

/// State of a window, shared by its ranks. Memory of make_window lives until the last rank's window is destroyed.
struct WindowMemory {
  struct Part {
    std::shared_ptr<void> owner;  ///< keeps memory of make_window alive; null for attached memory
    std::span<std::byte> bytes;
  };
  explicit WindowMemory(int size)
      : parts(static_cast<std::size_t>(size)),
        signals(static_cast<std::size_t>(size) * static_cast<std::size_t>(size)) {}

  std::atomic<std::int64_t>& signals_of(int from, int to) {
    return signals[static_cast<std::size_t>(to) * parts.size() + static_cast<std::size_t>(from)];
  }
  const Part& part_of(int target) const { return parts[static_cast<std::size_t>(target)]; }

  std::vector<Part> parts;
  std::vector<std::atomic<std::int64_t>> signals;
  std::atomic<int> windows{0};  ///< number of ranks that still have their window
};

/// Window in memory that all ranks share: puts and gets are copies, complete when the call returns. After an abort, the destructor of a
/// window on attached memory waits until no rank accesses that memory any more.
class ThreadWindow final : public Window {
 public:
  ThreadWindow(ThreadRank& rank, std::shared_ptr<WindowMemory> memory)
      : rank_(rank), memory_(std::move(memory)) {
    ++memory_->windows;
  }
  ~ThreadWindow() override;

  std::span<std::byte> local() override { return part(rank_.rank()); }
  std::size_t size_at(int target) const override;
  void put(int target, std::size_t offset, std::span<const std::byte> from) override;
  void get(int target, std::size_t offset, std::span<std::byte> to) override;
  void put_strided(int target, std::size_t offset, std::size_t block_bytes, std::size_t stride_bytes,
                   std::size_t blocks, const std::byte* from) override;
  void get_strided(int target, std::size_t offset, std::size_t block_bytes, std::size_t stride_bytes,
                   std::size_t blocks, std::byte* to) override;
  void flush(int target) override;
  void signal(int target) override;
  Request expect_signals(int from, std::int64_t count) override;
  void store_words(int target, std::size_t offset, std::size_t word_bytes,
                   std::span<const std::byte> from) override;
  void load_words(std::size_t offset, std::size_t word_bytes, std::span<std::byte> to) override;
  std::byte* direct(int target) override;

 private:
  std::span<std::byte> part(int target) const;
  std::byte* at(int target, std::size_t offset, std::size_t bytes) const;

  ThreadRank& rank_;
  std::shared_ptr<WindowMemory> memory_;
};

}  // namespace overlapack::comm::thread
