#pragma once
#include "overlapack/trace.hpp"

#include <vector>

namespace overlapack::trace {

/// A message as its sender and its receiver recorded it.
struct MessageEnds {
  const Event* send = nullptr;
  const Event* receive = nullptr;

  /// When both ends were ready for it, if it is known to have come by `until`.
  double begin_s(double until) const {
    const double posted_s = receive->posted_s < until ? receive->posted_s : send->begin_s;
    return std::max(send->begin_s, posted_s);
  }
  /// Which end was ready last: it kept the message from setting out earlier.
  int last_ready(double until) const { return begin_s(until) > send->begin_s ? receive->rank : send->rank; }
};

/// The messages that have both ends: in each (sender, receiver, stream) the k-th send and the k-th of the receives that got one.
std::vector<MessageEnds> messages_of(const Timeline& timeline);

}  // namespace overlapack::trace
