#pragma once
#include "command.hpp"

#include <string>
#include <vector>

namespace overlapack::cli {

/// The command of the line, its arguments set; or null and a text to print (--help, --version).
struct Parsed {
  const Command* command = nullptr;
  std::string text;
};

/// Errors  BadPlan: one sentence on what is not understood
Parsed parse(const std::vector<Command>& commands, int argc, char** argv);

}  // namespace overlapack::cli
