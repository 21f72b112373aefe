#include "api/session.hpp"

#include "comm/collective/broadcast.hpp"
#include "comm/wrap/traced.hpp"
#include "kernels/blas_threads.hpp"

namespace overlapack::api {
namespace {

comm::TeamOptions team_options(const Options& options, int ranks) {
  comm::TeamOptions team;
  team.engine = engine_name(options);
  team.ranks = ranks;
  team.workers = options.workers;
  if (options.eager_bytes >= 0) team.eager_bytes = static_cast<std::size_t>(options.eager_bytes);
  team.watchdog_s = options.watchdog_s;
  team.mpi_communicator = options.mpi_communicator;
  return team;
}

comm::Message receive_one(comm::Rank& rank, comm::Lane lane, int from) {
  comm::Recv receive = rank.post_receive(lane, from);
  comm::Request* const requests[] = {&receive};
  rank.wait_any(requests);
  return receive.take();
}

}  // namespace

std::string engine_name(const Options& options) {
  if (options.engine != "auto") return options.engine;
  return is_launched() || options.mpi_communicator != nullptr ? "mpi" : "thread";
}

Session::Session(const Options& options, int ranks) : team_(comm::open(team_options(options, ranks))) {
  const auto keep = options.trace ? trace::Recorder::Keep::events : trace::Recorder::Keep::totals;
  for (int place = 0; place < team_->local_count(); ++place)
    recorders_.emplace_back(team_->first_local() + place, keep);
}

void Session::run(const std::function<void(comm::Rank&, int place)>& fn) {
  const kernels::SingleThreadedBlas guard;
  team_->run([&](comm::Rank& rank) {
    const int place = rank.rank() - team_->first_local();
    fn(rank, place);
  });
}

void Session::gather_record(comm::Rank& rank, int place) {
  if (rank.rank() != 0) {
    rank.start_send(comm::Lane::user, 0, {}, comm::Body::adopt(trace::packed(recorders_[place])));
    return;
  }
  timeline_ = {};
  timeline_.add(recorders_[place]);
  for (int from = 1; from < rank.size(); ++from)
    timeline_.add(receive_one(rank, comm::Lane::user, from).body.as<std::byte>());
}

void Session::reset_record() {
  for (trace::Recorder& recorder : recorders_) recorder.clear();
}

comm::Body body_from_root(comm::Rank& rank, comm::Body body) {
  if (rank.rank() != 0) return receive_one(rank, comm::Lane::user, 0).body;
  for (int to = 1; to < rank.size(); ++to) rank.start_send(comm::Lane::user, to, {}, body);
  return body;
}

}  // namespace overlapack::api
