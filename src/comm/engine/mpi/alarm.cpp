#include "comm/engine/mpi/alarm.hpp"

#include "comm/engine/mpi/text_field.hpp"

#include <new>

namespace overlapack::comm::mpi {

Poison::Poison(const Error& e, int rank, double now_s)
    : kind(static_cast<std::int32_t>(e.kind())), origin(rank), time_s(now_s) {
  copy_text(where, e.where());
  copy_text(text, e.what());
}

Error Poison::error() const { return Error(static_cast<ErrorKind>(kind), where, text); }

Alarm::Alarm(const Library& library, Transfers& transfers, OverlapackComm comm, int rank, int size)
    : library_(library), transfers_(transfers), comm_(comm), rank_(rank), size_(size) {
  post();
}

void Alarm::post() {
  request_ = transfers_.start(
      "MPI_Irecv",
      [this](const OverlapackCompletion& done) {
        request_ = -1;
        if (done.cancelled) return;
        ++received_;
        if (!first_) first_ = incoming_;
        post();
      },
      [this](OverlapackRequest* request) {
        return library_.table().receive(comm_, &incoming_, sizeof incoming_, any_rank, 0, request);
      });
}

void Alarm::raise(const Poison& poison) noexcept {
  if (is_raised()) return;
  first_ = outgoing_ = poison;
  have_sent_ = true;
  next_ = 0;
  send_on();
}

void Alarm::send_on() noexcept {
  try {
    for (; next_ < size_; ++next_) {
      if (next_ == rank_) continue;
      transfers_.start(
          "MPI_Isend", [this](const OverlapackCompletion&) { --sends_under_way_; },
          [this](OverlapackRequest* request) {
            return library_.table().send(comm_, &outgoing_, sizeof outgoing_, nullptr, 0, next_, 0, 0,
                                         request);
          });
      ++sends_under_way_;
    }
  } catch (const std::bad_alloc&) {  // later
  } catch (...) {                    // MPI itself is broken; the others find out by their watchdogs
    next_ = size_;
  }
}

void Alarm::reset() {
  first_.reset();
  received_ = 0;
  have_sent_ = false;
}

void Alarm::withdraw() {
  if (request_ >= 0) library_.check(library_.table().cancel(request_), "MPI_Cancel");
}

}  // namespace overlapack::comm::mpi
