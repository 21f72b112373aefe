#pragma once
#include "base/large_memory.hpp"
#include "kernels/product/gemm.hpp"
#include "sparse/batch/lanes.hpp"
#include "sparse/batch/pattern_lu.hpp"

#include <array>
#include <span>
#include <vector>

namespace overlapack::sparse::batch {

/// Lane -> does something hold for its system?
using LaneMask = std::array<bool, static_cast<std::size_t>(lanes)>;

/// LU of `lanes` matrices of one pattern, column by column. Each operation is on a number of all matrices at
/// once (SIMD), and positions are looked up once for all. The pivots are those on the diagonal of PatternLu.
/// Each is tested in each lane, and a lane in which one fails has no factors: the caller factorises that
/// system by itself.
template <class T>
class LaneLu {
 public:
  explicit LaneLu(const PatternLu& pattern) : pattern_(&pattern) {}

  /// values(lane): the entries of its matrix in the order of A's; empty: the lane is not used
  /// threshold: a pivot is at least this x the largest entry of its column
  template <class Values>
  void factorize(Values&& values, double threshold) {
    const std::size_t count = pattern_->row.size();
    entries_.resize(count);
    std::array<std::span<const T>, static_cast<std::size_t>(lanes)> of_lane;
    std::vector<T> zeros;
    for (std::size_t l = 0; l < of_lane.size(); ++l) {
      of_lane[l] = values(static_cast<Index>(l));
      passed_[l] = !of_lane[l].empty() || pattern_->n == 0;
      if (passed_[l]) continue;
      zeros.resize(count);
      of_lane[l] = zeros;
    }
    for (std::size_t p = 0; p < count; ++p)
      for (std::size_t l = 0; l < of_lane.size(); ++l) entries_[p].of[l] = of_lane[l][p];
    eliminate(threshold);
  }
  /// Lanes that have factors.
  const LaneMask& passed_lanes() const { return passed_; }
  double bytes() const {
    return static_cast<double>(sizeof(Lanes<T>)) *
           static_cast<double>(entries_.size() + lower_.size() + upper_.size() + inverse_.size());
  }

  /// x <- op(A)^{-1} x
  void substitute(kernels::Op op, LargeVector<Lanes<T>>& x, LargeVector<Lanes<T>>& room) const;
  /// r <- b - op(A) x. Returns the componentwise backward error of each lane, the largest |r_i| / (|op(A)|
  /// |x| + |b|)_i; NaN if something is not finite.
  Lanes<double> residual(kernels::Op op, const LargeVector<Lanes<T>>& b, const LargeVector<Lanes<T>>& x,
                         LargeVector<Lanes<T>>& r, LargeVector<Lanes<Real<T>>>& weight) const;

 private:
  void eliminate(double threshold);
  void forward(LargeVector<Lanes<T>>& y) const;
  void backward(LargeVector<Lanes<T>>& y) const;
  template <bool is_conjugated>
  void forward_transposed(LargeVector<Lanes<T>>& y) const;
  template <bool is_conjugated>
  void backward_transposed(LargeVector<Lanes<T>>& y) const;

  const PatternLu* pattern_;
  LargeVector<Lanes<T>> entries_;                  ///< of A
  LargeVector<Lanes<T>> lower_, upper_, inverse_;  ///< L; U above its diagonal; inverses of U's diagonal
  LaneMask passed_{};
};

}  // namespace overlapack::sparse::batch
