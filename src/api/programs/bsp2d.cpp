#include "overlapack/bsp2d.hpp"

#include "base/instantiate.hpp"
#include "dist/bsp2d/bsp2d.hpp"

#include <algorithm>
#include <functional>

namespace overlapack::bsp {
namespace {

dist::Scope inner_scope(Scope scope) { return static_cast<dist::Scope>(scope); }

template <class T>
MatrixView<T> view_of(Block<T> block) {
  return {block.data, block.rows, block.cols, block.ld};
}

dist::ProcessGrid grid_over(const comm::superstep::World& world, int rows, int cols) {
  if (rows < 1 || cols < 1 || rows * cols != world.processes())
    throw Error(Status::bad_plan, "a grid of " + std::to_string(rows) + " x " + std::to_string(cols) +
                                      " is not made of " + std::to_string(world.processes()) +
                                      " processes; give rows and columns whose product is");
  return {rows, cols, GridOrder::column_major, world.processes()};
}

}  // namespace

struct Grid::Inside {
  Inside(comm::superstep::World& world, int rows, int cols)
      : grid(grid_over(world, rows, cols)), bsp(world, grid) {}
  dist::ProcessGrid grid;
  dist::Bsp2d bsp;
};

Grid::Grid(World& world, int rows, int cols) : inside_(std::make_unique<Inside>(world.world_, rows, cols)) {}
Grid::~Grid() = default;

int Grid::rows() const { return inside_->grid.rows(); }
int Grid::cols() const { return inside_->grid.cols(); }
int Grid::row() const { return inside_->bsp.me().row; }
int Grid::col() const { return inside_->bsp.me().col; }
void Grid::sync() { inside_->bsp.sync(); }

template <class T>
void Grid::send(int row, int col, Block<const T> A) {
  inside_->bsp.send<T>({row, col}, view_of(A));
}

template <class T>
void Grid::receive(int row, int col, Block<T> A) {
  inside_->bsp.receive<T>({row, col}, view_of(A));
}

template <class T>
void Grid::broadcast(Scope scope, int root, Block<T> A) {
  inside_->bsp.broadcast<T>(inner_scope(scope), root, view_of(A));
}

template <class T>
void Grid::reduce(Scope scope, Reduction reduction, Block<T> A) {
  if (reduction == Reduction::sum)
    return inside_->bsp.reduce<T>(inner_scope(scope), view_of(A), std::plus<>());
  if constexpr (std::is_arithmetic_v<T>) {
    const bool is_largest = reduction == Reduction::largest;
    inside_->bsp.reduce<T>(inner_scope(scope), view_of(A), [&](const T& a, const T& b) {
      return is_largest ? std::max(a, b) : std::min(a, b);
    });
  } else {
    throw Error(Status::bad_plan, "complex numbers have no largest and no smallest; reduce their magnitudes");
  }
}

#define OVERLAPACK_INSTANTIATE(T)                         \
  template void Grid::send<T>(int, int, Block<const T>);  \
  template void Grid::receive<T>(int, int, Block<T>);     \
  template void Grid::broadcast<T>(Scope, int, Block<T>); \
  template void Grid::reduce<T>(Scope, Reduction, Block<T>);
OVERLAPACK_FOR_EACH_SCALAR(OVERLAPACK_INSTANTIATE)
OVERLAPACK_INSTANTIATE(Index)
#undef OVERLAPACK_INSTANTIATE

}  // namespace overlapack::bsp
