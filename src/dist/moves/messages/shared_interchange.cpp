#include "dist/moves/messages/shared_interchange.hpp"

#include "base/instantiate.hpp"
#include "kernels/update/rows.hpp"

#include <algorithm>

namespace overlapack::dist {
namespace {

/// The parts of an interchange's key.
constexpr std::int64_t away_part = 0, gather_part = 1;

comm::Work moving(std::size_t bytes) { return {.kind = "swap", .bytes = 2 * static_cast<double>(bytes)}; }

}  // namespace

template <class T>
SharedInterchange<T>::SharedInterchange(comm::Exchange& exchange, const MovedRows<T>& rows, SwapKind kind,
                                        const comm::Key& key)
    : exchange_(exchange),
      kind_(kind),
      rows_(rows.A.rows),
      column_(rows.A.grid->column_group(rows.A.me)),
      columns_(rows.columns()),
      traffic_(row_traffic(rows.moves, rows_)),
      first_(rows.moves.first),
      count_(rows.moves.count) {
  const RowMoves& moves = rows.moves;
  if (kind == SwapKind::spread_roll) balance_rows(traffic_, count_);
  const auto me = static_cast<std::size_t>(column_.me);
  for (const Index k : traffic_.away[me]) to_.push_back(local(moves.row[static_cast<std::size_t>(k)]));
  std::vector<comm::Body> bodies;
  const std::size_t leaving = is_owner() ? moves.row.size() : 0;
  exchange_.rank().compute(moving(bytes(rows_from(me) + leaving)), [&] {
    copy_own_rows(moves);
    if (is_owner()) bodies = packed_for_all(moves);
  });
  if (is_phantom() && is_owner())
    for (std::size_t position = 0; position < traffic_.away.size(); ++position)
      bodies.push_back(comm::Body::phantom(bytes(rows_to(position))));
  gather_ = make_gather(kind, key);
  if (is_owner())
    send_displaced_rows(std::move(bodies), key);
  else
    post_displaced_rows(key);
  start_gather();
}

template <class T>
MatrixView<const T> SharedInterchange<T>::view(const comm::Body& body, std::size_t rows) const {
  const auto m = static_cast<Index>(rows);
  return {body.template as<T>().data(), m, columns_.cols, m};
}

template <class T>
void SharedInterchange<T>::copy_own_rows(const RowMoves& moves) {
  const auto me = static_cast<std::size_t>(column_.me);
  std::vector<Index> from;
  for (const Index i : traffic_.into[me]) from.push_back(local(moves.into[static_cast<std::size_t>(i)]));
  const auto rows = static_cast<Index>(rows_from(me));
  mine_.resize(static_cast<std::size_t>(rows * columns_.cols));
  kernels::gather_rows<T>(columns_, from, {mine_.data(), rows, columns_.cols, rows});
}

/// By receiver: a body with the rows that leave the block row for it, then the rows that it sends to all in the owner's place.
template <class T>
std::vector<comm::Body> SharedInterchange<T>::packed_for_all(const RowMoves& moves) const {
  std::vector<comm::Body> bodies;
  for (std::size_t position = 0; position < traffic_.away.size(); ++position) {
    std::vector<Index> from;
    for (const Index k : traffic_.away[position])
      from.push_back(local(first_ + moves.from_block[static_cast<std::size_t>(k)]));
    for (const Index i : traffic_.lent[position])
      from.push_back(local(moves.into[static_cast<std::size_t>(i)]));
    const auto rows = static_cast<Index>(from.size());
    std::vector<T> packed(static_cast<std::size_t>(rows * columns_.cols));
    kernels::gather_rows<T>(columns_, from, {packed.data(), rows, columns_.cols, rows});
    bodies.push_back(comm::Body::adopt(std::move(packed)));
  }
  return bodies;
}

template <class T>
std::unique_ptr<Gather> SharedInterchange<T>::make_gather(SwapKind kind, comm::Key key) const {
  key.part = gather_part;
  GatherGroup group{&exchange_, column_, key, {}, is_phantom()};
  for (std::size_t position = 0; position < traffic_.into.size(); ++position)
    group.bytes.push_back(bytes(rows_from(position)));
  // Phantoms replace a roll by a binary exchange: each process sends as many bytes, but in fewer messages, which simulate faster.
  if (kind == SwapKind::spread_roll && !is_phantom()) return gather_by_roll(std::move(group));
  return gather_by_binary_exchange(std::move(group));
}

template <class T>
void SharedInterchange<T>::send_displaced_rows(std::vector<comm::Body>&& bodies, comm::Key key) {
  key.part = away_part;
  for (std::size_t to = 0; to < bodies.size(); ++to)
    if (static_cast<int>(to) != traffic_.owner && !bodies[to].empty())
      exchange_.send(column_.ranks[to], key, bodies[to]);
  away_ = std::move(bodies[static_cast<std::size_t>(traffic_.owner)]);
}

template <class T>
void SharedInterchange<T>::post_displaced_rows(comm::Key key) {
  if (bytes(rows_to(static_cast<std::size_t>(column_.me))) == 0) return;
  key.part = away_part;
  is_away_here_ = false;
  const int owner = column_.ranks[static_cast<std::size_t>(traffic_.owner)];
  exchange_.call_when_arrived(owner, key, [this](comm::Message&& message) {
    away_ = std::move(message.body);
    is_away_here_ = true;
    start_gather();
  });
}

/// Start the gather once this process's piece is complete, that is, when the rows that the owner lent to it have arrived.
template <class T>
void SharedInterchange<T>::start_gather() {
  const auto me = static_cast<std::size_t>(column_.me);
  const auto lent = static_cast<Index>(traffic_.lent[me].size());
  if (is_gathering_ || (lent > 0 && !is_away_here_)) return;
  is_gathering_ = true;
  if (is_phantom()) return gather_->start(comm::Body::phantom(bytes(rows_from(me))));
  const auto rows = static_cast<Index>(rows_from(me));
  const MatrixView<const T> came = view(away_, rows_to(me));
  for (Index j = 0; lent > 0 && j < columns_.cols; ++j)
    std::copy_n(came.column(j) + came.rows - lent, lent, mine_.data() + (j + 1) * rows - lent);
  gather_->start(comm::Body::adopt(std::move(mine_)));
}

template <class T>
MatrixView<T> SharedInterchange<T>::finish() {
  exchange_.wait_until([this] { return is_away_here_ && gather_->is_done(); });
  MatrixView<T> U;
  if (is_phantom()) U = {nullptr, count_, columns_.cols, padded_ld(count_)};
  exchange_.rank().compute(moving(bytes(to_.size() + static_cast<std::size_t>(count_))), [&] {
    store_displaced_rows();
    U = store_block_row();
  });
  return U;
}

/// A(to_, :) <- the rows that left the block row
template <class T>
void SharedInterchange<T>::store_displaced_rows() {
  if (away_.empty()) return;
  const MatrixView<const T> away = view(away_, rows_to(static_cast<std::size_t>(column_.me)));
  kernels::scatter_rows(away, to_, columns_);
}

/// Fill and return the block row: in A on its owner, in U_ elsewhere.
template <class T>
MatrixView<T> SharedInterchange<T>::store_block_row() {
  MatrixView<T> U;
  if (is_owner()) {
    U = columns_.block(local(first_), 0, count_, columns_.cols);
  } else {
    const Index ld = padded_ld(count_);
    U_.resize(static_cast<std::size_t>(ld * columns_.cols));
    U = {U_.data(), count_, columns_.cols, ld};
  }
  for (std::size_t position = 0; position < traffic_.into.size(); ++position) {
    const comm::Body body = gather_->piece(static_cast<int>(position));
    if (body.empty()) continue;
    std::vector<Index> to = traffic_.into[position];
    to.insert(to.end(), traffic_.lent[position].begin(), traffic_.lent[position].end());
    kernels::scatter_rows(view(body, to.size()), to, U);
  }
  return U;
}

OVERLAPACK_INSTANTIATE_CLASS(SharedInterchange);

}  // namespace overlapack::dist
