#pragma once
#include <algorithm>

namespace overlapack::comm::superstep {

/// Least-squares fit of the line g h + l to the times of supersteps, under g >= 0 and l >= 0. If noise makes l negative, the fit is the
/// best line through 0; if noise makes g negative, it is a level line.
/// Source  paper 4, section 3, where g and l are measured in the program
class CostLine {
 public:
  /// Add a superstep of h words.
  void add(double h, double seconds) {
    ++n_;
    h_ += h;
    s_ += seconds;
    hh_ += h * h;
    hs_ += h * seconds;
  }
  /// g in seconds a word; 0 if all supersteps had the same h.
  double word_s() const {
    const double spread = n_ * hh_ - h_ * h_, tilt = n_ * hs_ - h_ * s_;
    if (spread <= 0 || tilt <= 0) return 0;
    return std::min(tilt / spread, hs_ / hh_);  // the second is the slope of the best line through 0
  }
  /// l in seconds a synchronisation.
  double synchronisation_s() const { return n_ > 0 ? std::max(0.0, (s_ - word_s() * h_) / n_) : 0; }
  /// Whether the unconstrained fit already had g >= 0 and l >= 0.
  bool is_as_measured() const { return n_ * hs_ >= h_ * s_ && hs_ * h_ <= s_ * hh_; }

 private:
  double n_ = 0, h_ = 0, s_ = 0, hh_ = 0, hs_ = 0;
};

}  // namespace overlapack::comm::superstep
