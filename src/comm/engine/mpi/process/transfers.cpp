#include "comm/engine/mpi/process/transfers.hpp"

#include "comm/failure.hpp"

#include <algorithm>
#include <exception>

namespace overlapack::comm::mpi {

namespace {

constexpr int most_at_once = 16;

}  // namespace

/// Request numbers are the smallest free ones, so under_way_ + requests bounds them.
void Transfers::make_room(std::size_t requests) {
  const std::size_t all = under_way_ + requests;
  if (all > when_done_.size()) when_done_.resize(std::max(all, 2 * under_way_));
}

void Transfers::reserve(int requests, int communicators, int windows) {
  make_room(static_cast<std::size_t>(requests));
  library_.check(library_.table().reserve(requests, communicators, windows), "reserve");
}

void Transfers::register_request(OverlapackRequest request, WhenDone when_done) {
  const auto position = static_cast<std::size_t>(request);
  // in simulated time the messages of collectives use numbers, too
  if (position >= when_done_.size()) when_done_.resize(position + 1);
  when_done_[position] = std::move(when_done);
  ++under_way_;
}

bool Transfers::collect_completions(Collect call, const char* name) {
  if (broken_) throw *broken_;
  std::array<OverlapackCompletion, most_at_once> done;
  int count = 0;
  library_.check(call(done.data(), most_at_once, &count), name);
  if (count > 0) finish_requests({done.data(), static_cast<std::size_t>(count)});
  return count > 0;
}

void Transfers::finish_requests(std::span<const OverlapackCompletion> done) {
  // The numbers of these requests are free again: move all handlers out before one of them starts a new request.
  std::array<WhenDone, most_at_once> then;
  ended_ += static_cast<std::int64_t>(done.size());
  under_way_ -= done.size();
  for (std::size_t i = 0; i < done.size(); ++i)
    then[i] = std::exchange(when_done_[static_cast<std::size_t>(done[i].request)], {});
  std::exception_ptr first_failure;  // each handler is called even if another one throws
  for (std::size_t i = 0; i < done.size(); ++i) try {
      if (done[i].error != 0) library_.check(done[i].error, "a transfer");
      then[i](done[i]);
    } catch (const std::exception&) {
      if (done[i].error != 0) mark_broken(error_of(std::current_exception()));
      if (!first_failure) first_failure = std::current_exception();
    }
  if (broken_) throw *broken_;
  if (first_failure) std::rethrow_exception(first_failure);
}

void Transfers::mark_broken(const Error& error) noexcept {
  if (broken_) return;
  mark_over(error);
  may_finalise_ = false;
  library_.abandon();
}

void Transfers::mark_over(const Error& error) noexcept {
  if (!broken_) broken_.emplace(error);
}

void Transfers::fall_silent(const Wait& wait) {
  mark_broken(
      Error(Status::comm_failure, "nothing has happened for " + std::to_string(wait.silence_s) +
                                      " s: this rank waits for " + std::string(wait.what) +
                                      "; look for a rank that ended, was refused, or calls something else"));
  throw *broken_;
}

}  // namespace overlapack::comm::mpi
