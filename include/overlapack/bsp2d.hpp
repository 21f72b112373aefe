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

/// Members of a collective: the process row, the process column, or all (column by column).
enum class Scope : std::uint8_t { row, column, all };

enum class Reduction : std::uint8_t { sum, largest, smallest };

/// A column-major matrix of the caller's: entry (i, j) is data[i + j * ld].
template <class T>
struct Block {
  T* data = nullptr;
  Index rows = 0, cols = 0, ld = 0;
};

/// The processes 0, 1, ... of a world as a grid, column by column. T is float, double, a complex of them, or Index. The world's
/// queue and tags belong to the grid while it lives; areas, puts and gets stay the caller's.
/// Misuse is an Error of the kind Internal that names the processes. Examples are a receive without a send, a receive of another
/// type or size, and a send before a collective.
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

  /// A is copied now.
  template <class T>
  void send(int row, int col, Block<const T> A);
  /// Receive the next matrix that this process sent before the last sync, in the order of sending. Matrices that are not received
  /// before the next sync are dropped.
  template <class T>
  void receive(int row, int col, Block<T> A);
  void sync();

  /// Collectives: all processes of the grid call them, each with its own size if it likes. They take 0, 1 and 2 supersteps for
  /// scopes of 1, 2 and more processes.
  /// A of all in the scope <- A of the one at position `root`: process rows by column, columns by row.
  template <class T>
  void broadcast(Scope scope, int root, Block<T> A);
  /// A of all in the scope <- the sum of A of all, entry by entry. The largest and the smallest of complex numbers are BadPlan.
  template <class T>
  void reduce(Scope scope, Reduction reduction, Block<T> A);

 private:
  struct Inside;
  std::unique_ptr<Inside> inside_;
};

}  // namespace overlapack::bsp
