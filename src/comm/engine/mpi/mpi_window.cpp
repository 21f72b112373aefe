#include "comm/engine/mpi/mpi_window.hpp"

#include <algorithm>
#include <atomic>

namespace overlapack::comm::mpi {

namespace {

/// Done when the counter that `from` adds to has reached `count`.
struct SignalOperation : MpiOperation {
  Engine& engine;
  std::shared_ptr<WindowPair> pair;
  std::int64_t count;

  SignalOperation(Engine& e, std::shared_ptr<WindowPair> p, int from, std::int64_t n)
      : engine(e), pair(std::move(p)), count(n) {
    what = "signal";
    peer = from;
  }
  bool refresh() override {
    if (done) return true;
    engine.check(engine.table().synchronise(pair->control), "MPI_Win_sync");
    done = std::atomic_ref(pair->words[peer]).load(std::memory_order_acquire) >= count;
    if (done && pair->data >= 0) engine.check(engine.table().synchronise(pair->data), "MPI_Win_sync");
    return done;
  }
};

}  // namespace

MpiWindow::MpiWindow(MpiRank& rank, std::shared_ptr<WindowPair> pair)
    : rank_(rank), engine_(rank.engine()), pair_(std::move(pair)) {
  pair_->is_used = true;
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
    throw Error(ErrorKind::internal, "window",
                "bytes " + std::to_string(offset) + " to " + std::to_string(end) +
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
  engine_.look();
  const OverlapackStrides at = strides(target, offset, block_bytes, stride_bytes, blocks);
  if (is_here(target)) {
    for (std::size_t i = 0; i < blocks; ++i)
      std::copy_n(from + i * block_bytes, block_bytes, pair_->memory + offset + i * stride_bytes);
    return;
  }
  engine_.check(engine_.table().put(pair_->data, target, &at, from), "MPI_Put");
}

void MpiWindow::get_strided(int target, std::size_t offset, std::size_t block_bytes, std::size_t stride_bytes,
                            std::size_t blocks, std::byte* to) {
  const std::lock_guard lock(engine_.mutex);
  engine_.look();
  const OverlapackStrides at = strides(target, offset, block_bytes, stride_bytes, blocks);
  if (is_here(target)) {
    for (std::size_t i = 0; i < blocks; ++i)
      std::copy_n(pair_->memory + offset + i * stride_bytes, block_bytes, to + i * block_bytes);
    return;
  }
  engine_.check(engine_.table().get(pair_->data, target, &at, to), "MPI_Get");
}

void MpiWindow::flush(int target) {
  const std::lock_guard lock(engine_.mutex);
  engine_.look();
  if (target != any_rank) rank_.check_peer(target);
  complete_data(target);
}

void MpiWindow::complete_data(int target) {
  if (pair_->data >= 0) engine_.check(engine_.table().flush(pair_->data, target), "MPI_Win_flush");
}

void MpiWindow::signal(int target) {
  const std::lock_guard lock(engine_.mutex);
  engine_.look();
  rank_.check_peer(target);
  const auto& table = engine_.table();
  complete_data(target);  // my puts first
  const std::int64_t one = 1;
  std::int64_t before = 0;
  const auto place = static_cast<std::int64_t>(sizeof one) * rank_.rank();
  engine_.check(table.fetch_add(pair_->control, target, place, &one, &before), "MPI_Fetch_and_op");
  engine_.check(table.flush(pair_->control, target), "MPI_Win_flush");
}

Request MpiWindow::expect_signals(int from, std::int64_t count) {
  const std::lock_guard lock(engine_.mutex);
  engine_.look();
  rank_.check_peer(from);
  auto operation = std::make_shared<SignalOperation>(engine_, pair_, from, count);
  operation->refresh();
  return Request(std::move(operation));
}

std::int64_t MpiWindow::fetch_add(int target, std::size_t offset, std::int64_t add) {
  const std::lock_guard lock(engine_.mutex);
  engine_.look();
  const OverlapackStrides at = strides(target, offset, sizeof add, sizeof add, 1);
  if (pair_->data < 0)
    return std::atomic_ref(*reinterpret_cast<std::int64_t*>(pair_->memory + offset)).fetch_add(add);
  std::int64_t before = 0;
  engine_.check(engine_.table().fetch_add(pair_->data, target, at.offset, &add, &before), "MPI_Fetch_and_op");
  engine_.check(engine_.table().flush(pair_->data, target), "MPI_Win_flush");
  return before;
}

/// The lock is the word behind the signals: 0, or 1 + the rank that holds it.
std::int64_t MpiWindow::exchange_lock(int target, std::int64_t expected, std::int64_t desired) {
  const auto& table = engine_.table();
  const auto place = static_cast<std::int64_t>(sizeof expected) * rank_.size();
  std::int64_t before = 0;
  engine_.check(table.compare_swap(pair_->control, target, place, &expected, &desired, &before),
                "MPI_Compare_and_swap");
  engine_.check(table.flush(pair_->control, target), "MPI_Win_flush");
  return before;
}

void MpiWindow::lock(int target) {
  rank_.check_peer(target);
  rank_.serve_until([&] { return exchange_lock(target, 0, 1 + rank_.rank()) == 0; }, no_deadline, false,
                    [&] { return "the lock of rank " + std::to_string(target) + "'s window"; });
}

void MpiWindow::unlock(int target) {
  const std::lock_guard lock(engine_.mutex);
  rank_.check_peer(target);
  complete_data(target);
  if (exchange_lock(target, 1 + rank_.rank(), 0) != 1 + rank_.rank())
    throw Error(ErrorKind::internal, "window", "a window was unlocked by a rank that had not locked it");
}

std::byte* MpiWindow::direct(int target) {
  const std::lock_guard lock(engine_.mutex);
  rank_.check_peer(target);
  if (engine_.library.is_simulated()) return nullptr;  // loads and stores take no simulated time
  if (is_here(target)) return pair_->memory;
  void* memory = nullptr;
  engine_.check(engine_.table().shared_memory(pair_->data, target, &memory), "MPI_Win_shared_query");
  return static_cast<std::byte*>(memory);
}

}  // namespace overlapack::comm::mpi
