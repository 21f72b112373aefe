#pragma once
#include "api/run/session.hpp"

namespace overlapack::api {

/// Open a session for a caller's program. Its ranks are all processes that were started, or threads.
Session open_program(const Options& options);

/// How many ranks of the session run the program; these are the first ones.
/// Errors  BadPlan if the options ask for more ranks than there are
int program_ranks(const Options& options, const Session& session);

}  // namespace overlapack::api
