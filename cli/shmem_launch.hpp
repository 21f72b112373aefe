#pragma once
#include <optional>

namespace overlapack::cli {

/// Where `--engine shmem` is asked of the usual executable: run the one that is linked with OpenSHMEM, under oshrun unless a
/// launcher started this one already; its exit code.
/// Errors  BadPlan for other commands than jacobi and solve by iteration, and where that executable or oshrun is missing
std::optional<int> run_on_shmem(int argc, char** argv);

}  // namespace overlapack::cli
