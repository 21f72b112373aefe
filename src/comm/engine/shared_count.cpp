#include "comm/shared_count.hpp"

#include <atomic>

namespace overlapack::comm {

std::int64_t SharedCount::add(std::int64_t change) {
  return std::atomic_ref<std::int64_t>(count_).fetch_add(change) + change;
}

std::int64_t SharedCount::value() const { return std::atomic_ref<std::int64_t>(count_).load(); }

}  // namespace overlapack::comm
