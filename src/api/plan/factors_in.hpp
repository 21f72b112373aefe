#pragma once
#include "api/plan/factor_prediction.hpp"
#include "overlapack/options.hpp"
#include "overlapack/report.hpp"

#include <string_view>

/// Factors in memory or on disk.
namespace overlapack::sparse {
struct DiskPlan;
}

namespace overlapack::api {

/// A rank's buffer for factors to be written or read ahead, in bytes: as asked, else by the factors' size on disk.
double disk_buffer_bytes(const Options& options, double scratch_bytes);

/// How a rank keeps factors on disk.
/// scratch_bytes: predicted, of all ranks
sparse::DiskPlan disk_plan(const Options& options, double scratch_bytes);

/// Choose memory or disk for the factors, by DiskOptions and the prediction; sets the prediction's is_on_disk and bytes, and the
/// report's figures of them.
/// share: of the prediction, which one computer has to hold
/// Errors  BadPlan: disk without a folder, for a method without fronts, or in a simulation; OutOfMemory: disk, and the folder has
///         less room than predicted
void choose_factor_storage(const Options& options, Prepared& made, Report& report, double share = 1);

/// Errors  BadPlan: disk was asked for from a method whose factors stay in memory
void require_factors_in_memory(const Options& options, std::string_view method);

/// choose_factor_storage, and a check that what is chosen fits.
/// Errors  OutOfMemory, too, when the lower bound of the prediction exceeds the memory (require_memory of memory_limit.hpp)
void choose_factor_storage_within_memory(const Options& options, Prepared& made, Report& report,
                                         double share);

}  // namespace overlapack::api
