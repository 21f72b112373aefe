#pragma once
#include "command.hpp"

#include <string>
#include <vector>

namespace overlapack::cli {

/// overlapack(1), which lists the commands.
std::string man_page(const std::vector<Command>& commands);
/// overlapack-solve(1) and so on: the text of the command's --help-all.
std::string man_page(const Command& command);

}  // namespace overlapack::cli
