#include "api/session.hpp"

#include "api/message_names.hpp"
#include "api/prepare.hpp"
#include "comm/wrap/traced.hpp"
#include "kernels/blas_threads.hpp"
#include "overlapack/environment.hpp"

namespace overlapack::api {
namespace {

/// Simulated time passes only when somebody spends it, and there a wait without an end is an error of the simulator.
double watchdog_seconds(const Options& options) {
  if (options.run.watchdog_s >= 0) return options.run.watchdog_s;
  return comm::simulated_time() ? 0 : 60;
}

comm::TeamOptions team_options(const Options& options, int ranks) {
  comm::TeamOptions team = mpi_options(options);
  team.engine = engine_name(options);
  team.ranks = ranks;
  team.workers = options.workers;
  if (team.progress_thread && team.engine == "thread")
    throw Error(ErrorKind::bad_plan, "session",
                "ranks that are threads hand their messages over themselves; leave progress_by at poll, or "
                "start with mpirun");
  team.watchdog_s = watchdog_seconds(options);
  team.mpi_communicator = options.run.mpi_communicator;
  team.fortran_communicator = options.run.fortran_communicator;
  return team;
}

}  // namespace

comm::TeamOptions mpi_options(const Options& options) {
  comm::TeamOptions team;
  team.progress_thread = options.run.progress_by == ProgressBy::thread;
  if (options.run.eager_bytes >= 0) team.eager_bytes = static_cast<std::size_t>(options.run.eager_bytes);
  return team;
}

bool ranks_are_processes(const Options& options) { return engine_name(options) != "thread"; }

Session::Session(const Options& options, int ranks) : team_(comm::open(team_options(options, ranks))) {
  const auto keep = options.run.trace ? trace::Recorder::Keep::events : trace::Recorder::Keep::totals;
  for (int place = 0; place < team_->local_count(); ++place)
    recorders_.emplace_back(team_->first_local() + place, keep);
}

void Session::describe(Report& report, const Options& options) const {
  report.engine = engine_name(options);
  report.ranks = ranks();
  report.workers = options.workers;
  report.simulated = comm::simulated_time().has_value();
}

void Session::run(const std::function<void(comm::Rank&, int place)>& fn) {
  const kernels::SingleThreadedBlas guard;
  team_->run([&](comm::Rank& rank) {
    const int place = rank.rank() - team_->first_local();
    comm::TracedRank traced(rank, recorders_[place], message_name);
    fn(traced, place);
  });
}

void Session::gather_record(comm::Rank& rank, int place) {
  const std::vector<comm::Body> records =
      comm::collective::gather(rank, 0, comm::Body::adopt(trace::packed(recorders_[place])));
  if (rank.rank() != 0) return;
  timeline_ = {};
  for (const comm::Body& record : records) timeline_.add(record.as<std::byte>());
}

void require_same_type(comm::Rank& rank, ScalarType type) {
  const ScalarType first = from_root(rank, type);
  if (type == first) return;
  throw Error(ErrorKind::bad_input, "matrix",
              "the matrix of rank " + std::to_string(rank.rank()) + " is " + std::string(name(type)) +
                  ", that of rank 0 " + std::string(name(first)) +
                  "; give arrays of the same type and shape on every rank");
}

}  // namespace overlapack::api
