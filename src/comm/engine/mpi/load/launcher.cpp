#include "comm/engine/mpi/load/launcher.hpp"

#include <charconv>
#include <cstdlib>
#include <fstream>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace overlapack::comm::mpi {

namespace {

std::string_view value_of(const char* variable) {
  const char* const value = std::getenv(variable);
  return value ? value : "";
}

std::optional<int> count_of(std::string_view text) {
  int count = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), count);
  if (error != std::errc() || end != text.data() + text.size() || count < 0) return std::nullopt;
  return count;
}

std::optional<int> count_in(const char* variable) { return count_of(value_of(variable)); }

/// The environment at the start of this process; read once.
const std::vector<std::string>& environment_at_start() {
  static const auto& entries = *new auto([] {
    std::vector<std::string> all;
    std::ifstream file("/proc/self/environ");
    for (std::string entry; std::getline(file, entry, '\0');) all.push_back(entry);
    return all;
  }());
  return entries;
}

/// The rank as set by the launcher, from the environment at start-up: Open MPI started alone overwrites PMIX_RANK later.
std::optional<int> rank_in(const char* variable) {
  if (value_of(variable).empty()) return std::nullopt;
  const std::string start = std::string(variable) + "=";
  for (const std::string& entry : environment_at_start())
    if (entry.starts_with(start)) return count_of(std::string_view(entry).substr(start.size()));
  return count_in(variable);
}

/// Environment variables by which a process recognises its launcher.
struct Mark {
  Launcher::Family family;
  const char* rank;              ///< variable set by this launcher
  const char* size;              ///< null: the launcher does not set one
  bool (*is_meant)() = nullptr;  ///< further test where several launchers set `rank`
  /// Other launchers use this one to start their daemons, whose processes inherit its variables: considered only where no other
  /// launcher's variables are set.
  bool is_last_resort = false;
};

// srun: the size of a step is SLURM_STEP_NUM_TASKS. SLURM_NTASKS is the job's, and a script of sbatch, or a shell of `srun --pty`
// within salloc, is alone in a job of many tasks. A step without PMI or PMIx is a set of unrelated programs, such as workers of
// Dask, unless Intel MPI is configured to use Slurm's own library.
bool is_pmi_of_slurm() {
  return count_in("PMI_RANK") == count_in("SLURM_PROCID") &&
         count_in("PMI_SIZE") == count_in("SLURM_STEP_NUM_TASKS");
}
bool is_pmi_of_another() { return !is_pmi_of_slurm(); }
bool is_pmix_of_slurm() {
  const std::string_view name = value_of("PMIX_NAMESPACE");
  return name.starts_with("slurm.") || name.empty();
}
/// Open MPI's mpirun uses PMIx, too, but has a mark of its own with a size.
bool is_pmix_of_another() { return !is_pmix_of_slurm() && value_of("OMPI_COMM_WORLD_SIZE").empty(); }
bool has_library_of_slurm() { return !value_of("I_MPI_PMI_LIBRARY").empty(); }
/// In a shell for starting jobs Flux unsets the size but not the rank.
bool is_flux_job() { return !value_of("FLUX_JOB_SIZE").empty(); }

using Family = Launcher::Family;
constexpr Mark marks[] = {
    {Family::open_mpi, "OMPI_COMM_WORLD_RANK", "OMPI_COMM_WORLD_SIZE"},  // mpirun of Open MPI
    {Family::mpich, "MV2_COMM_WORLD_RANK", "MV2_COMM_WORLD_SIZE"},       // mpirun_rsh of MVAPICH
    {Family::unknown, "FLUX_TASK_RANK", "FLUX_JOB_SIZE", is_flux_job},   // flux run, with PMI or PMIx
    {Family::mpich, "PMI_RANK", "PMI_SIZE", is_pmi_of_another},          // mpiexec of MPICH, Intel MPI, PALS
    {Family::unknown, "PALS_RANKID", "PMI_SIZE"},                        // PALS without its own PMI
    {Family::unknown, "PMIX_RANK", nullptr, is_pmix_of_another},         // prun of PRRTE
    {Family::mpich, "PMI_RANK", "PMI_SIZE", is_pmi_of_slurm, true},      // srun --mpi=pmi2
    {Family::unknown, "PMIX_RANK", "SLURM_STEP_NUM_TASKS", is_pmix_of_slurm, true},        // srun --mpi=pmix
    {Family::mpich, "SLURM_PROCID", "SLURM_STEP_NUM_TASKS", has_library_of_slurm, true}};  // srun, Intel MPI

Launcher launcher_of_mark(const Mark& mark) {
  const std::optional<int> rank = rank_in(mark.rank);
  if (!rank || (mark.is_meant && !mark.is_meant())) return {};
  const int size = mark.size ? count_in(mark.size).value_or(0) : 0;
  return {mark.family, size, size > 0 ? mark.size : mark.rank, *rank};
}

}  // namespace

/// Returns the first launcher whose size is above 1 or unknown; else the first one found. Launchers nest: one may have started a
/// single shell, from which another one started this process.
Launcher find_launcher() {
  Launcher first;
  for (const Mark& mark : marks) {
    const bool has_other = first.family != Family::none;
    if (mark.is_last_resort && has_other) continue;
    const Launcher found = launcher_of_mark(mark);
    if (found.may_have_others()) return found;
    if (!has_other) first = found;
  }
  return first;
}

}  // namespace overlapack::comm::mpi
