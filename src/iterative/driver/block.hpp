#pragma once
#include "base/large_memory.hpp"
#include "comm/rank.hpp"
#include "kernels/product/cost.hpp"

#include <algorithm>
#include <cmath>
#include <span>
#include <vector>

namespace overlapack::iterative {

/// A rank with which this one exchanges values.
struct Neighbour {
  int rank = 0;
  std::size_t out = 0;  ///< number of my values sent to it
  std::size_t in = 0;   ///< number of its values received
};

/// One rank's rows of A x = b, and the local step of the iteration on them (Jacobi's sweep, or solves with blocks). The driver
/// (iterate.hpp) knows an iteration only through this interface. A *state* is a vector of state_size() numbers: my unknowns, the
/// halo (copies of the neighbours' unknowns that I need), and further private values.
template <class T>
class Block {
 public:
  virtual ~Block() = default;

  virtual Index unknowns() const = 0;
  virtual std::size_t state_size() const = 0;
  /// The start vector, in my unknowns and in the halo.
  virtual void start(T* x) const = 0;
  virtual std::span<const Neighbour> neighbours() const = 0;

  /// message <- what neighbour k needs of x.  Shapes  message: neighbours()[k].out
  virtual void pack(const T* x, std::size_t k, T* message) const = 0;
  /// The halo of x <- what neighbour k sent.  Shapes  message: neighbours()[k].in
  virtual void unpack(const T* message, std::size_t k, T* x) const = 0;
  /// message <- the halo of x that neighbour k fills; the inverse of unpack.
  virtual void read_halo(const T* x, std::size_t k, T* message) const = 0;

  /// My unknowns of next <- one local step from x with its present halo. It sends nothing to other blocks, but polls.
  virtual void step(comm::Rank& rank, const T* x, T* next) const = 0;

  /// Whether a second step with the same halo gives the same unknowns as the first one.
  virtual bool is_solved_by_one_step() const { return false; }

  /// Most steps that are useful with one halo: about as many as a change of the halo takes to reach all my unknowns.
  virtual Index steps_of_a_halo() const { return 1; }

  /// ||b - A x||_2^2 over my rows, with x's present halo.
  virtual double residual(const T* x) const = 0;
  virtual kernels::Cost residual_cost() const = 0;
  /// ||b||_2^2 over my rows.
  virtual double source() const = 0;
};

/// A block of a matrix that rank 0 has distributed.
template <class T>
class DistributedBlock : public Block<T> {
 public:
  /// Distributes the right-hand side b: n numbers on rank 0.  Collective.
  virtual void distribute_source(comm::Rank& rank, const T* b) = 0;
  /// Most right-hand sides (columns) that distribute_sources takes at once.
  virtual Index most_columns() const { return 1; }
  /// Distributes several right-hand sides at once. A state then holds the columns of an unknown side by side, residual() is the
  /// sum over the columns of ||b_k - A x_k||^2 / norm_k^2, and source() is 1 over all ranks.
  /// Shapes  b: n x columns, on rank 0; norms: by column, on rank 0, the norm with which its residual is compared (0 counts as 1)
  /// Sync    collective
  /// Errors  Internal above most_columns()
  virtual void distribute_sources(comm::Rank&, const T*, std::span<const double>, Index) {
    throw Error(Status::internal, "these blocks take one right-hand side after the other");
  }
  /// Gathers the unknowns on rank 0: returns all n there (of each column), nothing elsewhere.  Collective.
  virtual std::vector<T> gather_on_root(comm::Rank& rank, std::span<const T> x) const = 0;
  /// Number of steps so far of iterative solvers inside local steps.
  virtual Index inner_steps() const { return 0; }
};

/// A block whose local step is Jacobi's: x <- D^-1 (b - (L + U) x), A = D + L + U. A step is cut into slices, some of which waiting
/// ranks and workers of this process may compute: with one process a node, threads share the node's unknowns, and channels
/// connect the nodes.
template <class T, class Base = Block<T>>
class SweepBlock : public Base {
 public:
  /// next <- D^-1 (b - (L + U) x) for slice number `slice` of `slices` slices of my unknowns, independent of the others.
  virtual void sweep(const T* x, T* next, std::size_t slice, std::size_t slices) const = 0;
  /// Approximate milliseconds of a sweep, by which it is cut into slices.
  virtual double sweep_ms() const = 0;
  virtual kernels::Cost sweep_cost() const = 0;

  /// Cut sweeps into this many slices; 0: slices of about 1 ms, or 0.1 ms if the process has workers.
  void cut_into(std::size_t slices) { slices_ = slices; }
  std::size_t slices(const comm::Rank& rank) const {
    if (slices_ > 0) return slices_;
    const double slice_ms = rank.capabilities().workers > 0 ? 0.1 : 1;
    const double most = std::max(1.0, static_cast<double>(this->unknowns()));
    return static_cast<std::size_t>(std::clamp(std::ceil(sweep_ms() / slice_ms), 1.0, most));
  }
  void step(comm::Rank& rank, const T* x, T* next) const override {
    const kernels::Cost cost = sweep_cost();
    const std::size_t count = slices(rank);
    rank.run_slices({.kind = "sweep", .flops = cost.flops, .bytes = cost.bytes, .m = this->unknowns()}, count,
                    [&](std::size_t slice) { sweep(x, next, slice, count); });
  }
  /// Unknowns / halo, rounded up: K / 6 for K^3 unknowns and 6 faces (paper 5's best N for K = 50 is 32).
  Index steps_of_a_halo() const override {
    Index halo = 0;
    for (const Neighbour& n : this->neighbours()) halo += static_cast<Index>(n.in);
    return halo > 0 ? (this->unknowns() + halo - 1) / halo : 1;
  }
  kernels::Cost residual_cost() const override { return sweep_cost(); }

 private:
  std::size_t slices_ = 0;
};

template <class T>
using State = LargeVector<T>;

}  // namespace overlapack::iterative
