#include "api/plan/factors_in.hpp"

#include "api/plan/compression.hpp"
#include "api/plan/memory_limit.hpp"
#include "api/plan/prepare.hpp"
#include "comm/team.hpp"
#include "overlapack/error.hpp"
#include "overlapack/printed.hpp"
#include "sparse/factors/disk_plan.hpp"

#include <algorithm>
#include <filesystem>
#include <string>
#include <system_error>

namespace overlapack::api {
namespace {

constexpr double least_buffer_bytes = 0x1p20, most_buffer_bytes = 0x1p26, buffers_of_factors = 16;
constexpr double most_segment_bytes = 0x1p22;

[[noreturn]] void refuse_disk(const std::string& why) {
  throw Error(Status::bad_plan, "factors is disk, but " + why);
}

bool has_fronts(const sparse::Analysis& analysis) { return analysis.method == Method::multifrontal; }

/// The free bytes of a folder; -1 if the path is no folder.
double room_of(const std::string& folder) {
  std::error_code error;
  const auto space = std::filesystem::space(folder, error);
  return error ? -1 : static_cast<double>(space.available);
}

void require_scratch_room(const Options& options, const Prepared& made) {
  if (options.disk.scratch.empty())
    refuse_disk("there is no folder for them; set scratch to one on a disk with " +
                bytes_text(made.prediction.scratch_bytes) + " of room");
  if (!has_fronts(made.analysis))
    refuse_disk("method is " + std::string(to_string(made.analysis.method)) +
                ", whose factors stay in memory; use multifrontal");
  if (comm::simulated_time()) refuse_disk("no simulated machine says how fast its disks are; use memory");
  const double room = room_of(options.disk.scratch);
  if (room >= 0 && room < made.prediction.scratch_bytes)
    throw Error(Status::out_of_memory, "the factors are predicted to take " +
                                           bytes_text(made.prediction.scratch_bytes) + " in " +
                                           options.disk.scratch + ", which has " + bytes_text(room) +
                                           " left: free some, or give another folder as scratch");
}

/// Check that scratch is a folder if the disk may be chosen. Otherwise a wrong name would be noticed only when memory is short.
/// Errors  BadInput
void require_scratch_folder(const Options& options) {
  const std::string& folder = options.disk.scratch;
  if (folder.empty() || options.disk.factors == FactorsIn::memory || comm::simulated_time()) return;
  std::error_code error;
  const auto found = std::filesystem::status(folder, error);
  if (std::filesystem::is_directory(found)) return;
  const std::string fault = std::filesystem::exists(found) ? "which is no folder"
                            : found.type() == std::filesystem::file_type::not_found
                                ? "which does not exist"
                                : "which cannot be read (" + error.message() + ")";
  throw Error(Status::bad_input, "scratch is \"" + folder + "\", " + fault +
                                     "; give an existing folder on a disk with room, or leave scratch out");
}

/// Whether auto chooses the disk: the factors fit there, and do not fit into memory.
bool is_disk_better(const Options& options, const Prepared& made, double share) {
  if (options.disk.scratch.empty() || !has_fronts(made.analysis) || comm::simulated_time()) return false;
  if (is_compressing(options)) return false;  // files hold fronts in full only
  const double limit = memory_limit_bytes(options);
  return share * made.prediction.bytes > limit && share * made.prediction.disk_memory_bytes <= limit &&
         room_of(options.disk.scratch) >= made.prediction.scratch_bytes;
}

/// What else may help if memory does not suffice, for a message; "": nothing.
std::string memory_advice(const Options& options, const Prepared& made, double share) {
  std::string advice = made.analysis.ordering == "dissection" ? "" : "ordering dissection";
  const bool is_disk_left = has_fronts(made.analysis) && !made.prediction.is_on_disk;
  if (!is_disk_left || share * made.prediction.disk_memory_bytes > memory_limit_bytes(options)) return advice;
  advice += advice.empty() ? "" : ", ";
  if (!options.disk.scratch.empty() && !options.disk.factors && !is_compressing(options))  // it has no room
    return advice + "another folder as scratch: " + options.disk.scratch + " has " +
           bytes_text(room_of(options.disk.scratch)) + " left, and factors disk takes " +
           bytes_text(made.prediction.scratch_bytes);
  return advice + (made.prediction.least_bytes > 0 ? "compression none with factors disk and a scratch folder"
                                                   : "factors disk with a scratch folder");
}

}  // namespace

double disk_buffer_bytes(const Options& options, double scratch_bytes) {
  if (options.disk.buffer_bytes > 0) return static_cast<double>(options.disk.buffer_bytes);
  return std::clamp(scratch_bytes / buffers_of_factors, least_buffer_bytes, most_buffer_bytes);
}

sparse::DiskPlan disk_plan(const Options& options, double scratch_bytes) {
  const double buffer = disk_buffer_bytes(options, scratch_bytes);
  sparse::DiskPlan plan;
  plan.is_used = true;
  plan.scratch = options.disk.scratch;
  plan.budget_bytes = plan.window_bytes = static_cast<std::size_t>(buffer);
  plan.segment_bytes = static_cast<std::size_t>(std::min(buffer / 4, most_segment_bytes));
  return plan;
}

void choose_factor_storage(const Options& options, Prepared& made, Report& report, double share) {
  const bool is_asked = options.disk.factors == FactorsIn::disk;
  require_scratch_folder(options);
  if (is_asked) require_scratch_room(options, made);
  const bool is_disk = is_asked || (!options.disk.factors && is_disk_better(options, made, share));
  made.prediction.is_on_disk = is_disk;
  if (is_disk) made.prediction.bytes = made.prediction.disk_memory_bytes;
  report.factors = to_string(is_disk ? FactorsIn::disk : FactorsIn::memory);
  report.predicted_bytes = made.prediction.bytes;
}

void require_factors_in_memory(const Options& options, std::string_view method) {
  if (options.disk.factors != FactorsIn::disk) return;
  refuse_disk("method is " + std::string(method) + ", whose factors stay in memory; use multifrontal");
}

std::optional<Error> refusal_by_memory(const Options& options, const Prepared& made, double share) {
  const bool is_compressed = made.prediction.least_bytes > 0;
  const double predicted = share * (is_compressed ? made.prediction.least_bytes : made.prediction.bytes);
  if (is_little_memory(options, predicted)) return {};
  return refusal_by_memory(options, predicted, memory_advice(options, made, share),
                           {.where = share < 1 ? " on one of its computers" : ""});
}

void choose_factor_storage_within_memory(const Options& options, Prepared& made, Report& report,
                                         double share) {
  choose_factor_storage(options, made, report, share);
  if (const auto refusal = refusal_by_memory(options, made, share)) throw *refusal;
}

}  // namespace overlapack::api
