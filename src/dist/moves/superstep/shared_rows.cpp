#include "dist/moves/superstep/shared_rows.hpp"

#include "base/instantiate.hpp"
#include "kernels/update/rows.hpp"

namespace overlapack::dist {

template <class T>
SharedRows<T>::SharedRows(Lockstep step, const MovedRows<T>& rows, std::shared_ptr<const Buffer> buffer)
    : step_(step),
      rows_(rows.A.rows),
      me_(static_cast<std::size_t>(rows.A.me.row)),
      columns_(rows.columns()),
      first_(rows.moves.first),
      count_(rows.moves.count),
      traffic_(row_traffic(rows.moves, rows_)),
      away_(traffic_.away.size()),
      buffer_(std::move(buffer)) {
  for (const int rank : rows.A.grid->column_group(rows.A.me).ranks)
    processes_.push_back(step.world.process_of(rank));
  if (columns_.cols == 0) return;
  for (const Index k : traffic_.away[me_]) to_.push_back(local(rows.moves.row[static_cast<std::size_t>(k)]));
  pack(rows.moves);
  put();
}

template <class T>
comm::Body SharedRows<T>::packed(const std::vector<Index>& from) const {
  const auto rows = static_cast<Index>(from.size());
  std::vector<T> numbers(static_cast<std::size_t>(rows * columns_.cols));
  kernels::gather_rows<T>(columns_, from, {numbers.data(), rows, columns_.cols, rows});
  return comm::Body::adopt(std::move(numbers));
}

/// Copy all rows that are to be sent, before any row changes.
template <class T>
void SharedRows<T>::pack(const RowMoves& moves) {
  const std::size_t leaving = is_owner() ? moves.row.size() : 0;
  const auto moved = 2 * static_cast<double>(bytes(traffic_.into[me_].size() + leaving));
  step_.world.pack({.kind = "swap", .bytes = moved}, [&] {
    std::vector<Index> from;
    for (const Index i : traffic_.into[me_]) from.push_back(local(moves.into[static_cast<std::size_t>(i)]));
    into_ = packed(from);
    for (std::size_t to = 0; is_owner() && to < away_.size(); ++to) {
      from.clear();
      for (const Index k : traffic_.away[to])
        from.push_back(local(first_ + moves.from_block[static_cast<std::size_t>(k)]));
      away_[to] = packed(from);
    }
  });
}

/// Layout of a receiver's buffer: the rows of the block row, ordered by sender, then the rows that left the block row.
template <class T>
void SharedRows<T>::put() {
  const auto put = [&](std::size_t to, const comm::Body& packed, std::size_t rows, std::size_t offset) {
    if (to == me_ || rows == 0) return;
    // simulated by shapes, nothing was packed
    step_.world.hpput(processes_[to], packed.empty() ? comm::Body::phantom(bytes(rows)) : packed,
                      buffer_->slot, offset);
  };
  std::size_t before = 0;
  for (std::size_t position = 0; position < me_; ++position) before += traffic_.into[position].size();
  for (std::size_t to = 0; to < processes_.size(); ++to) {
    put(to, into_, traffic_.into[me_].size(), bytes(before));
    if (is_owner()) put(to, away_[to], traffic_.away[to].size(), bytes(static_cast<std::size_t>(count_)));
  }
}

template <class T>
std::vector<int> SharedRows<T>::senders() const {
  std::vector<int> senders;
  if (columns_.cols == 0) return senders;
  for (std::size_t from = 0; from < processes_.size(); ++from) {
    const bool sends_away = static_cast<int>(from) == traffic_.owner && !to_.empty();
    if (from != me_ && (sends_away || !traffic_.into[from].empty())) senders.push_back(processes_[from]);
  }
  return senders;
}

template <class T>
MatrixView<T> SharedRows<T>::finish() {
  step_.sync(senders());
  if (columns_.cols > 0) unpack();
  buffer_.reset();
  return block_;
}

template <class T>
void SharedRows<T>::unpack() {
  const Index ld = padded_ld(count_);
  block_ = {nullptr, count_, columns_.cols, ld};
  const auto moved = 2 * static_cast<double>(bytes(to_.size() + static_cast<std::size_t>(count_)));
  step_.world.pack({.kind = "swap", .bytes = moved}, [&] {
    const auto scatter = [&](const T* from, const std::vector<Index>& to, MatrixView<T> where) {
      const auto rows = static_cast<Index>(to.size());
      if (rows > 0) kernels::scatter_rows<T>({from, rows, columns_.cols, rows}, to, where);
      return from + rows * columns_.cols;
    };
    if (!is_owner()) U_.resize(static_cast<std::size_t>(ld * columns_.cols));
    block_ = is_owner() ? columns_.block(local(first_), 0, count_, columns_.cols)
                        : MatrixView<T>{U_.data(), count_, columns_.cols, ld};
    const T* came = reinterpret_cast<const T*>(buffer_->memory.data());
    for (std::size_t position = 0; position < processes_.size(); ++position) {
      scatter(position == me_ ? into_.template as<T>().data() : came, traffic_.into[position], block_);
      came += static_cast<Index>(traffic_.into[position].size()) * columns_.cols;
    }
    scatter(is_owner() ? away_[me_].template as<T>().data() : came, to_, columns_);
  });
}

OVERLAPACK_INSTANTIATE_CLASS(SharedRows);

}  // namespace overlapack::dist
