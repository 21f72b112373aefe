#pragma once
#include "kept_systems.hpp"

#include <cstddef>
#include <cstdint>
#include <list>
#include <memory>
#include <mutex>
#include <string>
#include <unordered_map>
#include <vector>

namespace overlapack::python {

/// Figures of the kept factors: what happened since the process began, and what is kept now.
struct KeptFigures {
  std::int64_t hits = 0, misses = 0, dropped = 0, entries = 0;
  std::int64_t inaccurate = 0, ill_conditioned = 0;  ///< solves that ended so
  double bytes = 0, limit_bytes = -1;                ///< limit below 0: not chosen yet
};

/// A cache of the factors of the newest matrices. They are found by the bits of positions, values and options, so that answers depend on the
/// question only. If several threads ask for one matrix, one factorises and the others wait for its factors.
class KeptFactors {
 public:
  /// The cache of this process, which is never destroyed.
  static KeptFactors& of_process();

  /// Answer the call by kept factors, or by factors that are made now and kept.
  /// Errors  as `factorized` and KeptSystems::answer. A matrix whose factorisation fails is not kept
  void answer(const olp_kept_call& call);

  /// Set the most bytes of kept factors, and drop those that were used longest ago until the rest fits.
  void set_limit(double bytes);
  void clear();
  KeptFigures figures();

 private:
  struct Entry;
  using Place = std::list<std::shared_ptr<Entry>>::iterator;

  std::shared_ptr<Entry> entry_of(const olp_kept_call& call);
  void choose_limit();
  void add_bytes(Entry& entry, double bytes);
  void forget(Entry& entry);
  void drop_oldest(double limit);
  void drop(Entry& entry);

  std::mutex mutex_;                         ///< of what follows, never held while anyone factorises
  std::list<std::shared_ptr<Entry>> order_;  ///< the newest first
  std::unordered_multimap<std::uint64_t, Place> places_;
  KeptFigures figures_;
};

}  // namespace overlapack::python
