#pragma once
#include <string>
#include <vector>

namespace overlapack {

/// Processors by this thread's affinity mask, no more than the control group's quota; at least 1. The quota is read once a process.
int count_usable_processors();

/// The folders of this process's control group (version 2) and of those above it, innermost first.
std::vector<std::string> control_group_folders();

}  // namespace overlapack
