#include "api/hpl/hpl_text.hpp"
#include "api/hpl/linpack.hpp"
#include "api/io/file_bytes.hpp"
#include "api/options_table.hpp"
#include "api/session.hpp"
#include "command.hpp"
#include "overlapack/error.hpp"

#include <algorithm>
#include <cstdio>
#include <numeric>

namespace overlapack::cli {
namespace {

struct HplArguments {
  std::string file = "HPL.dat";
  std::string schedules;
  std::uint64_t seed = 1;
};

/// Where the first process prints: as the file's device says. The others print nothing.
class Output {
 public:
  explicit Output(const api::HplFile& file) {
    if (!is_root_process()) return;
    stream_ = file.device == 6   ? stdout
              : file.device == 7 ? stderr
                                 : std::fopen(file.output_file.c_str(), "w");
    if (stream_ == nullptr)
      throw Error(ErrorKind::bad_input, "hpl",
                  "cannot write \"" + file.output_file + "\"; name another file in line 3, or 6 in line 4");
  }
  ~Output() {
    if (stream_ != nullptr && stream_ != stdout && stream_ != stderr) std::fclose(stream_);
  }
  Output(const Output&) = delete;
  Output& operator=(const Output&) = delete;

  void print(const std::string& text) {
    if (stream_ == nullptr) return;
    std::fputs(text.c_str(), stream_);
    std::fflush(stream_);
  }

 private:
  std::FILE* stream_ = nullptr;
};

/// The file as the first process reads it, on every process.
std::string shared_text(api::Session& session, const std::string& path) {
  std::string text;
  session.run([&](comm::Rank& rank, int place) {
    comm::Body mine;
    if (rank.rank() == 0) {
      const std::string read = api::load_file(path);
      mine = comm::Body::copy_of(std::span<const char>(read));
    }
    const comm::Body body = comm::collective::broadcast(rank, 0, mine);
    if (place == 0) text.assign(body.as<char>().begin(), body.as<char>().end());
  });
  return text;
}

api::HplFile parsed(const HplArguments& a, const std::string& text) {
  api::HplFile file = api::parse_hpl_file(text, a.file);
  if (!a.schedules.empty()) file.schedules = api::parse_schedules(a.schedules);
  return file;
}

/// Threads: as many as the largest grid needs, unless the line says how many.
int ranks_for(const api::HplFile& file, const Options& options) {
  if (options.ranks > 0) return options.ranks;
  Index most = 1;
  for (std::size_t i = 0; i < file.grid_rows.size(); ++i)
    most = std::max(most, Index{file.grid_rows[i]} * file.grid_cols[i]);
  return static_cast<int>(std::min<Index>(most, api::find_option("ranks")->high));
}

/// Runs one system after the other, prints each and counts how they ended.
class Benchmark {
 public:
  Benchmark(api::Session& session, const Options& options, const api::HplFile& file, std::uint64_t seed)
      : session_(session), options_(options), file_(file), seed_(seed), output_(file) {}

  api::HplCounts run() {
    output_.print(api::hpl_head(file_));
    if (file_.threshold <= 0) output_.print(api::hpl_table_head());
    for (const api::HplCase& one : api::hpl_cases(file_)) {
      if (one.processes() > session_.ranks())
        skip_for_grid(one);
      else
        run(one);
    }
    output_.print(api::hpl_tail(counts_, file_.threshold));
    return counts_;
  }

 private:
  void skip(const std::string& reason) {
    ++counts_.skipped;
    output_.print(api::hpl_warning(reason));
  }

  /// Told once a grid.
  void skip_for_grid(const api::HplCase& one) {
    const std::string reason = "Need at least " + std::to_string(one.processes()) +
                               " processes for these tests, there are " + std::to_string(session_.ranks()) +
                               "; skip";
    if (reason != told_) output_.print(api::hpl_warning(reason));
    told_ = reason;
    ++counts_.skipped;
  }

