#pragma once
#include "iterative/driver/block.hpp"

#include <span>
#include <utility>
#include <vector>

namespace overlapack::iterative {

/// One unknown a rank, without neighbours, whose residuals are those of a script: first the start vector's, then one for each
/// estimate and each recorded vector. A step adds 1 to the unknown.
class ScriptedBlock final : public Block<double> {
 public:
  /// source: ||b||^2
  ScriptedBlock(std::vector<double> residuals, int ranks, double source = 1)
      : residuals_(std::move(residuals)), source_(source), ranks_(ranks) {}

  Index unknowns() const override { return 1; }
  std::size_t state_size() const override { return 1; }
  void start(double* x) const override { x[0] = 0; }
  std::span<const Neighbour> neighbours() const override { return {}; }
  void pack(const double*, std::size_t, double*) const override {}
  void unpack(const double*, std::size_t, double*) const override {}
  void read_halo(const double*, std::size_t, double*) const override {}
  void step(comm::Rank&, const double* x, double* next) const override {
    next[0] = x[0] + 1;
    ++steps_;
  }
  double residual(const double*) const override {
    const double mine = residuals_.at(asked_++);
    return mine * mine / ranks_;
  }
  kernels::Cost residual_cost() const override { return {}; }
  double source() const override { return source_ / ranks_; }

  /// Residuals that were computed so far.
  std::size_t asked() const { return asked_; }
  int steps() const { return steps_; }

 private:
  std::vector<double> residuals_;
  double source_;
  int ranks_;
  mutable std::size_t asked_ = 0;
  mutable int steps_ = 0;
};

}  // namespace overlapack::iterative
