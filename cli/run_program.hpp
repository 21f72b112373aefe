#pragma once
#include <filesystem>
#include <string>
#include <vector>

namespace overlapack::cli {

/// Where a program's output and messages go; empty: where ours go.
struct OutputFiles {
  std::filesystem::path out, error;
};

/// Run a program to its end, with our input and, but for `files`, our output. SIGINT, SIGTERM and SIGHUP end it, and so does our
/// own end.
/// Returns  its exit code
/// Errors   BadPlan, with the advice, if it cannot be started; Cancelled after a signal
int run_program(const std::string& program, const std::vector<std::string>& arguments,
                const std::string& advice, const OutputFiles& files = {});

}  // namespace overlapack::cli
