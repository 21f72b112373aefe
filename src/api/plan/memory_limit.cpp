#include "api/plan/memory_limit.hpp"

#include "comm/team.hpp"
#include "overlapack/environment.hpp"
#include "overlapack/printed.hpp"

#include <algorithm>
#include <string>

namespace overlapack::api {

namespace {

constexpr double never_asked_bytes = 0x1p24;

/// "1.25 GB (1250000000 bytes)"
std::string exact_bytes_text(double bytes) {
  return bytes_text(bytes) + " (" + std::to_string(static_cast<Index>(std::min(bytes, 9e18))) + " bytes)";
}

/// "; raise it, or try ordering metis"
std::string what_may_help(bool is_asked, std::string_view advice) {
  const std::string tries(advice);
  if (is_asked) return " of memory_limit; raise it" + (tries.empty() ? tries : ", or try " + tries);
  return " this computer has available; try " + (tries.empty() ? tries : tries + ", ") +
         "single precision or a larger computer";
}

}  // namespace

double memory_limit_bytes(const Options& options) {
  return options.run.memory_limit_bytes > 0 ? static_cast<double>(options.run.memory_limit_bytes)
                                            : available_memory_bytes();
}

bool is_little_memory(const Options& options, double predicted) {
  return options.run.memory_limit_bytes <= 0 && predicted < never_asked_bytes;
}

std::optional<Error> refusal_by_memory(const Options& options, double predicted, std::string_view advice,
                                       const PredictedFor& task) {
  const bool is_asked = options.run.memory_limit_bytes > 0;
  if (is_little_memory(options, predicted)) return {};
  if (comm::is_phantom() && !is_asked) return {};  // only lists are allocated
  const double limit = memory_limit_bytes(options);
  if (predicted <= limit) return {};
  return Error(
      Status::out_of_memory,
      std::string(task.what) + " is predicted to need " + exact_bytes_text(predicted) +
          std::string(task.where) + ", more than the " + exact_bytes_text(limit) +
          what_may_help(is_asked, advice) +
          (comm::simulated_time() && !comm::is_phantom()
               ? "; all simulated ranks share it, unless simulate --phantom computes with shapes alone"
               : ""));
}

void require_memory(const Options& options, double predicted, std::string_view advice,
                    const PredictedFor& task) {
  if (const auto refusal = refusal_by_memory(options, predicted, advice, task)) throw *refusal;
}

}  // namespace overlapack::api
