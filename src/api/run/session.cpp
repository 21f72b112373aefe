#include "api/run/session.hpp"

#include "api/words/message_names.hpp"
#include "api/words/options_table.hpp"
#include "api/words/type_names.hpp"
#include "comm/wrap/traced.hpp"
#include "kernels/product/blas_threads.hpp"
#include "overlapack/environment.hpp"

#include <algorithm>
#include <array>
#include <span>

namespace overlapack::api {
namespace {

/// The seconds of the watchdog. Simulations have none: only work lets their time pass, and the simulator reports a deadlock itself.
double watchdog_seconds(const Options& options) {
  if (options.run.watchdog_s >= 0) return options.run.watchdog_s;
  return comm::simulated_time() ? 0 : 60;
}

/// Whether this option may differ between processes, since their machines or files differ.
bool is_of_one_process(std::string_view option) {
  static constexpr std::array own{"trace",      "scratch",  "disk_buffer", "memory_limit",
                                  "time_limit", "watchdog", "workers"};
  return std::ranges::find(own, option) != own.end();
}

/// The options that differ from their defaults, as text, by which processes compare them.
std::string called_with(const Options& options) {
  std::string text;
  for (const OptionEntry& entry : options_table())
    if (!is_of_one_process(entry.name) && !entry.field.is_default(options))
      text.append(text.empty() ? "" : ", ")
          .append(full_name(entry))
          .append(" = ")
          .append(value_text(options, entry));
  return text.empty() ? "all options at their defaults" : text;
}

/// Team options that select the engine and its communicator.
comm::TeamOptions communicator_of(const Options& options) {
  comm::TeamOptions team = mpi_options(options);
  team.engine = engine_name(options);
  team.mpi_communicator = options.run.mpi_communicator;
  team.fortran_communicator = options.run.fortran_communicator;
  team.opening_s = std::max(0.0, options.run.watchdog_s);
  return team;
}

comm::TeamOptions team_options(const Options& options, int ranks) {
  comm::TeamOptions team = communicator_of(options);
  team.ranks = ranks;
  team.workers = options.workers;
  if (team.progress_thread && team.engine == "thread")
    throw Error(Status::bad_plan,
                "ranks that are threads hand their messages over themselves; leave progress_by at poll, or "
                "start with mpirun");
  team.watchdog_s = watchdog_seconds(options);
  if (team.engine == "thread") return team;
  team.called_with = called_with(options);
  team.fingerprint = std::hash<std::string>()(team.called_with);
  return team;
}

/// Call check(). If it throws, also because a wrong size asks for too much memory, pass the error to tell() and rethrow it.
template <class Tell>
void tell_and_rethrow(const std::function<void()>& check, Tell&& tell) {
  try {
    check();
  } catch (...) {
    const Error error = error_of(std::current_exception());
    tell(error);
    throw error;
  }
}

/// Open a team with this error, so that the opening throws it on all processes.
void refuse_on_all(const Options& options, const Error& error) {
  comm::TeamOptions team = communicator_of(options);
  team.refusal = std::make_shared<const Error>(error);
  comm::open(team);
}

}  // namespace

comm::TeamOptions mpi_options(const Options& options) {
  comm::TeamOptions team;
  team.progress_thread = options.run.progress_by == ProgressBy::thread;
  if (options.run.eager_bytes >= 0) team.eager_bytes = static_cast<std::size_t>(options.run.eager_bytes);
  return team;
}

bool ranks_are_processes(const Options& options) { return engine_name(options) != "thread"; }

void check_options_together(const Options& options) {
  refuse_together(options, [&] { check(options); });
}

Session::Session(const Options& options, int ranks) {
  comm::TeamOptions team;
  refuse_together(options, [&] { team = team_options(options, ranks); });
  team_ = comm::open(team);
  const auto keep = options.run.trace ? trace::Recorder::Keep::events : trace::Recorder::Keep::totals;
  for (int position = 0; position < team_->local_count(); ++position)
    recorders_.emplace_back(team_->first_local() + position, keep);
}

void Session::write_team(Report& report, const Options& options) const {
  report.engine = engine_name(options);
  report.ranks = ranks();
  report.workers = options.workers;
  report.simulated = comm::simulated_time().has_value();
}

void Session::run(comm::FunctionRef<void(comm::Rank&, int position)> fn) {
  const kernels::SingleThreadedBlas guard;
  team_->run([&](comm::Rank& rank) {
    const int position = rank.rank() - team_->first_local();
    comm::TracedRank traced(rank, recorders_[position], message_name);
    fn(traced, position);
  });
}

void Session::agree(const std::function<void()>& check) {
  tell_and_rethrow(check, [&](const Error& error) {
    if (local_ranks() < ranks()) run([&](comm::Rank&, int) { throw error; });
  });
}

void Session::gather_record(comm::Rank& rank, int position) {
  const std::vector<comm::Body> records =
      comm::collective::gather(rank, 0, comm::Body::adopt(trace::packed(recorders_[position])));
  if (rank.rank() != 0) return;
  timeline_ = {};
  for (const comm::Body& record : records) timeline_.add(record.as<std::byte>());
  timeline_.set_analysis_s(analysis_s_);
}

void Session::set_analysis_s(double seconds) {
  analysis_s_ = seconds;
  timeline_.set_analysis_s(seconds);
}

void require_same_type(comm::Rank& rank, ScalarType type) {
  const ScalarType first = broadcast_from_root(rank, type);
  if (type == first) return;
  throw Error(Status::bad_input, "the matrix of rank " + std::to_string(rank.rank()) + " is " +
                                     std::string(name(type)) + ", that of rank 0 " +
                                     std::string(name(first)) +
                                     "; give arrays of the same type and shape on every rank");
}

}  // namespace overlapack::api

namespace overlapack {

void refuse_together(const Options& options, const std::function<void()>& fn) {
  api::tell_and_rethrow(fn, [&](const Error& error) {
    if (api::ranks_are_processes(options) && !simulated_time()) api::refuse_on_all(options, error);
  });
}

Processes::Processes(const Options& options) {
  api::check_options_together(options);
  if (!api::ranks_are_processes(options)) return;
  Options alone = options;  // no computation follows
  alone.workers = 0;
  alone.run.trace = false;
  session_ = std::make_unique<api::Session>(alone, alone.ranks);
}

Processes::Processes(Processes&&) noexcept = default;
Processes& Processes::operator=(Processes&&) noexcept = default;
Processes::~Processes() = default;

int Processes::rank() const { return session_ ? session_->first_rank() : 0; }
int Processes::size() const { return session_ ? session_->ranks() : 1; }

std::vector<std::string> Processes::tell(const std::string& mine) {
  if (!session_) return {mine};
  std::vector<std::string> all;
  session_->run([&](comm::Rank& rank, int) {
    std::vector<char> text;  // of all, each with a zero at its end
    const comm::Body body = comm::Body::copy_of(std::span<const char>(mine));
    for (const comm::Body& said : comm::collective::gather(rank, 0, body)) {
      text.insert(text.end(), said.as<char>().begin(), said.as<char>().end());
      text.push_back('\0');
    }
    const comm::Body whole = comm::collective::broadcast(rank, 0, comm::Body::adopt(std::move(text)));
    const std::span<const char> texts = whole.as<char>();
    for (auto from = texts.begin(); from != texts.end();) {
      const auto end = std::find(from, texts.end(), '\0');
      all.emplace_back(from, end);
      from = end + 1;
    }
  });
  return all;
}

}  // namespace overlapack
