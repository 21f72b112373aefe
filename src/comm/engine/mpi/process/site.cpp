#include "comm/engine/mpi/process/site.hpp"

#include <algorithm>
#include <set>

namespace overlapack::comm::mpi {

namespace {

// Tags on meetings(): aborts of even and of odd runs, watchdog notes, ends of processes, then parts of messages.
constexpr int alarm_tag = 0, watch_tag = 2, departure_tag = 3, first_part_tag = 4;
/// Largest tags, reserved for the simulator's collectives, which are messages.
constexpr int tags_of_collectives = 1024;
constexpr std::size_t lot_size = 64;

using Holder = std::shared_ptr<Site>;

/// Frees a site when its communicator is freed. Once MPI is broken or over, nothing is freed: requests that use the site's memory
/// are still under way, and the site is still needed to announce the end of this process.
void forget(void* kept) {
  std::unique_ptr<Holder> site(static_cast<Holder*>(kept));
  if ((*site)->must_stay()) return static_cast<void>(site.release());
  (*site)->free_mpi_objects();
}

}  // namespace

std::shared_ptr<Site> Site::find_or_make(MpiLibrary& library, const OverlapackUserComm& comm,
                                         double silence_s) {
  void* kept = nullptr;
  library.check(library.table().get_comm_attribute(&comm, &kept), "MPI_Comm_get_attr");
  if (kept) return *static_cast<Holder*>(kept);
  auto site = std::make_unique<Holder>(std::make_shared<Site>(library, comm, silence_s));
  library.check(library.table().set_comm_attribute(&comm, site.get(), forget), "MPI_Comm_set_attr");
  library.add_site(*site);
  return *site.release();  // forget owns it now
}

Site::Site(MpiLibrary& library, const OverlapackUserComm& comm, double silence_s) : library_(library) {
  const auto& table = library.table();
  const Wait wait{"the other ranks of the communicator to open their teams", silence_s};
  Transfers& transfers = library.transfers();
  // MPI_Comm_dup blocks without a time limit: so wait first with one.
  if (!library.is_simulated())
    transfers.complete(
        wait, [&](OverlapackRequest* r) { return table.barrier_of_user_comm(&comm, r); }, "MPI_Ibarrier");
  library.check(table.duplicate_user_comm(&comm, &agreements_), "MPI_Comm_dup");
  library.check(table.duplicate_user_comm(&comm, &meetings_), "MPI_Comm_dup");
  library.check(table.rank_and_size(agreements_, &rank_, &size_), "MPI_Comm_rank");
  int largest = 0;
  library.check(table.largest_tag(&largest), "MPI_Comm_get_attr");
  const int tags = largest - tags_of_collectives;
  numbers_ = tags / (2 * lane_count);
  part_tags = {first_part_tag, tags - first_part_tag};
  records_.resize(record_bytes * static_cast<std::size_t>(size_));
  find_node(wait);
  alarm_ = std::make_unique<Alarm>(library, transfers, meetings_, alarm_tag, rank_, size_);
  watch_ = std::make_unique<Watch>(library, transfers, meetings_, watch_tag, rank_, size_);
  departures_ = std::make_unique<Departures>(library, meetings_, departure_tag, rank_, size_);
}

/// Set node_ and is_on_one_node_; nodes are numbered in the order of their lowest ranks.
void Site::find_node(const Wait& wait) {
  const auto& table = library_.table();
  OverlapackComm here = -1;
  int rank_here = 0, size_here = 1;
  library_.check(table.split_node(agreements_, &here), "MPI_Comm_split_type");
  library_.check(table.rank_and_size(here, &rank_here, &size_here), "MPI_Comm_rank");
  std::vector<int> ranks_here(static_cast<std::size_t>(size_here));
  library_.transfers().gather_into(wait, here, rank_, ranks_here.data());
  library_.check(table.free_comm(here), "MPI_Comm_free");
  const int lowest = ranks_here.front();
  is_on_one_node_ = size_here == size_;  // the same on all ranks
  std::vector<int> all(static_cast<std::size_t>(size_));
  library_.transfers().gather_into(wait, agreements_, lowest, all.data());
  const std::set<int> nodes(all.begin(), all.end());
  node_ = static_cast<int>(std::distance(nodes.begin(), nodes.find(lowest)));
}

void Site::begin_run(bool is_watched) {
  if (runs_under_way_++ == 0) alarm_->start_receiving(static_cast<int>(runs_++ % 2));
  watch_->begin_run(is_watched);
  departures_->begin_call();
}

void Site::end_run(const Wait& wait) {
  departures_->end_call();
  if (--runs_under_way_ > 0) return;
  alarm_->cancel_receive();
  watch_->cancel_receive();
  library_.transfers().make_progress_until(
      wait, [&] { return alarm_->is_receive_cancelled() && watch_->is_receive_cancelled(); });
}

std::uint64_t Site::teams_given_up() const {
  std::uint64_t mine = 0;
  for (std::size_t i = 0; i < lot_size && lot_ + i < teams_.size(); ++i)
    if (teams_[lot_ + i]->is_given_up.load(std::memory_order_acquire)) mine |= std::uint64_t{1} << i;
  return mine;
}

void Site::free_given_up_teams(std::uint64_t given_up_by_all) {
  const std::size_t end = std::min(lot_ + lot_size, teams_.size());
  for (std::size_t i = lot_; i < end; ++i) {
    if (!(given_up_by_all >> (i - lot_) & 1)) continue;
    free_team(*teams_[i]);
    teams_[i].reset();
  }
  const auto freed = static_cast<std::size_t>(std::count(teams_.begin(), teams_.end(), nullptr));
  std::erase(teams_, nullptr);
  lot_ = end - freed < teams_.size() ? end - freed : 0;
}

void Site::free_team(TeamAtMpi& team) const {
  for (const OverlapackWindow window : team.windows)
    library_.check(library_.table().free_window(window), "MPI_Win_free");
  for (const OverlapackComm part : team.parts)
    library_.check(library_.table().free_comm(part), "MPI_Comm_free");
  team.windows.clear();
  team.parts.clear();
}

bool Site::has_number(int number) const {
  return std::ranges::any_of(teams_, [number](const auto& team) { return team->number == number; });
}

void Site::add_team(const std::shared_ptr<TeamAtMpi>& team) {
  if (teams_.size() >= static_cast<std::size_t>(numbers_))
    throw Error(
        Status::bad_plan,
        "there are " + std::to_string(numbers_) +
            " factorisations or solvers on this communicator, and MPI has no tags for more; give some of "
            "them up");
  while (has_number(next_number_)) next_number_ = (next_number_ + 1) % numbers_;
  team->number = next_number_;
  next_number_ = (next_number_ + 1) % numbers_;
  teams_.push_back(team);
}

int Site::head_tag(int team, std::int64_t run) { return (2 * team + static_cast<int>(run % 2)) * lane_count; }

bool Site::must_stay() const { return library_.transfers().is_broken(); }

void Site::free_mpi_objects() noexcept {
  const std::lock_guard lock(library_.mutex);
  if (is_left_ || !library_.is_own_process()) return;
  is_left_ = true;
  if (must_stay()) return;
  try {
    for (const auto& team : teams_) free_team(*team);
    for (const OverlapackComm comm : {agreements_, meetings_})
      library_.check(library_.table().free_comm(comm), "MPI_Comm_free");
  } catch (...) {  // MPI is broken: nothing can be freed
    library_.abandon();
  }
}

void Site::require_communicator() const {
  if (is_left_)
    throw Error(
        Status::bad_plan,
        "the communicator of these factors or this solver was freed (MPI_Comm_free); free it after them, or "
        "make them anew on another one");
}

}  // namespace overlapack::comm::mpi
