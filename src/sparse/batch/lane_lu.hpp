#pragma once
#include "base/large_memory.hpp"
#include "kernels/product/gemm.hpp"
#include "sparse/batch/lanes.hpp"
#include "sparse/batch/pattern_lu.hpp"

#include <array>
#include <span>
#include <vector>

namespace overlapack::sparse::batch {

/// Which lanes something holds for.
using LaneMask = std::array<bool, static_cast<std::size_t>(lanes)>;

/// LU of `lanes` matrices of one pattern, column by column, each number of all of them at once: positions are looked up once for
/// all. Pivots are those of the pattern; each is tested in each lane, and a lane where one fails has no factors.
template <class T>
class LaneLu {
 public:
  explicit LaneLu(const PatternLu& pattern) : pattern_(&pattern) {}

  /// values(lane): its entries in the order of A's, or empty: that lane is not wanted.
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
  /// r <- b - op(A) x; returns the largest |r_i| / (|A| |x| + |b|)_i of each lane, NaN where something is not finite.
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
  LargeVector<Lanes<T>> lower_, upper_, inverse_;  ///< of L and U; of the diagonal
  LaneMask passed_{};
};

}  // namespace overlapack::sparse::batch
