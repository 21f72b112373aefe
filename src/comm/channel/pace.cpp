#include "comm/channel/pace.hpp"

#include <algorithm>
#include <cmath>

namespace overlapack::comm {

namespace {

template <std::size_t n>
double median(std::array<double, n>& values) {
  std::nth_element(values.begin(), values.begin() + n / 2, values.end());
  return values[n / 2];
}

}  // namespace

Pace::Pace(Rank& rank, std::int64_t most, double share)
    : rank_(rank), most_(std::max<std::int64_t>(most, 1)), share_(share) {}

void Pace::record_exchange(double begin, double end) {
  if (last_end_ >= 0) {
    exchange_s_[noted_] = end - begin;
    turn_s_[noted_] = (begin - last_end_) / static_cast<double>(std::max<std::int64_t>(turns_, 1));
    ++noted_;
  }
  last_end_ = end;
  turns_ = 0;
  if (noted_ < window) return;
  noted_ = 0;
  // exchange_s <= share N turn_s
  const double turn = share_ * median(turn_s_);
  const double wanted = turn > 0 ? std::ceil(median(exchange_s_) / turn) : 1;
  period_ = static_cast<std::int64_t>(std::clamp(wanted, 1.0, static_cast<double>(most_)));
}

}  // namespace overlapack::comm
