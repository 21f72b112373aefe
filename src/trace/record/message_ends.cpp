#include "trace/record/message_ends.hpp"

#include <algorithm>
#include <tuple>

namespace overlapack::trace {
namespace {

/// Sender, receiver, stream.
std::tuple<int, int, int> stream_of(const Event& e) {
  return e.what == What::send ? std::tuple(e.rank, e.peer, e.stream) : std::tuple(e.peer, e.rank, e.stream);
}

/// All sends or all receives of the timeline, sorted by stream, then by number.
std::vector<const Event*> ends_of(const Timeline& timeline, What what) {
  std::vector<const Event*> ends;
  for (const Event& e : timeline.events())
    if (e.what == what) ends.push_back(&e);
  std::ranges::stable_sort(ends, [](const Event* a, const Event* b) {
    return std::tuple(stream_of(*a), a->number) < std::tuple(stream_of(*b), b->number);
  });
  return ends;
}

}  // namespace

std::vector<MessageEnds> messages_of(const Timeline& timeline) {
  const std::vector<const Event*> sends = ends_of(timeline, What::send);
  const std::vector<const Event*> receives = ends_of(timeline, What::receive);
  std::vector<MessageEnds> messages;
  auto next = receives.begin();
  for (const Event* send : sends) {
    const auto stream = stream_of(*send);
    // receives left over in an earlier stream: their sends came before the record began
    while (next != receives.end() && stream_of(**next) < stream) ++next;
    if (next == receives.end()) break;
    if (stream_of(**next) == stream) messages.push_back({send, *next++});
  }
  return messages;
}

}  // namespace overlapack::trace
