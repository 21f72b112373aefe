#pragma once
#include "overlapack/machine.hpp"

#include <optional>
#include <string>
#include <vector>

namespace overlapack::cli {

/// What `overlapack simulate` was asked for on its command line.
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

/// Run a command of this executable, as its words say, as a program of the simulator.
/// `printed` gets what it prints; null: it goes where our own goes.
/// Returns  the command's exit code
/// Errors   BadPlan, BadInput: the machine or the run cannot be; SimGrid is missing
int run_simulated(const SimulateArguments& arguments, const std::vector<std::string>& command,
                  Printed* printed = nullptr);

}  // namespace overlapack::cli
