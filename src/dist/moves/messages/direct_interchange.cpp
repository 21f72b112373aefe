#include "dist/moves/messages/direct_interchange.hpp"

#include "base/instantiate.hpp"
#include "kernels/update/rows.hpp"

#include <numeric>

namespace overlapack::dist {

template <class T>
DirectInterchange<T>::DirectInterchange(comm::Exchange& exchange, const MovedRows<T>& rows,
                                        MatrixView<T> also, const comm::Key& key)
    : exchange_(exchange),
      column_(rows.A.grid->column_group(rows.A.me)),
      columns_(rows.columns()),
      also_(also) {
  const DistributedMatrix<T>& A = rows.A;
  const RowMoves& moves = rows.moves;
  const Index begin = A.first_row({moves.first}), end = A.first_row({moves.first + moves.count});
  if (end - begin == moves.count) block_ = columns_.block(begin, 0, moves.count, columns_.cols);
  if (columns_.cols + also.cols == 0) return;
  rows_ = row_exchange(moves, A.rows, column_.me);
  arrived_.resize(rows_.from.size());
  std::vector<comm::Body> bodies = move_own_rows();
  for (std::size_t position = 0; position < bodies.size(); ++position) {
    if (static_cast<int>(position) == column_.me) continue;
    if (!rows_.from[position].empty())
      exchange_.send(column_.ranks[position], key, std::move(bodies[position]));
    if (!rows_.to[position].empty()) store_rows_when_here(position, key);
  }
}

/// Pack the rows for other processes, then move the rows that stay here.
template <class T>
std::vector<comm::Body> DirectInterchange<T>::move_own_rows() {
  const auto me = static_cast<std::size_t>(column_.me);
  const std::size_t rows =
      std::accumulate(rows_.from.begin(), rows_.from.end(), std::size_t{0},
                      [](std::size_t sum, const auto& some) { return sum + some.size(); });
  const double words = static_cast<double>(rows) * static_cast<double>(columns_.cols + also_.cols);
  std::vector<comm::Body> bodies(rows_.from.size());
  const char* const kind = rows_.from[me].empty() ? "pack" : "swap";
  exchange_.rank().compute({.kind = kind, .bytes = 2 * words * sizeof(T)}, [&] {
    for (std::size_t to = 0; to < bodies.size(); ++to)
      if (to != me) bodies[to] = packed(rows_.from[to]);
    kernels::move_rows(rows_.to[me], rows_.from[me], columns_);
    kernels::move_rows(rows_.to[me], rows_.from[me], also_);
  });
  if (exchange_.rank().capabilities().is_phantom)
    for (std::size_t to = 0; to < bodies.size(); ++to)
      bodies[to] = comm::Body::phantom(rows_.from[to].size() *
                                       static_cast<std::size_t>(columns_.cols + also_.cols) * sizeof(T));
  return bodies;
}

/// The given local rows of columns_, then those of also_, as a message.
template <class T>
comm::Body DirectInterchange<T>::packed(const std::vector<Index>& rows) const {
  const Index m = static_cast<Index>(rows.size()), n = columns_.cols, more = also_.cols;
  std::vector<T> values(static_cast<std::size_t>(m * (n + more)));
  kernels::gather_rows<T>(columns_, rows, {values.data(), m, n, m});
  kernels::gather_rows<T>(also_, rows, {values.data() + m * n, m, more, m});
  return comm::Body::adopt(std::move(values));
}

template <class T>
void DirectInterchange<T>::unpack(const comm::Body& body, const std::vector<Index>& rows) {
  const Index m = static_cast<Index>(rows.size()), n = columns_.cols, more = also_.cols;
  const T* values = body.template as<T>().data();
  kernels::scatter_rows<T>({values, m, n, m}, rows, columns_);
  kernels::scatter_rows<T>({values + m * n, m, more, m}, rows, also_);
}

template <class T>
void DirectInterchange<T>::store_rows_when_here(std::size_t from, const comm::Key& key) {
  ++missing_;
  exchange_.call_when_arrived(column_.ranks[from], key, [this, from](comm::Message&& message) {
    arrived_[from] = std::move(message.body);
    --missing_;
  });
}

template <class T>
MatrixView<T> DirectInterchange<T>::finish() {
  exchange_.wait_until([this] { return missing_ == 0; });
  std::size_t bytes = 0;
  for (const comm::Body& body : arrived_) bytes += body.size();
  if (bytes == 0) return block_;
  exchange_.rank().compute({.kind = "pack", .bytes = 2 * static_cast<double>(bytes)}, [&] {
    for (std::size_t from = 0; from < arrived_.size(); ++from)
      if (!arrived_[from].empty()) unpack(arrived_[from], rows_.to[from]);
  });
  return block_;
}

OVERLAPACK_INSTANTIATE_CLASS(DirectInterchange);

}  // namespace overlapack::dist
