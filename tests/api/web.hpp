#pragma once
#include "base/random.hpp"
#include "overlapack/channels.hpp"
#include "overlapack/scalar.hpp"

#include <cmath>
#include <complex>
#include <vector>

namespace overlapack {

/// x = b + 0.2 mean of bend(my x) + 0.5 mean of bend(the neighbours' x): with |bend(s) - bend(t)| <= |s - t| a contraction by 0.7 in
/// the largest norm, so that it converges with any delays. Which ranks are neighbours, and how many unknowns they share, is random.
template <class T>
class Web final : public channels::FixedPoint<T> {
 public:
  static constexpr std::size_t own = 3;

  Web(std::uint64_t seed, int rank, int ranks) {
    for (int step = 1; step < ranks; ++step)  // in this order they could wait for each other in a ring
      if (const int other = (rank + step) % ranks; are_joined(seed, rank, other))
        neighbours_.push_back({other, shared(seed, rank, other), shared(seed, other, rank)});
    size_ = own;
    for (const channels::Neighbour& n : neighbours_) size_ += n.in;
    Random random(seed * 1000 + static_cast<std::uint64_t>(rank));
    for (std::size_t i = 0; i < own; ++i) b_.push_back(T(1 + static_cast<double>(random.below(100)) / 50));
  }

  std::size_t state_size() const override { return size_; }
  std::span<const channels::Neighbour> neighbours() const override { return neighbours_; }
  void start(std::span<T> x) const override {
    for (std::size_t i = 0; i < own; ++i) x[i] = T(0.25);
  }
  void pack(std::span<const T> x, std::size_t, std::span<T> message) const override {
    for (std::size_t i = 0; i < message.size(); ++i) message[i] = x[i];
  }
  void unpack(std::span<const T> message, std::size_t k, std::span<T> x) const override {
    for (std::size_t i = 0; i < message.size(); ++i) x[place(k) + i] = message[i];
  }
  double residual(std::span<const T> x) const override {
    std::vector<T> next(x.begin(), x.end());
    map(x, next);
    double sum = 0;
    for (std::size_t i = 0; i < own; ++i) sum += std::norm(std::complex<double>(next[i] - x[i]));
    return sum;
  }
  double source() const override {
    double sum = 0;
    for (const T value : b_) sum += std::norm(std::complex<double>(value));
    return sum;
  }
  void step(std::span<const T> x, std::span<T> next) override {
    if (before_step) before_step();
    map(x, next);
  }
  /// My unknowns of next <- the right-hand side for x.
  void map(std::span<const T> x, std::span<T> next) const {
    T mine{}, theirs{};
    for (std::size_t i = 0; i < own; ++i) mine += bend(x[i]);
    for (std::size_t i = own; i < size_; ++i) theirs += bend(x[i]);
    mine *= T(0.2 / own);
    if (size_ > own) theirs *= T(0.5 / static_cast<double>(size_ - own));
    for (std::size_t i = 0; i < own; ++i) next[i] = b_[i] + mine + theirs;
  }
  /// Where the values of neighbour k begin in a state.
  std::size_t place(std::size_t k) const {
    std::size_t at = own;
    for (std::size_t before = 0; before < k; ++before) at += neighbours_[before].in;
    return at;
  }

  std::function<void()> before_step;

 private:
  static T bend(T z) { return z / (T(1) + T(std::abs(z))); }
  static std::uint64_t below(std::uint64_t seed, int a, int b, std::uint64_t n) {
    return Random(seed + 7919 * static_cast<std::uint64_t>(a) + 104729 * static_cast<std::uint64_t>(b))
        .below(n);
  }
  static bool are_joined(std::uint64_t seed, int a, int b) {
    return std::abs(a - b) <= 1 || std::min(a, b) == 0 || below(seed, std::min(a, b), std::max(a, b), 3) == 0;
  }
  static std::size_t shared(std::uint64_t seed, int from, int to) { return below(seed, from, to, own + 1); }

  std::vector<channels::Neighbour> neighbours_;
  std::vector<T> b_;
  std::size_t size_ = 0;
};

/// A part with a residual of 1 that nothing changes.
struct Still final : channels::Part<double> {
  std::vector<channels::Neighbour> list;
  std::size_t state_size() const override { return 10; }
  std::span<const channels::Neighbour> neighbours() const override { return list; }
  void start(std::span<double>) const override {}
  void pack(std::span<const double>, std::size_t, std::span<double>) const override {}
  void unpack(std::span<const double>, std::size_t, std::span<double>) const override {}
  double residual(std::span<const double>) const override { return 1; }
};

}  // namespace overlapack
