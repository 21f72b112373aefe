#pragma once
#include "comm/rank.hpp"
#include "overlapack/probe.hpp"

namespace overlapack::probe {

/// p, s, g and l of this machine as a world in supersteps sees it: the time of full exchanges of h words, fitted by h g + l; s is
/// that of a dgemm of order 256.
/// Sync    collective over the team; the result is on rank 0
/// Cost    some 60 supersteps of up to 4096 words
/// Source  Bisseling, Parallel Scientific Computation (2004), section 1.5: bspbench, which has daxpy for s; paper 4 has matrix
///         multiplication
BspParameters measure_bsp_parameters(comm::Rank& rank);

}  // namespace overlapack::probe
