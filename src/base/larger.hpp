#pragma once

namespace overlapack {

/// The larger of two numbers, and NaN if one of them is: for reductions, as std::plus<> is.
struct Larger {
  template <class V>
  constexpr V operator()(const V& a, const V& b) const {
    return a >= b || a != a ? a : b;
  }
};

}  // namespace overlapack
