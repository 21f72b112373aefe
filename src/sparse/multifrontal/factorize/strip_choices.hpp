#pragma once
#include "sparse/multifrontal/factorize/strip_context.hpp"

#include <span>
#include <vector>

namespace overlapack::sparse::multifrontal {

/// A rank that chooses strips: of these distributed fronts, and maybe of some between them.
struct StripChooser {
  int rank = 0;
  Index first = 0, last = 0;
};

/// All of them, by rank.
std::vector<StripChooser> strip_choosers(const Structure& structure);

/// Which ranks get strips of the distributed fronts that this rank eliminates.
/// Source  paper 1, section 2 (type 2 nodes)
template <class T>
class StripChoices {
 public:
  explicit StripChoices(const StripContext<T>& here);

  /// The strips of front f: larger on ranks that have less to do, this one with its part of the front included, and on none larger
  /// than its memory has room for.
  Strips choose(Index f);
  /// Other ranks whose distributed fronts are not all below f: by then those are done.
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
