#pragma once
#include "comm/channel/channel.hpp"
#include "iterative/driver/block.hpp"
#include "iterative/driver/plan.hpp"
#include "overlapack/iteration_figures.hpp"

#include <memory>

namespace overlapack::iterative {

/// Counters of the halo exchange on one rank.
struct HaloCounts : IterationCounters {
  comm::BatchCounts batches{};
};

/// The exchange of boundary values with the neighbours, in step or by channels.
template <class T>
class Halo {
 public:
  virtual ~Halo() = default;
  /// Send my boundary values of x to the neighbours, and unpack theirs into the halos of x and next. Returns whether any values
  /// came.
  virtual bool swap(T* x, T* next) = 0;
  /// Whether values may have come since the last swap; polls.
  virtual bool has_news() = 0;
  /// Note that there was a step, so that the next swap sends my boundary values to all neighbours again. Otherwise a swap sends
  /// them only to the neighbours that do not have them yet, because a channel was full.
  virtual void mark_stepped() {}
  /// Collective: end the exchange; no message is under way afterwards.
  virtual void close() = 0;
  virtual HaloCounts counts() const = 0;
};

/// Opens the exchange of a variant. sync: each rank waits for its neighbours' values of this iteration. async: it sends if the
/// channel has room, and receives what has arrived. racy: it writes its values, and reads whatever is there. start: the start
/// vector.
/// Sync    collective
/// Source  paper 5, sections 3.1.1 to 3.1.3
template <class T>
std::unique_ptr<Halo<T>> open_halo(comm::Rank& rank, const Block<T>& block, const IterationPlan& plan,
                                   const T* start);

}  // namespace overlapack::iterative
