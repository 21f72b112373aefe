#pragma once
#include "comm/channel/channel.hpp"
#include "iterative/driver/block.hpp"
#include "iterative/driver/plan.hpp"
#include "overlapack/figures.hpp"

#include <memory>

namespace overlapack::iterative {

/// What the exchange of halos did on one rank.
struct HaloCounts : IterationCounters {
  comm::BatchCounts batches{};
};

/// The exchange of boundary values with the neighbours.
template <class T>
class Halo {
 public:
  virtual ~Halo() = default;
  /// My boundary values of x to the neighbours, theirs into the halos of x and next.
  virtual void swap(T* x, T* next) = 0;
  /// Collective: nothing is under way afterwards.
  virtual void close() = 0;
  virtual HaloCounts counts() const = 0;
};

/// sync: everybody waits for the values of this iteration. async: send where there is room, take what has come. racy: send,
/// and take what is there. `start` is the start vector.
/// Sync    collective
/// Source  paper 5, sections 3.1.1 to 3.1.3
template <class T>
std::unique_ptr<Halo<T>> open_halo(comm::Rank& rank, const Block<T>& block, const IterationPlan& plan,
                                   const T* start);

}  // namespace overlapack::iterative
