#pragma once
#include <filesystem>
#include <string>
#include <vector>

namespace overlapack::cli {

/// Files for a program's standard output and standard error; empty: those of this process.
struct OutputFiles {
  std::filesystem::path out, error;
};

/// Run a program and wait for its end. It has this process's input and output, except for `files`. SIGINT, SIGTERM and SIGHUP end the
/// program, and the end of this process does, too.
/// Returns  the program's exit code
/// Errors   BadPlan, with the advice, if it cannot be started; Cancelled after a signal; CommFailure if a signal ended the program
int run_program(const std::string& program, const std::vector<std::string>& arguments,
                const std::string& advice, const OutputFiles& files = {});

}  // namespace overlapack::cli
