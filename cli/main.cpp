#include "blas_threads.hpp"
#include "command.hpp"
#include "core_type.hpp"
#include "json_output.hpp"
#include "overlapack/environment.hpp"
#include "overlapack/error.hpp"
#include "overlapack/nearest.hpp"
#include "overlapack/report.hpp"
#include "parse.hpp"
#include "shmem_launch.hpp"
#include "standard_streams.hpp"
#include "text.hpp"

#include <nlohmann/json.hpp>

#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <sys/prctl.h>

namespace overlapack::cli {

bool is_root_process() { return is_first_process(); }
bool is_bystander(const Options& options) { return engine_name(options) == "thread" && !is_root_process(); }

int exit_code(Status status) {
  switch (status) {
    case Status::ok:
    case Status::ill_conditioned:  // x is an answer
      return exit_ok;
    case Status::bad_input:
    case Status::bad_plan:
      return exit_bad_input;
    case Status::singular:
      return exit_singular;
    case Status::inaccurate:
    case Status::not_converged:
      return exit_inaccurate;
    case Status::out_of_memory:
      return exit_out_of_memory;
    case Status::comm_failure:
      return exit_comm_failure;
    case Status::cancelled:
      return exit_cancelled;
    case Status::internal:
      break;
  }
  return exit_internal;
}

namespace {

/// Print the sentence of a failure, and also JSON if that was requested, on the first process only. Returns the exit code.
int print_failure(const Error& error, bool json) {
  if (is_root_process()) {
    std::fprintf(stderr, "overlapack: %s\n", error.what());
    if (json) print_json({{"status", to_string(error.status())}, {"message", error.what()}});
  }
  return exit_code(error.status());
}

bool has_flag(int argc, char** argv, const char* flag) {
  for (int i = 1; i < argc; ++i)
    if (std::strcmp(argv[i], flag) == 0) return true;
  return false;
}

/// Check the first word of the command line.
/// Errors  BadPlan if it is no command
void require_known_command(const std::vector<Command>& commands, int argc, char** argv) {
  if (argc < 2 || argv[1][0] == '-') return;
  std::vector<std::string> names;
  for (const Command& command : commands) {
    if (command.name == argv[1]) return;
    if (!command.is_hidden) names.push_back(command.name);
  }
  const std::string meant = did_you_mean(argv[1], names);
  throw Error(Status::bad_plan, "there is no command \"" + std::string(argv[1]) + "\"" + meant +
                                    (meant.empty() ? "; the commands are " + joined(names)
                                                   : "; `overlapack --help` lists all"));
}

/// The words of the command line, with "help solve" changed to "solve --help".
std::vector<char*> without_help_command(int argc, char** argv) {
  static char help[] = "--help";
  std::vector<char*> words(argv, argv + argc);
  if (argc < 2 || std::strcmp(argv[1], "help") != 0) return words;
  words.erase(words.begin() + 1);
  words.push_back(help);
  return words;
}

int run_named_command(int given, char** words) {
  std::vector<char*> line = without_help_command(given, words);
  const int argc = static_cast<int>(line.size());
  line.push_back(nullptr);
  char** const argv = line.data();
  std::vector<Command> commands{solve_command(),  plan_command(),     dense_command(),   hpl_command(),
                                jacobi_command(), generate_command(), probe_command(),   simulate_command(),
                                study_command(),  diagnose_command(), inverse_command(), info_command(),
                                doctor_command()};
  commands.push_back(completion_command(commands));
  commands.push_back(share_command(commands));
  require_known_command(commands, argc, argv);
  if (const auto code = run_on_shmem(argc, argv)) return *code;
  const Parsed parsed = parse(commands, argc, argv);
  if (parsed.command != nullptr)
    return parsed.command->is_parallel || is_root_process() ? parsed.command->run() : exit_ok;
  if (is_root_process()) std::fputs(parsed.text.c_str(), stdout);
  return exit_ok;
}

int run_and_report(int argc, char** argv) {
  const bool json = has_flag(argc, argv, "--json");
  try {
    return run_named_command(argc, argv);
  } catch (const Error& error) {
    return print_failure(error, json);
  } catch (...) {
    const Error error = error_of(std::current_exception());
    if (error.status() != Status::internal) return print_failure(error, json);
    return print_failure(
        {Status::internal, std::string("a defect of overlapack: ") + error.what() + "; please report it"},
        json);
  }
}

/// A simulation ends with its launcher, also if the launcher is killed and passes no signal on.
void end_with_launcher() {
  if (simulated_time()) prctl(PR_SET_PDEATHSIG, SIGTERM);
}

/// The exit code of this process. Under the simulator it is 0, since the launcher prints comments on other codes; the first rank writes the
/// code to a file instead.
int exit_code_of(int code) {
  const char* machine = std::getenv("OVERLAPACK_SIMULATED_MACHINE");
  if (machine == nullptr || !simulated_time()) return code;
  if (!is_root_process()) return 0;
  std::ofstream(std::string(machine) + ".exit") << code;
  return 0;
}

}  // namespace
}  // namespace overlapack::cli

[[gnu::visibility("default")]] int main(int argc, char** argv) {  // the simulator looks it up
  using namespace overlapack::cli;
  open_closed_streams();
  end_with_launcher();
  hear_of_too_large_files();
  start_with_right_kernels(argv);
  end_blas_threads();
  return exit_code_of(code_with_output(run_and_report(argc, argv)));
}
