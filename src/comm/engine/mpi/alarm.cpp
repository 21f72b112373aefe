#include "comm/engine/mpi/alarm.hpp"

#include "comm/engine/mpi/text_field.hpp"

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
  library_.check(library_.table().receive(comm_, &incoming_, sizeof incoming_, any_rank, 0, &request_),
                 "MPI_Irecv");
  transfers_.expect(request_, [this](const OverlapackCompletion& done) {
    request_ = -1;
    if (done.cancelled) return;
    ++received_;
    if (!first_) first_ = std::make_unique<Poison>(incoming_);
    post();
  });
}

void Alarm::raise(const Poison& poison) noexcept {
  if (is_raised()) return;
  try {
    first_ = std::make_unique<Poison>(poison);
    outgoing_ = poison;
    have_sent_ = true;
    for (int to = 0; to < size_; ++to) {
      if (to == rank_) continue;
      OverlapackRequest request = -1;
      library_.check(
          library_.table().send(comm_, &outgoing_, sizeof outgoing_, nullptr, 0, to, 0, 0, &request),
          "MPI_Isend");
      ++sends_under_way_;
      transfers_.expect(request, [this](const OverlapackCompletion&) { --sends_under_way_; });
    }
  } catch (...) {  // MPI itself is broken; the others find out by their watchdogs
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
