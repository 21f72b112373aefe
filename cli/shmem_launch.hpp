#pragma once
#include <optional>

namespace overlapack::cli {

/// If the command line has `--engine shmem`, run the executable that is linked with OpenSHMEM instead of this one, and return its exit code. It
/// runs under oshrun unless a launcher started this process. Returns no value in all other cases.
/// Errors  BadPlan for commands other than jacobi and solve by iteration, or if that executable or oshrun is missing
std::optional<int> run_on_shmem(int argc, char** argv);

}  // namespace overlapack::cli
