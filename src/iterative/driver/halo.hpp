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

/// The exchange of boundary values with the neighbours.
template <class T>
class Halo {
 public:
  virtual ~Halo() = default;
  /// Send my boundary values of x to the neighbours, and unpack theirs into the halos of x and next. Returns whether some came.
  virtual bool swap(T* x, T* next) = 0;
  /// Whether something may have come since the last swap; moves messages.
  virtual bool has_news() = 0;
  /// Note that there was a step: the next swap sends my boundary values once more. Without it a swap sends them to those alone who
  /// lack them.
  virtual void mark_stepped() {}
  /// Collective: no message is under way afterwards.
  virtual void close() = 0;
  virtual HaloCounts counts() const = 0;
};

/// sync: each rank waits for its neighbours' values of this iteration. async: send where the channel has room, receive what has
/// arrived. racy: write, and read whatever is there. `start`: the start vector.
/// Sync    collective
/// Source  paper 5, sections 3.1.1 to 3.1.3
template <class T>
std::unique_ptr<Halo<T>> open_halo(comm::Rank& rank, const Block<T>& block, const IterationPlan& plan,
                                   const T* start);

}  // namespace overlapack::iterative
