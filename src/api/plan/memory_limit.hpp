#pragma once
#include "overlapack/options.hpp"

#include <string_view>

/// The memory that the ranks of this computer may take, and the check of predictions against it.
namespace overlapack::api {

/// RunOptions::memory_limit_bytes; if it is 0, the memory that the computer has available.
double memory_limit_bytes(const Options& options);

/// Whether the prediction is so small, and without a limit by the options, that the available memory need not be known. To ask the system
/// for it takes as long as a small factorisation.
bool is_little_memory(const Options& options, double predicted_bytes);

/// Check that the prediction does not exceed RunOptions::memory_limit_bytes or the available memory.
/// advice: what else might help, or empty; where: what the prediction is for
/// Errors  OutOfMemory
void require_memory(const Options& options, double predicted_bytes, std::string_view advice,
                    std::string_view where = "");

}  // namespace overlapack::api
