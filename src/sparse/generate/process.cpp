#include "base/random.hpp"
#include "sparse/generate/kinds.hpp"
#include "sparse/matrix/triplets.hpp"

#include <algorithm>

namespace overlapack::sparse {
namespace {

constexpr Index components = 8, unit_order = components + 2;  // amounts of components, temperature, flow
constexpr Index temperature = components, flow = components + 1;

/// The equations of one unit: balances of its components, of energy and of what flows.
class Flowsheet {
 public:
  Flowsheet(Index units, std::uint64_t seed) : random_(seed) {
    entries_.rows = entries_.cols = units * unit_order;
  }

  /// The balance of a component has its own amount, and that of the component from which it is made. The
  /// energy balance has all amounts, the balance of the flow every other one.
  void add_unit(Index unit) {
    for (Index c = 0; c < components; ++c) {
      add(unit, c, unit, c, random_.uniform(2, 4));
      add(unit, c, unit, flow, -random_.uniform(0.2, 1));
      if (c > 0) add(unit, c, unit, c - 1, -random_.uniform(0.2, 1));
      add(unit, temperature, unit, c, random_.uniform(0.1, 0.5));
      if (c % 2 == 0) add(unit, flow, unit, c, random_.uniform(0.1, 0.5));
    }
    add(unit, temperature, unit, temperature, random_.uniform(3, 5));
    add(unit, flow, unit, flow, random_.uniform(2, 4));
    add(unit, 0, unit, temperature, random_.uniform(0.1, 0.5));
  }
  /// A stream that leaves a unit enters the balances of another unit; nothing goes back.
  void add_stream(Index from, Index to) {
    for (Index c = 0; c < components; ++c) add(to, c, from, c, -random_.uniform(0.2, 0.8));
    add(to, temperature, from, temperature, -random_.uniform(0.2, 0.8));
    add(to, flow, from, flow, -random_.uniform(0.2, 0.8));
  }
  Random& random() { return random_; }
  SparseMatrix<double> finished_matrix() && { return compress(entries_).matrix; }

 private:
  void add(Index unit, Index equation, Index of, Index variable, double value) {
    entries_.add(unit * unit_order + equation, of * unit_order + variable, value);
  }

  Random random_;
  Triplets<double> entries_;
};

}  // namespace

/// `size` units in the order of the plant. Each has a stream to the next unit. Some have a stream to a unit
/// further down, and some a recycle to a unit up to 51 places before.
SparseMatrix<double> make_process(Index size, std::uint64_t seed) {
  Flowsheet plant(size, seed);
  Random& random = plant.random();
  for (Index unit = 0; unit < size; ++unit) {
    plant.add_unit(unit);
    if (unit + 1 < size) plant.add_stream(unit, unit + 1);
    const Index ahead = unit + 2 + static_cast<Index>(random.below(30));
    if (ahead < size && random.uniform(0, 1) < 0.4) plant.add_stream(unit, ahead);
    const Index back = unit - 2 - static_cast<Index>(random.below(50));
    if (back >= 0 && random.uniform(0, 1) < 0.3) plant.add_stream(unit, back);
  }
  return std::move(plant).finished_matrix();
}

}  // namespace overlapack::sparse
