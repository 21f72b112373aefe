#include "comm/engine/mpi/endpoint.hpp"

#include "comm/engine/mpi/engine.hpp"

#include <algorithm>
#include <utility>

namespace overlapack::comm::mpi {

Endpoint::Endpoint(Engine& engine, int most_ranks) : engine_(engine) {
  for (int l = 0; l < lane_count; ++l)
    ports_.push_back(std::make_unique<Port>(engine, static_cast<Lane>(l), most_ranks));
  const auto most = static_cast<std::size_t>(most_ranks);
  nodes_.reserve(most);
  mine_.reserve(most);
  theirs_.reserve(most);
  sent_to_me_.reserve(most);
}

void Endpoint::open(OverlapackComm comm) {
  comm_ = comm;
  const auto& table = engine_.table();
  engine_.check(table.rank_and_size(comm, &rank_, &size_), "MPI_Comm_rank");
  engine_.check(table.duplicate(comm, &parts_), "MPI_Comm_dup");
  for (std::size_t l = 0; l < lane_count; ++l) {
    engine_.check(table.duplicate(comm, &heads_[l]), "MPI_Comm_dup");
    ports_[l]->open(heads_[l], parts_, size_);
  }
  nodes_.resize(static_cast<std::size_t>(size_));
  engine_.gather_into(parts_, engine_.node(), nodes_.data());
  is_on_one_node_ =
      std::all_of(nodes_.begin(), nodes_.end(), [&](int node) { return node == nodes_.front(); });
}

// Meetings run on parts_, rounds on comm_: the two never mix, whatever an abort leaves unfinished.

std::shared_ptr<Endpoint::Meeting> Endpoint::start_meeting(std::int64_t number,
                                                           std::function<void(const Numbers&)> then) {
  auto meeting = std::make_shared<Meeting>();
  meeting->mine = number;
  meeting->numbers.resize(static_cast<std::size_t>(size_));
  meeting->then = std::move(then);
  engine_.transfers.start(
      "MPI_Iallgather",
      [this, meeting](const OverlapackCompletion&) {
        meeting->is_complete = true;
        --meetings_under_way_;
      },
      [&](OverlapackRequest* request) {
        return engine_.table().allgather(parts_, &meeting->mine, sizeof meeting->mine,
                                         meeting->numbers.data(), request);
      });
  ++meetings_;
  ++meetings_under_way_;
  open_meeting_ = meeting;
  return meeting;
}

bool Endpoint::settle(const std::shared_ptr<Meeting>& meeting) {
  if (!meeting->is_complete) return false;
  open_meeting_.reset();
  meeting->then(meeting->numbers);
  return true;
}

void Endpoint::settle_open_meeting() {
  const std::shared_ptr<Meeting> meeting = open_meeting_;
  if (!meeting) return;
  const bool all_came =
      round_ != Round::complete ||
      std::all_of(theirs_.begin(), theirs_.end(), [&](const Record& r) { return r.meetings == meetings_; });
  if (!all_came) {
    open_meeting_.reset();
    return;
  }
  if (round_ == Round::complete) engine_.serve_until([&] { return meeting->is_complete; });
  try {
    settle(meeting);
  } catch (const Error& error) {  // without room, as for all others: this run has failed anyway
    if (error.kind() != ErrorKind::out_of_memory) throw;
  }
}

void Endpoint::start_missed_meetings() {
  const auto most = std::max_element(theirs_.begin(), theirs_.end(), [](const Record& a, const Record& b) {
    return a.meetings < b.meetings;
  });
  while (meetings_ < most->meetings) start_meeting(0, [](const Numbers&) {});
  open_meeting_.reset();
}

std::shared_ptr<WindowPair> Endpoint::prepare_window() {
  auto window = std::make_shared<WindowPair>();
  window->bytes.reserve(static_cast<std::size_t>(size_));
  windows_.reserve(windows_.size() + 1);
  engine_.transfers.reserve(1, 0, 2);  // with the meeting
  return window;
}

void Endpoint::add_window(const std::shared_ptr<WindowPair>& window, WindowMemory memory, std::byte* place,
                          std::int64_t bytes, const Numbers& all_bytes) {
  const auto& table = engine_.table();
  const bool is_shared = is_on_one_node_ && !engine_.library.is_simulated();
  const auto allocate = [&](std::int64_t size, OverlapackWindow* number) {
    void* allocated = nullptr;
    engine_.check(table.allocate_window(parts_, size, is_shared, &allocated, number), "MPI_Win_allocate");
    return static_cast<std::byte*>(allocated);
  };
  windows_.push_back(window);  // the end of the run frees what of it could be made
  window->memory = memory == WindowMemory::allocated ? allocate(bytes, &window->data) : place;
  if (memory != WindowMemory::allocated && size_ > 1)
    engine_.check(table.attach_window(parts_, place, bytes, &window->data), "MPI_Win_create");
  window->bytes = all_bytes;
  const auto control_bytes = static_cast<std::int64_t>(sizeof(std::int64_t)) * (size_ + 2);
  window->words = reinterpret_cast<std::int64_t*>(allocate(control_bytes, &window->control));
}

void Endpoint::complete_accesses() {
  for (const auto& window : windows_)
    if (std::exchange(window->has_accesses, false)) engine_.table().flush(window->data, any_rank);
}

void Endpoint::start_round() {
  if (round_ != Round::none) return;
  Record record{};
  record.meetings = meetings_;
  record.is_used = is_used;
  for (std::size_t i = 0; i < windows_.size() && i < 64; ++i)
    if (!windows_[i]->is_used) record.unused_windows |= std::uint64_t{1} << i;
  mine_.assign(static_cast<std::size_t>(size_), record);
  for (int to = 0; to < size_; ++to)
    for (std::size_t l = 0; l < lane_count; ++l)
      mine_[static_cast<std::size_t>(to)].sent[l] = ports_[l]->sent_to(to);
  theirs_.resize(static_cast<std::size_t>(size_));
  engine_.transfers.start(
      "MPI_Ialltoall", [this](const OverlapackCompletion&) { round_ = Round::complete; },
      [&](OverlapackRequest* request) {
        return engine_.table().alltoall(comm_, mine_.data(), sizeof(Record), theirs_.data(), request);
      });
  round_ = Round::under_way;
}

bool Endpoint::is_left_by_all() const {
  return std::none_of(theirs_.begin(), theirs_.end(), [](const Record& r) { return r.is_used; });
}

void Endpoint::withdraw_receives() {
  for (auto& port : ports_) port->withdraw_all();
}

bool Endpoint::drain() {
  bool is_clean = true;
  sent_to_me_.resize(static_cast<std::size_t>(size_));
  for (std::size_t l = 0; l < lane_count; ++l) {
    std::transform(theirs_.begin(), theirs_.end(), sent_to_me_.begin(),
                   [l](const Record& r) { return r.sent[l]; });
    is_clean &= ports_[l]->drain(sent_to_me_);
  }
  return is_clean;
}

void Endpoint::discard() {
  for (auto& port : ports_) port->discard();
}

void Endpoint::free_windows() {
  std::uint64_t unused = ~std::uint64_t{0};
  for (const Record& r : theirs_) unused &= r.unused_windows;
  const auto& table = engine_.table();
  for (std::size_t i = 0; i < windows_.size() && i < 64; ++i) {
    if (!(unused >> i & 1)) continue;
    for (const OverlapackWindow part : {windows_[i]->data, windows_[i]->control})
      if (part >= 0) engine_.check(table.free_window(part), "MPI_Win_free");
    windows_[i].reset();
  }
  std::erase(windows_, nullptr);
}

void Endpoint::free() {
  const auto& table = engine_.table();
  for (const auto& port : ports_)
    if (!port->is_empty())
      throw Error(ErrorKind::internal, "mpi",
                  "a team was to be given back with a receive or a send under way");
  for (OverlapackComm heads : heads_) engine_.check(table.free_comm(heads), "MPI_Comm_free");
  engine_.check(table.free_comm(parts_), "MPI_Comm_free");
  engine_.check(table.free_comm(comm_), "MPI_Comm_free");
}

}  // namespace overlapack::comm::mpi
