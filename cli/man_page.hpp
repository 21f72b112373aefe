#pragma once
#include "command.hpp"

#include <string>
#include <vector>

namespace overlapack::cli {

/// The manual page overlapack(1), which lists the commands.
std::string man_page(const std::vector<Command>& commands);
/// The manual page of a command, such as overlapack-solve(1), with the text of its --help-all.
std::string man_page(const Command& command);

}  // namespace overlapack::cli
