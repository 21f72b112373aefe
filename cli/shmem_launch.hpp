#pragma once
#include <optional>

namespace overlapack::cli {

/// With `--engine shmem` on the usual executable: run the one that is linked with OpenSHMEM, under oshrun unless a launcher started
/// this one; returns its exit code. Nothing in other cases.
/// Errors  BadPlan for other commands than jacobi and solve by iteration, and where that executable or oshrun is missing
std::optional<int> run_on_shmem(int argc, char** argv);

}  // namespace overlapack::cli
