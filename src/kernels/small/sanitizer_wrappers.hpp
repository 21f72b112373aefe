#pragma once
#include "kernels/small/table.hpp"

namespace overlapack::kernels::small {

/// The tables of a level. In a build with a sanitizer, which does not see into the kernels: the same tables for all levels, which
/// announce a kernel's reads and writes (base/touched.hpp) and then call the level of the last wrap_to_announce_accesses().
const Tables* wrap_to_announce_accesses(const Tables* level);

}  // namespace overlapack::kernels::small
