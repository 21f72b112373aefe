#include "comm/rank.hpp"

namespace overlapack::comm {

Recv& Recv::operator=(Recv&& other) noexcept {
  if (this == &other) return *this;
  drop();
  rank_ = other.rank_;
  Request::operator=(std::move(other));
  return *this;
}

Recv::~Recv() { drop(); }

void Recv::drop() noexcept {
  if (!pending()) return;
  try {
    rank_->cancel(*this);
  } catch (...) {  // another rank's abort: the engine drops all posted receives
  }
  operation_.reset();
}

Message Recv::take() {
  if (!operation_) throw Error(Status::internal, "a receive was taken twice or never posted");
  if (!operation_->done) throw Error(Status::internal, "a receive was taken before it was done; wait for it");
  const std::shared_ptr<Operation> operation = std::move(operation_);
  if (operation->was_aborted)
    throw Error(Status::comm_failure, "the run in which this receive was posted was aborted");
  return std::move(operation->message);
}

std::unique_ptr<Window> Rank::make_phantom_window(std::size_t) {
  throw Error(Status::internal, "a window without memory was made where numbers are computed");
}

namespace {

[[noreturn]] void refuse_flags() {
  throw Error(Status::internal, "a flag was used on an engine that does not keep the order of its puts");
}

}  // namespace

void Window::put_flag(int, std::size_t, std::span<const std::byte>, std::size_t, std::int64_t) {
  refuse_flags();
}
std::int64_t Window::flag(std::size_t) { refuse_flags(); }
Request Window::expect_flag(std::size_t, std::int64_t) { refuse_flags(); }

}  // namespace overlapack::comm
