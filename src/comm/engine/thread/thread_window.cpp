#include "comm/engine/thread/thread_window.hpp"

#include "comm/engine/words.hpp"

#include <cstring>

namespace overlapack::comm::thread {

namespace {

struct SignalOperation : ThreadOperation {
  std::shared_ptr<WindowMemory> memory;
  int me = 0;
  std::int64_t wanted = 0;
  void refresh() override { done = memory->signals_of(peer, me).load(std::memory_order_acquire) >= wanted; }
};

}  // namespace

/// After an abort, wait until all ranks have destroyed their windows, so that none reads memory which its owner frees next. No rank is
/// waited for in vain: the next call of each throws before it accesses the window, and unwinding destroys it.
ThreadWindow::~ThreadWindow() {
  --memory_->windows;
  if (memory_->part_of(rank_.rank()).owner || !rank_.threads().is_aborted()) return;
  while (memory_->windows > 0) std::this_thread::yield();
}

std::span<std::byte> ThreadWindow::part(int target) const {
  rank_.check_peer(target);
  return memory_->part_of(target).bytes;
}

std::byte* ThreadWindow::direct(int target) {
  rank_.threads().throw_if_aborted();
  return part(target).data();
}

/// The address of bytes at a target, or Internal if they are not all inside its window.
std::byte* ThreadWindow::at(int target, std::size_t offset, std::size_t bytes) const {
  rank_.threads().throw_if_aborted();
  const std::span<std::byte> all = part(target);
  if (offset > all.size() || bytes > all.size() - offset)
    throw Error(Status::internal, std::to_string(bytes) + " bytes at offset " + std::to_string(offset) +
                                      " leave the window of rank " + std::to_string(target) + ", which has " +
                                      std::to_string(all.size()));
  return all.data() + offset;
}

std::size_t ThreadWindow::size_at(int target) const { return part(target).size(); }

void ThreadWindow::put(int target, std::size_t offset, std::span<const std::byte> from) {
  std::byte* const to = at(target, offset, from.size());
  if (!from.empty()) std::memcpy(to, from.data(), from.size());
}

void ThreadWindow::get(int target, std::size_t offset, std::span<std::byte> to) {
  const std::byte* const from = at(target, offset, to.size());
  if (!to.empty()) std::memcpy(to.data(), from, to.size());
}

void ThreadWindow::put_strided(int target, std::size_t offset, std::size_t block_bytes,
                               std::size_t stride_bytes, std::size_t blocks, const std::byte* from) {
  for (std::size_t i = 0; i < blocks; ++i)
    put(target, offset + i * stride_bytes, {from + i * block_bytes, block_bytes});
}

void ThreadWindow::get_strided(int target, std::size_t offset, std::size_t block_bytes,
                               std::size_t stride_bytes, std::size_t blocks, std::byte* to) {
  for (std::size_t i = 0; i < blocks; ++i)
    get(target, offset + i * stride_bytes, {to + i * block_bytes, block_bytes});
}

void ThreadWindow::flush(int) { rank_.threads().throw_if_aborted(); }

void ThreadWindow::signal(int target) {
  rank_.threads().throw_if_aborted();
  rank_.check_peer(target);
  memory_->signals_of(rank_.rank(), target).fetch_add(1, std::memory_order_release);
  rank_.group().mailbox(target).wake();
}

Request ThreadWindow::expect_signals(int from, std::int64_t count) {
  rank_.threads().throw_if_aborted();
  rank_.check_peer(from);
  auto operation = std::make_shared<SignalOperation>();
  operation->what = "signal";
  operation->peer = from;
  operation->memory = memory_;
  operation->me = rank_.rank();
  operation->wanted = count;
  operation->refresh();
  return Request(std::move(operation));
}

void ThreadWindow::store_words(int target, std::size_t offset, std::size_t word_bytes,
                               std::span<const std::byte> from) {
  require_words(word_bytes, offset, from.size());
  store_words_at(at(target, offset, from.size()), word_bytes, from);
}

void ThreadWindow::load_words(std::size_t offset, std::size_t word_bytes, std::span<std::byte> to) {
  require_words(word_bytes, offset, to.size());
  load_words_at(at(rank_.rank(), offset, to.size()), word_bytes, to);
}

}  // namespace overlapack::comm::thread
