#pragma once
#include "sparse/multifrontal/factorize/strip_context.hpp"

#include <span>
#include <vector>

namespace overlapack::sparse::multifrontal {

/// A rank that chooses strips, with the first and the last distributed front that it is master of.
struct StripChooser {
  int rank = 0;
  Index first = 0, last = 0;
};

/// All ranks that choose strips, ascending.
std::vector<StripChooser> strip_choosers(const Structure& structure);

/// Chooses the ranks that get strips of the distributed fronts of which this rank is master.
/// Source  paper 1, section 2 (type 2 nodes)
template <class T>
class StripChoices {
 public:
  explicit StripChoices(const StripContext<T>& here);

  /// The strips of front f: larger on ranks with less work, where this rank's work includes its own part of
  /// the front, and on no rank larger than its memory allows (room_for).
  Strips choose(Index f);
  /// The other ranks that may still choose strips after f: those with a distributed front that is not below
  /// f. Fronts below are done.
  std::vector<int> ranks_choosing_after(Index f) const;

 private:
  std::vector<double> room_for(Index f, std::span<const double> held) const;

  const StripContext<T>& here_;
  std::vector<StripChooser> choosers_;
  double even_bytes_ = 0;  ///< predicted peaks of all ranks, distributed evenly
};

/// Bytes of strip i of front f, as predicted.
template <class T>
double strip_bytes(const Structure& structure, Index f, const Strips& strips, Index i);

/// Add the work on front f that these ranks were given, `flops` each, to what is known of their loads.
template <class T>
void add_strip_loads(const StripContext<T>& here, Index f, const Strips& strips,
                     std::span<const double> flops);

}  // namespace overlapack::sparse::multifrontal
