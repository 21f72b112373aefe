#pragma once
#include <filesystem>
#include <string>
#include <vector>

namespace overlapack::cli {

/// Files for a program's output and messages; empty: this process's own.
struct OutputFiles {
  std::filesystem::path out, error;
};

/// Run a program to its end, with this process's input and, except for `files`, its output. SIGINT, SIGTERM and SIGHUP end the
/// program, and so does the end of this process.
/// Returns  its exit code
/// Errors   BadPlan, with the advice, if it cannot be started; Cancelled after a signal; CommFailure if a signal ended the program
int run_program(const std::string& program, const std::vector<std::string>& arguments,
                const std::string& advice, const OutputFiles& files = {});

}  // namespace overlapack::cli
