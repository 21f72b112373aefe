#include "dense/lu/panel/tournament.hpp"

#include "base/instantiate.hpp"
#include "dense/lu/panel/phantom_panel.hpp"
#include "dense/message_kinds.hpp"
#include "dense/packed.hpp"
#include "kernels/pivoting/pivot_column.hpp"
#include "kernels/product/gemm.hpp"
#include "kernels/product/triangular.hpp"
#include "kernels/update/rows.hpp"

#include <algorithm>
#include <cstring>
#include <map>
#include <numeric>

namespace overlapack::dense {
namespace {

/// LU with partial pivoting on one process, recursive by halves of the columns. exchanges: false if the rows are in pivot order already.
/// Source  Toledo, SIAM J. Matrix Anal. 18 (1997)
template <class T>
class LocalElimination {
 public:
  LocalElimination(MatrixView<T> A, bool exchanges) : A_(A), exchanges_(exchanges), order_(rows_of(A)) {
    std::iota(order_.begin(), order_.end(), 0);
    eliminate(0, std::min(A.rows, A.cols), A.cols);
  }
  /// order()[i]: the row that became row i.
  const std::vector<Index>& order() const { return order_; }
  Index zero_pivot() const { return zero_pivot_; }  ///< the first column whose pivot is zero, or -1

 private:
  static std::size_t rows_of(MatrixView<T> A) { return static_cast<std::size_t>(A.rows); }

  /// Eliminate the pivots begin .. end - 1, whose columns are up to date; then update the columns end .. last - 1.
  void eliminate(Index begin, Index end, Index last) {
    if (begin == end) return;
    if (end - begin == 1) {
      eliminate_column(begin);
    } else {
      const Index middle = (begin + end) / 2;
      eliminate(begin, middle, end);
      eliminate(middle, end, end);
    }
    update(begin, end, last);
  }

  void eliminate_column(Index j) {
    if (exchanges_) {
      const Index pivot = j + kernels::largest_entry(A_.rows - j, A_.column(j) + j);
      if (pivot != j) {
        for (Index c = 0; c < A_.cols; ++c) std::swap(A_(j, c), A_(pivot, c));
        std::swap(order_[static_cast<std::size_t>(j)], order_[static_cast<std::size_t>(pivot)]);
      }
    }
    if (A_(j, j) != T(0))
      kernels::divide_column(A_.rows - j - 1, A_(j, j), A_.column(j) + j + 1);
    else if (zero_pivot_ < 0)
      zero_pivot_ = j;
  }

  /// U12 = L11^{-1} A12, A22 -= L21 U12 in the columns end .. last - 1.
  void update(Index begin, Index end, Index last) {
    if (end == last) return;
    const MatrixView<T> U = A_.block(begin, end, end - begin, last - end),
                        L = A_.block(end, begin, A_.rows - end, end - begin),
                        C = A_.block(end, end, A_.rows - end, last - end);
    kernels::solve_left_lower<T>(A_.block(begin, begin, end - begin, end - begin), true, U);
    if (C.rows > 0) kernels::gemm<T>(kernels::Op::none, kernels::Op::none, T(-1), L, U, T(1), C);
  }

  MatrixView<T> A_;
  bool exchanges_;
  std::vector<Index> order_;
  Index zero_pivot_ = -1;
};

/// A process's proposal in the tournament: at most `width` rows of the panel, with their global numbers and their entries as they were
/// before the elimination.
template <class T>
struct Offer {
  std::vector<Index> rows;
  std::vector<T> entries;  ///< column by column

  MatrixView<const T> view(Index width) const {
    const auto count = static_cast<Index>(rows.size());
    return {entries.data(), count, width, std::max<Index>(count, 1)};
  }
};

/// Tournament pivoting (CALU): the all-reduce of the processes' offers gives the pivot rows; they are exchanged to the top, and then
/// the panel is eliminated without a search.
template <class T>
class Tournament {
 public:
  Tournament(dist::Moves<T>& moves, const dist::DistributedMatrix<T>& A, Index first, Index width,
             const comm::Key& key)
      : moves_(moves),
        A_(A),
        first_(first),
        width_(width),
        key_(key),
        mine_(A.part({first}, {A.m()}, {first}, {first + width})),
        is_phantom_(moves.rank().capabilities().is_phantom) {}

  PanelFactor<T> run();

 private:
  Index pivots() const { return std::min(width_, A_.m() - first_); }
  comm::Body own_best_rows();
  comm::Body best_rows_of_both(const comm::Body& a, const comm::Body& b);
  Offer<T> pivot_rows_of(const std::vector<Index>& numbers, MatrixView<const T> rows);
  comm::Body packed(const Offer<T>& offer) const;
  Offer<T> unpacked(const comm::Body& body) const;
  std::vector<Index> exchanges_for(const std::vector<Index>& winners) const;
  void eliminate_top(const Offer<T>& winners, PanelFactor<T>& factor);
  void write_top_rows(const PanelFactor<T>& factor);
  void divide_below(const PanelFactor<T>& factor);

