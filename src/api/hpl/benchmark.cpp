#include "overlapack/benchmark.hpp"

#include "api/dense/dense_plan.hpp"
#include "api/hpl/hpl_text.hpp"
#include "api/hpl/linpack.hpp"
#include "api/io/file_bytes.hpp"
#include "api/run/session.hpp"
#include "api/words/options_table.hpp"
#include "base/public_call.hpp"
#include "overlapack/environment.hpp"
#include "overlapack/error.hpp"

#include <algorithm>
#include <ctime>
#include <utility>

namespace overlapack::api {
namespace {

using Print = std::function<void(const std::string&)>;
using benchmark::HplCounts;

/// The text of the file, read by rank 0 and broadcast.
std::string shared_text(Session& session, const std::string& path) {
  std::string text;
  session.run([&](comm::Rank& rank, int position) {
    comm::Body mine;
    if (rank.rank() == 0) {
      const std::string read = io::load_file(path);
      mine = comm::Body::copy_of(std::span<const char>(read));
    }
    const comm::Body body = comm::collective::broadcast(rank, 0, mine);
    if (position == 0) text.assign(body.as<char>().begin(), body.as<char>().end());
  });
  return text;
}

/// The number of ranks on the thread engine: options.ranks or, if it is 0, as many as the largest grid needs.
int ranks_for(const HplFile& file, const Options& options) {
  if (options.ranks > 0) return options.ranks;
  Index most = 1;
  for (std::size_t i = 0; i < file.grid_rows.size(); ++i)
    most = std::max(most, Index{file.grid_rows[i]} * file.grid_cols[i]);
  return static_cast<int>(std::min<Index>(most, find_option("ranks")->high));
}

/// Runs one system after the other, prints each and counts how they ended.
class Hpl {
 public:
  Hpl(Session& session, const Options& options, const HplFile& file, std::uint64_t seed, Print print)
      : session_(session), options_(options), file_(file), seed_(seed), print_(std::move(print)) {}

  HplCounts run() {
    print_(hpl_head(file_));
    if (file_.threshold <= 0) print_(hpl_table_head());
    for (const HplCase& one : hpl_cases(file_)) {
      if (one.processes() > session_.ranks())
        skip_for_grid(one);
      else
        run(one);
    }
    print_(hpl_tail(counts_, file_.threshold));
    return counts_;
  }

 private:
  void skip(const std::string& reason) {
    ++counts_.skipped;
    print_(hpl_warning(reason));
  }

  /// Skip a run whose grid needs more processes than there are. The reason is printed once for each grid.
  void skip_for_grid(const HplCase& one) {
    const std::string reason = "Need at least " + std::to_string(one.processes()) +
                               " processes for these tests, there are " + std::to_string(session_.ranks()) +
                               "; skip";
    if (reason != told_) print_(hpl_warning(reason));
    told_ = reason;
    ++counts_.skipped;
  }

  void run(const HplCase& one) {
    const std::time_t start = std::time(nullptr);
    LinpackResult result;
    try {
      result = solve(one);
    } catch (const Error& error) {
      if (error.status() != Status::bad_plan) throw;
      return skip(error.what());  // the schedule does not suit the grid
    }
    if (!result.has_memory) return skip("Memory allocation failed for A, x and b. Skip.");
    write_result(one, result, start);
  }

  LinpackResult solve(const HplCase& one) {
    require_helpers(one.plan.schedule, options_.workers);
    LinpackProblem problem{.n = one.n,
                           .block = one.block,
                           .grid = {one.rows, one.cols, one.order, session_.ranks()},
                           .plan = one.plan,
                           .seed = seed_,
                           .checks = file_.threshold > 0,
                           .memory_limit_bytes = static_cast<double>(options_.run.memory_limit_bytes)};
    problem.plan.ranks_per_node = options_.run.ranks_per_node;
    LinpackResult result;
    session_.run([&](comm::Rank& rank, int position) {
      const LinpackResult mine = run_linpack<double>(rank, problem, [] {});
      const dense::ResidualNorms norms = broadcast_from_root(rank, mine.norms);
      if (position == 0) result = mine, result.norms = norms;
    });
    return result;
  }

  void write_result(const HplCase& one, const LinpackResult& result, std::time_t start) {
    if (file_.threshold > 0) print_(hpl_table_head());
    print_(hpl_row(one, result.seconds, start, std::time(nullptr)));
    if (result.counters.info != 0)
      return skip("Error code returned by solve is " + std::to_string(result.counters.info) + ", skip");
    if (file_.threshold > 0) print_(hpl_check(result.norms, one.n, file_.threshold));
    const bool passes = file_.threshold <= 0 || hpl_passes(result.norms, one.n, file_.threshold);
    ++(passes ? counts_.passed : counts_.failed);
  }

  Session& session_;
  const Options& options_;
  const HplFile& file_;
  std::uint64_t seed_;
  Print print_;
  HplCounts counts_;
  std::string told_;
};

}  // namespace
}  // namespace overlapack::api

namespace overlapack {

benchmark::HplCounts benchmark::hpl(
    const std::string& path, const std::string& schedules, std::uint64_t seed, const Options& options,
    const std::function<std::function<void(const std::string&)>(const HplOutput&)>& open) {
  return named_call(call::benchmark, [&]() -> benchmark::HplCounts {
    const bool has_processes = api::ranks_are_processes(options);
    std::unique_ptr<api::Session> session;
    if (has_processes) session = std::make_unique<api::Session>(options, options.ranks);
    const std::string text = has_processes ? api::shared_text(*session, path) : io::load_file(path);
    api::HplFile file = api::parse_hpl_file(text, path);
    if (!schedules.empty()) file.schedules = api::parse_schedules(schedules);
    if (!has_processes) session = std::make_unique<api::Session>(options, api::ranks_for(file, options));
    api::Print print = [](const std::string&) {};
    session->run([&](comm::Rank& rank, int) {  // a run, so that its error reaches all ranks
      if (rank.rank() == 0 && is_first_process()) print = open({file.device, file.output_file});
    });
    return api::Hpl(*session, options, file, seed, std::move(print)).run();
  });
}

}  // namespace overlapack
