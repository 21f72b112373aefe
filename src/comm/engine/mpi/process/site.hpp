#pragma once
#include "comm/engine/mpi/process/alarm.hpp"
#include "comm/engine/mpi/process/transfers.hpp"
#include "comm/engine/mpi/process/watch.hpp"

#include <atomic>
#include <memory>
#include <vector>

namespace overlapack::comm::mpi {

/// What one team has at MPI, for as long as all its ranks need to agree that it may go.
struct TeamAtMpi {
  int number = 0;                        ///< tells its messages from those of the other teams of its site
  std::atomic<bool> is_given_up{false};  ///< by this rank; may be set on any thread, at any time
  std::vector<OverlapackWindow>
      windows;  ///< in the order in which they were made, which is the same on all their ranks
  std::vector<OverlapackComm> parts;
};

/// Tags for the later parts of messages on one communicator, used in turn: a sender's parts under way differ by theirs.
struct PartTags {
  int first = 0;
  int count = 1;
  int next = 0;
  int take() { return first + (next = (next + 1) % count); }
};

/// What all teams over one communicator of the caller's share. It is kept with that communicator, in an attribute, and goes with it.
/// To give a team up is local: it may happen at any time, in any order, on any thread. What it has at MPI goes when the ranks
/// meet the next time and find that all have given it up.
/// Sources  PETSc's duplicate of its users' communicators, and PetscGarbageCleanup
class Site {
 public:
  /// Sync    collective where this communicator has none yet
  /// Errors  BadPlan for a communicator that has no ranks; CommFailure if the others have not come after silence_s (0: for ever)
  static std::shared_ptr<Site> of(Library& library, const OverlapackUserComm& comm, double silence_s);
  Site(Library& library, const OverlapackUserComm& comm, double silence_s);
  Site(const Site&) = delete;
  Site& operator=(const Site&) = delete;

  /// Collectives of openings and ends of runs; and the heads of messages, whose tags name their team.
  OverlapackComm agreements() const { return agreements_; }
  /// Collectives inside of runs, and windows; alarms, notes of the watch and the later parts of messages.
  OverlapackComm meetings() const { return meetings_; }
  int rank() const { return rank_; }
  int size() const { return size_; }
  int node() const { return node_; }
  bool is_on_one_node() const { return is_on_one_node_; }

  PartTags part_tags;
  Alarm& alarm() { return *alarm_; }
  Watch& watch() { return *watch_; }

  /// A run begins, and ends when nothing of it is under way any more; inside of a run, one of another team.
  void begin_run(bool is_watched);
  void end_run(const Wait& wait);
  /// Room for what the ranks tell each other of themselves: so many bytes of each; of one agreement at a time.
  static constexpr std::size_t record_bytes = 24;
  std::byte* records() { return records_.data(); }

  // Teams; all of these at the opening of a team
  /// Which of the teams of the next lot this rank has given up.
  std::uint64_t given_up() const;
  /// Free those of the lot that all have given up, then begin with the next lot.
  void free(std::uint64_t given_up_by_all);
  /// Room for one more: to enter takes no memory.
  void prepare() { teams_.reserve(teams_.size() + 1); }
  /// Errors  BadPlan, on all ranks alike, where no number is left
  void enter(const std::shared_ptr<TeamAtMpi>& team);
  /// The first tag of heads of a team of this number; each lane has one. A rank that is in the next run already has others.
  static int head_tag(int team, std::int64_t run);

  /// The communicator is freed, or MPI ends: give everything back.
  /// Sync    collective
  void leave() noexcept;
  bool is_left() const { return is_left_; }
  /// Errors  BadPlan once it has been left
  void require_communicator() const;

 private:
  void find_node(const Wait& wait);
  void give_back(TeamAtMpi& team) const;
  bool has_number(int number) const;

  Library& library_;
  OverlapackComm agreements_ = -1, meetings_ = -1;
  int rank_ = 0, size_ = 1, node_ = 0, numbers_ = 1, next_number_ = 0;
  bool is_on_one_node_ = false, is_left_ = false;
  std::unique_ptr<Alarm> alarm_;
  std::unique_ptr<Watch> watch_;
  std::int64_t runs_ = 0;
  int runs_under_way_ = 0;
  std::vector<std::byte> records_;
  std::vector<std::shared_ptr<TeamAtMpi>> teams_;  ///< the same on all ranks
  std::size_t lot_ = 0;                            ///< where in teams_ the next lot begins
};

}  // namespace overlapack::comm::mpi
