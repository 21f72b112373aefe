#pragma once
#include "command.hpp"

#include <string>
#include <vector>

namespace overlapack::cli {

/// Values that an option takes one after the other.
struct Sweep {
  std::string name;  ///< of the option, without dashes
  std::vector<std::string> values;
};

/// NAME=A,B,C as it stands; NAME=FIRST:LAST: FIRST, 2 FIRST, 4 FIRST, ... as far as LAST.
/// Errors  BadPlan, saying what to give as `option`
Sweep sweep_from(const std::string& option, const std::string& text);

/// Let the option have this value: one of `own` is set; any other is given to the command, in place of what it has.
/// Errors  BadPlan if it is one of `own` that takes no value, or does not take this one
void apply(const Sweep& sweep, const std::string& value, const std::vector<Argument>& own,
           std::vector<std::string>& command);

}  // namespace overlapack::cli
