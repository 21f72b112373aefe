#pragma once
#include "overlapack/machine.hpp"

#include <optional>
#include <string>
#include <vector>

namespace overlapack::cli {

/// Arguments of `overlapack simulate`.
struct SimulateArguments {
  std::string machine;
  std::string slow_host;
  std::string progress;  ///< a NetworkProgress by name; empty: that of the machine
  std::string what_if, curves, plot;
  simulate::Simulation simulation;
  bool list = false;
  bool keep = false;
  bool json = false;
};

/// The output of a program.
struct Printed {
  std::string out, error;
};

/// Run a command of this executable, given by its words, on a simulated machine.
/// printed: gets the command's output; null: the output goes to this process's output
/// Returns  the command's exit code
/// Errors   BadPlan, BadInput: no such machine or run; SimGrid is missing
int run_simulated(const SimulateArguments& arguments, const std::vector<std::string>& command,
                  Printed* printed = nullptr);

}  // namespace overlapack::cli
