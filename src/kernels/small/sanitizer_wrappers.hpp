#pragma once
#include "kernels/small/table.hpp"

namespace overlapack::kernels::small {

/// Returns `level` itself, except in builds with a sanitizer, which does not see into the kernels. There it returns tables, the
/// same for all levels, whose kernels announce their reads and writes (base/touched.hpp) and then call the level that was passed
/// last.
const Tables* wrap_to_announce_accesses(const Tables* level);

}  // namespace overlapack::kernels::small
