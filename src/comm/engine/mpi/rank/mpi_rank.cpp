#include "comm/engine/mpi/rank/mpi_rank.hpp"

#include "base/scoped_true.hpp"
#include "comm/engine/mpi/rank/mpi_window.hpp"

#include <algorithm>

namespace overlapack::comm::mpi {

MpiRank::MpiRank(Engine& engine, std::shared_ptr<Endpoint> endpoint)
    : engine_(engine), endpoint_(std::move(endpoint)) {
  endpoint_->is_used = true;
}

// A part's communicator is freed at the end of a run in which no rank uses it any more.
MpiRank::~MpiRank() { endpoint_->is_used = false; }

void MpiRank::check_peer(int peer) const {
  if (peer >= 0 && peer < size()) return;
  throw Error(Status::internal,
              "rank " + std::to_string(peer) + " was addressed in a team of " + std::to_string(size()));
}

Capabilities MpiRank::capabilities() const {
  const bool is_simulated = engine_.library.is_simulated();
  return {.engine = is_simulated                 ? "smpi"
                    : engine_.library.is_shmem() ? "shmem"
                                                 : "mpi",
          .reaches_attached = is_simulated,
          .orders_puts = engine_.table().put_flag != nullptr,
          .virtual_time = is_simulated,
          .is_phantom = engine_.is_phantom(),
          .columns_per_exchange = engine_.library.simulation().columns_per_exchange,
          .slice_helpers = engine_.options.workers > 0,
          .workers = engine_.options.workers};
}

EngineCounters MpiRank::counters() const {
  const std::lock_guard lock(engine_.mutex);
  return engine_.counters;
}

Send MpiRank::start_send(Lane lane, int to, const Header& header, Body body) {
  const std::lock_guard lock(engine_.mutex);
  engine_.publish_and_check_abort();
  check_peer(to);
  return Send(endpoint_->port(lane).send(to, header, std::move(body)));
}

Recv MpiRank::post_receive(Lane lane, int from) {
  const std::lock_guard lock(engine_.mutex);
  engine_.publish_and_check_abort();
  if (from != any_rank) check_peer(from);
  auto receive = std::make_shared<ReceiveOperation>();
  receive->peer = from;
  receive->lane = lane;
  endpoint_->port(lane).post(receive);
  engine_.publish();
  return Recv(*this, std::move(receive));
}

void MpiRank::cancel(Recv& receive) {
  const std::lock_guard lock(engine_.mutex);
  engine_.publish();
  if (!receive.pending()) return;
  const auto& operation = static_cast<const ReceiveOperation&>(*receive.operation());
  endpoint_->port(operation.lane).withdraw(operation);
  receive.release();
}

bool MpiRank::test(Request& request) {
  const std::lock_guard lock(engine_.mutex);
  engine_.advance();
  engine_.publish_and_check_abort();
  if (request.pending()) static_cast<MpiOperation&>(*request.operation()).refresh();
  return !request.pending();
}

std::optional<int> MpiRank::probe(Lane lane, int from) {
  const std::lock_guard lock(engine_.mutex);
  engine_.advance();
  engine_.publish_and_check_abort();
  return endpoint_->port(lane).probe(from);
}

void MpiRank::poll() {
  {
    const std::lock_guard lock(engine_.mutex);
    engine_.advance();
    engine_.publish_and_check_abort();
  }
  engine_.hooks.run();
}

std::shared_ptr<void> MpiRank::on_progress(std::function<void()> hook) {
  return engine_.hooks.add(std::move(hook));
}

void MpiRank::gather_numbers(std::int64_t number, std::string_view call,
                             std::function<void(const Endpoint::Numbers&)> then) {
  std::shared_ptr<Endpoint::Meeting> meeting;
  {
    const std::lock_guard lock(engine_.mutex);
    engine_.publish_and_check_abort();
    meeting = endpoint_->start_meeting(number, std::move(then));
  }
  make_progress_until([&] { return Endpoint::is_complete(*meeting); }, true,
                      [&] { return "the other ranks in " + std::string(call); });
  const std::lock_guard lock(engine_.mutex);
  endpoint_->complete(meeting);
}

std::unique_ptr<Rank> MpiRank::split(int color, int key) {
  // MPI's colours must not be negative: each colour is replaced by the first rank that passed it.
  const std::shared_ptr<Endpoint> part = engine_.prepare_part(size());
  gather_numbers(
      color, "split",
      [part, color, key, endpoint = endpoint_.get(), &engine = engine_](const Endpoint::Numbers& all) {
        const auto first = std::find(all.begin(), all.end(), color);
        OverlapackComm comm = -1;
        engine.check(
            engine.table().split(endpoint->comm(), static_cast<int>(first - all.begin()), key, &comm),
            "MPI_Comm_split");
        engine.add_part(part, comm);
      });
  return std::make_unique<MpiRank>(engine_, part);
}

std::unique_ptr<Window> MpiRank::make_window(std::size_t bytes) {
  return open_window(WindowMemory::allocated, nullptr, bytes);
}

std::unique_ptr<Window> MpiRank::attach(std::span<std::byte> memory) {
  return open_window(WindowMemory::attached, memory.data(), memory.size());
}

std::unique_ptr<Window> MpiRank::make_phantom_window(std::size_t bytes) {
  return engine_.is_phantom() ? open_window(WindowMemory::none, nullptr, bytes)
                              : Rank::make_phantom_window(bytes);
}

std::unique_ptr<Window> MpiRank::open_window(WindowMemory memory, std::byte* position, std::size_t bytes) {
  const std::shared_ptr<WindowPair> window = [&] {
    const std::lock_guard lock(engine_.mutex);
    return endpoint_->prepare_window();
  }();
  const auto size = static_cast<std::int64_t>(bytes);
  gather_numbers(size, "make_window or attach",
                 [window, size, memory, position, endpoint = endpoint_.get()](const Endpoint::Numbers& all) {
                   endpoint->add_window(window, memory, position, size, all);
                 });
  return std::make_unique<MpiWindow>(*this, endpoint_, window);
}

void MpiRank::run_compute(const Work& work, FunctionRef<void()> f) {
  {
    const std::lock_guard lock(engine_.mutex);
    engine_.advance();
    engine_.publish_and_check_abort();
    engine_.phase = work.kind;
  }
  if (is_computing_) return f();  // the outer work's cost includes it
  {
    const ScopedTrue computing(is_computing_);
    if (!engine_.is_phantom()) f();
  }
  engine_.charge(work);
}

namespace {

/// The part of the total work that `slices` out of `of` equal slices make up.
Work share(const Work& total, std::size_t slices, std::size_t of) {
  if (slices == of) return total;
  const auto part = static_cast<double>(slices), parts = static_cast<double>(of);
  const auto some = static_cast<Index>(slices), all = static_cast<Index>(of);
  return {total.kind,
          total.flops * part / parts,
          total.bytes * part / parts,
          (total.m * some + all - 1) / all,
          total.n,
          total.k};
}

}  // namespace

void MpiRank::run_slices(const Work& total, std::size_t count, FunctionRef<void(std::size_t)> slice) {
  engine_.phase = total.kind;
  engine_.counters.slices += static_cast<std::int64_t>(count);
  if (engine_.library.is_simulated()) return simulate_slices(total, count, slice);
  if (engine_.workers && count > 1) {
    SliceJob job(count, slice);
    engine_.workers->run(job, [&] { poll(); });
    engine_.counters.slices_by_others += job.run_by_others;
    return job.rethrow_failure();
  }
  for (std::size_t i = 0; i < count; ++i) {
    slice(i);
    poll();
  }
}

void MpiRank::run_tasks(const Work& total, TaskSource& source) {
  engine_.phase = total.kind;
  std::size_t count = 0;
  if (engine_.workers && !engine_.library.is_simulated()) {
    TaskJob job(source);
    engine_.workers->run(job, [&] { poll(); });
    engine_.counters.slices_by_others += job.run_by_others;
    engine_.counters.slices += job.tasks();
    return job.rethrow_failure();
  }
  for (; source.ready() > 0; ++count) {
    source.run_next();
    if (!engine_.library.is_simulated()) poll();
  }
  engine_.counters.slices += static_cast<std::int64_t>(count);
  if (engine_.library.is_simulated()) simulate_slices(total, count, [](std::size_t) {});
}

/// The rank runs all slices; the time is charged as if T threads (the rank and its workers) ran them in turn: thread t slices
/// t, t + T, ... Each slice is charged alone, with a poll after those of the rank itself. Within other work no time is charged and
/// there are no helpers.
void MpiRank::simulate_slices(const Work& total, std::size_t count, FunctionRef<void(std::size_t)> slice) {
  const auto threads = is_computing_ || count == 0
                           ? 1
                           : std::min(count, static_cast<std::size_t>(engine_.options.workers) + 1);
  for (std::size_t t = 1; t < threads; ++t) {
    const auto slices = static_cast<std::int64_t>((count - t + threads - 1) / threads);
    engine_.counters.slices_by_others += slices;
    engine_.start_helper(share(total, 1, count), slices);
  }
  for (std::size_t i = 0; i < count; ++i) {
    if (!engine_.is_phantom()) slice(i);
    if (is_computing_ || i % threads != 0) continue;
    engine_.charge(share(total, 1, count));
    poll();
  }
  if (threads > 1) engine_.table().wait_for_helpers();
}

}  // namespace overlapack::comm::mpi
