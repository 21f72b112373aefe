#include "comm/collective/tree_sum.hpp"

namespace overlapack::comm::collective {

namespace {

/// Add the child's sum to mine, or return false while it has not arrived. The caller adds left before right, so that rounding depends
/// on p only.
bool add_arrived(Recv& from, std::vector<double>& sum) {
  if (!from) return true;
  if (from.pending()) return false;
  const Message message = from.take();
  const auto values = message.body.as<double>();
  if (values.size() != sum.size())
    throw Error(Status::internal, "the ranks contribute vectors of different length");
  for (std::size_t i = 0; i < sum.size(); ++i) sum[i] += values[i];
  return true;
}

}  // namespace

void TreeSum::send(int to, const std::vector<double>& values) {
  if (to >= 0) rank_.start_send(Lane::collective, to, {}, Body::copy_of(std::span(values)));
}

void TreeSum::start(std::vector<double> mine) {
  if (is_under_way_) throw Error(Status::internal, "a round was started before the last one had ended");
  sum_ = std::move(mine);
  is_under_way_ = true;
  is_sent_up_ = false;
  if (position_.left >= 0) from_left_ = rank_.post_receive(Lane::collective, position_.left);
  if (position_.right >= 0) from_right_ = rank_.post_receive(Lane::collective, position_.right);
}

std::optional<std::vector<double>> TreeSum::sum_if_done() {
  if (!is_under_way_) return std::nullopt;
  if (!is_sent_up_) {
    if (!add_arrived(from_left_, sum_) || !add_arrived(from_right_, sum_)) return std::nullopt;
    is_sent_up_ = true;
    if (position_.parent >= 0) {
      send(position_.parent, sum_);
      from_parent_ = rank_.post_receive(Lane::collective, position_.parent);
    }
  }
  if (position_.parent >= 0) {
    if (from_parent_.pending()) return std::nullopt;
    const Message message = from_parent_.take();
    const auto values = message.body.as<double>();
    sum_.assign(values.begin(), values.end());
  }
  send(position_.left, sum_);
  send(position_.right, sum_);
  is_under_way_ = false;
  return sum_;
}

}  // namespace overlapack::comm::collective
