#pragma once
/// BSP2D: matrices between the processes of a grid, in supersteps (docs/bsp.md has the cost of each call).
///
///   overlapack::bsp::run({.ranks = 4}, [](overlapack::bsp::World& world) {
///     overlapack::bsp::Grid grid(world, 2, 2);
///     std::vector<double> A(6, world.process());
///     grid.send<double>(0, grid.col(), {A.data(), 3, 2, 3});       // to the first of my process column
///     grid.sync();
///     if (grid.row() == 0) grid.receive<double>(1, grid.col(), {A.data(), 3, 2, 3});
///     grid.broadcast<double>(overlapack::bsp::Scope::row, 0, {A.data(), 3, 2, 3});
///   });
#include "overlapack/bsp.hpp"
#include "overlapack/scalar.hpp"

#include <memory>

namespace overlapack::bsp {

/// The members of a collective: the process row, the process column, or all processes (numbered column by column).
enum class Scope : std::uint8_t { row, column, all };

/// How Grid::reduce combines entries.
enum class Reduction : std::uint8_t { sum, largest, smallest };

/// A view of the caller's column-major matrix: entry (i, j) is data[i + j * ld].
template <class T>
struct Block {
  T* data = nullptr;
  Index rows = 0, cols = 0, ld = 0;
};

/// Arranges the processes 0, 1, ... of a world as a grid, column by column, and moves matrices between them. T is float, double, a
/// complex type of these, or Index. While the grid lives, the world's queue and tags belong to it; areas, puts and gets stay the
/// caller's. Misuse is an Error with Status::internal that names the processes. Examples are a receive without a send, a receive of
/// another type or size, and a send before a collective in the same superstep.
class OVERLAPACK_API Grid {
 public:
  /// Sync    one superstep
  /// Errors  BadPlan unless rows cols is the number of processes
  Grid(World& world, int rows, int cols);
  ~Grid();
  Grid(const Grid&) = delete;
  Grid& operator=(const Grid&) = delete;

  int rows() const;
  int cols() const;
  int row() const;
  int col() const;

  /// Send A to the process (row, col). A is copied now and can be received after the next sync.
  template <class T>
  void send(int row, int col, Block<const T> A);
  /// Receive the next matrix that process (row, col) sent to this one before the last sync, in the order of sending. The next sync drops
  /// matrices that were not received.
  template <class T>
  void receive(int row, int col, Block<T> A);
  /// End the superstep, on all processes.
  void sync();

  // Collectives: all processes of the grid call them. The size of A may differ between scopes. They take 0, 1 or 2 supersteps for
  // scopes of 1, 2 or more processes.
  /// A of every process in the scope <- A of the process at position `root`. The position is the column in a process row, the row in a
  /// process column.
  template <class T>
  void broadcast(Scope scope, int root, Block<T> A);
  /// A of every process in the scope <- the sum (largest, smallest) of their matrices, entry by entry.
  /// Errors  BadPlan for the largest or smallest of complex numbers
  template <class T>
  void reduce(Scope scope, Reduction reduction, Block<T> A);

 private:
  struct Inside;
  std::unique_ptr<Inside> inside_;
};

}  // namespace overlapack::bsp
