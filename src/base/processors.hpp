#pragma once
#include <string>
#include <vector>

namespace overlapack {

/// Number of processors in this thread's affinity mask, but not more than the control group's CPU quota, and at least 1. The
/// quota is read once per process.
int count_usable_processors();

/// The folders of this process's control group (version 2) and of those above it, innermost first.
std::vector<std::string> control_group_folders();

}  // namespace overlapack
