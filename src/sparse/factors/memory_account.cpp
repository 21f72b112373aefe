#include "sparse/factors/memory_account.hpp"

#include "overlapack/error.hpp"
#include "overlapack/printed.hpp"

#include <algorithm>
#include <cmath>

namespace overlapack::sparse {

constexpr double least_lump = 1 << 14, lump_share = 1.0 / 64;

void MemoryAccount::add(std::int64_t bytes) {
  const std::int64_t held = held_.add(bytes);
  if (bytes > 0) peak_.set_to_at_least(held);
}

void MemoryAccount::add_block_bytes(std::int64_t bytes, std::int64_t full_bytes) {
  block_bytes_.add(bytes);
  full_bytes_.add(full_bytes);
}

double MemoryAccount::share() const {
  const std::int64_t full = full_bytes_.value();
  return full > 0 ? static_cast<double>(block_bytes_.value()) / static_cast<double>(full) : 1;
}

/// Linear in the share between the two predictions. A peak is the largest of sums that are linear in the
/// share, so that it is a convex function of the share and lies below this chord.
double MemoryAccount::predicted_bytes() const {
  return bytes_.least + std::min(share(), 1.0) * (bytes_.most - bytes_.least);
}

void MemoryAccount::require() const {
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

void AccountPart::set_bytes(double bytes, double peak) {
  if (!account_) return;
  const double change = bytes - static_cast<double>(booked_);
  const double lump = account_->has_limit() ? 0 : std::max(least_lump, lump_share * peak);
  if (std::abs(change) <= lump) return;
  const auto whole = static_cast<std::int64_t>(change);
  account_->add(whole);
  booked_ += whole;
}

double AccountPart::remove_from_account(double peak) {
  if (!account_) return peak;
  account_->subtract(std::exchange(booked_, 0));
  return std::exchange(account_, nullptr)->read_and_reset_peak();
}

}  // namespace overlapack::sparse
