#include "comm/engine/thread/thread_rank.hpp"

#include "comm/engine/thread/thread_window.hpp"

#include <algorithm>
#include <tuple>

namespace overlapack::comm::thread {

namespace {

constexpr std::size_t no_limit = ~std::size_t{0};

}  // namespace

ThreadRank::ThreadRank(TeamThreads& threads, std::shared_ptr<Group> group, int index)
    : threads_(threads),
      group_(std::move(group)),
      index_(index),
      mailbox_(group_->mailbox(index)),
      port_(group_->port(index)) {
  finished_send_->done = true;
}

void ThreadRank::check_peer(int peer) const {
  if (peer >= 0 && peer < size()) return;
  throw Error(Status::internal,
              "rank " + std::to_string(peer) + " was addressed in a team of " + std::to_string(size()));
}

Capabilities ThreadRank::capabilities() const {
  return {.engine = "thread",
          .shared_memory = true,
          .reaches_attached = true,
          .slice_helpers = threads_.size() > 1,
          .workers = threads_.options.workers};
}

EngineCounters ThreadRank::counters() const {
  const std::lock_guard lock(mailbox_.mutex);
  return mailbox_.counters;
}

Send ThreadRank::start_send(Lane lane, int to, const Header& header, Body body) {
  threads_.throw_if_aborted();
  check_peer(to);
  const std::size_t bytes = body.size();
  const std::size_t eager = threads_.options.eager_bytes;
  Parcel parcel{{header, std::move(body), index_, lane}, nullptr, false};
  std::shared_ptr<SendOperation> operation;
  if (bytes > eager) {
    operation = std::make_shared<SendOperation>();
    operation->owner = &mailbox_;
    operation->peer = to;
    operation->lane = lane;
    operation->kind = header.kind;
    operation->bytes = bytes;
  } else if (eager != no_limit && !parcel.message.body.is_phantom()) {
    // short protocol: the bytes leave the sender's memory at once
    const Body& from = parcel.message.body;
    parcel.message.body = Body::copy_of(std::span<const std::byte>(from.data(), from.size()));
    parcel.is_in_eager_buffer = true;
  }
  const bool is_taken = deliver(to, std::move(parcel), operation);
  if (!operation) return Send(finished_send_);
  if (is_taken) {
    operation->done = true;
  } else {
    const std::lock_guard lock(mailbox_.mutex);
    ++mailbox_.counters.deferred_sends;
  }
  return Send(operation);
}

/// Match the message with the first posted receive that accepts it, else queue it as arrived; true if a receive took it.
bool ThreadRank::deliver(int to, Parcel&& parcel, const std::shared_ptr<SendOperation>& operation) {
  const Lane lane = parcel.message.lane;
  ThreadMailbox& mailbox = group_->mailbox(to);
  Port& port = group_->port(to);
  const std::lock_guard lock(mailbox.mutex);
  auto& posted = port.posted_on(lane);
  const auto receive =
      std::find_if(posted.begin(), posted.end(), [&](const auto& r) { return r->accepts(index_); });
  if (receive != posted.end()) {
    mailbox.queue_finished(*receive);  // may throw, so first
    (*receive)->parcel = std::move(parcel);
    // the receive was posted: the one copy above went to its memory
    (*receive)->parcel.is_in_eager_buffer = false;
    posted.erase(receive);
    return true;
  }
  ++mailbox.counters.unexpected;
  if (parcel.is_in_eager_buffer) {
    mailbox.eager_bytes_held += parcel.message.body.size();
    mailbox.counters.eager_total_bytes =
        std::max(mailbox.counters.eager_total_bytes, static_cast<std::int64_t>(mailbox.eager_bytes_held));
  }
  parcel.waiting_send = operation;
  port.arrived_on(lane).push_back(std::move(parcel));
  mailbox.wake_locked();
  return false;
}

Recv ThreadRank::post_receive(Lane lane, int from) {
  return post(std::make_shared<ReceiveOperation>(), lane, from);
}

Recv ThreadRank::post(std::shared_ptr<ReceiveOperation> operation, Lane lane, int from) {
  threads_.throw_if_aborted();
  if (from != any_rank) check_peer(from);
  operation->what = "receive";
  operation->owner = &mailbox_;
  operation->peer = from;
  operation->lane = lane;
  if (match_with_arrived(operation)) operation->finish();
  return Recv(*this, std::move(operation));
}

/// Match the receive with the first arrived message that it accepts, else post it; true if matched.
bool ThreadRank::match_with_arrived(const std::shared_ptr<ReceiveOperation>& operation) {
  const std::lock_guard lock(mailbox_.mutex);
  auto& arrived = port_.arrived_on(operation->lane);
  const auto parcel = std::find_if(arrived.begin(), arrived.end(),
                                   [&](const Parcel& p) { return operation->accepts(p.message.source); });
  if (parcel == arrived.end()) {
    port_.posted_on(operation->lane).push_back(operation);
    return false;
  }
  if (parcel->is_in_eager_buffer) mailbox_.eager_bytes_held -= parcel->message.body.size();
  operation->parcel = std::move(*parcel);
  arrived.erase(parcel);
  return true;
}

void ThreadRank::cancel(Recv& receive) {
  if (!receive.pending()) return;
  bool was_posted = false;
  {
    const std::lock_guard lock(mailbox_.mutex);
    const auto& operation = static_cast<const ReceiveOperation&>(*receive.operation());
    auto& posted = port_.posted_on(operation.lane);
    was_posted = std::erase_if(posted, [&](const auto& r) { return r.get() == &operation; }) != 0;
  }
  mailbox_.drain();
  if (was_posted || receive.pending()) receive.release();
}

bool ThreadRank::test(Request& request) {
  threads_.throw_if_aborted();
  mailbox_.drain();
  if (request.pending()) static_cast<ThreadOperation&>(*request.operation()).refresh();
  return !request.pending();
}

std::optional<int> ThreadRank::probe(Lane lane, int from) {
  threads_.throw_if_aborted();
  const std::lock_guard lock(mailbox_.mutex);
  for (const Parcel& p : port_.arrived_on(lane))
    if (from == any_rank || from == p.message.source) return p.message.source;
  return std::nullopt;
}

/// Finish matched operations and run hooks; true if an operation finished.
bool ThreadRank::move_bytes() {
  threads_.throw_if_aborted();
  const bool has_come = mailbox_.drain();
  mailbox_.hooks.run();
  return has_come;
}

/// Yields after several polls without a finished operation, for the sake of threads that have no core. It does not yield more often,
/// because a core that another program wants comes back only milliseconds later.
void ThreadRank::poll() {
  constexpr int patience = 16;
  quiet_polls_ = move_bytes() ? 0 : quiet_polls_ + 1;
  if (quiet_polls_ < patience || threads_.size() == 1) return;
  quiet_polls_ = 0;
  std::this_thread::yield();
}

std::shared_ptr<void> ThreadRank::on_progress(std::function<void()> hook) {
  return mailbox_.hooks.add(std::move(hook));
}

Group::Shared ThreadRank::exchange_objects(
    Group::Shared brought, FunctionRef<Group::Shared(const std::vector<Group::Shared>&)> combine,
    std::string_view call) {
  threads_.throw_if_aborted();
  const auto meeting = group_->exchange_objects(index_, std::move(brought), combine);
  block_until([&] { return meeting->is_complete.load(std::memory_order_acquire); },
              [&] { return "the other ranks in " + std::string(call); });
  return meeting->result;
}

std::unique_ptr<Rank> ThreadRank::split(int color, int key) {
  struct Wish {
    int color, key, rank;
  };
  struct Part {
    std::shared_ptr<Group> group;
    int index;
  };
  using Parts = std::vector<Part>;  // by old rank
  const auto combine = [&](const std::vector<Group::Shared>& brought) -> Group::Shared {
    std::vector<Wish> wishes;
    for (const auto& b : brought) wishes.push_back(*static_cast<const Wish*>(b.get()));
    std::stable_sort(wishes.begin(), wishes.end(), [](const Wish& a, const Wish& b) {
      return std::tie(a.color, a.key) < std::tie(b.color, b.key);
    });
    auto parts = std::make_shared<Parts>(wishes.size());
    for (auto first = wishes.begin(); first != wishes.end();) {
      const auto last =
          std::find_if(first, wishes.end(), [&](const Wish& w) { return w.color != first->color; });
      std::vector<ThreadMailbox*> mailboxes;
      for (auto w = first; w != last; ++w) mailboxes.push_back(&group_->mailbox(w->rank));
      const auto group = std::make_shared<Group>(std::move(mailboxes));
      threads_.add(group);
      for (auto w = first; w != last; ++w)
        (*parts)[static_cast<std::size_t>(w->rank)] = {group, static_cast<int>(w - first)};
      first = last;
    }
    return parts;
  };
  const auto parts = std::static_pointer_cast<Parts>(
      exchange_objects(std::make_shared<Wish>(Wish{color, key, index_}), combine, "split"));
  const Part& mine = (*parts)[static_cast<std::size_t>(index_)];
  return std::make_unique<ThreadRank>(threads_, mine.group, mine.index);
}

std::unique_ptr<Window> ThreadRank::make_window(std::size_t bytes) {
  struct alignas(64) Line {  // a cache line; no two windows share one
    std::byte bytes[64];
  };
  auto memory = std::make_shared<std::vector<Line>>((bytes + sizeof(Line) - 1) / sizeof(Line));
  auto* const data = reinterpret_cast<std::byte*>(memory->data());
  return open_window(std::move(memory), {data, bytes});
}

std::unique_ptr<Window> ThreadRank::attach(std::span<std::byte> memory) {
  return open_window(nullptr, memory);
}

std::unique_ptr<Window> ThreadRank::open_window(std::shared_ptr<void> owner, std::span<std::byte> memory) {
  const auto combine = [&](const std::vector<Group::Shared>& brought) -> Group::Shared {
    auto shared = std::make_shared<WindowMemory>(size());
    for (std::size_t i = 0; i < brought.size(); ++i)
      shared->parts[i] = *static_cast<const WindowMemory::Part*>(brought[i].get());
    return shared;
  };
  const auto part = std::make_shared<WindowMemory::Part>(WindowMemory::Part{std::move(owner), memory});
  auto shared =
      std::static_pointer_cast<WindowMemory>(exchange_objects(part, combine, "make_window or attach"));
  return std::make_unique<ThreadWindow>(*this, std::move(shared));
}

void ThreadRank::run_compute(const Work& work, FunctionRef<void()> f) {
  threads_.throw_if_aborted();
  mailbox_.phase = work.kind;
  f();
}

/// Run a job with the help of threads that have nothing to do.
void ThreadRank::run_job(const Work& work, Job& job) {
  move_bytes();
  mailbox_.phase = work.kind;
  threads_.jobs.run(
      job, [&] { threads_.wake_one(); }, [&] { move_bytes(); });
}

void ThreadRank::count_slices(std::int64_t all, const Job& job) {
  {
    const std::lock_guard lock(mailbox_.mutex);
    mailbox_.counters.slices += all;
    mailbox_.counters.slices_by_others += job.run_by_others;
  }
  job.rethrow_failure();
}

void ThreadRank::run_slices(const Work& total, std::size_t count, FunctionRef<void(std::size_t)> slice) {
  SliceJob job(count, slice);
  if (count > 1 && threads_.size() > 1) {
    run_job(total, job);
  } else {
    move_bytes();
    mailbox_.phase = total.kind;
    while (job.run_one()) move_bytes();
  }
  count_slices(static_cast<std::int64_t>(count), job);
}

void ThreadRank::run_tasks(const Work& total, TaskSource& source) {
  TaskJob job(source);
  run_job(total, job);
  count_slices(job.tasks(), job);
}

}  // namespace overlapack::comm::thread
