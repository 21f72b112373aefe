#include "dist/moves/superstep/cycle_interchange.hpp"

#include "base/instantiate.hpp"
#include "kernels/update/rows.hpp"

#include <algorithm>

namespace overlapack::dist {
namespace {

comm::Work swapping(double words, std::size_t word_bytes) {
  return {.kind = "swap", .bytes = 2 * words * static_cast<double>(word_bytes)};
}

double rows_in(const std::vector<std::vector<Index>>& lists) {
  double rows = 0;
  for (const auto& list : lists) rows += static_cast<double>(list.size());
  return rows;
}

}  // namespace

template <class T>
CycleInterchange<T>::CycleInterchange(Lockstep step, const MovedRows<T>& rows,
                                      std::shared_ptr<const Buffer> buffer)
    : step_(step),
      me_(rows.A.me.row),
      columns_(rows.columns()),
      exchange_(row_exchange(rows.moves, rows.A.rows, rows.A.me.row)),
      packed_(exchange_.from.size()),
      buffer_(std::move(buffer)) {
  for (const int rank : rows.A.grid->column_group(rows.A.me).ranks)
    processes_.push_back(step.world.process_of(rank));
  const RowMoves& moves = rows.moves;
  const Index begin = rows.A.first_row({moves.first}), end = rows.A.first_row({moves.first + moves.count});
  if (end - begin == moves.count) block_ = columns_.block(begin, 0, moves.count, columns_.cols);
  if (columns_.cols == 0) return;
  pack();
  put();
}

/// Pack the rows for other processes, then move the rows that stay here.
template <class T>
void CycleInterchange<T>::pack() {
  const double words = rows_in(exchange_.from) * static_cast<double>(columns_.cols);
  step_.world.pack(swapping(words, sizeof(T)), [&] {
    for (std::size_t to = 0; to < packed_.size(); ++to) {
      if (static_cast<int>(to) == me_) continue;
      const auto rows = static_cast<Index>(exchange_.from[to].size());
      std::vector<T> numbers(static_cast<std::size_t>(rows * columns_.cols));
      kernels::gather_rows<T>(columns_, exchange_.from[to], {numbers.data(), rows, columns_.cols, rows});
      packed_[to] = comm::Body::adopt(std::move(numbers));
    }
    const auto here = static_cast<std::size_t>(me_);
    kernels::move_rows(exchange_.to[here], exchange_.from[here], columns_);
  });
}

template <class T>
void CycleInterchange<T>::put() {
  const std::size_t row_bytes = static_cast<std::size_t>(columns_.cols) * sizeof(T);
  for (std::size_t to = 0; to < packed_.size(); ++to) {
    const std::size_t rows = exchange_.from[to].size();
    if (static_cast<int>(to) == me_ || rows == 0) continue;
    // simulated by shapes, nothing was packed
    step_.world.hpput(processes_[to],
                      packed_[to].empty() ? comm::Body::phantom(rows * row_bytes) : packed_[to],
                      buffer_->slot, static_cast<std::size_t>(exchange_.before_mine[to]) * row_bytes);
  }
}

template <class T>
MatrixView<T> CycleInterchange<T>::finish() {
  if (processes_.size() == 1) return block_;
  std::vector<int> senders;
  for (std::size_t from = 0; from < processes_.size(); ++from)
    if (static_cast<int>(from) != me_ && columns_.cols > 0 && !exchange_.to[from].empty())
      senders.push_back(processes_[from]);
  step_.sync(std::move(senders));
  unpack();
  buffer_.reset();
  return block_;
}

/// Copy the received rows out of the buffer, where they are ordered by sender. The part for rows that stayed here is unused.
template <class T>
void CycleInterchange<T>::unpack() {
  if (columns_.cols == 0) return;
  const double words =
      (rows_in(exchange_.to) - static_cast<double>(exchange_.to[static_cast<std::size_t>(me_)].size())) *
      static_cast<double>(columns_.cols);
  step_.world.pack(swapping(words, sizeof(T)), [&] {
    const T* from = reinterpret_cast<const T*>(buffer_->memory.data());
    for (std::size_t position = 0; position < processes_.size(); ++position) {
      const auto rows = static_cast<Index>(exchange_.to[position].size());
      if (static_cast<int>(position) != me_)
        kernels::scatter_rows<T>({from, rows, columns_.cols, rows}, exchange_.to[position], columns_);
      from += rows * columns_.cols;
    }
  });
}

OVERLAPACK_INSTANTIATE_CLASS(CycleInterchange);

}  // namespace overlapack::dist
