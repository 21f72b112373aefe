#pragma once
#include "comm/rank.hpp"

#include <array>

namespace overlapack::comm {

/// How often it is worth while to exchange with others, from what an exchange costs me: every so many turns that exchanges take
/// a small share of the time between them, but never more turns than `most`. A turn is one iteration, say. The clock is that of the
/// rank: seconds that pass, or simulated ones. Medians of some exchanges, so that a rank that is paused once does not mislead it.
/// Source  paper 5, section 6.3: first find the rate of communication that is worth while (its N, there for iterations in step)
class Pace {
 public:
  /// share: of the time between exchanges that one may take
  /// Errors  none; most < 1 counts as 1
  Pace(Rank& rank, std::int64_t most, double share);

  /// Once a turn: is an exchange due?
  bool is_due() { return ++turns_ >= period_; }
  /// One exchange, timed.
  template <class F>
  void exchange(F&& f) {
    const double begin = rank_.now();
    f();
    note(begin, rank_.now());
  }
  /// Turns between two exchanges, as of now.
  std::int64_t period() const { return period_; }

 private:
  static constexpr std::size_t window = 16;  ///< exchanges after which the period is set anew
  void note(double begin, double end);

  Rank& rank_;
  std::int64_t most_;
  double share_;
  std::int64_t period_ = 1;
  std::int64_t turns_ = 0;  ///< since the last exchange
  double last_end_ = -1;    ///< of the last exchange; below 0: there was none
  std::size_t noted_ = 0;
  std::array<double, window> exchange_s_{}, turn_s_{};
};

}  // namespace overlapack::comm
