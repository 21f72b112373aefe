#pragma once
#include <chrono>

namespace bench {

/// The ranks that run a driver together, and what they tell each other; one alone unless overridden.
class Ranks {
 public:
  virtual ~Ranks() = default;
  virtual bool is_root() const { return true; }
  virtual void synchronise() {}
  virtual double sum_over_ranks(double value) { return value; }
  virtual double broadcast_from_root(double value) { return value; }
};

/// Seconds that `work` takes.
template <class Work>
double seconds(Work&& work) {
  const auto begin = std::chrono::steady_clock::now();
  work();
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
}

}  // namespace bench
