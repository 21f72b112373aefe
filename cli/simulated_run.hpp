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
  std::string progress;  ///< empty: the machine's
  std::string what_if, curves, plot;
  simulate::Simulation simulation;
  bool list = false;
  bool keep = false;
  bool json = false;
};

/// What a program printed.
struct Printed {
  std::string out, error;
};

/// Run a command of this executable, given by its words, as a program of the simulator.
/// `printed` gets its output; null: that goes to this process's own.
/// Returns  the command's exit code
/// Errors   BadPlan, BadInput: no such machine or run; SimGrid is missing
int run_simulated(const SimulateArguments& arguments, const std::vector<std::string>& command,
                  Printed* printed = nullptr);

}  // namespace overlapack::cli
