#include "api/refine/singularity.hpp"

#include "base/instantiate.hpp"
#include "base/random.hpp"
#include "kernels/product/norm.hpp"

#include <algorithm>
#include <cmath>
#include <complex>
#include <limits>

namespace overlapack::api {
namespace {

using kernels::Op;

constexpr int most_steps = 20;
/// A step that leaves more than this share of the distance is the last one, except for the first two.
constexpr double too_slow = 0.3;

/// x / |x|, and 1 for 0.
template <class T>
T phase(const T& x) {
  const auto size = std::abs(x);
  return size > 0 ? x / size : T(1);
}

/// The iterates of both null vectors, on rank 0.
template <class T>
class NullPair {
 public:
  NullPair(Session& session, const NullProblem<T>& problem)
      : session_(session), problem_(problem), right_(problem.n), left_(problem.n) {}

  /// Returns whether to go on.
  bool start();
  bool step();
  Singularity<T> best() &&;

 private:
  struct Side {
    explicit Side(std::size_t n) : v(n), product(n), weight(n) {}
    std::vector<T> v, product;
    std::vector<Real<T>> weight;
    std::vector<Real<T>> size = {};  ///< for each entry of v: sum of the column of |op(A)| that it multiplies
  };

  bool scale(std::vector<T>& v) const;
  void multiply(Op op, Side& side) const;
  bool measure();
  void correct(Op op, Side& side, const Side& other);
  double share(const Side& side) const;
  void drop_noise(Op op, Side& side) const;
  bool rank_0_decides(bool mine) const;