  /// Run f, the elimination of `rows` rows, and charge its cost.
  template <class F>
  void charge_elimination(Index rows, F&& f) {
    const double m = static_cast<double>(rows), n = static_cast<double>(width_), r = std::min(m, n);
    const auto cost = kernels::cost_of<T>(r * (m * n - (m + n) * r / 2 + r * r / 3), 2 * m * n);
    moves_.rank().compute({"panel", cost.flops, cost.bytes, rows, width_, width_}, f);
  }

  dist::Moves<T>& moves_;
  const dist::DistributedMatrix<T>& A_;
  Index first_, width_;
  comm::Key key_;
  MatrixView<T> mine_;
  bool is_phantom_;
};

template <class T>
PanelFactor<T> Tournament<T>::run() {
  const comm::collective::Group column = A_.grid->column_group(A_.me);
  const auto merge = [this](const comm::Body& a, const comm::Body& b) { return best_rows_of_both(a, b); };
  const comm::Body best = moves_.all_reduce(column, key_, own_best_rows(), merge);
  PanelFactor<T> factor;
  const Offer<T> winners = is_phantom_ ? Offer<T>{} : unpacked(best);
  factor.pivots = is_phantom_ ? phantom_pivots(first_, width_, A_.m()) : exchanges_for(winners.rows);
  const dist::RowMoves moved = dist::row_moves(first_, factor.pivots);
  comm::Key key = key_;
  key.part = 1;
  moves_
      .start_direct_interchange({A_, moved, A_.first_col({first_}), A_.first_col({first_ + width_})}, {}, key)
      ->finish();
  eliminate_top(winners, factor);
  write_top_rows(factor);
  divide_below(factor);
  return factor;
}

template <class T>
comm::Body Tournament<T>::own_best_rows() {
  std::vector<Index> numbers(static_cast<std::size_t>(mine_.rows));
  for (Index i = 0; i < mine_.rows; ++i)
    numbers[static_cast<std::size_t>(i)] = A_.rows.global({A_.first_row({first_}) + i}, A_.me.row).value;
  return packed(pivot_rows_of(numbers, mine_));
}

/// The pivot rows that partial pivoting chooses among `rows`, at most width of them, with their original entries.
template <class T>
Offer<T> Tournament<T>::pivot_rows_of(const std::vector<Index>& numbers, MatrixView<const T> rows) {
  Offer<T> offer;
  charge_elimination(rows.rows, [&] {
    std::vector<T> work = dense::packed<T>(rows);
    const LocalElimination<T> elimination({work.data(), rows.rows, width_, std::max<Index>(rows.rows, 1)},
                                          true);
    const auto count = static_cast<std::size_t>(std::min(rows.rows, width_));
    const std::span<const Index> positions(elimination.order().data(), count);
    for (const Index position : positions) offer.rows.push_back(numbers[static_cast<std::size_t>(position)]);
    offer.entries.resize(count * static_cast<std::size_t>(width_));
    const auto ld = std::max<Index>(static_cast<Index>(count), 1);
    kernels::gather_rows<T>(rows, positions, {offer.entries.data(), static_cast<Index>(count), width_, ld});
  });
  return offer;
}

template <class T>
comm::Body Tournament<T>::best_rows_of_both(const comm::Body& a, const comm::Body& b) {
  if (is_phantom_) {
    charge_elimination(2 * width_, [] {});
    return packed({});
  }
  Offer<T> both = unpacked(a), theirs = unpacked(b);
  const MatrixView<const T> upper = both.view(width_), lower = theirs.view(width_);
  const Index rows = upper.rows + lower.rows;
  std::vector<T> entries(static_cast<std::size_t>(rows * width_));
  const MatrixView<T> stacked{entries.data(), rows, width_, std::max<Index>(rows, 1)};
  copy_into<T>(upper, stacked.block(0, 0, upper.rows, width_));
  copy_into<T>(lower, stacked.block(upper.rows, 0, lower.rows, width_));
  both.rows.insert(both.rows.end(), theirs.rows.begin(), theirs.rows.end());
  return packed(pivot_rows_of(both.rows, stacked));
}

/// An offer as a message: number of rows, their global numbers, their entries.
template <class T>
comm::Body Tournament<T>::packed(const Offer<T>& offer) const {
  const auto width = static_cast<std::size_t>(width_);
  if (is_phantom_) return comm::Body::phantom((1 + width) * sizeof(Index) + width * width * sizeof(T));
  const Index count = static_cast<Index>(offer.rows.size());
  const std::size_t head = sizeof count, numbers = offer.rows.size() * sizeof(Index);
  std::vector<std::byte> bytes(head + numbers + offer.entries.size() * sizeof(T));
  std::memcpy(bytes.data(), &count, head);
  if (count > 0) {
    std::memcpy(bytes.data() + head, offer.rows.data(), numbers);
    std::memcpy(bytes.data() + head + numbers, offer.entries.data(), offer.entries.size() * sizeof(T));
  }
  return comm::Body::adopt(std::move(bytes));
}

template <class T>
Offer<T> Tournament<T>::unpacked(const comm::Body& body) const {
  Index count = 0;
  std::memcpy(&count, body.data(), sizeof count);
  Offer<T> offer;
  offer.rows.resize(static_cast<std::size_t>(count));
  offer.entries.resize(static_cast<std::size_t>(count * width_));
  if (count == 0) return offer;
  const std::byte* from = body.data() + sizeof count;
  std::memcpy(offer.rows.data(), from, offer.rows.size() * sizeof(Index));
  std::memcpy(offer.entries.data(), from + offer.rows.size() * sizeof(Index),
              offer.entries.size() * sizeof(T));
  return offer;
}

/// The row exchanges that bring the winners to the top, in LAPACK's form: row first + i is exchanged with row pivots[i].
template <class T>
std::vector<Index> Tournament<T>::exchanges_for(const std::vector<Index>& winners) const {
  std::map<Index, Index> position_of, row_at;  // only for rows that have moved
  const auto found = [](const std::map<Index, Index>& map, Index key) {
    const auto at = map.find(key);
    return at == map.end() ? key : at->second;
  };
  std::vector<Index> pivots;
  for (const Index winner : winners) {
    const Index to = first_ + static_cast<Index>(pivots.size()), from = found(position_of, winner),
                displaced = found(row_at, to);
    pivots.push_back(from);
    position_of[displaced] = from;
    row_at[from] = displaced;
    position_of[winner] = to;
    row_at[to] = winner;
  }
  return pivots;
}

/// Factorise the winners, which are in pivot order already, into L11 U11.
template <class T>
void Tournament<T>::eliminate_top(const Offer<T>& winners, PanelFactor<T>& factor) {
  factor.top.resize(static_cast<std::size_t>(width_ * width_));
  const MatrixView<T> top{factor.top.data(), pivots(), width_, width_};
  charge_elimination(pivots(), [&] {
    copy_into<T>(winners.view(width_), top);
    if (const Index zero = LocalElimination<T>(top, false).zero_pivot(); zero >= 0)
      factor.zero_pivot = first_ + zero;
  });
}

/// Copy top into A on the owner of the block row.
template <class T>
void Tournament<T>::write_top_rows(const PanelFactor<T>& factor) {
  if (is_phantom_ || !A_.owns_row({first_})) return;
  const MatrixView<const T> top{factor.top.data(), pivots(), width_, width_};
  copy_into<T>(top, mine_.block(0, 0, pivots(), width_));
}

/// L21 = A21 U11^{-1}. Columns whose pivot is zero are not divided, as in partial pivoting.
template <class T>
void Tournament<T>::divide_below(const PanelFactor<T>& factor) {
  const Index begin = A_.first_row({first_ + pivots()}) - A_.first_row({first_});
  const MatrixView<T> below = mine_.block(begin, 0, mine_.rows - begin, width_);
  if (below.rows == 0) return;
  const auto cost = kernels::triangular_cost<T>(width_, below.rows);
  moves_.rank().compute({"panel", cost.flops, cost.bytes, below.rows, width_, width_}, [&] {
    const MatrixView<const T> U{factor.top.data(), width_, width_, width_};
    if (factor.zero_pivot < 0) {
      std::vector<T> transposed(static_cast<std::size_t>(width_ * width_));
      const MatrixView<T> Ut{transposed.data(), width_, width_, width_};
      for (Index j = 0; j < width_; ++j)
        for (Index i = 0; i <= j; ++i) Ut(j, i) = U(i, j);
      return kernels::solve_right_lower_trans<T>(Ut, false, false, below);
    }
    for (Index j = 0; j < width_; ++j) {
      if (U(j, j) != T(0)) kernels::divide_column(below.rows, U(j, j), below.column(j));
      for (Index c = j + 1; c < width_; ++c)
        for (Index i = 0; i < below.rows; ++i) below(i, c) -= below(i, j) * U(j, c);
    }
  });
}

}  // namespace

template <class T>
PanelFactor<T> factor_by_tournament(dist::Moves<T>& moves, const dist::DistributedMatrix<T>& A, Index first,
                                    Index width, const comm::Key& key) {
  return Tournament<T>(moves, A, first, width, key).run();
}

template <class T>
void take_part_in_syncs_of_tournament(dist::Moves<T>& moves, const comm::collective::Group& column) {
  moves.take_part_in_syncs(dist::Moves<T>::Verb::all_reduce, column);
  moves.take_part_in_syncs(dist::Moves<T>::Verb::interchange, column);
}

#define OVERLAPACK_INSTANTIATE(T)                                                                            \
  template PanelFactor<T> factor_by_tournament<T>(dist::Moves<T>&, const dist::DistributedMatrix<T>&, Index, \
                                                  Index, const comm::Key&);                                  \
  template void take_part_in_syncs_of_tournament<T>(dist::Moves<T>&, const comm::collective::Group&);
OVERLAPACK_FOR_EACH_SCALAR(OVERLAPACK_INSTANTIATE)
#undef OVERLAPACK_INSTANTIATE

}  // namespace overlapack::dense
