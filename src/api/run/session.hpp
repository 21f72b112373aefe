#pragma once
#include "comm/collective/collective.hpp"
#include "comm/team.hpp"
#include "overlapack/options.hpp"
#include "overlapack/report.hpp"
#include "trace/record/recorder.hpp"

#include <functional>
#include <memory>
#include <vector>

namespace overlapack::api {

/// Whether each rank is a process with a memory of its own (engines mpi and shmem). If so, there are as many ranks as processes, and the
/// caller's input is that of rank 0.
bool ranks_are_processes(const Options& options);

/// Check the options (overlapack::check) on all processes. An error on one process is thrown on all.
void check_options_together(const Options& options);
/// The team's options for starting MPI before it is known whether ranks are processes.
comm::TeamOptions mpi_options(const Options& options);

/// The ranks behind an object that a caller holds: an open team with a recorder of events for each local rank. It stays open from the
/// factorisation to the last solve. Objects of the API run all their parallel work by Session::run.
class Session {
 public:
  /// Errors  BadPlan, CommFailure: as comm::open
  Session(const Options& options, int ranks);

  /// Run fn(rank, position) on every rank, BLAS on one thread each; position counts the ranks of this process from 0.
  void run(comm::FunctionRef<void(comm::Rank&, int position)> fn);

  /// As Factors::agree. If check() throws here, the other processes throw in their next run.
  void agree(const std::function<void()>& check);

  /// Set engine, ranks, workers, and whether times are simulated.
  void write_team(Report& report, const Options& options) const;

  int ranks() const { return team_->size(); }
  int local_ranks() const { return team_->local_count(); }
  /// The first rank of this process.
  int first_rank() const { return team_->first_local(); }
  bool has_root() const { return team_->first_local() == 0; }
  /// The events of all ranks up to the last gather_record, on rank 0's process.
  const trace::Timeline& timeline() const { return timeline_; }
  trace::Timeline take_timeline() { return std::move(timeline_); }
  /// Set the seconds of analysis at the beginning of the timeline, now and after each gather_record; 0: no analysis.
  void set_analysis_s(double seconds);

  /// Inside run: forget what this rank has recorded so far.
  void clear_record(int position) { recorders_[position].clear(); }
  /// Collective, inside run: gather every rank's record on rank 0.
  void gather_record(comm::Rank& rank, int position);

 private:
  std::unique_ptr<comm::Team> team_;
  std::vector<trace::Recorder> recorders_;
  trace::Timeline timeline_;
  double analysis_s_ = 0;
};

/// Rank 0's value, on every rank.  Collective
template <class T>
T broadcast_from_root(comm::Rank& rank, const T& value) {
  return comm::collective::broadcast(rank, 0, value);
}

/// Rank 0's value, on every process; called outside Session::run.
template <class T>
T broadcast_from_root(Session& session, T value) {
  session.run([&](comm::Rank& rank, int position) {
    const T known = broadcast_from_root(rank, value);
    if (position == 0) value = known;
  });
  return value;
}

/// Check that all ranks have the same type.  Collective
/// Errors  BadInput on a rank with another type than rank 0
void require_same_type(comm::Rank& rank, ScalarType type);

}  // namespace overlapack::api
