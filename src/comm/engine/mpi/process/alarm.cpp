#include "comm/engine/mpi/process/alarm.hpp"

#include "comm/engine/mpi/load/text_field.hpp"

#include <new>

namespace overlapack::comm::mpi {

Poison::Poison(const Error& e, double now_s) : status(static_cast<std::int32_t>(e.status())), time_s(now_s) {
  copy_text(text, e.what());
}

Error Poison::error() const { return Error(static_cast<Status>(status), text); }

Alarm::Alarm(Library& library, Transfers& transfers, OverlapackComm comm, int first_tag, int rank, int size)
    : library_(library), transfers_(transfers), comm_(comm), first_tag_(first_tag) {
  if (rank > 0) neighbours_.push_back((rank - 1) / 2);
  for (const int child : {2 * rank + 1, 2 * rank + 2})
    if (child < size) neighbours_.push_back(child);
}

void Alarm::begin(int parity) {
  tag_ = first_tag_ + parity;
  post();
}

void Alarm::post() {
  request_ = transfers_.start(
      "MPI_Irecv",
      [this](const OverlapackCompletion& done) {
        request_ = -1;
        if (done.cancelled) return;
        ++received_;
        hear();
        post();
      },
      [this](OverlapackRequest* request) {
        return library_.table().receive(comm_, &incoming_, sizeof incoming_, any_rank, tag_, request);
      });
}

void Alarm::hear() {
  const bool is_news = !first_ || (incoming_.is_last && !first_->is_last);
  if (!is_news) return;
  spread(incoming_);
  if (incoming_.is_last) transfers_.break_down(incoming_.error());
}

void Alarm::raise(const Poison& poison) noexcept {
  if (first_ && (!poison.is_last || first_->is_last)) return;
  is_origin_ = !first_;
  spread(poison);
}

void Alarm::spread(const Poison& poison) noexcept {
  first_ = outgoing_[poison.is_last ? 1 : 0] = poison;
  next_ = 0;
  send_on();
}

void Alarm::send_on() noexcept {
  if (!first_) return;
  const Poison& outgoing = outgoing_[first_->is_last ? 1 : 0];
  try {
    for (; next_ < neighbours_.size(); ++next_) {
      transfers_.start(
          "MPI_Isend", [this](const OverlapackCompletion&) { --sends_under_way_; },
          [this, &outgoing](OverlapackRequest* request) {
            return library_.table().send(comm_, &outgoing, sizeof outgoing, nullptr, 0, neighbours_[next_],
                                         tag_, 0, request);
          });
      ++sends_under_way_;
    }
  } catch (const std::bad_alloc&) {  // send_on() is called again later
  } catch (...) {                    // MPI itself is broken; the other ranks' watchdogs will abort
    next_ = neighbours_.size();
  }
}

void Alarm::reset() {
  first_.reset();
  received_ = next_ = 0;
  is_origin_ = false;
}

void Alarm::withdraw() {
  if (request_ >= 0) library_.check(library_.table().cancel(request_), "MPI_Cancel");
}

}  // namespace overlapack::comm::mpi
