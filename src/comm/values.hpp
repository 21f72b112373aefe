#pragma once
#include "comm/rank.hpp"

#include <utility>

/// A simulation by shapes alone (Capabilities::is_phantom) may have the algorithm's lists and sizes, and memory for its
/// numbers that nobody touches: address space costs nothing. Kernels do not run there, since compute and run_slices only
/// charge for them; what else touches numbers goes through these.
namespace overlapack::comm {

/// Run f, which copies, adds or looks at numbers outside of a kernel, unless there are none.
template <class F>
void on_values(const Rank& rank, F&& f) {
  if (!rank.capabilities().is_phantom) std::forward<F>(f)();
}

/// A body of `bytes` bytes, which make() packs; without contents where there are no numbers.
template <class F>
Body body_of(const Rank& rank, std::size_t bytes, F&& make) {
  return rank.capabilities().is_phantom ? Body::phantom(bytes) : std::forward<F>(make)();
}

/// compute(work, f) for an f that goes on without numbers, because it decides on lists and sizes as well.
template <class F>
void compute_with_lists(Rank& rank, const Work& work, F&& f) {
  rank.compute(work, f);
  if (rank.capabilities().is_phantom) f();
}

}  // namespace overlapack::comm
