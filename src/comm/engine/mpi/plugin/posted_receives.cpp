#include "comm/engine/mpi/plugin/posted_receives.hpp"

#include <algorithm>

namespace overlapack::comm::mpi::plugin {

bool PostedReceives::send(const Position& to, int source, int tag) {
  Queues& there = at_[to];
  const auto receive = std::find_if(there.receives.begin(), there.receives.end(), [&](const Envelope& e) {
    return (e.source < 0 || e.source == source) && e.tag == tag;
  });
  if (receive == there.receives.end()) {
    there.messages.push_back({source, tag});
    return false;
  }
  const bool is_seen = receive->is_seen;
  there.receives.erase(receive);
  return is_seen;
}

void PostedReceives::post(const Position& at, int source, int tag, OverlapackRequest request, bool is_seen) {
  Queues& here = at_[at];
  const auto message = std::find_if(here.messages.begin(), here.messages.end(), [&](const Envelope& e) {
    return (source < 0 || e.source == source) && e.tag == tag;
  });
  if (message == here.messages.end())
    here.receives.push_back({source, tag, request, is_seen});
  else
    here.messages.erase(message);
}

void PostedReceives::withdraw(const Position& from, OverlapackRequest request) {
  std::erase_if(at_[from].receives, [&](const Envelope& e) { return e.request == request; });
}

}  // namespace overlapack::comm::mpi::plugin
