#include "comm/engine/thread/thread_mailbox.hpp"

#include <algorithm>

namespace overlapack::comm::thread {

namespace {

Body copy_of(const Body& body) { return Body::copy_of(std::span<const std::byte>(body.data(), body.size())); }

}  // namespace

void ReceiveOperation::finish() {
  Body& body = parcel.message.body;
  if (parcel.is_in_eager_buffer && !body.is_phantom()) {
    body = copy_of(body);
    parcel.is_in_eager_buffer = false;
    const std::lock_guard lock(owner->mutex);
    owner->counters.copied_bytes += static_cast<std::int64_t>(body.size());
  }
  if (const auto& send = parcel.waiting_send) {
    const std::lock_guard lock(send->owner->mutex);
    send->owner->queue_finished(send);
  }
  parcel.waiting_send = nullptr;
  message = std::move(parcel.message);
  done = true;
}

void ThreadMailbox::queue_finished(std::shared_ptr<ThreadOperation> operation) {
  finished_.push_back(std::move(operation));
  has_finished_.store(true, std::memory_order_release);
  wake_locked();
}

void ThreadMailbox::wake_locked() {
  epoch_.fetch_add(1, std::memory_order_release);
  if (asleep_.load(std::memory_order_relaxed)) changed_.notify_one();
}

void ThreadMailbox::wake() {
  const std::lock_guard lock(mutex);
  wake_locked();
}

bool ThreadMailbox::wake_sleeper() {
  if (!asleep_.load() || is_called_.exchange(true)) return false;
  wake();
  return true;
}

/// If an operation throws bad_alloc, the next call retries it and the operations behind it.
bool ThreadMailbox::drain() {
  if (draining_.empty()) {
    if (!has_finished_.load(std::memory_order_acquire)) return false;
    const std::lock_guard lock(mutex);
    draining_.swap(finished_);
    has_finished_.store(false, std::memory_order_relaxed);
  }
  while (drained_ < draining_.size()) {
    draining_[drained_]->finish();
    ++drained_;
  }
  draining_.clear();
  drained_ = 0;
  return true;
}

bool ThreadMailbox::sleep(Clock::time_point until, FunctionRef<bool()> has_news) {
  std::unique_lock lock(mutex);
  is_called_.store(false);
  asleep_.store(true);
  if (until == Clock::time_point::max())
    changed_.wait(lock, has_news);
  else
    changed_.wait_until(lock, until, has_news);
  asleep_.store(false, std::memory_order_relaxed);
  if (has_news()) quiet_since = Clock::now();
  return has_news();
}

void ThreadMailbox::drop_messages() {
  const std::lock_guard lock(mutex);
  for (std::size_t i = drained_; i < draining_.size(); ++i) draining_[i]->abandon();
  for (const auto& operation : finished_) operation->abandon();
  draining_.clear();
  drained_ = 0;
  finished_.clear();
  has_finished_.store(false, std::memory_order_relaxed);
  eager_bytes_held = 0;
}

}  // namespace overlapack::comm::thread
