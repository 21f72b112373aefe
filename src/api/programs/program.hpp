#pragma once
#include "api/run/session.hpp"

namespace overlapack::api {

/// A session for a program of the caller's: of all processes that were started, or of threads.
Session open_program(const Options& options);

/// The first so many of the session's ranks run the program.
/// Errors  BadPlan where more are asked for than there are
int program_ranks(const Options& options, const Session& session);

}  // namespace overlapack::api
