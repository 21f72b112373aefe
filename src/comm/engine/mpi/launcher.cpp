#include "comm/engine/mpi/launcher.hpp"

#include <cstdlib>
#include <cstring>

namespace overlapack::comm::mpi {

namespace {

bool is_set(const char* variable) {
  const char* value = std::getenv(variable);
  return value && *value;
}

Launcher from(Launcher::Family family, const char* variable) {
  const char* value = std::getenv(variable);
  return {family, value ? std::atoi(value) : 0, variable};
}

}  // namespace

Launcher find_launcher() {
  using Family = Launcher::Family;
  if (is_set("OMPI_COMM_WORLD_SIZE")) return from(Family::open_mpi, "OMPI_COMM_WORLD_SIZE");
  if (is_set("PMI_RANK") || is_set("PMI_SIZE")) return from(Family::mpich, "PMI_SIZE");
  if (is_set("PMIX_RANK")) return from(Family::unknown, "SLURM_STEP_NUM_TASKS");
  return {};
}

bool is_first_by_environment() {
  for (const char* name : {"OMPI_COMM_WORLD_RANK", "PMIX_RANK", "PMI_RANK", "SLURM_PROCID"})
    if (const char* rank = std::getenv(name)) return std::strcmp(rank, "0") == 0;
  return true;
}

}  // namespace overlapack::comm::mpi
