#pragma once
#include <string>
#include <vector>

namespace overlapack::cli {

/// Run a program that is searched for in PATH, with this process's input and output; its exit code.
/// Errors  BadPlan, with the advice, if it cannot be started
int run_program(const std::string& program, const std::vector<std::string>& arguments, const std::string& advice);

}  // namespace overlapack::cli
