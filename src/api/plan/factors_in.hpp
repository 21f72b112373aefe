#pragma once
#include "api/plan/factor_prediction.hpp"
#include "overlapack/error.hpp"
#include "overlapack/options.hpp"
#include "overlapack/report.hpp"

#include <optional>
#include <string_view>

/// Decides whether factors are kept in memory or on disk.
namespace overlapack::sparse {
struct DiskPlan;
}

namespace overlapack::api {

/// The bytes of a rank's buffer for factors that are written or read ahead: the option's value, or one by the factors' size on disk.
double disk_buffer_bytes(const Options& options, double scratch_bytes);

/// The plan by which a rank keeps factors on disk.
/// scratch_bytes: the predicted bytes on disk, over all ranks
sparse::DiskPlan disk_plan(const Options& options, double scratch_bytes);

/// Choose memory or disk for the factors, by DiskOptions and the prediction. Sets is_on_disk and bytes of the prediction, and the figures
/// of both in the report.
/// share: the share of the predicted bytes that one computer has to hold
/// Errors  BadPlan: disk without a folder, for a method without fronts, or in a simulation
///         BadInput: scratch is no folder
///         OutOfMemory: disk, but the folder has less room than predicted
void choose_factor_storage(const Options& options, Prepared& made, Report& report, double share = 1);

/// Check that the options do not ask for disk, for a method whose factors stay in memory.
/// Errors  BadPlan
void require_factors_in_memory(const Options& options, std::string_view method);

/// OutOfMemory if the lower bound of the prediction, stored as chosen, exceeds the memory (refusal_by_memory of memory_limit.hpp);
/// otherwise nothing.
std::optional<Error> refusal_by_memory(const Options& options, const Prepared& made, double share = 1);

/// Choose memory or disk by choose_factor_storage, and check that the factors fit there.
/// Errors  as choose_factor_storage; OutOfMemory also as refusal_by_memory
void choose_factor_storage_within_memory(const Options& options, Prepared& made, Report& report,
                                         double share);

}  // namespace overlapack::api
