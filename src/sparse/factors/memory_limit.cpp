#include "sparse/factors/memory_limit.hpp"

#include "overlapack/error.hpp"
#include "overlapack/printed.hpp"

#include <algorithm>

namespace overlapack::sparse {

void MemoryLimit::note_blocks(std::int64_t bytes, std::int64_t full_bytes) {
  block_bytes_.add(bytes);
  full_bytes_.add(full_bytes);
}

double MemoryLimit::share() const {
  const std::int64_t full = full_bytes_.value();
  return full > 0 ? static_cast<double>(block_bytes_.value()) / static_cast<double>(full) : 1;
}

/// A peak is the largest of sums that are linear in the share, so that it lies below its chord.
double MemoryLimit::predicted_bytes() const {
  return bytes_.least + std::min(share(), 1.0) * (bytes_.most - bytes_.least);
}

void MemoryLimit::require() const {
  const auto held = static_cast<double>(held_.value());
  if (held <= bytes_.limit) return;
  const std::string by_blocks =
      full_bytes_.value() > 0
          ? "blocks of its fronts have taken " + printed("%.0f", 100 * share()) +
                " % of full rank so far, and by this share all ranks are predicted to need " +
                bytes_text(std::max(held, predicted_bytes()))
          : "one rank without delayed pivots was predicted to need " + bytes_text(bytes_.most);
  throw Error(Status::out_of_memory, "the factorisation came to need " + bytes_text(held) +
                                         ", more than the " + bytes_text(bytes_.limit) + " " + name_ + "; " +
                                         by_blocks + "; " + advice_);
}

}  // namespace overlapack::sparse
