#pragma once
#include "comm/engine/mpi/process/alarm.hpp"
#include "comm/engine/mpi/process/departures.hpp"
#include "comm/engine/mpi/process/transfers.hpp"
#include "comm/engine/mpi/process/watch.hpp"

#include <array>
#include <atomic>
#include <cstring>
#include <memory>
#include <span>
#include <vector>

namespace overlapack::comm::mpi {

/// The MPI objects of one team; kept until all its ranks have agreed to free them.
struct TeamAtMpi {
  int number = 0;                        ///< distinguishes its messages from those of other teams of the site
  std::atomic<bool> is_given_up{false};  ///< by this rank; may be set on any thread, at any time
  std::vector<OverlapackWindow>
      windows;  ///< in the order in which they were made, which is the same on all their ranks
  std::vector<OverlapackComm> parts;
};

/// Tags for the later parts of messages on one communicator, used in turn, so that a sender's messages under way have different
/// ones.
struct PartTags {
  int first = 0;
  int count = 1;
  int next = 0;
  int next_tag() { return first + (next = (next + 1) % count); }
};

/// Shared state of all teams over one communicator of the caller's: stored in an attribute of that communicator, freed with it.
/// Giving up a team is local: at any time, in any order, on any thread. Its MPI objects are freed at the next opening of a team at
/// which all ranks have given it up.
/// Sources  PETSc's duplicate of its users' communicators, and PetscGarbageCleanup
class Site {
 public:
  /// The site of this communicator; made at the first call.
  /// Sync    collective if this communicator has none yet
  /// Errors  BadPlan for a communicator without ranks; CommFailure if the others do not call it within silence_s (0: no limit)
  static std::shared_ptr<Site> find_or_make(MpiLibrary& library, const OverlapackUserComm& comm,
                                            double silence_s);
  Site(MpiLibrary& library, const OverlapackUserComm& comm, double silence_s);
  Site(const Site&) = delete;
  Site& operator=(const Site&) = delete;

  /// Communicator for collectives at openings and ends of runs, and for message heads, whose tags identify the team.
  OverlapackComm agreements() const { return agreements_; }
  /// Communicator for collectives within runs, windows, aborts, watchdog notes and the later parts of messages.
  OverlapackComm meetings() const { return meetings_; }
  int rank() const { return rank_; }
  int size() const { return size_; }
  int node() const { return node_; }
  bool is_on_one_node() const { return is_on_one_node_; }

  PartTags part_tags;
  Alarm& alarm() { return *alarm_; }
  Watch& watch() { return *watch_; }
  Departures& departures() { return *departures_; }

  /// Begin a run; end it once none of its messages is under way. Runs of other teams may be nested in it.
  void begin_run(bool is_watched);
  void end_run(const Wait& wait);
  bool is_in_run() const { return runs_under_way_ > 0; }
  /// Start to gather a record of each rank, one gather at a time; returns where they will be. Its buffers live as long as the request.
  template <class Record>
  std::span<const Record> start_gather(const Record& mine);
  bool has_gathered() const { return gathers_.is_over(); }
  /// Receive buffer of agreements: record_bytes for each rank; for one agreement at a time.
  static constexpr std::size_t record_bytes = 48;
  std::byte* records() { return records_.data(); }

  // Freeing and adding teams; all of this happens at the opening of a team. Each opening considers one lot of at most 64 teams,
  // in turn, so that one word per rank says which of them it has given up.
  /// Bit i: this rank has given up the i-th team of the next lot.
  std::uint64_t teams_given_up() const;
  /// Free the teams of the lot that all ranks have given up, then advance to the next lot.
  void free_given_up_teams(std::uint64_t given_up_by_all);
  /// Reserve memory for one more team: add_team() then allocates nothing.
  void prepare() { teams_.reserve(teams_.size() + 1); }
  /// Add a team and give it a number.
  /// Errors  BadPlan, on all ranks alike, where no number is left
  void add_team(const std::shared_ptr<TeamAtMpi>& team);
  /// First tag for heads of this team in this run, followed by one for each lane; consecutive runs have different tags, as a rank
  /// may already be in the next one.
  static int head_tag(int team, std::int64_t run);

  /// Free all MPI objects: called when the communicator is freed or MPI is finalised.
  /// Sync    collective
  void free_mpi_objects() noexcept;
  bool is_freed() const { return is_left_; }
  /// Whether MPI is broken or over, so that nothing may be freed.
  bool must_stay() const;
  /// Errors  BadPlan once the communicator was freed
  void require_communicator() const;

 private:
  void find_node(const Wait& wait);
  void free_team(TeamAtMpi& team) const;
  bool has_number(int number) const;

  MpiLibrary& library_;
  OverlapackComm agreements_ = -1, meetings_ = -1;
  int rank_ = 0, size_ = 1, node_ = 0, numbers_ = 1, next_number_ = 0;
  bool is_on_one_node_ = false, is_left_ = false;
  std::unique_ptr<Alarm> alarm_;
  std::unique_ptr<Watch> watch_;
  std::unique_ptr<Departures> departures_;
  std::int64_t runs_ = 0;
  int runs_under_way_ = 0;
  std::array<std::byte, record_bytes> record_{};
  std::vector<std::byte> records_;
  Turns gathers_;
  std::vector<std::shared_ptr<TeamAtMpi>> teams_;  ///< the same on all ranks
  std::size_t lot_ = 0;                            ///< index in teams_ of the next lot
};

template <class Record>
std::span<const Record> Site::start_gather(const Record& mine) {
  static_assert(sizeof mine == record_bytes);
  std::memcpy(record_.data(), &mine, record_bytes);
  library_.transfers().start_turn("MPI_Iallgather", gathers_, [this](OverlapackRequest* r) {
    return library_.table().allgather(agreements_, record_.data(), record_bytes, records_.data(), r);
  });
  return {reinterpret_cast<const Record*>(records_.data()), static_cast<std::size_t>(size_)};
}

}  // namespace overlapack::comm::mpi
