#pragma once
#include "comm/rank.hpp"

#include <utility>

/// In a simulation by shapes alone (Capabilities::is_phantom) the algorithm has its lists and sizes, and untouched memory for its
/// numbers (address space costs nothing). compute and run_slices do not run kernels there, they only charge their cost; all other
/// code that touches numbers must use these functions.
namespace overlapack::comm {

/// Run f, which copies, adds or reads numbers outside of a kernel, unless simulated by shapes.
template <class F>
void run_unless_phantom(const Rank& rank, F&& f) {
  if (!rank.capabilities().is_phantom) std::forward<F>(f)();
}

/// A body of `bytes` bytes, which make() packs; without contents where there are no numbers.
template <class F>
Body pack_body(const Rank& rank, std::size_t bytes, F&& make) {
  return rank.capabilities().is_phantom ? Body::phantom(bytes) : std::forward<F>(make)();
}

/// compute(work, f) for an f that also works on lists and sizes: run even if simulated by shapes, and must not touch numbers then.
template <class F>
void compute_with_lists(Rank& rank, const Work& work, F&& f) {
  rank.compute(work, f);
  if (rank.capabilities().is_phantom) f();
}

}  // namespace overlapack::comm
