#pragma once
#include "comm/rank.hpp"
#include "overlapack/probe.hpp"

namespace overlapack::probe {

/// Measure the BSP parameters p, s, g and l of this machine. g and l are fitted to the times h g + l of full exchanges of h words; s is the
/// rate of a dgemm of order 256.
/// Sync    collective over the team; the result is on rank 0
/// Cost    some 60 supersteps of up to 4096 words
/// Source  Bisseling, Parallel Scientific Computation (2004), section 1.5: bspbench, which has daxpy for s; paper 4 has matrix
///         multiplication
BspParameters measure_bsp_parameters(comm::Rank& rank);

}  // namespace overlapack::probe
