#pragma once
#include "overlapack/error.hpp"
#include "overlapack/options.hpp"

#include <optional>
#include <string_view>

/// The memory that the ranks of this computer may take, and the check of predictions against it.
namespace overlapack::api {

/// RunOptions::memory_limit_bytes; if it is 0, the memory that the computer has available.
double memory_limit_bytes(const Options& options);

/// Whether the prediction is so small, and without a limit by the options, that the available memory need not be known. To ask the system
/// for it takes as long as a small factorisation.
bool is_little_memory(const Options& options, double predicted_bytes);

/// What a prediction is for, in words.
struct PredictedFor {
  std::string_view what = "the factorisation";
  std::string_view where = "";  ///< " on one of its computers"
};

/// OutOfMemory if the prediction exceeds RunOptions::memory_limit_bytes or the available memory; otherwise nothing.
/// advice: what else might help, or empty
std::optional<Error> refusal_by_memory(const Options& options, double predicted_bytes,
                                       std::string_view advice, const PredictedFor& task = {});
/// Check that the prediction does not exceed the memory.
/// Errors  OutOfMemory, as refusal_by_memory
void require_memory(const Options& options, double predicted_bytes, std::string_view advice,
                    const PredictedFor& task = {});

}  // namespace overlapack::api
