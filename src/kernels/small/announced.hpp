#pragma once
#include "kernels/small/table.hpp"

namespace overlapack::kernels::small {

/// The tables of a level. In a build with a sanitizer, which does not see into them, tables that tell it what a kernel reads and
/// writes (base/touched.hpp), then call the level's; those of the last call then.
const Tables* announced(const Tables* level);

}  // namespace overlapack::kernels::small
