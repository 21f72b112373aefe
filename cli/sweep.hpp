#pragma once
#include "command.hpp"

#include <string>
#include <vector>

namespace overlapack::cli {

/// A sweep: an option, and the values that it takes one after the other.
struct Sweep {
  std::string name;  ///< of the option, without dashes; "experiment.in_flight"
  std::vector<std::string> values;
};

/// NAME=A,B,C as given; NAME=FIRST:LAST: FIRST, 2 FIRST, 4 FIRST, ... up to LAST.
/// Errors  BadPlan, saying what to give as `option`
Sweep sweep_from(const std::string& option, const std::string& text);

/// Give the option this value: an option of `own` is set; any other is added to the command, or replaced there.
/// Errors  BadPlan if it is one of `own` that has no value, or refuses this one
void apply(const Sweep& sweep, const std::string& value, const std::vector<Argument>& own,
           std::vector<std::string>& command);

}  // namespace overlapack::cli
