#include "overlapack/environment.hpp"

#include "api/run/session.hpp"
#include "comm/team.hpp"
#include "kernels/product/blas_library.hpp"
#include "kernels/small/dispatch.hpp"
#include "overlapack/error.hpp"
#include "sparse/analysis/graph/ordering.hpp"

namespace overlapack {
namespace {

EngineInfo engine_info(const std::string& name) {
  try {
    const std::string note = comm::describe(name);
    return {name, note.rfind("none", 0) != 0, note};
  } catch (const Error& error) {
    return {name, false, error.what()};
  }
}

}  // namespace

const BlasInfo& blas_info() { return kernels::blas_library(); }

const char* version() { return OVERLAPACK_VERSION; }

BuildInfo build_info() {
  BuildInfo info;
  info.version = version();
  info.compiler = "g++ " __VERSION__;
#ifdef __clang__
  info.compiler = __VERSION__;
#endif
  for (const char* name : {"thread", "mpi", "shmem"}) info.engines.push_back(engine_info(name));
  info.blas = blas_info();
  info.small_kernels = std::string(kernels::small_kernel_level());
  info.types = {"float32", "float64", "complex64", "complex128"};
  info.orderings = {"dissection", "metis", "amd", "natural", "user"};
  if (sparse::has_scotch()) info.orderings.insert(info.orderings.begin() + 3, "scotch");
  info.usable_processors = usable_processors();
  return info;
}

bool is_launched() { return comm::is_launched(); }
int launched_processes() { return comm::launched_processes(); }
bool is_first_process() { return comm::is_first_process(); }
std::optional<double> simulated_time() { return comm::simulated_time(); }
bool is_phantom() { return comm::is_phantom(); }

std::string engine_name(const Options& options) {
  const RunOptions& run = options.run;
  if (run.engine) return std::string(to_string(*run.engine));
  const bool is_mpi = run.mpi_communicator != nullptr || run.fortran_communicator ||
                      comm::is_one_of_several(api::mpi_options(options));
  return std::string(to_string(is_mpi ? Engine::mpi : Engine::thread));
}

std::int64_t from_first_process(const Options& options, const std::function<std::int64_t()>& fn) {
  if (!api::ranks_are_processes(options)) return fn();
  std::int64_t result = 0;
  api::Session session(options, options.ranks);
  session.run([&](comm::Rank& rank, int position) {
    std::int64_t mine = rank.rank() == 0 ? fn() : 0;
    mine = api::broadcast_from_root(rank, mine);
    if (position == 0) result = mine;
  });
  return result;
}

}  // namespace overlapack
