#include "pattern_factors.hpp"

#include <complex>
#include <numeric>
#include <utility>

namespace overlapack::dropins {
namespace {

/// The numbers 0 .. key.size() - 1 by ascending key, equal keys in the order of `before`: one pass of a radix sort.
std::vector<Index> sorted_by(const std::vector<Index>& key, Index keys, const std::vector<Index>& before) {
  std::vector<Index> next(static_cast<std::size_t>(keys) + 1);
  for (const Index k : key) ++next[static_cast<std::size_t>(k) + 1];
  std::partial_sum(next.begin(), next.end(), next.begin());
  std::vector<Index> order(before.size());
  for (const Index e : before) order[next[key[e]]++] = e;
  return order;
}

}  // namespace

template <class T>
PatternFactors<T>::PatternFactors(Triplets<T> places, Listed listed, bool is_dealt)
    : places_(std::move(places)), listed_(listed), is_dealt_(is_dealt) {
  if (!is_dealt_) compress();
}

template <class T>
void PatternFactors<T>::compress() {
  std::vector<Index> row = places_.row, col = places_.col;
  for (std::size_t k = 0; k < places_.row.size(); ++k)
    if (is_mirrored(k)) {
      row.push_back(places_.col[k]);
      col.push_back(places_.row[k]);
    }
  std::vector<Index> order(row.size());
  std::iota(order.begin(), order.end(), 0);
  order = sorted_by(col, places_.cols, sorted_by(row, places_.rows, order));

  columns_ = {places_.rows, places_.cols, {}, {}, {}};
  columns_.start.assign(static_cast<std::size_t>(places_.cols) + 1, 0);
  std::vector<Index> slot(row.size());
  for (std::size_t k = 0; k < order.size(); ++k) {
    const Index e = order[k];
    const bool is_again = k > 0 && row[order[k - 1]] == row[e] && col[order[k - 1]] == col[e];
    if (!is_again) {
      columns_.row.push_back(row[e]);
      ++columns_.start[col[e] + 1];
    }
    slot[e] = static_cast<Index>(columns_.row.size()) - 1;
  }
  std::partial_sum(columns_.start.begin(), columns_.start.end(), columns_.start.begin());
  if (listed_ != Listed::all)
    columns_.symmetry = listed_ == Listed::hermitian_half ? Symmetry::hermitian : Symmetry::symmetric;
  const auto first_mirror = slot.begin() + places_.size();
  slot_.assign(slot.begin(), first_mirror);
  for (std::size_t k = 0; k < slot_.size(); ++k)
    if (is_mirrored(k)) mirrored_.push_back({static_cast<Index>(k), first_mirror[mirrored_.size()]});
}

/// By the entries of columns_.
template <class T>
std::vector<T> PatternFactors<T>::column_values(std::span<const T> values) const {
  std::vector<T> of_columns(columns_.row.size());
  for (std::size_t k = 0; k < values.size(); ++k) of_columns[slot_[k]] += values[k];
  for (const Mirror m : mirrored_) of_columns[m.slot] += mirror(values[m.place]);
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
  Triplets<T> entries = places_;
  entries.value.assign(values.begin(), values.end());
  for (std::size_t k = 0; k < values.size(); ++k)
    if (is_mirrored(k)) entries.add(places_.col[k], places_.row[k], mirror(values[k]));
  return entries;
}

template <class T>
void PatternFactors<T>::factorize(std::span<const T> values, const Options& options) {
  if (is_dealt_ && factors_)
    factors_->refactorize_distributed({filled_list(values)});
  else if (is_dealt_)
    factors_.emplace(factorize_distributed<T>({filled_list(values)}, options));
  else if (factors_)
    factors_->refactorize_values(column_values(values));
  else
    factors_.emplace(overlapack::factorize(matrix(values), options));
}

template <class T>
Factorization<T>& PatternFactors<T>::factors() {
  if (!factors_)
    throw Error(ErrorKind::bad_input, "dropins", "there are no factors; factorise the matrix before solving");
  return *factors_;
}

template class PatternFactors<float>;
template class PatternFactors<double>;
template class PatternFactors<std::complex<float>>;
template class PatternFactors<std::complex<double>>;

}  // namespace overlapack::dropins
