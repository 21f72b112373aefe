#pragma once

namespace overlapack {

/// The larger of two numbers, NaN if one of them is: a functor for reductions, like std::plus<>.
struct Larger {
  template <class V>
  constexpr V operator()(const V& a, const V& b) const {
    return a >= b || a != a ? a : b;
  }
};

}  // namespace overlapack