  Session& session_;
  const NullProblem<T>& problem_;
  Side right_, left_;
  Singularity<T> best_;
  double last_distance_ = std::numeric_limits<double>::infinity();
  int steps_ = 0;
};

/// Rank 0's value, on every process.
template <class T>
bool NullPair<T>::rank_0_decides(bool mine) const {
  return broadcast_from_root(session_, mine ? 1 : 0) != 0;
}

/// Scale to a largest entry of 1. Returns whether v is finite, and not zero.
template <class T>
bool NullPair<T>::scale(std::vector<T>& v) const {
  const double most = kernels::largest(std::span<const T>(v));
  if (!(most > 0) || !std::isfinite(most)) return v.empty();
  for (T& number : v) number /= static_cast<Real<T>>(most);
  return true;
}

template <class T>
void NullPair<T>::multiply(Op op, Side& side) const {
  problem_.multiply(op, side.v, side.product, side.weight);
}

/// max |product| / weight
template <class T>
double NullPair<T>::share(const Side& side) const {
  double most = 0;
  for (std::size_t i = 0; i < side.v.size(); ++i) {
    const double size = std::abs(side.product[i]);
    if (size > most * static_cast<double>(side.weight[i])) most = size / static_cast<double>(side.weight[i]);
  }
  return most;
}

/// Drop small entries of a null vector, below some levels, if that lowers the share. Entries that should be zero, in a part of A that is not
/// coupled to the vector or beside two equal rows, are rounding. Rows that meet no other entries would sum only rounding.
template <class T>
void NullPair<T>::drop_noise(Op op, Side& side) const {
  constexpr Real<T> eps = std::numeric_limits<Real<T>>::epsilon();
  const Real<T> levels[] = {std::sqrt(eps), 4096 * eps, eps * std::sqrt(eps), eps * eps * std::sqrt(eps)};
  double best = share(side);
  for (const Real<T> level : levels) {
    if (!rank_0_decides(best > Singularity<T>::most_share)) return;
    Side without = side;
    Real<T> most = 0;
    for (std::size_t i = 0; i < side.v.size(); ++i) most = std::max(most, std::abs(side.v[i]) * side.size[i]);
    for (std::size_t i = 0; i < side.v.size(); ++i)
      if (std::abs(side.v[i]) * side.size[i] <= level * most) without.v[i] = T(0);
    multiply(op, without);
    const double share_without = share(without);
    if (!(share_without < best)) continue;
    side = std::move(without);
    best = share_without;
  }
}

template <class T>
bool NullPair<T>::start() {
  Random random(1);
  const auto fill = [&](std::vector<T>& v) {
    for (T& number : v) {
      number = T(static_cast<Real<T>>(0.5 + 0.5 * random.uniform()));
      if (random.below(2) == 0) number = -number;
    }
  };
  fill(left_.v), fill(right_.v);
  // weighted by sums of |A| by rows and columns, so that none dominates
  const std::vector<T> ones(problem_.n, T(1));
  problem_.multiply(Op::none, ones, right_.product, right_.weight);
  problem_.multiply(Op::conj_trans, ones, left_.product, left_.weight);
  right_.size = left_.weight, left_.size = right_.weight;
  for (const Op op : {Op::none, Op::conj_trans}) {
    Side& side = op == Op::none ? right_ : left_;
    for (std::size_t i = 0; i < side.v.size(); ++i) side.v[i] *= side.weight[i];
    // small entries stay: the solve divides them by a pivot that is smaller still, and would overflow
    if (kernels::largest(std::span<const T>(side.v)) > 1) scale(side.v);
    problem_.solve(op, side.v);
  }
  return measure();
}

/// Measure both vectors and store the best ones. Returns whether another step may give better ones.
template <class T>
bool NullPair<T>::measure() {
  const bool are_vectors = scale(right_.v) && scale(left_.v);
  if (!rank_0_decides(are_vectors)) return false;
  multiply(Op::none, right_), multiply(Op::conj_trans, left_);
  drop_noise(Op::none, right_), drop_noise(Op::conj_trans, left_);
  T product = 0;
  double sum = 0, squares = 0;
  for (std::size_t i = 0; i < problem_.n; ++i) {
    const double part = static_cast<double>(std::abs(left_.v[i])) * static_cast<double>(right_.weight[i]);
    product += conjugate(left_.v[i]) * right_.product[i];
    sum += part;
    squares += part * part;
  }
  // where w has a part only in rows in which |A| |v| is zero, no entry of A has to change
  const double distance = sum > 0 ? static_cast<double>(std::abs(product)) / sum : 0;
  const double right_share = share(right_), left_share = share(left_);
  if (right_share < best_.right_share || (right_share == best_.right_share && distance < best_.distance)) {
    best_.right = right_.v, best_.right_share = right_share;
    best_.distance = distance;
    best_.weight = sum;
    best_.rows = sum > 0 ? sum * (sum / squares) : 1;
  }
  if (left_share < best_.left_share) best_.left = left_.v, best_.left_share = left_share;
  const bool is_done = best_.is_singular() && best_.has_left();
  const bool is_slow = distance > too_slow * last_distance_;
  last_distance_ = distance;
  const bool is_far = steps_ >= 2 && is_slow && (distance > 1e4 * Singularity<T>::most_share || steps_ >= 6);
  return rank_0_decides(!is_done && !is_far && steps_ < most_steps);
}

/// Correct v towards A v = alpha s: v <- v + A^{-1} (alpha s - A v), where the correction loses its part along v.
template <class T>
void NullPair<T>::correct(Op op, Side& side, const Side& other) {
  T product = 0;
  Real<T> sum = 0;
  for (std::size_t i = 0; i < side.v.size(); ++i) {
    product += conjugate(other.v[i]) * side.product[i];
    sum += std::abs(other.v[i]) * side.weight[i];
  }
  const T alpha = sum > 0 ? product / sum : T(0);
  std::vector<T> d(side.v.size());
  for (std::size_t i = 0; i < d.size(); ++i)
    d[i] = alpha * phase(other.v[i]) * side.weight[i] - side.product[i];
  problem_.solve(op, d);
  const auto largest = std::ranges::max_element(side.v, {}, [](const T& number) { return std::abs(number); });
  if (largest == side.v.end()) return;
  const T along = d[static_cast<std::size_t>(largest - side.v.begin())] / *largest;
  for (std::size_t i = 0; i < d.size(); ++i) side.v[i] += d[i] - along * side.v[i];
}

template <class T>
bool NullPair<T>::step() {
  ++steps_;
  const Side before = right_;
  correct(Op::none, right_, left_);
  correct(Op::conj_trans, left_, before);
  return measure();
}

template <class T>
Singularity<T> NullPair<T>::best() && {
  double most = 0;
  for (std::size_t i = 0; i < best_.right.size(); ++i)
    if (const double size = std::abs(best_.right[i]); size > most)
      most = size, best_.largest = static_cast<Index>(i);
  best_.like =
      std::ranges::count_if(best_.right, [&](const T& number) { return std::abs(number) >= most / 10; });
  static_cast<Nearness&>(best_) = broadcast_from_root(session_, Nearness(best_));
  return std::move(best_);
}

}  // namespace

template <class T>
double Singularity<T>::most_distance() const {
  return std::numeric_limits<Real<T>>::epsilon() / std::sqrt(std::max(rows, 1.0));
}

template <class T>
Singularity<T> find_null_vectors(Session& session, const NullProblem<T>& problem) {
  NullPair<T> pair(session, problem);
  for (bool goes_on = pair.start(); goes_on;) goes_on = pair.step();
  return std::move(pair).best();
}

template <class T>
double error_beside_null_vector(const Singularity<T>& singularity, Transpose op, double error,
                                const RowWeights& weights, std::span<const T> x) {
  const std::vector<T>& w = op == Transpose::none ? singularity.left : singularity.right;
  double sum = 0;
  for (std::size_t i = 0; i < w.size(); ++i)
    sum += static_cast<double>(std::abs(w[i])) * (weights.meaningful[i] + weights.rounding[i]);
  return error * sum / (singularity.distance * singularity.weight * kernels::largest(x));
}

template <class T>
double range_defect(const Singularity<T>& singularity, Transpose op, std::span<const T> b) {
  const bool is_adjoint = op != Transpose::none;  // A^T x = b needs v^T b = 0, A^H x = b needs v^H b = 0
  if (!singularity.is_singular() || (!is_adjoint && !singularity.has_left())) return 0;
  const std::vector<T>& w = is_adjoint ? singularity.right : singularity.left;
  const double b_max = kernels::largest(b);
  if (!(b_max > 0)) return 0;
  T product = 0;
  double sum = 0;
  for (std::size_t i = 0; i < w.size(); ++i) {
    const T share = b[i] / static_cast<Real<T>>(b_max);
    product += (op == Transpose::trans ? w[i] : conjugate(w[i])) * share;
    sum += static_cast<double>(std::abs(w[i])) * static_cast<double>(std::abs(share));
  }
  return sum > 0 ? static_cast<double>(std::abs(product)) / sum : 0;
}

template <class T>
double rounding_of_range() {
  return std::pow(static_cast<double>(std::numeric_limits<Real<T>>::epsilon()), 0.75);
}

#define OVERLAPACK_INSTANTIATE(T)                                                                       \
  template struct Singularity<T>;                                                                       \
  template Singularity<T> find_null_vectors(Session&, const NullProblem<T>&);                           \
  template double range_defect(const Singularity<T>&, Transpose, std::span<const T>);                   \
  template double error_beside_null_vector(const Singularity<T>&, Transpose, double, const RowWeights&, \
                                           std::span<const T>);                                         \
  template double rounding_of_range<T>();
OVERLAPACK_FOR_EACH_SCALAR(OVERLAPACK_INSTANTIATE)
#undef OVERLAPACK_INSTANTIATE

}  // namespace overlapack::api
