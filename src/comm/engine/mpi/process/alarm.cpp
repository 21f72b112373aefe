#include "comm/engine/mpi/process/alarm.hpp"

#include "comm/engine/mpi/load/text_field.hpp"

#include <new>

namespace overlapack::comm::mpi {

Poison::Poison(const Error& e, double now_s) : status(static_cast<std::int32_t>(e.status())), time_s(now_s) {
  copy_text(text, e.what());
}

Error Poison::error() const { return Error(static_cast<Status>(status), text); }

Alarm::Alarm(MpiLibrary& library, Transfers& transfers, OverlapackComm comm, int first_tag, int rank,
             int size)
    : library_(library), transfers_(transfers), comm_(comm), first_tag_(first_tag) {
  if (rank > 0) neighbours_.push_back((rank - 1) / 2);
  for (const int child : {2 * rank + 1, 2 * rank + 2})
    if (child < size) neighbours_.push_back(child);
}

void Alarm::start_receiving(int parity) {
  tag_ = first_tag_ + parity;
  post_abort_receive();
}

void Alarm::post_abort_receive() {
  request_ = transfers_.start(
      "MPI_Irecv",
      [this](const OverlapackCompletion& done) {
        request_ = -1;
        if (done.cancelled) return;
        ++received_;
        handle_abort_message();
        post_abort_receive();
      },
      [this](OverlapackRequest* request) {
        return library_.table().receive(comm_, &incoming_, sizeof incoming_, any_rank, tag_, request);
      });
}

void Alarm::handle_abort_message() {
  const bool is_news = !first_ || (incoming_.is_last && !first_->is_last);
  if (!is_news) return;
  send_to_tree_neighbours(incoming_);
  if (!incoming_.is_last) return;
  if (incoming_.may_finalise)
    transfers_.mark_over(incoming_.error());
  else
    transfers_.mark_broken(incoming_.error());
}

void Alarm::abort_all_ranks(const Poison& poison) noexcept {
  if (first_ && (!poison.is_last || first_->is_last)) return;
  is_origin_ = !first_;
  send_to_tree_neighbours(poison);
}

void Alarm::send_to_tree_neighbours(const Poison& poison) noexcept {
  first_ = outgoing_[poison.is_last ? 1 : 0] = poison;
  next_ = 0;
  retry_sending_abort();
}

void Alarm::retry_sending_abort() noexcept {
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
  } catch (const std::bad_alloc&) {  // retry_sending_abort() is called again later
  } catch (...) {                    // MPI itself is broken; the other ranks' watchdogs will abort
    next_ = neighbours_.size();
  }
}

void Alarm::reset() {
  first_.reset();
  received_ = next_ = 0;
  is_origin_ = false;
}

void Alarm::cancel_receive() {
  if (request_ >= 0) library_.check(library_.table().cancel(request_), "MPI_Cancel");
}

}  // namespace overlapack::comm::mpi
