#include "comm/engine/mpi/plugin/state.hpp"

#include "comm/engine/mpi/load/of_process.hpp"

#include <algorithm>
#include <utility>

namespace overlapack::comm::mpi::plugin {

#ifdef OVERLAPACK_SMPI
State& state() { return of_process<State>(); }

PhantomMemory& phantom_memory() {
  static PhantomMemory memory;
  return memory;
}
#else
namespace {
State one_state;  // constructed before the object that ends MPI at exit, so destroyed after it
}
State& state() { return one_state; }
#endif

int number_of(MPI_Comm comm, OverlapackComm* number) {
  auto free = std::find(state().comms.begin(), state().comms.end(), MPI_COMM_NULL);
  *number = static_cast<OverlapackComm>(free - state().comms.begin());
  if (free == state().comms.end())
    state().comms.push_back(comm);
  else
    *free = comm;
#ifdef OVERLAPACK_SMPI
  if (const int code = name_comm(*number); code != MPI_SUCCESS) return code;
#endif
#ifndef OVERLAPACK_SMPI
  int size = 1;
  if (const int code = MPI_Comm_size(comm, &size); code != MPI_SUCCESS) return code;
  state().largest_comm = std::max(state().largest_comm, size);
#endif
  return MPI_Comm_set_errhandler(comm, MPI_ERRORS_RETURN);
}

namespace {

/// Reserve the offsets by rank that each window needs.
void reserve_windows([[maybe_unused]] std::size_t more) {
#ifndef OVERLAPACK_SMPI
  auto& spare = state().spare_begins;
  spare.resize(std::max(spare.size(), more));
  for (auto& begins : spare) begins.reserve(static_cast<std::size_t>(state().largest_comm));
#endif
}

}  // namespace

/// Reserves all lists that grow with the requests; `requests` last, as its capacity is the test for all.
void reserve_requests(std::size_t more) {
  State& s = state();
  const std::size_t all = s.requests.size() + more;
  if (all <= s.requests.capacity()) return;
  const std::size_t room = std::max(all, 2 * s.requests.size());
  s.is_used.reserve(room);
  s.packed.reserve(room);
  s.free_requests.reserve(room);
  s.finished.reserve(room);
  s.indices.reserve(room);
  s.statuses.reserve(room);
  s.looked_at.reserve(room);
  s.handles.reserve(room);
  s.requests.reserve(room);
}

int reserve(int requests, int communicators, int windows) {
  return guarded([&] {
    reserve_requests(static_cast<std::size_t>(requests));
    state().comms.reserve(state().comms.size() + static_cast<std::size_t>(communicators));
    state().windows.reserve(state().windows.size() + static_cast<std::size_t>(windows));
    reserve_windows(static_cast<std::size_t>(windows));
    return MPI_SUCCESS;
  });
}

MPI_Request* new_request(OverlapackRequest* number, RequestUse use) {
  while (!state().free_requests.empty() &&
         state().free_requests.top() >= static_cast<int>(state().requests.size()))
    state().free_requests.clear();  // all others are larger
  if (state().free_requests.empty()) {
    *number = static_cast<OverlapackRequest>(state().requests.size());
    state().requests.push_back(MPI_REQUEST_NULL);
    state().is_used.push_back(RequestUse::none);
    state().packed.emplace_back();
  } else {
    *number = state().free_requests.top();
    state().free_requests.pop();
  }
  state().is_used[*number] = use;
  return &state().requests[*number];
}

void release_request(OverlapackRequest number) {
#ifdef OVERLAPACK_SMPI
  if (const auto phantom = state().phantom_of.find(number); phantom != state().phantom_of.end()) {
    phantom_memory().give_back(phantom->second);
    state().phantom_of.erase(phantom);
  }
#endif
  state().packed[number].reset();
  state().is_used[number] = RequestUse::none;
  state().requests[number] = MPI_REQUEST_NULL;
  state().free_requests.push(number);
}

void drop_trailing_requests() {
  while (!state().requests.empty() && state().is_used.back() == RequestUse::none) {
    state().requests.pop_back();
    state().is_used.pop_back();
    state().packed.pop_back();
  }
}

#ifdef OVERLAPACK_SMPI
void finish_part(OverlapackRequest whole) {
  if (--state().parts_left[whole] > 0) return;
  if (const auto stage = state().next_stage.find(whole); stage != state().next_stage.end()) {
    const auto start_next = std::move(stage->second);
    state().next_stage.erase(stage);
    ++state().parts_left[whole];  // until all parts are started
    start_next();
    return finish_part(whole);
  }
  state().parts_left.erase(whole);
  state().kept_answers.erase(whole);
  state().finished.push_back({whole, MPI_PROC_NULL, 0, 0, 0});
}
#endif

void queue_finished_request(OverlapackRequest number, const MPI_Status& status, int error) {
#ifdef OVERLAPACK_SMPI
  if (const auto part = state().whole_of.find(number); part != state().whole_of.end()) {
    const OverlapackRequest whole = part->second;
    state().whole_of.erase(part);
    release_request(number);
    return finish_part(whole);
  }
#endif
  int bytes = 0, cancelled = 0, source = status.MPI_SOURCE;
#ifdef OVERLAPACK_SMPI
  if (count_signal(number, status) || advance_handshake(number, status, &source)) return;
#endif
  const bool is_send = state().is_used[number] == RequestUse::send;
  if (error == MPI_SUCCESS && !is_send) error = MPI_Test_cancelled(&status, &cancelled);
  if (error == MPI_SUCCESS && !is_send && !cancelled) error = MPI_Get_count(&status, MPI_BYTE, &bytes);
  state().finished.push_back({number, source, cancelled, error, bytes});
}

#ifdef OVERLAPACK_SMPI
int test_one(OverlapackRequest number) {
  int done = 0;
  MPI_Status status;
  const int code = MPI_Test(&state().requests[number], &done, &status);
  if (code == MPI_SUCCESS && done) queue_finished_request(number, status, MPI_SUCCESS);
  return code;
}
#endif

int take_completions(OverlapackCompletion* done, int capacity, int* count) {
  auto& finished = state().finished;
  *count = std::min(capacity, static_cast<int>(finished.size()));
  std::copy_n(finished.begin(), *count, done);
  finished.erase(finished.begin(), finished.begin() + *count);
  for (int i = 0; i < *count; ++i) release_request(done[i].request);
  drop_trailing_requests();
  return MPI_SUCCESS;
}

}  // namespace overlapack::comm::mpi::plugin
