#include "sparse/batch/lane_lu.hpp"

#include "base/instantiate.hpp"
#include "kernels/small/dispatch.hpp"

#include <algorithm>
#include <complex>
#include <limits>

namespace overlapack::sparse::batch {
namespace {

static_assert(lanes == kernels::small::systems_together);

kernels::small::SystemColumns lower_columns(const PatternLu& p) {
  return {p.lower_start.data(), p.lower_row.data()};
}
kernels::small::SystemColumns upper_columns(const PatternLu& p) {
  return {p.upper_start.data(), p.upper_row.data()};
}

template <class T>
T* numbers(LargeVector<Lanes<T>>& of) {
  return reinterpret_cast<T*>(of.data());
}
template <class T>
const T* numbers(const LargeVector<Lanes<T>>& of) {
  return reinterpret_cast<const T*>(of.data());
}

}  // namespace

/// Left-looking: from column j of B the columns of L are subtracted that the rows of U's column j name.
template <class T>
void LaneLu<T>::eliminate(double threshold) {
  const PatternLu& p = *pattern_;
  lower_.resize(p.lower_row.size());
  upper_.resize(p.upper_row.size());
  inverse_.resize(static_cast<std::size_t>(p.n));
  LargeVector<Lanes<T>> x(static_cast<std::size_t>(p.n), Lanes<T>{});
  for (std::size_t j = 0; j < static_cast<std::size_t>(p.n); ++j) {
    const auto c = static_cast<std::size_t>(p.column_of[j]);
    for (Index e = p.start[c]; e < p.start[c + 1]; ++e) {
      const auto at = static_cast<std::size_t>(e);
      const auto scale =
          static_cast<Real<T>>(p.row_scale[static_cast<std::size_t>(p.row[at])] * p.col_scale[c]);
      Lanes<T>& to = x[static_cast<std::size_t>(p.in_b[at])];
      for (Index l = 0; l < lanes; ++l) to[l] = entries_[at][l] * scale;
    }
    const std::int32_t u = p.upper_start[j];
    kernels::small::kernels<T>().systems_eliminate(p.upper_start[j + 1] - u, p.upper_row.data() + u,
                                                   lower_columns(p), numbers(lower_),
                                                   numbers(upper_) + lanes * u, numbers(x));
    Lanes<Real<T>> largest;
    const Lanes<T> pivot = std::exchange(x[j], Lanes<T>{});
    update_largest(largest, pivot);
    for (std::int32_t q = p.lower_start[j]; q < p.lower_start[j + 1]; ++q)
      update_largest(largest, x[static_cast<std::size_t>(p.lower_row[static_cast<std::size_t>(q)])]);
    Lanes<T>& inverse = inverse_[j];
    for (Index l = 0; l < lanes; ++l) {
      const Real<T> size = std::abs(pivot[l]);
      const bool passes = size >= static_cast<Real<T>>(threshold) * largest[l] &&
                          size >= std::numeric_limits<Real<T>>::min() &&
                          largest[l] <= std::numeric_limits<Real<T>>::max();
      passed_[static_cast<std::size_t>(l)] = passed_[static_cast<std::size_t>(l)] && passes;
      inverse[l] = passes ? T(1) / pivot[l] : T(0);
    }
    for (std::int32_t q = p.lower_start[j]; q < p.lower_start[j + 1]; ++q) {
      Lanes<T>& to = lower_[static_cast<std::size_t>(q)];
      to = std::exchange(x[static_cast<std::size_t>(p.lower_row[static_cast<std::size_t>(q)])], Lanes<T>{});
      multiply(to, inverse);
    }
  }
}

/// y <- L^{-1} y
template <class T>
void LaneLu<T>::forward(LargeVector<Lanes<T>>& y) const {
  kernels::small::kernels<T>().systems_forward(pattern_->n, lower_columns(*pattern_), numbers(lower_),
                                               numbers(y));
}

/// y <- U^{-1} y
template <class T>
void LaneLu<T>::backward(LargeVector<Lanes<T>>& y) const {
  kernels::small::kernels<T>().systems_backward(pattern_->n, upper_columns(*pattern_), numbers(upper_),
                                                numbers(inverse_), numbers(y));
}

/// y <- U^{-T} y, or U^{-H} y
template <class T>
template <bool is_conjugated>
void LaneLu<T>::forward_transposed(LargeVector<Lanes<T>>& y) const {
  const PatternLu& p = *pattern_;
  const auto own = [](const Lanes<T>& a) { return is_conjugated ? conjugated(a) : a; };
  for (std::size_t j = 0; j < y.size(); ++j) {
    for (std::int32_t u = p.upper_start[j]; u < p.upper_start[j + 1]; ++u)
      subtract(y[j], own(upper_[static_cast<std::size_t>(u)]),
               y[static_cast<std::size_t>(p.upper_row[static_cast<std::size_t>(u)])]);
    multiply(y[j], own(inverse_[j]));
  }
}

/// y <- L^{-T} y, or L^{-H} y
template <class T>
template <bool is_conjugated>
void LaneLu<T>::backward_transposed(LargeVector<Lanes<T>>& y) const {
  const PatternLu& p = *pattern_;
  const auto own = [](const Lanes<T>& a) { return is_conjugated ? conjugated(a) : a; };
  for (std::size_t j = y.size(); j-- > 0;)
    for (std::int32_t q = p.lower_start[j]; q < p.lower_start[j + 1]; ++q)
      subtract(y[j], own(lower_[static_cast<std::size_t>(q)]),
               y[static_cast<std::size_t>(p.lower_row[static_cast<std::size_t>(q)])]);
}

/// A = P^T Dr^{-1} L U Dc^{-1} Q^T: permutes and scales x, solves with two triangles, scales and permutes
/// back.
template <class T>
void LaneLu<T>::substitute(kernels::Op op, LargeVector<Lanes<T>>& x, LargeVector<Lanes<T>>& room) const {
  const PatternLu& p = *pattern_;
  const bool is_transposed = op != kernels::Op::none;
  const std::vector<std::int32_t>& from = is_transposed ? p.column_of : p.row_of;
  const std::vector<std::int32_t>& to = is_transposed ? p.row_of : p.column_of;
  const std::vector<double>& before = is_transposed ? p.col_scale : p.row_scale;
  const std::vector<double>& behind = is_transposed ? p.row_scale : p.col_scale;
  room.resize(x.size());
  const auto scaled = [](Lanes<T> value, double scale) {
    for (Index l = 0; l < lanes; ++l) value[l] *= static_cast<Real<T>>(scale);
    return value;
  };
  for (std::size_t i = 0; i < x.size(); ++i) {
    const auto there = static_cast<std::size_t>(from[i]);
    room[i] = scaled(x[there], before[there]);
  }
  if (op == kernels::Op::none)
    forward(room), backward(room);
  else if (op == kernels::Op::trans)
    forward_transposed<false>(room), backward_transposed<false>(room);
  else
    forward_transposed<true>(room), backward_transposed<true>(room);
  for (std::size_t i = 0; i < x.size(); ++i) {
    const auto there = static_cast<std::size_t>(to[i]);
    x[there] = scaled(room[i], behind[there]);
  }
}

template <class T>
Lanes<double> LaneLu<T>::residual(kernels::Op op, const LargeVector<Lanes<T>>& b,
                                  const LargeVector<Lanes<T>>& x, LargeVector<Lanes<T>>& r,
                                  LargeVector<Lanes<Real<T>>>& weight) const {
  const PatternLu& p = *pattern_;
  r.assign(b.begin(), b.end());
  weight.resize(b.size());
  for (std::size_t i = 0; i < b.size(); ++i)
    for (Index l = 0; l < lanes; ++l) weight[i][l] = std::abs(b[i][l]);
  const bool is_transposed = op != kernels::Op::none, is_conjugated = op == kernels::Op::conj_trans;
  for (std::size_t c = 0; c + 1 < p.start.size(); ++c)
    for (Index e = p.start[c]; e < p.start[c + 1]; ++e) {
      const auto at = static_cast<std::size_t>(e), i = static_cast<std::size_t>(p.row[at]);
      const std::size_t to = is_transposed ? c : i, from = is_transposed ? i : c;
      const Lanes<T> a = is_conjugated ? conjugated(entries_[at]) : entries_[at];
      subtract(r[to], a, x[from]);
      add_sizes(weight[to], a, x[from]);
    }
  Lanes<double> worst;
  for (std::size_t i = 0; i < r.size(); ++i)
    for (Index l = 0; l < lanes; ++l) {
      const double size = std::abs(r[i][l]), share = size == 0 ? 0 : size / static_cast<double>(weight[i][l]);
      if (!(share <= worst[l])) worst[l] = share;  // keeps NaN
    }
  return worst;
}

OVERLAPACK_INSTANTIATE_CLASS(LaneLu);

}  // namespace overlapack::sparse::batch
