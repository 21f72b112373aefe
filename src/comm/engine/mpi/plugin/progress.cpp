#include "comm/engine/mpi/plugin/calls.hpp"
#include "comm/engine/mpi/plugin/state.hpp"

#include <span>

namespace overlapack::comm::mpi::plugin {

double clock_s() { return MPI_Wtime(); }

namespace {

/// Test these requests and note the finished ones. numbers: the request number of each; null: its index.
int test(std::span<MPI_Request> requests, const int* numbers) {
  State& s = state();
  int found = 0;
  const int code = MPI_Testsome(static_cast<int>(requests.size()), requests.data(), &found, s.indices.data(),
                                s.statuses.data());
  if (code != MPI_SUCCESS && code != MPI_ERR_IN_STATUS) return code;
  for (int i = 0; found != MPI_UNDEFINED && i < found; ++i) {
    const int position = s.indices[static_cast<std::size_t>(i)];
    const MPI_Status& status = s.statuses[static_cast<std::size_t>(i)];
    queue_finished_request(numbers ? numbers[position] : position, status,
                           code == MPI_ERR_IN_STATUS ? status.MPI_ERROR : MPI_SUCCESS);
  }
  return MPI_SUCCESS;
}

/// Test many requests: all receives and collectives each time, but only some sends, in turn. Testing 10,000 takes MPI 0.1 ms.
int test_some_of_many() {
  constexpr std::size_t sends_a_look = 64;
  State& s = state();
  const std::size_t all = s.requests.size();
  s.looked_at.clear();
  for (std::size_t i = 0; i < all; ++i)
    if (s.is_used[i] == RequestUse::other) s.looked_at.push_back(static_cast<int>(i));
  for (std::size_t looked = 0, sends = 0; looked < all && sends < sends_a_look; ++looked) {
    s.next_send = (s.next_send + 1) % all;
    if (s.is_used[s.next_send] != RequestUse::send) continue;
    s.looked_at.push_back(static_cast<int>(s.next_send));
    ++sends;
  }
  s.handles.clear();
  for (const int number : s.looked_at) s.handles.push_back(s.requests[static_cast<std::size_t>(number)]);
  const int code = test(s.handles, s.looked_at.data());
  for (std::size_t i = 0; i < s.handles.size(); ++i)  // MPI set the finished ones to null
    s.requests[static_cast<std::size_t>(s.looked_at[i])] = s.handles[i];
  return code;
}

}  // namespace

int test_some(OverlapackCompletion* done, int capacity, int* count) {
  constexpr std::size_t few = 256;
  State& s = state();
  *count = 0;
  if (s.finished.empty()) {
    s.indices.resize(s.requests.size());
    s.statuses.resize(s.requests.size());
    const int code = s.requests.size() <= few ? test(s.requests, nullptr) : test_some_of_many();
    if (code != MPI_SUCCESS || s.finished.empty()) return code;
  }
  return take_completions(done, capacity, count);
}

}  // namespace overlapack::comm::mpi::plugin
