#include "pattern_factors.hpp"

#include <algorithm>
#include <complex>
#include <numeric>
#include <utility>

namespace overlapack::dropins {

/// An entry of a column: its row, and its number in the caller's list.
struct Listing {
  Index row = 0, number = 0;
};

namespace {

void sort_by_row(std::span<Listing> column) {
  const auto is_above = [](const Listing& a, const Listing& b) { return a.row < b.row; };
  if (!std::ranges::is_sorted(column, is_above)) std::ranges::stable_sort(column, is_above);
}

/// Call put(row, column, number) for each position and for each mirror image. Mirror images are numbered after the positions. The triangle above
/// the diagonal comes first, so that the rows of a column ascend if the list does.
template <class T, class Put>
void for_each_listing(const Triplets<T>& positions, bool is_mirrored, Put&& put) {
  const auto count = static_cast<Index>(positions.row.size());
  const auto put_positions = [&] {
    for (Index k = 0; k < count; ++k) put(positions.row[k], positions.col[k], k);
  };
  const auto put_mirrors = [&] {
    Index number = count;
    for (Index k = 0; k < count; ++k)
      if (positions.row[k] != positions.col[k]) put(positions.col[k], positions.row[k], number++);
  };
  bool is_lower = false;
  for (Index k = 0; k < count && is_mirrored && !is_lower; ++k)
    is_lower = positions.row[k] > positions.col[k];
  if (is_mirrored && is_lower) put_mirrors();
  put_positions();
  if (is_mirrored && !is_lower) put_mirrors();
}

}  // namespace

template <class T>
PatternFactors<T>::PatternFactors(Triplets<T> positions, Listed listed, bool is_distributed)
    : positions_(std::move(positions)), listed_(listed), is_distributed_(is_distributed) {
  if (listed_ != Listed::all)
    positions_.symmetry = listed_ == Listed::hermitian_half ? Symmetry::hermitian : Symmetry::symmetric;
  if (!is_distributed_) compress();
}

template <class T>
void PatternFactors<T>::compress() {
  const bool is_half = listed_ != Listed::all;
  std::vector<Index> start(static_cast<std::size_t>(positions_.cols) + 1);
  for_each_listing(positions_, is_half, [&](Index, Index col, Index) { ++start[col + 1]; });
  std::partial_sum(start.begin(), start.end(), start.begin());
  std::vector<Listing> listing(static_cast<std::size_t>(start.back()));
  std::vector<Index> next(start.begin(), start.end() - 1);
  for_each_listing(positions_, is_half, [&](Index row, Index col, Index number) {
    listing[next[col]++] = {row, number};
  });

  columns_ = {positions_.rows, positions_.cols, {0}, {}, {}, positions_.symmetry};
  columns_.row.reserve(listing.size());
  std::vector<Index> slot(listing.size());
  for (Index j = 0; j < positions_.cols; ++j) {
    const auto column = std::span(listing).subspan(start[j], start[j + 1] - start[j]);
    sort_by_row(column);
    for (const Listing& entry : column) {
      const bool is_again =
          static_cast<Index>(columns_.row.size()) > columns_.start.back() && columns_.row.back() == entry.row;
      if (!is_again) columns_.row.push_back(entry.row);
      slot[entry.number] = static_cast<Index>(columns_.row.size()) - 1;
    }
    columns_.start.push_back(static_cast<Index>(columns_.row.size()));
  }
  const auto first_mirror = slot.begin() + positions_.size();
  slot_.assign(slot.begin(), first_mirror);
  for (std::size_t k = 0; k < slot_.size(); ++k)
    if (is_mirrored(k)) mirrored_.push_back({static_cast<Index>(k), first_mirror[mirrored_.size()]});
}

/// Add up the values of the caller's list in the entries of columns_.
template <class T>
std::vector<T> PatternFactors<T>::column_values(std::span<const T> values) const {
  std::vector<T> of_columns(columns_.row.size());
  for (std::size_t k = 0; k < values.size(); ++k) of_columns[slot_[k]] += values[k];
  for (const Mirror m : mirrored_) of_columns[m.slot] += mirror(values[m.position]);
  return of_columns;
}

template <class T>
SparseMatrix<T> PatternFactors<T>::matrix(std::span<const T> values) const {
  SparseMatrix<T> A = columns_;
  A.value = column_values(values);
  return A;
}

template <class T>
Triplets<T> PatternFactors<T>::filled_list(std::span<const T> values) const {
  Triplets<T> entries = positions_;
  entries.value.assign(values.begin(), values.end());
  for (std::size_t k = 0; k < values.size(); ++k)
    if (is_mirrored(k)) entries.add(positions_.col[k], positions_.row[k], mirror(values[k]));
  return entries;
}

template <class T>
void PatternFactors<T>::factorize(std::span<const T> values, const Options& options) {
  if (is_distributed_ && factors_)
    factors_->refactorize_distributed({filled_list(values)});
  else if (is_distributed_)
    factors_.emplace(factorize_distributed<T>({filled_list(values)}, options));
  else if (factors_)
    factors_->refactorize_values(column_values(values));
  else
    factors_.emplace(overlapack::factorize(matrix(values), options));
}

template <class T>
void PatternFactors<T>::factorize(std::span<const T> values, const Options& options,
                                  const PatternAnalysis& analysis) {
  if (factors_) return factors_->refactorize_values(column_values(values));
  factors_.emplace(overlapack::factorize(matrix(values), analysis, options));
}

template <class T>
Factorization<T>& PatternFactors<T>::factors() {
  if (!factors_) throw Error(Status::bad_input, "there are no factors; factorise the matrix before solving");
  return *factors_;
}

template class PatternFactors<float>;
template class PatternFactors<double>;
template class PatternFactors<std::complex<float>>;
template class PatternFactors<std::complex<double>>;

}  // namespace overlapack::dropins
