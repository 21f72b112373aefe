#include "comm/shared_count.hpp"

#include <atomic>

namespace overlapack::comm {

std::int64_t SharedCount::add(std::int64_t change) {
  return std::atomic_ref<std::int64_t>(count_).fetch_add(change) + change;
}

std::int64_t SharedCount::value() const { return std::atomic_ref<std::int64_t>(count_).load(); }

void SharedCount::set_to_at_least(std::int64_t value) {
  const std::atomic_ref<std::int64_t> count(count_);
  std::int64_t now = count.load();
  while (now < value && !count.compare_exchange_weak(now, value)) {
  }
}

std::int64_t SharedCount::take() { return std::atomic_ref<std::int64_t>(count_).exchange(0); }

}  // namespace overlapack::comm
