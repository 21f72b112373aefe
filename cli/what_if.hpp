#pragma once
#include "command.hpp"
#include "simulated_run.hpp"

namespace overlapack::cli {

/// Run the command once for each value of --what-if and, if --curves is given, for each of its values. Print a table, or one JSON object, and
/// write a picture if --plot is given.
/// settings: the options of `simulate`, which set the fields of `arguments`
/// Returns  the largest exit code of the runs that gave reports (0, or 4: inaccurate)
/// Errors   BadPlan for an impossible sweep, or a command whose report has no time; the error of the first run that fails
int run_what_if(SimulateArguments& arguments, const std::vector<Argument>& settings,
                const std::vector<std::string>& command);

}  // namespace overlapack::cli
