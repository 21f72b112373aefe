#include "api/build_info.hpp"

#include "api/machine.hpp"
#include "api/version.hpp"
#include "comm/team.hpp"
#include "kernels/blas_threads.hpp"
#include "kernels/small/dispatch.hpp"
#include "overlapack/error.hpp"
#include "sparse/analysis/ordering.hpp"

namespace overlapack::api {
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

const char* version() { return OVERLAPACK_VERSION; }

BuildInfo build_info() {
  BuildInfo info;
  info.version = version();
  info.compiler = "g++ " __VERSION__;
#ifdef __clang__
  info.compiler = __VERSION__;
#endif
  for (const char* name : {"thread", "mpi", "shmem"}) info.engines.push_back(engine_info(name));
  info.blas = kernels::blas_description();
  info.small_kernels = std::string(kernels::small_kernel_level());
  info.types = {"float32", "float64", "complex64", "complex128"};
  info.orderings = {"metis", "amd", "natural", "user"};
  if (sparse::has_scotch()) info.orderings.insert(info.orderings.begin() + 2, "scotch");
  info.usable_processors = usable_processors();
  return info;
}

}  // namespace overlapack::api
