#pragma once
#include "overlapack/trace.hpp"

#include <vector>

namespace overlapack::trace {

/// A message as its sender and its receiver recorded it.
struct MessageEnds {
  const Event* send = nullptr;
  const Event* receive = nullptr;

  /// When both ends were ready, the send begun and the receive posted. The message is known to have arrived by `until`: if the
  /// receive was posted later than that, only the send counts.
  double begin_s(double until) const {
    const double posted_s = receive->posted_s < until ? receive->posted_s : send->begin_s;
    return std::max(send->begin_s, posted_s);
  }
  /// The rank of the end that was ready last, which delayed the message.
  int last_ready(double until) const { return begin_s(until) > send->begin_s ? receive->rank : send->rank; }
};

/// The messages recorded at both ends: within each (sender, receiver, stream) the k-th send is paired with the k-th receive.
std::vector<MessageEnds> messages_of(const Timeline& timeline);

}  // namespace overlapack::trace
