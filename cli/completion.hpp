#pragma once
#include "command.hpp"

#include <string>
#include <vector>

namespace overlapack::cli {

/// The script by which a shell completes `overlapack ...`, made from the commands.
/// shell: bash, zsh or fish
std::string completion_script(const std::string& shell, const std::vector<Command>& commands);

}  // namespace overlapack::cli
