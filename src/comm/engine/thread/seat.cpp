#include "comm/engine/thread/seat.hpp"

#include <algorithm>
#include <cstring>

namespace overlapack::comm::thread {

namespace {

Body copy_of(const Body& body) { return Body::copy_of(std::span<const std::byte>(body.data(), body.size())); }

}  // namespace

void ReceiveOperation::finish() {
  message = std::move(parcel.message);
  if (has_buffer) {
    copy_to_buffer();
  } else if (parcel.is_in_eager_buffer && !message.body.is_phantom()) {
    message.body = copy_of(message.body);
    const std::lock_guard lock(owner->mutex);
    owner->counters.copied_bytes += static_cast<std::int64_t>(message.body.size());
  }
  done = true;
  if (const auto send = std::move(parcel.waiting_send)) {
    const std::lock_guard lock(send->owner->mutex);
    send->owner->push_finished(send);
  }
}

void ReceiveOperation::copy_to_buffer() {
  const std::size_t size = message.body.size();
  if (size > buffer.size()) {
    error = std::make_unique<Error>(ErrorKind::bad_input, "receive",
                                    "a message of " + std::to_string(size) + " bytes came for a buffer of " +
                                        std::to_string(buffer.size()) + "; post a larger one");
    return;
  }
  if (message.body.is_phantom()) return;
  if (size != 0) std::memcpy(buffer.data(), message.body.data(), size);
  message.body = Body(nullptr, buffer.data(), size);
  const std::lock_guard lock(owner->mutex);
  owner->counters.copied_bytes += static_cast<std::int64_t>(size);
}

void Seat::push_finished(std::shared_ptr<ThreadOperation> operation) {
  finished_.push_back(std::move(operation));
  has_finished_.store(true, std::memory_order_release);
  wake_locked();
}

void Seat::wake_locked() {
  epoch_.fetch_add(1, std::memory_order_release);
  if (asleep_.load(std::memory_order_relaxed)) changed_.notify_one();
}

void Seat::wake() {
  const std::lock_guard lock(mutex);
  wake_locked();
}

bool Seat::drain() {
  if (!has_finished_.load(std::memory_order_acquire)) return false;
  std::vector<std::shared_ptr<ThreadOperation>> finished;
  {
    const std::lock_guard lock(mutex);
    finished.swap(finished_);
    has_finished_.store(false, std::memory_order_relaxed);
  }
  for (const auto& operation : finished) operation->finish();
  return true;
}

bool Seat::sleep(std::uint64_t seen, Clock::time_point until) {
  std::unique_lock lock(mutex);
  asleep_.store(true, std::memory_order_relaxed);
  const auto is_woken = [&] { return epoch() != seen; };
  if (until == Clock::time_point::max())
    changed_.wait(lock, is_woken);
  else
    changed_.wait_until(lock, until, is_woken);
  asleep_.store(false, std::memory_order_relaxed);
  if (is_woken()) quiet_since = Clock::now();
  return is_woken();
}

void Seat::forget() {
  const std::lock_guard lock(mutex);
  finished_.clear();
  has_finished_.store(false, std::memory_order_relaxed);
  eager_bytes_held = 0;
}

}  // namespace overlapack::comm::thread
