#pragma once
#include "kernels/cost.hpp"

#include <span>
#include <vector>

namespace overlapack::iterative {

/// A rank that I exchange values with.
struct Neighbour {
  int rank = 0;
  std::size_t out = 0;  ///< numbers of mine that it needs
  std::size_t in = 0;   ///< numbers of its own that I need
};

/// One rank's rows of A x = b, A = D + L + U, as Jacobi's method sees them. A *state* is a vector of state_size() numbers: my
/// unknowns, the halo (copies of the neighbours' unknowns that my rows need) and whatever stays fixed.
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

  /// next <- D^-1 (b - (L + U) x) for part `slice` of my unknowns, independent of the others.
  virtual void sweep(const T* x, T* next, std::size_t slice) const = 0;
  virtual std::size_t slices() const = 0;
  virtual kernels::Cost sweep_cost() const = 0;

  /// ||b - A x||_2^2 of my rows, with the halo that x has.
  virtual double residual(const T* x) const = 0;
  /// ||b||_2^2 of my rows.
  virtual double source() const = 0;
};

template <class T>
using State = std::vector<T>;

}  // namespace overlapack::iterative
