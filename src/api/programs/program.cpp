#include "api/programs/program.hpp"

#include "api/plan/prepare.hpp"

#include <limits>

namespace overlapack::api {

Session open_program(const Options& options) {
  return {options,
          ranks_are_processes(options) ? 0 : choose_ranks(options, std::numeric_limits<double>::infinity())};
}

int program_ranks(const Options& options, const Session& session) {
  if (options.ranks > session.ranks())
    throw Error(Status::bad_plan, std::to_string(options.ranks) + " ranks were asked for, but MPI has " +
                                      std::to_string(session.ranks()) + "; start more with mpirun -n");
  return options.ranks > 0 ? options.ranks : session.ranks();
}

}  // namespace overlapack::api
