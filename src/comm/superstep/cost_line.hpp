#pragma once
#include <algorithm>

namespace overlapack::comm::superstep {

/// The line g h + l through times of supersteps, by least squares with g and l no less than 0, as times are: a line that noise has
/// tilted below 0 becomes the best one through 0, or a level one.
/// Source  paper 4, section 3, where g and l are measured in the program
class CostLine {
 public:
  /// Another superstep, of h words.
  void add(double h, double seconds) {
    ++n_;
    h_ += h;
    s_ += seconds;
    hh_ += h * h;
    hs_ += h * seconds;
  }
  /// g: 0 where all had the same h.
  double word_s() const {
    const double spread = n_ * hh_ - h_ * h_, tilt = n_ * hs_ - h_ * s_;
    if (spread <= 0 || tilt <= 0) return 0;
    return std::min(tilt / spread, hs_ / hh_);  // the second one through 0
  }
  /// l
  double synchronisation_s() const { return n_ > 0 ? std::max(0.0, (s_ - word_s() * h_) / n_) : 0; }
  /// Did the line come out of the times as they are?
  bool is_as_measured() const { return n_ * hs_ >= h_ * s_ && hs_ * h_ <= s_ * hh_; }

 private:
  double n_ = 0, h_ = 0, s_ = 0, hh_ = 0, hs_ = 0;
};

}  // namespace overlapack::comm::superstep
