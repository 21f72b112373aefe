#include "comm/engine/mpi/run/endpoint.hpp"

#include "comm/engine/mpi/run/engine.hpp"

#include <algorithm>
#include <numeric>
#include <utility>

namespace overlapack::comm::mpi {

Endpoint::Endpoint(Engine& engine, int most_ranks) : engine_(engine) {
  for (int l = 0; l < lane_count; ++l) ports_.push_back(std::make_unique<Port>(engine, static_cast<Lane>(l)));
  positions_.reserve(static_cast<std::size_t>(most_ranks));
}

void Endpoint::open_world() {
  Site& site = engine_.site();
  comm_ = site.meetings();
  rank_ = site.rank();
  size_ = site.size();
  is_on_one_node_ = site.is_on_one_node();
  for (auto& port : ports_) port->open(site.agreements(), comm_, site.part_tags, size_);
}

void Endpoint::open_part(OverlapackComm comm) {
  comm_ = comm;
  engine_.check(engine_.table().rank_and_size(comm, &rank_, &size_), "MPI_Comm_rank");
  // its tags: heads of even and of odd runs, then parts of messages
  own_part_tags_ = {2 * lane_count, engine_.site().part_tags.count - 2 * lane_count};
  for (auto& port : ports_) port->open(comm, comm, own_part_tags_, size_);
  positions_.resize(static_cast<std::size_t>(size_));
  engine_.transfers.gather_into(engine_.wait_for("the others in a split"), comm,
                                Position{engine_.site().node(), engine_.site().rank()}, positions_.data());
  is_on_one_node_ =
      std::ranges::all_of(positions_, [&](const Position& p) { return p.node == positions_.front().node; });
  begin_run();
}

bool Endpoint::is_part() const { return comm_ != engine_.site().meetings(); }

std::shared_ptr<Endpoint::Meeting> Endpoint::start_meeting(std::int64_t number,
                                                           std::function<void(const Numbers&)> then) {
  auto meeting = std::make_shared<Meeting>();
  meeting->mine.number = number;
  meeting->numbers.resize(static_cast<std::size_t>(size_));
  meeting->then = std::move(then);
  start(meeting);
  open_meeting_ = meeting;
  return meeting;
}

void Endpoint::start(const std::shared_ptr<Meeting>& meeting) {
  meeting->cards.resize(static_cast<std::size_t>(size_));
  engine_.transfers.start(
      "MPI_Iallgather", [meeting](const OverlapackCompletion&) { meeting->is_complete = true; },
      [&](OverlapackRequest* request) {
        return engine_.table().allgather(comm_, &meeting->mine, sizeof meeting->mine, meeting->cards.data(),
                                         request);
      });
}

bool Endpoint::is_complete(const Meeting& meeting) { return meeting.is_complete; }

void Endpoint::complete(const std::shared_ptr<Meeting>& meeting) {
  open_meeting_.reset();
  if (std::ranges::any_of(meeting->cards, [](const Card& c) { return c.is_last != 0; })) return;
  std::ranges::transform(meeting->cards, meeting->numbers.begin(), &Card::number);
  meeting->then(meeting->numbers);
}

void Endpoint::complete_open_meeting() {
  const std::shared_ptr<Meeting> meeting = open_meeting_;
  if (!meeting || !meeting->is_complete) return;
  try {
    complete(meeting);
  } catch (const Error& error) {  // out of memory on all ranks alike: this run has failed anyway
    if (error.status() != Status::out_of_memory) throw;
  }
}

std::shared_ptr<WindowPair> Endpoint::prepare_window() {
  auto window = std::make_shared<WindowPair>();
  window->bytes.reserve(static_cast<std::size_t>(size_));
  windows_.reserve(windows_.size() + 1);
  auto& at_mpi = engine_.at_mpi().windows;
  at_mpi.reserve(at_mpi.size() + 2);
  engine_.transfers.reserve(1, 0, 2);  // one request: the meeting's
  return window;
}

void Endpoint::add_window(const std::shared_ptr<WindowPair>& window, WindowMemory memory, std::byte* position,
                          std::int64_t bytes, const Numbers& all_bytes) {
  const auto& table = engine_.table();
  const bool is_shared = is_on_one_node_ && !engine_.library.is_simulated();
  const auto keep = [&](int code, const char* call, OverlapackWindow number) {
    engine_.check(code, call);
    engine_.at_mpi().windows.push_back(number);
  };
  const auto allocate = [&](std::int64_t size, OverlapackWindow* number) {
    void* allocated = nullptr;
    const int code = table.allocate_window(comm_, size, is_shared, &allocated, number);
    keep(code, "MPI_Win_allocate", *number);
    return static_cast<std::byte*>(allocated);
  };
  windows_.push_back(window);  // so that the end of the run frees it even if it is incomplete
  window->is_attached = memory == WindowMemory::attached;
  window->memory = memory == WindowMemory::allocated ? allocate(bytes, &window->data) : position;
  if (memory != WindowMemory::allocated && size_ > 1) {
    const int code = table.attach_window(comm_, position, bytes, &window->data);
    keep(code, "MPI_Win_create", window->data);
  }
  window->bytes = all_bytes;
  const auto control_bytes = static_cast<std::int64_t>(sizeof(std::int64_t)) * (size_ + 1);
  window->words = reinterpret_cast<std::int64_t*>(allocate(control_bytes, &window->control));
}

std::int64_t Endpoint::add_to_word(const WindowPair& window, int target, int word, std::int64_t add) {
  const auto& table = engine_.table();
  std::int64_t before = 0;
  engine_.check(
      table.fetch_add(window.control, target, static_cast<std::int64_t>(sizeof add) * word, &add, &before),
      "MPI_Fetch_and_op");
  engine_.check(table.flush(window.control, target), "MPI_Win_flush");
  return before;
}

void Endpoint::mark_window_unused(WindowPair& window) {
  if (!std::exchange(window.has_left, true)) add_to_word(window, 0, size_, 1);
}

/// After an abort: leave all windows on attached memory, as its owner may free that before this rank destroys its Window.
void Endpoint::mark_windows_unused() {
  for (const auto& window : windows_)
    if (window->is_shared_attached()) mark_window_unused(*window);
}

bool Endpoint::is_unused_by_all(const WindowPair& window) {
  return add_to_word(window, 0, size_, 0) >= size_;
}

void Endpoint::complete_accesses() {
  for (const auto& window : windows_)
    if (std::exchange(window->has_accesses, false)) engine_.table().flush(window->data, any_rank);
}

// A run

void Endpoint::begin_run() {
  const int first_tag = engine_.site().head_tag(is_part() ? 0 : engine_.at_mpi().number, engine_.runs());
  for (const auto& port : ports_) port->begin_run(first_tag);
  last_meeting_.reset();
}

template <class Count>
std::int64_t Endpoint::sum(Count count) const {
  return std::accumulate(ports_.begin(), ports_.end(), std::int64_t{0},
                         [&](std::int64_t all, const auto& port) { return all + count(*port); });
}

std::int64_t Endpoint::sent() const {
  return sum([](const Port& port) { return port.sent(); });
}

std::int64_t Endpoint::arrived() const {
  return sum([](const Port& port) { return port.arrived(); });
}

std::int64_t Endpoint::sent_to_position(int position) const {
  int to = position;
  if (is_part()) {
    const auto member = std::ranges::find(positions_, position, &Position::rank);
    if (member == positions_.end()) return 0;
    to = static_cast<int>(member - positions_.begin());
  }
  return sum([to](const Port& port) { return port.sent_to(to); });
}

// The end of a run

/// The card of a rank whose run is over. It says which windows the rank no longer uses, and whether it still uses the part.
Endpoint::Card Endpoint::make_last_card() const {
  Card card{.is_last = 1, .is_used = is_used};
  for (std::size_t i = 0; i < windows_.size() && i < 64; ++i)
    if (!windows_[i]->is_used) card.unused_windows |= std::uint64_t{1} << i;
  return card;
}

/// A rank that an abort threw out of a meeting is at most that one meeting ahead of the others. They join it with their last
/// card; then all ranks hold one more meeting, in which all cards are last ones.
bool Endpoint::close(bool has_failed) {
  if (!has_failed && !is_part() && windows_.empty()) return true;
  if (open_meeting_) {
    complete_open_meeting();
    if (open_meeting_) return false;
  }
  const auto is_over = [&] {
    return std::ranges::all_of(last_meeting_->cards, [](const Card& c) { return c.is_last != 0; });
  };
  while (!last_meeting_ || (last_meeting_->is_complete && !is_over())) {
    last_meeting_ = std::make_shared<Meeting>();
    last_meeting_->mine = make_last_card();
    start(last_meeting_);
  }
  if (!last_meeting_->is_complete) return false;
  unused_by_all_ = ~std::uint64_t{0};
  bool is_used_by_any = false;
  for (const Card& c : last_meeting_->cards) {
    unused_by_all_ &= c.unused_windows;
    is_used_by_any |= c.is_used != 0;
  }
  is_left_by_all_ = is_part() && !is_used_by_any;
  return true;
}

void Endpoint::free_windows() {
  const std::uint64_t unused = std::exchange(unused_by_all_, 0);
  for (std::size_t i = 0; i < windows_.size() && i < 64; ++i) {
    if (!(unused >> i & 1)) continue;
    for (const OverlapackWindow part : {windows_[i]->data, windows_[i]->control}) {
      if (part < 0) continue;
      engine_.check(engine_.table().free_window(part), "MPI_Win_free");
      std::erase(engine_.at_mpi().windows, part);
    }
    windows_[i].reset();
  }
  std::erase(windows_, nullptr);
}

void Endpoint::receive_more() {
  for (const auto& port : ports_) port->receive_more();
}

void Endpoint::end_run(bool has_failed) {
  for (const auto& port : ports_) port->end_run(has_failed);
}

}  // namespace overlapack::comm::mpi
