#include "api/factors_place.hpp"

#include "api/compression.hpp"
#include "api/prepare.hpp"
#include "comm/team.hpp"
#include "overlapack/error.hpp"
#include "overlapack/printed.hpp"

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

bool has_fronts(const Report& report) { return report.method == to_string(Method::multifrontal); }

/// What the folder has room for; below 0: it is none.
double room_of(const std::string& folder) {
  std::error_code error;
  const auto space = std::filesystem::space(folder, error);
  return error ? -1 : static_cast<double>(space.available);
}

void require_scratch_room(const Options& options, const Report& report) {
  if (options.disk.scratch.empty())
    refuse_disk("there is no folder for them; set scratch to one on a disk with " +
                bytes_text(report.predicted_scratch_bytes) + " of room");
  if (!has_fronts(report))
    refuse_disk("method is " + report.method + ", whose factors stay in memory; use multifrontal");
  if (comm::simulated_time()) refuse_disk("no simulated machine says how fast its disks are; use memory");
  const double room = room_of(options.disk.scratch);
  if (room >= 0 &&
      room < report.predicted_scratch_bytes)  // one that is none is told by whoever opens a file there
    throw Error(Status::out_of_memory, "the factors are predicted to take " +
                                           bytes_text(report.predicted_scratch_bytes) + " in " +
                                           options.disk.scratch + ", which has " + bytes_text(room) +
                                           " left: free some, or give another folder as scratch");
}

/// Does auto take the disk? Where memory does not suffice, and the disk does.
bool is_disk_better(const Options& options, const Report& report) {
  if (options.disk.scratch.empty() || !has_fronts(report) || comm::simulated_time()) return false;
  if (is_compressing(options)) return false;  // files have fronts in one form
  const double limit = memory_limit_bytes(options);
  return report.predicted_bytes > limit && report.predicted_disk_memory_bytes <= limit &&
         room_of(options.disk.scratch) >= report.predicted_scratch_bytes;
}

/// What else may help where the memory does not suffice; "": nothing that is known.
std::string memory_advice(const Options& options, const Report& report) {
  std::string advice = report.ordering == "metis" ? "" : "ordering metis";
  const bool is_disk_left = has_fronts(report) && report.factors == to_string(FactorsIn::memory);
  if (!is_disk_left || report.predicted_disk_memory_bytes > memory_limit_bytes(options)) return advice;
  advice += advice.empty() ? "" : ", ";
  return advice + (report.predicted_least_bytes > 0
                       ? "compression none with factors disk and a scratch folder"
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

void choose_factors_place(const Options& options, Report& report) {
  const bool is_asked = options.disk.factors == FactorsIn::disk;
  if (is_asked) require_scratch_room(options, report);
  const bool is_disk = is_asked || (!options.disk.factors && is_disk_better(options, report));
  report.factors = to_string(is_disk ? FactorsIn::disk : FactorsIn::memory);
  if (is_disk) report.predicted_bytes = report.predicted_disk_memory_bytes;
}

void require_factors_in_memory(const Options& options, std::string_view method) {
  if (options.disk.factors != FactorsIn::disk) return;
  refuse_disk("method is " + std::string(method) + ", whose factors stay in memory; use multifrontal");
}

void require_memory(const Options& options, const Report& report) {
  const bool is_compressed = report.predicted_least_bytes > 0;
  require_memory(options, is_compressed ? report.predicted_least_bytes : report.predicted_bytes,
                 memory_advice(options, report));
}

}  // namespace overlapack::api
