#include "comm/collective/doubling_sum.hpp"

#include "base/scoped_true.hpp"

#include <bit>

namespace overlapack::comm::collective {

DoublingSum::DoublingSum(Rank& rank) : rank_(rank) {
  const int me = rank.rank(), p = rank.size();
  const int pairs = static_cast<int>(std::bit_floor(static_cast<unsigned>(p)));
  if (me >= pairs) {
    steps_ = {{me - pairs, What::give}, {me - pairs, What::take}};
  } else {
    if (me + pairs < p) steps_.push_back({me + pairs, What::add});
    for (int bit = 1; bit < pairs; bit *= 2) steps_.push_back({me ^ bit, What::exchange});
    if (me + pairs < p) steps_.push_back({me + pairs, What::give});
  }
  progress_ = rank_.on_progress([this] {
    if (is_under_way_ && !is_advancing_) advance();
  });
}

void DoublingSum::start(std::vector<double> mine) {
  if (is_under_way_) throw Error(Status::internal, "a round was started before the last one had ended");
  sum_ = std::move(mine);
  step_ = 0;
  has_begun_ = false;
  receives_.clear();
  for (const Step& step : steps_)
    receives_.push_back(step.what == What::give ? Recv() : rank_.post_receive(Lane::collective, step.peer));
  is_under_way_ = true;
  advance();
}

/// Do steps until one waits for a message that has not arrived.
void DoublingSum::advance() {
  const ScopedTrue advancing(is_advancing_);
  while (step_ < steps_.size()) {
    const Step step = steps_[step_];
    if (!has_begun_ && (step.what == What::give || step.what == What::exchange))
      rank_.start_send(Lane::collective, step.peer, {}, Body::copy_of(std::span<const double>(sum_)));
    has_begun_ = true;
    if (!finish_step(step, receives_[step_])) return;
    has_begun_ = false;
    ++step_;
  }
}

/// Add the step's message to the sum, or copy it for `take`; false while it has not arrived.
bool DoublingSum::finish_step(Step step, Recv& receive) {
  if (step.what == What::give) return true;
  if (receive.pending()) return false;
  const Message message = receive.take();
  const auto values = message.body.as<double>();
  if (values.size() != sum_.size())
    throw Error(Status::internal, "the ranks contribute vectors of different length");
  for (std::size_t i = 0; i < sum_.size(); ++i)
    sum_[i] = step.what == What::take ? values[i] : sum_[i] + values[i];
  return true;
}

std::optional<std::vector<double>> DoublingSum::sum_if_done() {
  if (!is_under_way_) return std::nullopt;
  if (!is_advancing_) advance();
  if (step_ < steps_.size()) return std::nullopt;
  is_under_way_ = false;
  return sum_;
}

}  // namespace overlapack::comm::collective