  void run(const api::HplCase& one) {
    const std::time_t start = std::time(nullptr);
    api::LinpackResult result;
    try {
      result = solve(one);
    } catch (const Error& error) {
      if (error.kind() != ErrorKind::bad_plan) throw;
      return skip(error.what());  // the schedule does not suit the grid
    }
    if (!result.has_memory) return skip("Memory allocation failed for A, x and b. Skip.");
    tell(one, result, start);
  }

  api::LinpackResult solve(const api::HplCase& one) {
    api::LinpackProblem problem{.n = one.n,
                                .block = one.block,
                                .grid = {one.rows, one.cols, one.order, session_.ranks()},
                                .plan = one.plan,
                                .seed = seed_,
                                .checks = file_.threshold > 0,
                                .memory_limit_bytes = static_cast<double>(options_.run.memory_limit_bytes)};
    problem.plan.ranks_per_node = options_.run.ranks_per_node;
    api::LinpackResult result;
    session_.run([&](comm::Rank& rank, int place) {
      const api::LinpackResult mine = api::run_linpack<double>(rank, problem, [] {});
      const dense::ResidualNorms norms = api::from_root(rank, mine.norms);
      if (place == 0) result = mine, result.norms = norms;
    });
    return result;
  }

  void tell(const api::HplCase& one, const api::LinpackResult& result, std::time_t start) {
    if (file_.threshold > 0) output_.print(api::hpl_table_head());
    output_.print(api::hpl_row(one, result.seconds, start, std::time(nullptr)));
    if (result.counters.info != 0)
      return skip("Error code returned by solve is " + std::to_string(result.counters.info) + ", skip");
    if (file_.threshold > 0) output_.print(api::hpl_check(result.norms, one.n, file_.threshold));
    const bool passes = file_.threshold <= 0 || api::hpl_passes(result.norms, one.n, file_.threshold);
    ++(passes ? counts_.passed : counts_.failed);
  }

  api::Session& session_;
  const Options& options_;
  const api::HplFile& file_;
  std::uint64_t seed_;
  Output output_;
  api::HplCounts counts_;
  std::string told_;
};

int run(const HplArguments& a, const Options& options) {
  const bool is_mpi = api::engine_name(options) == "mpi";
  std::unique_ptr<api::Session> session;
  std::string text;
  if (is_mpi) {
    session = std::make_unique<api::Session>(options, options.ranks);
    text = shared_text(*session, a.file);
  } else {
    text = api::load_file(a.file);
  }
  const api::HplFile file = parsed(a, text);
  if (!is_mpi) session = std::make_unique<api::Session>(options, ranks_for(file, options));
  const api::HplCounts counts = Benchmark(*session, options, file, a.seed).run();
  if (counts.failed > 0) return exit_inaccurate;
  return counts.skipped > 0 ? exit_bad_input : exit_ok;
}

}  // namespace

Command hpl_command() {
  auto a = std::make_shared<HplArguments>();
  auto flags = std::make_shared<OptionFlags>();
  const double largest_seed = 0x1p53;
  Command command{
      .name = "hpl",
      .help = "the High-Performance Linpack benchmark: its input file, table and check",
      .arguments = {file_argument("file", "input file, also hpcc's [HPL.dat]", a->file),
                    text_argument(
                        "--schedule",
                        "flat, lookahead, split, parity, hybrid, or some of them with commas; default: the "
                        "file's, else by its DEPTHs",
                        a->schedules),
                    number_argument("--seed", "of the random matrices [1]", 0, largest_seed,
                                    [a](double seed) { a->seed = static_cast<std::uint64_t>(seed); })},
      .run = [a, flags] { return run(*a, flags->options()); },
      .footer =
          "Exit code 0 only if every test ran and passed; 4 where one failed, 2 where one was skipped.\n",
      .is_parallel = true};
  flags->add_to(command.arguments, api::command_hpl);
  return command;
}

}  // namespace overlapack::cli
