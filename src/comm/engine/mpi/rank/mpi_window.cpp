#include "comm/engine/mpi/rank/mpi_window.hpp"

#include "comm/engine/words.hpp"

#include <algorithm>
#include <atomic>

namespace overlapack::comm::mpi {

namespace {

/// Done when a word in this rank's memory, which another rank increases, has reached `count`.
struct SignalOperation : MpiOperation {
  Engine& engine;
  std::shared_ptr<WindowPair> pair;
  OverlapackWindow window;  ///< that has the word
  std::int64_t* word;
  std::int64_t count;

  SignalOperation(Engine& e, std::shared_ptr<WindowPair> p, OverlapackWindow w, std::int64_t* at,
                  std::int64_t n, std::string_view called)
      : engine(e), pair(std::move(p)), window(w), word(at), count(n) {
    what = called;
  }
  bool refresh() override {
    if (done) return true;
    engine.check(engine.table().synchronise(window), "MPI_Win_sync");
    done = std::atomic_ref(*word).load(std::memory_order_acquire) >= count;
    if (done && pair->data >= 0) engine.check(engine.table().synchronise(pair->data), "MPI_Win_sync");
    return done;
  }
};

}  // namespace

MpiWindow::MpiWindow(MpiRank& rank, std::shared_ptr<Endpoint> endpoint, std::shared_ptr<WindowPair> pair)
    : rank_(rank), engine_(rank.engine()), endpoint_(std::move(endpoint)), pair_(std::move(pair)) {
  pair_->is_used = true;
}

MpiWindow::~MpiWindow() {
  pair_->is_used = false;
  if (!pair_->is_shared_attached() || engine_.library.is_simulated() || !engine_.is_running()) return;
  try {
    mark_attached_unused();
  } catch (...) {  // MPI is broken: no rank reads the memory any more
  }
}

/// Count this rank as one that no longer accesses the window. After an abort also wait until all ranks are counted: each of them
/// gets there with its next call, which checks for an abort first.
void MpiWindow::mark_attached_unused() {
  const std::lock_guard lock(engine_.mutex);
  complete_data(any_rank);
  endpoint_->mark_window_unused(*pair_);
  if (!engine_.is_aborted()) return;
  engine_.transfers.make_progress_until({}, [&] {
    engine_.complete_open_meetings();
    return endpoint_->is_unused_by_all(*pair_);
  });
}

std::span<std::byte> MpiWindow::local() { return {pair_->memory, size_at(rank_.rank())}; }

std::size_t MpiWindow::size_at(int target) const {
  rank_.check_peer(target);
  return static_cast<std::size_t>(pair_->bytes[static_cast<std::size_t>(target)]);
}

OverlapackStrides MpiWindow::strides(int target, std::size_t offset, std::size_t block_bytes,
                                     std::size_t stride_bytes, std::size_t blocks) const {
  const std::size_t size = size_at(target);
  const std::size_t end = blocks == 0 ? offset : offset + (blocks - 1) * stride_bytes + block_bytes;
  if (offset > size || end > size)
    throw Error(Status::internal, "bytes " + std::to_string(offset) + " to " + std::to_string(end) +
                                      " were addressed in a window of " + std::to_string(size) + " bytes");
  const auto number = [](std::size_t n) { return static_cast<std::int64_t>(n); };
  return {number(offset), number(block_bytes), number(stride_bytes), number(blocks)};
}

void MpiWindow::put(int target, std::size_t offset, std::span<const std::byte> from) {
  put_strided(target, offset, from.size(), from.size(), 1, from.data());
}

void MpiWindow::get(int target, std::size_t offset, std::span<std::byte> to) {
  get_strided(target, offset, to.size(), to.size(), 1, to.data());
}

void MpiWindow::put_strided(int target, std::size_t offset, std::size_t block_bytes, std::size_t stride_bytes,
                            std::size_t blocks, const std::byte* from) {
  const std::lock_guard lock(engine_.mutex);
  engine_.publish_and_check_abort();
  const OverlapackStrides at = strides(target, offset, block_bytes, stride_bytes, blocks);
  if (is_own_rank(target)) {
    for (std::size_t i = 0; pair_->memory && i < blocks; ++i)
      std::copy_n(from + i * block_bytes, block_bytes, pair_->memory + offset + i * stride_bytes);
    return;
  }
  pair_->has_accesses = true;
  engine_.check(engine_.table().put(pair_->data, target, &at, from), "MPI_Put");
}

void MpiWindow::get_strided(int target, std::size_t offset, std::size_t block_bytes, std::size_t stride_bytes,
                            std::size_t blocks, std::byte* to) {
  const std::lock_guard lock(engine_.mutex);
  engine_.publish_and_check_abort();
  const OverlapackStrides at = strides(target, offset, block_bytes, stride_bytes, blocks);
  if (is_own_rank(target)) {
    for (std::size_t i = 0; pair_->memory && i < blocks; ++i)
      std::copy_n(pair_->memory + offset + i * stride_bytes, block_bytes, to + i * block_bytes);
    return;
  }
  pair_->has_accesses = true;
  engine_.check(engine_.table().get(pair_->data, target, &at, to), "MPI_Get");
}

void MpiWindow::flush(int target) {
  const std::lock_guard lock(engine_.mutex);
  engine_.publish_and_check_abort();
  if (target != any_rank) rank_.check_peer(target);
  complete_data(target);
}

void MpiWindow::complete_data(int target) {
  if (pair_->data >= 0) engine_.check(engine_.table().flush(pair_->data, target), "MPI_Win_flush");
  if (target == any_rank) pair_->has_accesses = false;
  for (auto& [to, words] : pair_->stored)
    if (target == any_rank || target == to) words.clear();
}

void MpiWindow::complete_words(int target) {
  const auto words = pair_->stored.find(target);
  if (words != pair_->stored.end() && !words->second.empty()) complete_data(target);
}

void MpiWindow::signal(int target) {
  const std::lock_guard lock(engine_.mutex);
  engine_.publish_and_check_abort();
  rank_.check_peer(target);
  if (const auto signal = engine_.table().signal)
    return engine_.check(signal(pair_->control, target, pair_->data), "a signal");
  if (pair_->data >= 0)  // make this rank's plain stores visible to gets that follow the signal
    engine_.check(engine_.table().synchronise(pair_->data), "MPI_Win_sync");
  complete_data(target);  // puts complete before the signal
  endpoint_->add_to_word(*pair_, target, rank_.rank(), 1);
}

void MpiWindow::put_signal(int target, std::size_t offset, std::span<const std::byte> from) {
  const auto both = engine_.table().put_signal;
  if (!both || pair_->data < 0 || is_own_rank(target)) return Window::put_signal(target, offset, from);
  const std::lock_guard lock(engine_.mutex);
  engine_.publish_and_check_abort();
  const OverlapackStrides at = strides(target, offset, from.size(), from.size(), 1);
  engine_.check(both(pair_->control, pair_->data, target, at.offset, at.block_bytes, from.data()),
                "a put with its signal");
}

Request MpiWindow::expect_signals(int from, std::int64_t count) {
  const std::lock_guard lock(engine_.mutex);
  engine_.publish_and_check_abort();
  rank_.check_peer(from);
  auto operation =
      std::make_shared<SignalOperation>(engine_, pair_, pair_->control, pair_->words + from, count, "signal");
  operation->peer = from;
  operation->refresh();
  return Request(std::move(operation));
}

void MpiWindow::put_flag(int target, std::size_t offset, std::span<const std::byte> from, std::size_t flag,
                         std::int64_t value) {
  const auto put = engine_.table().put_flag;
  if (!put) return Window::put_flag(target, offset, from, flag, value);
  const std::lock_guard lock(engine_.mutex);
  engine_.publish_and_check_abort();
  const OverlapackStrides at = strides(target, offset, from.size(), from.size(), 1);
  require_words(8, flag, 8);
  strides(target, flag, 8, 8, 1);
  engine_.check(put(pair_->data, target, at.offset, at.block_bytes, from.data(),
                    static_cast<std::int64_t>(flag), value),
                "a put with its flag");
}

std::int64_t MpiWindow::flag(std::size_t at) {
  if (!engine_.table().put_flag) return Window::flag(at);
  const std::lock_guard lock(engine_.mutex);
  const auto synchronise = [&] { engine_.check(engine_.table().synchronise(pair_->data), "MPI_Win_sync"); };
  synchronise();  // once to see the word, and again to see the data that it announces
  const std::int64_t value = std::atomic_ref(*my_word(at)).load(std::memory_order_acquire);
  synchronise();
  return value;
}

Request MpiWindow::expect_flag(std::size_t at, std::int64_t value) {
  if (!engine_.table().put_flag) return Window::expect_flag(at, value);
  const std::lock_guard lock(engine_.mutex);
  engine_.publish_and_check_abort();
  auto operation = std::make_shared<SignalOperation>(engine_, pair_, pair_->data, my_word(at), value, "flag");
  operation->refresh();
  return Request(std::move(operation));
}

/// An 8-byte word of this rank's memory.
std::int64_t* MpiWindow::my_word(std::size_t at) const {
  require_words(8, at, 8);
  strides(rank_.rank(), at, 8, 8, 1);
  return reinterpret_cast<std::int64_t*>(pair_->memory + at);
}

void MpiWindow::store_words(int target, std::size_t offset, std::size_t word_bytes,
                            std::span<const std::byte> from) {
  require_words(word_bytes, offset, from.size());
  const std::lock_guard lock(engine_.mutex);
  engine_.publish_and_check_abort();
  const OverlapackStrides at = strides(target, offset, from.size(), from.size(), 1);
  if (from.empty()) return;
  if (std::byte* const memory = reachable_memory(target))
    return store_words_at(memory + offset, word_bytes, from);
  // Put and go on, without waiting for the words to arrive (paper 5, section 3.1.3).
  complete_words(target);
  pair_->has_accesses = true;
  std::vector<std::byte>& words = pair_->stored[target];
  words.assign(from.begin(), from.end());
  engine_.check(engine_.table().store_words(pair_->data, target, at.offset,
                                            static_cast<std::int64_t>(from.size() / word_bytes),
                                            static_cast<int>(word_bytes), words.data()),
                "MPI_Accumulate");
}

void MpiWindow::load_words(std::size_t offset, std::size_t word_bytes, std::span<std::byte> to) {
  require_words(word_bytes, offset, to.size());
  const std::lock_guard lock(engine_.mutex);
  engine_.publish_and_check_abort();
  strides(rank_.rank(), offset, to.size(), to.size(), 1);
  if (to.empty()) return;
  if (pair_->data >= 0) {
    engine_.check(engine_.table().synchronise(pair_->data), "MPI_Win_sync");
    void* shared = nullptr;
    engine_.check(engine_.table().shared_memory(pair_->data, rank_.rank(), &shared), "MPI_Win_shared_query");
    if (const auto load = engine_.table().load_words; load && !shared)
      return engine_.check(
          load(pair_->data, rank_.rank(), static_cast<std::int64_t>(offset),
               static_cast<std::int64_t>(to.size() / word_bytes), static_cast<int>(word_bytes), to.data()),
          "MPI_Get_accumulate");
  }
  load_words_at(pair_->memory + offset, word_bytes, to);
}

std::byte* MpiWindow::direct(int target) {
  const std::lock_guard lock(engine_.mutex);
  rank_.check_peer(target);
  return engine_.library.is_simulated()
             ? nullptr
             : reachable_memory(target);  // not offered, as loads and stores would take no simulated time
}

/// Address at which this process can load and store the target's memory, else null.
std::byte* MpiWindow::reachable_memory(int target) const {
  if (is_own_rank(target)) return pair_->memory;
  if (engine_.library.is_simulated()) return nullptr;
  void* memory = nullptr;
  engine_.check(engine_.table().shared_memory(pair_->data, target, &memory), "MPI_Win_shared_query");
  return static_cast<std::byte*>(memory);
}

}  // namespace overlapack::comm::mpi
