#include "dist/moves/onesided/direct_moves.hpp"

#include "base/instantiate.hpp"
#include "comm/values.hpp"

#include <algorithm>

namespace overlapack::dist {

template <class T>
DirectMoves<T>::Line::Line(comm::onesided::Signals& signals, comm::Window& window, std::size_t offset,
                           int size, GroupRoom room)
    : broadcasts(signals, window, offset + Offers::window_bytes(size, room.sum), rounded_to_line(room.body)),
      sums(signals, window, offset, room.sum) {}

template <class T>
std::size_t DirectMoves<T>::Line::window_bytes(int size, GroupRoom room) {
  return Offers::window_bytes(size, room.sum) + 2 * rounded_to_line(room.body);
}

template <class T>
DirectMoves<T>::DirectMoves(comm::Rank& rank, const ProcessGrid& grid, DirectRoom room)
    : Moves<T>(rank, Discipline::onesided), grid_(grid) {
  // a single row or column is the grid
  if (grid.rows() == 1) room.row.body = std::max(room.row.body, room.grid.body);
  if (grid.cols() == 1) room.column.body = std::max(room.column.body, room.grid.body);
  const std::size_t row = Line::window_bytes(grid.cols(), room.row),
                    column = Line::window_bytes(grid.rows(), room.column),
                    all = Line::window_bytes(grid.size(), room.grid);
  const std::size_t bytes = grid.holds(rank.rank()) ? row + column + all : 0;
  window_ = rank.capabilities().is_phantom ? rank.make_phantom_window(bytes) : rank.make_window(bytes);
  signals_ = std::make_unique<comm::onesided::Signals>(rank, *window_);
  const auto line = [&](std::size_t offset, int size, GroupRoom of) {
    return std::make_unique<Line>(*signals_, *window_, offset, size, of);
  };
  in_row_ = line(0, grid.cols(), room.row);
  in_column_ = line(row, grid.rows(), room.column);
  in_grid_ = line(row + column, grid.size(), room.grid);
}

template <class T>
auto DirectMoves<T>::line_of(const Group& group) -> Line& {
  const Scope scope = grid_.scope_of(group);
  return scope == Scope::row ? *in_row_ : scope == Scope::column ? *in_column_ : *in_grid_;
}

template <class T>
std::unique_ptr<comm::collective::Broadcast> DirectMoves<T>::start_broadcast(const Group& group, int root,
                                                                             const Key&, std::size_t bytes,
                                                                             comm::Body body) {
  return line_of(group).broadcasts.start(group, root, bytes, std::move(body));
}

template <class T>
void DirectMoves<T>::add_up(const Group& group, int, const Key&, std::vector<T>& x) {
  if (group.size() == 1) return;
  const std::size_t bytes = x.size() * sizeof(T);
  const comm::Rank& rank = this->rank();
  const auto plus = [&](const comm::Body& a, const comm::Body& b) {
    return comm::body_of(rank, bytes, [&] {
      const auto left = a.template as<T>(), right = b.template as<T>();
      std::vector<T> sum(left.begin(), left.end());
      for (std::size_t i = 0; i < sum.size(); ++i) sum[i] += right[i];
      return comm::Body::adopt(std::move(sum));
    });
  };
  const comm::Body mine =
      comm::body_of(rank, bytes, [&] { return comm::Body::copy_of(std::span<const T>(x)); });
  const comm::Body sum = line_of(group).sums.combine(group, mine, plus);
  comm::on_values(rank, [&] {
    const auto all = sum.template as<T>();
    x.assign(all.begin(), all.end());
  });
}

template <class T>
std::vector<comm::Body> DirectMoves<T>::share(const Group& group, const Key& key,
                                              std::span<const std::size_t> bytes, comm::Body mine) {
  std::vector<comm::Body> bodies;
  for (int position = 0; position < group.size(); ++position) {
    const std::size_t size = bytes[static_cast<std::size_t>(position)];
    const comm::Body body = position == group.me ? mine : comm::Body();
    bodies.push_back(size > 0 ? start_broadcast(group, position, key, size, body)->finish() : comm::Body());
  }
  return bodies;
}

OVERLAPACK_INSTANTIATE_CLASS(DirectMoves);

}  // namespace overlapack::dist
