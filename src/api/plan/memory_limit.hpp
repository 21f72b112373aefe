#pragma once
#include "overlapack/options.hpp"

#include <string_view>

/// Memory that the ranks of this computer may take.
namespace overlapack::api {

/// RunOptions::memory_limit_bytes, or what the computer has available.
double memory_limit_bytes(const Options& options);

/// So little memory, with no limit asked for, that the system, which takes as long to answer as a small factorisation, is not asked.
bool is_little_memory(const Options& options, double predicted_bytes);

/// Errors  OutOfMemory when the prediction exceeds RunOptions::memory_limit_bytes or what the computer has available;
///         `advice`: what else might help, or nothing
void require_memory(const Options& options, double predicted_bytes, std::string_view advice);

}  // namespace overlapack::api
