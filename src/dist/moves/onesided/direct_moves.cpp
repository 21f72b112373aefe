#include "dist/moves/onesided/direct_moves.hpp"

#include "base/instantiate.hpp"
#include "comm/values.hpp"

#include <algorithm>

namespace overlapack::dist {

template <class T>
DirectMoves<T>::Signalled::Signalled(comm::Rank& rank, std::size_t bytes)
    : window(rank.capabilities().is_phantom ? rank.make_phantom_window(bytes) : rank.make_window(bytes)),
      signals(rank, *window) {}

template <class T>
DirectMoves<T>::Line::Line(Signalled& all, std::size_t sums_at, Signalled& ready, std::size_t bodies_at,
                           GroupRoom room)
    : broadcasts(ready.signals, *ready.window, all.signals, bodies_at, rounded_to_line(room.body),
                 OnesidedPlan().told_by_one),
      sums(all.signals, *all.window, sums_at, room.sum) {}

template <class T>
std::size_t DirectMoves<T>::Line::bodies_bytes(GroupRoom room) {
  return 2 * rounded_to_line(room.body);
}

template <class T>
DirectMoves<T>::DirectMoves(comm::Rank& rank, const ProcessGrid& grid, DirectRoom room)
    : Moves<T>(rank, Discipline::onesided), grid_(grid) {
  // on a grid of one row or one column, groups of the whole grid use the buffers of that row or column
  if (grid.rows() == 1) room.row.body = std::max(room.row.body, room.grid.body);
  if (grid.cols() == 1) room.column.body = std::max(room.column.body, room.grid.body);
  const bool is_here = grid.holds(rank.rank());
  const auto signalled = [&](std::size_t bytes) {
    return std::make_unique<Signalled>(rank, is_here ? bytes : 0);
  };
  const std::size_t row = Offers::window_bytes(grid.cols(), room.row.sum),
                    column = Offers::window_bytes(grid.rows(), room.column.sum),
                    bodies_of_row = Line::bodies_bytes(room.row);
  all_ = signalled(row + column + Offers::window_bytes(grid.size(), room.grid.sum));
  lines_ready_ = signalled(bodies_of_row + Line::bodies_bytes(room.column));
  grid_ready_ = signalled(Line::bodies_bytes(room.grid));
  in_row_ = std::make_unique<Line>(*all_, 0, *lines_ready_, 0, room.row);
  in_column_ = std::make_unique<Line>(*all_, row, *lines_ready_, bodies_of_row, room.column);
  in_grid_ = std::make_unique<Line>(*all_, row + column, *grid_ready_, 0, room.grid);
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
void DirectMoves<T>::sum_to_root(const Group& group, int, const Key&, std::vector<T>& x) {
  if (group.size() == 1) return;
  const std::size_t bytes = x.size() * sizeof(T);
  const comm::Rank& rank = this->rank();
  const auto plus = [&](const comm::Body& a, const comm::Body& b) {
    return comm::pack_body(rank, bytes, [&] {
      const auto left = a.template as<T>(), right = b.template as<T>();
      std::vector<T> sum(left.begin(), left.end());
      for (std::size_t i = 0; i < sum.size(); ++i) sum[i] += right[i];
      return comm::Body::adopt(std::move(sum));
    });
  };
  const comm::Body mine =
      comm::pack_body(rank, bytes, [&] { return comm::Body::copy_of(std::span<const T>(x)); });
  const comm::Body sum = line_of(group).sums.all_reduce(group, mine, plus);
  comm::run_unless_phantom(rank, [&] {
    const auto all = sum.template as<T>();
    x.assign(all.begin(), all.end());
  });
}

template <class T>
std::vector<comm::Body> DirectMoves<T>::all_gather(const Group& group, const Key& key,
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
