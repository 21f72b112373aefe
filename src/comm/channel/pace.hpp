#pragma once
#include "comm/rank.hpp"

#include <array>

namespace overlapack::comm {

/// Chooses how many turns (for example iterations) lie between two exchanges with other ranks: so many that an exchange takes at most a
/// given share of the time between two exchanges, but at most `most` turns. The times are of Rank::now(), real or simulated, and medians
/// over several exchanges, so that one pause of the rank does not count.
/// Source  paper 5, section 6.3: first find the rate of communication that is worth while (the paper's N, for iterations in step)
class Pace {
 public:
  /// share: the share of the time between two exchanges that an exchange may take
  /// Errors  none; most < 1 counts as 1
  Pace(Rank& rank, std::int64_t most, double share);

  /// Count one turn; returns whether an exchange is due.
  bool count_step_towards_exchange() { return ++turns_ >= period_; }
  /// Run f(), an exchange, and time it.
  template <class F>
  void exchange(F&& f) {
    const double begin = rank_.now();
    f();
    record_exchange(begin, rank_.now());
  }
  /// Present number of turns between two exchanges.
  std::int64_t period() const { return period_; }

 private:
  static constexpr std::size_t window = 16;  ///< exchanges between two updates of the period
  void record_exchange(double begin, double end);

  Rank& rank_;
  std::int64_t most_;
  double share_;
  std::int64_t period_ = 1;
  std::int64_t turns_ = 0;  ///< since the last exchange
  double last_end_ = -1;    ///< when the last exchange ended; below 0: there was none
  std::size_t noted_ = 0;   ///< number of exchanges in the two arrays below
  std::array<double, window> exchange_s_{}, turn_s_{};
};

}  // namespace overlapack::comm
