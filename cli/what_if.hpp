#pragma once
#include "command.hpp"
#include "simulated_run.hpp"

namespace overlapack::cli {

/// The command once for each value of --what-if, and for each of --curves if that is given: a table, or one JSON object, and
/// a picture where --plot asks for one.
/// `settings`: the options of `simulate`, which set the fields of `arguments`.
/// Returns  the largest exit code of the runs that gave reports (0, or 4: inaccurate)
/// Errors   BadPlan for a sweep that is not possible, or a command whose report has no time; those of the first run that fails
int run_what_if(SimulateArguments& arguments, const std::vector<Argument>& settings,
                const std::vector<std::string>& command);

}  // namespace overlapack::cli
