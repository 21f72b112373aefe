#pragma once
#include "comm/team.hpp"
#include "overlapack/options.hpp"
#include "trace/timeline.hpp"

#include <cstring>
#include <functional>
#include <memory>
#include <type_traits>
#include <vector>

namespace overlapack::api {

/// Is this process one of several that a launcher started together?
bool is_launched();

/// The engine that options ask for, with "auto" decided.
std::string engine_name(const Options& options);

/// An open team with a recorder a rank: what a factorisation runs on, now and in every later solve.
class Session {
 public:
  /// Errors  BadPlan, CommFailure: as comm::open
  Session(const Options& options, int ranks);

  /// Run fn(rank, place) on every rank, BLAS on one thread each; place counts the ranks of this process from 0.
  void run(const std::function<void(comm::Rank&, int place)>& fn);

  int ranks() const { return team_->size(); }
  int local_ranks() const { return team_->local_count(); }
  bool has_root() const { return team_->first_local() == 0; }
  /// What all ranks have recorded since the last reset_record, on rank 0's process.
  const trace::Timeline& timeline() const { return timeline_; }

  /// Collective, inside run: bring every rank's record to rank 0.
  void gather_record(comm::Rank& rank, int place);
  void reset_record();

 private:
  std::unique_ptr<comm::Team> team_;
  std::vector<trace::Recorder> recorders_;
  trace::Timeline timeline_;
};

/// Collective: what rank 0 brings, on every rank.
/// Cost  ranks - 1 messages from rank 0
comm::Body body_from_root(comm::Rank& rank, comm::Body body);

template <class T>
T from_root(comm::Rank& rank, const T& value) {
  static_assert(std::is_trivially_copyable_v<T>);
  const comm::Body body = body_from_root(rank, comm::Body::copy_of(std::span<const T>(&value, 1)));
  T received;
  std::memcpy(&received, body.data(), sizeof(T));
  return received;
}

}  // namespace overlapack::api
