#pragma once
#include "command.hpp"

#include <string>
#include <vector>

namespace overlapack::cli {

/// The result of parsing a command line: the command, with its arguments set; or null and a text to print (--help, --version).
struct Parsed {
  const Command* command = nullptr;
  std::string text;
};

/// Parse the command line and set the arguments of its command.
/// Errors  BadPlan: one sentence that says what was not understood
Parsed parse(const std::vector<Command>& commands, int argc, char** argv);

}  // namespace overlapack::cli
