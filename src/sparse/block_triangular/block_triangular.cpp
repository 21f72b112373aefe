#include "sparse/block_triangular/block_triangular.hpp"

#include "base/bytes_of.hpp"
#include "base/each_figure.hpp"
#include "base/instantiate.hpp"
#include "comm/collective/collective.hpp"
#include "kernels/product/operand.hpp"
#include "sparse/analysis/block_form.hpp"
#include "sparse/block_triangular/columns/column_ldlt.hpp"
#include "sparse/block_triangular/columns/column_refactor.hpp"
#include "sparse/block_triangular/symmetric_parts.hpp"
#include "sparse/factors/factor_plan.hpp"
#include "sparse/factors/packing.hpp"
#include "sparse/factors/pair_determinant.hpp"
#include "sparse/factors/pivot_test.hpp"
#include "sparse/matrix/permute.hpp"
#include "sparse/matrix/scaled_entry.hpp"

#include <algorithm>
#include <utility>

namespace overlapack::sparse::block_triangular {
namespace {

using dense::product;
using dense::ScaledNumber;

template <class T>
double entries(const ColumnFactors<T>& factors) {
  return static_cast<double>(factors.lower.size() + factors.upper.size() + factors.columns());
}

/// Visits the arrays of the factors that are packed, unpacked and counted as memory.
template <class Factors, class Visit>
void for_each_array(Factors& factors, Visit&& visit) {
  visit(factors.block_start);
  visit(factors.by_fronts);
  for (auto* columns : {&factors.lower, &factors.upper}) {
    visit(columns->start);
    visit(columns->row);
    visit(columns->value);
  }
  visit(factors.pivot);
  visit(factors.pivot_off);
  visit(factors.row_of_pivot);
}

/// Number of columns before `until` that are not in blocks by fronts.
template <class T>
Index kept_columns(const ColumnFactors<T>& factors, Index until) {
  Index count = 0;
  for (Index b = 0; b < factors.blocks() && factors.block_start[b] < until; ++b)
    if (!factors.by_fronts[b]) count += std::min(until, factors.block_start[b + 1]) - factors.block_start[b];
  return count;
}

/// A pivot of a diagonal block, with its row and column in A instead of in the block.
SmallestPivot renamed(const SmallestPivot& pivot, const Analysis& analysis, Index block) {
  if (pivot.col < 0) return pivot;
  const Index first = analysis.block_start[block];
  return {pivot.share, analysis.row_perm[first + pivot.row], analysis.col_perm[first + pivot.col]};
}

/// Largest magnitude in the scaled matrix.
template <class T>
double largest_entry(const SparseMatrix<T>& A, const Analysis& analysis) {
  double largest = 0;
  for (Index j = 0; j < A.cols; ++j)
    for (Index p = A.start[j]; p < A.start[j + 1]; ++p)
      largest = std::max(largest, static_cast<double>(kernels::magnitude(scaled_entry(
                                      A.value[p], analysis.row_scale[A.row[p]], analysis.col_scale[j]))));
  return largest;
}

}  // namespace

template <class T>
void BlockTriangular<T>::factorize(comm::Rank& rank, const Analysis* analysis, const EntrySource<T>& A,
                                   const FactorPlan& plan) {
  const bool is_root = rank.rank() == 0;
  std::vector<Method> methods;
  if (is_root)
    for (const Analysis& inner : analysis->inner_analysis) methods.push_back(inner.method);
  const comm::Body all = comm::collective::broadcast(rank, 0, comm::Body::adopt(std::move(methods)));
  make_inner(all.as<Method>());
  rhs_block_ = plan.rhs_block;
  pattern_ = Pattern::unknown;
  failures_ = pause_ = 0;
  if (is_root) front_block_ = analysis->inner_block;
  if (is_root && !analysis->columns.empty()) {
    predicted_columns(*analysis, factors_);
    pattern_ = Pattern::predicted;
  } else if (is_root) {
    Index held = analysis->factor_nnz;
    for (const Analysis& inner : analysis->inner_analysis) held -= inner.factor_nnz;
    const bool is_symmetric = analysis->kind == FactorKind::ldlt;
    const auto beside = static_cast<std::size_t>(std::max<Index>(held - A.whole->cols, 0));
    factors_.lower.reserve(is_symmetric ? beside : beside / 2);
    factors_.upper.reserve(is_symmetric ? 0 : beside / 2);
  }
  compute(rank, analysis, A.whole, plan, false);
}

template <class T>
void BlockTriangular<T>::make_inner(std::span<const Method> methods) {
  inner_method_.assign(methods.begin(), methods.end());
  inner_.clear();
  for (const Method method : methods) inner_.push_back(make_(method));
}

template <class T>
void BlockTriangular<T>::refactorize(comm::Rank& rank, const Analysis* analysis, const EntrySource<T>& A,
                                     const FactorPlan& plan) {
  compute(rank, analysis, A.whole, plan, true);
}

/// The numerical phase: rank 0 factorises the blocks of low fill, then all ranks factorise each of the other
/// blocks.
template <class T>
void BlockTriangular<T>::compute(comm::Rank& rank, const Analysis* analysis, const SparseMatrix<T>* A,
                                 const FactorPlan& plan, bool is_again) {
  stats_ = {};
  const bool is_root = rank.rank() == 0;
  if (is_root) factorize_columns(rank, *analysis, *A, plan);
  std::vector<Node> row_position;
  if (is_root && !inner_.empty()) row_position = positions(analysis->row_perm);
  for (std::size_t k = 0; k < inner_.size(); ++k) {
    SparseMatrix<T> block;
    if (is_root) block = diagonal_block(*A, *analysis, row_position, analysis->inner_block[k]);
    inner_[k]->set_watch(this->watch());
    const auto make = is_again ? &SparseFactors<T>::refactorize : &SparseFactors<T>::factorize;
    (*inner_[k].*make)(rank, is_root ? &analysis->inner_analysis[k] : nullptr, &block, plan);
    add_stats(inner_[k]->stats());
    if (is_root)
      stats_.smallest.replace_if_smaller(
          renamed(inner_[k]->stats().smallest, *analysis, analysis->inner_block[k]));
  }
  stats_ = comm::collective::broadcast(rank, 0, stats_);
}

/// With the pivots of the factorisation before; nothing where one fails. What was done until then is lost, so that after the k-th failure
/// in a row k factorisations choose pivots before these are kept again.
template <class T>
std::optional<ColumnStats> BlockTriangular<T>::keep_symmetric_pivots(comm::Rank& rank,
                                                                     const Analysis& analysis,
                                                                     const SparseMatrix<T>& A,
                                                                     const FactorPlan& plan,
                                                                     const PivotTest<T>& test) {
  if (pause_ > 0) {
    --pause_;
    return {};
  }
  const double pivot_share = plan.columns.predicted_threshold * plan.columns.kept_threshold;
  ColumnRefactor<T> again(A, analysis, test, plan, pivot_share, factors_, comm::slice_threads(rank));
  again.refactorize_sets(rank);
  advance(rank, analysis, plan, again);
  if (again.right_until() < A.cols) {
    pause_ = ++failures_;
    return {};
  }
  failures_ = 0;
  pattern_ = Pattern::factorized;
  return again.stats();
}

template <class T>
ColumnStats BlockTriangular<T>::factorize_symmetric(comm::Rank& rank, const Analysis& analysis,
                                                    const SparseMatrix<T>& A, const FactorPlan& plan) {
  const PivotTest<T> test = analysis.signs.empty() ? pivot_test<T>(plan, FactorKind::ldlt, 0)
                                                   : sign_test<T>(plan, analysis.signs, {});
  if (std::exchange(pattern_, Pattern::unknown) != Pattern::unknown)
    if (const auto kept = keep_symmetric_pivots(rank, analysis, A, plan, test)) return *kept;
  ColumnLdlt<T> ldlt(A, analysis, test, plan, factors_);
  advance(rank, analysis, plan, ldlt);
  if (!ldlt.stats().has_given_up && ldlt.stats().pivots.zero == 0) pattern_ = Pattern::factorized;
  return ldlt.stats();
}

/// If pivots are known or predicted, ColumnRefactor computes the numbers as far as the pivots pass. ColumnLu
/// does the other columns, with a search for pivots.
template <class T>
ColumnStats BlockTriangular<T>::factorize_unsymmetric(comm::Rank& rank, const Analysis& analysis,
                                                      const SparseMatrix<T>& A, const FactorPlan& plan) {
  const double largest = plan.perturbation > 0 ? largest_entry(A, analysis) : 0.0;
  const PivotTest<T> test = pivot_test<T>(plan, FactorKind::lu, largest);
  ColumnStats done;
  Index right_until = 0;
  if (const Pattern known = std::exchange(pattern_, Pattern::unknown); known != Pattern::unknown) {
    const double predicted = test.threshold < 1 ? plan.columns.predicted_threshold : 1;
    const double pivot_share =
        known == Pattern::predicted ? predicted : predicted * plan.columns.kept_threshold;
    ColumnRefactor<T> again(A, analysis, test, plan, pivot_share, factors_, comm::slice_threads(rank));
    again.refactorize_sets(rank);
    advance(rank, analysis, plan, again);
    right_until = again.right_until();
    done = again.stats();
  }
  if (right_until < A.cols) {
    ColumnLu<T> lu(A, analysis, test, plan, factors_, right_until);
    advance(rank, analysis, plan, lu);
    done.pivots = lu.stats().pivots;
    done.pivots.kept = kept_columns(factors_, right_until);
    done.flops += lu.stats().flops;
    done.smallest.replace_if_smaller(lu.stats().smallest);
  }
  pattern_ = Pattern::factorized;
  return done;
}

template <class T>
void BlockTriangular<T>::factorize_columns(comm::Rank& rank, const Analysis& analysis,
                                           const SparseMatrix<T>& A, const FactorPlan& plan) {
  const bool is_predicted = pattern_ == Pattern::predicted;
  const auto run = analysis.kind == FactorKind::ldlt ? &BlockTriangular::factorize_symmetric
                                                     : &BlockTriangular::factorize_unsymmetric;
  const ColumnStats done = (this->*run)(rank, analysis, A, plan);
  if (done.has_given_up) {
    stats_.has_given_up = true;
    return;
  }
  name_positions(analysis);
  stats_.most_entries_of_rank = A.nnz();
  stats_.smallest = done.smallest;
  stats_.flops = done.flops;
  stats_.diagonal_blocks = analysis.blocks();
  stats_.column_blocks = analysis.column_blocks();
  stats_.largest_block = analysis.largest_block();
  stats_.shared_columns = done.shared_columns;
  stats_.pivots = done.pivots;
  stats_.pivots.off_diagonal = factors_.off_diagonal;
  if (is_predicted) stats_.predicted_columns = std::exchange(stats_.pivots.kept, 0);
  stats_.factor_nnz = static_cast<Index>(entries(factors_));
  stats_.factor_bytes = stats_.reserved_bytes = stats_.peak_bytes = held_bytes();
}

template <class T>
template <class Columns>
void BlockTriangular<T>::advance(comm::Rank& rank, const Analysis& analysis, const FactorPlan& plan,
                                 Columns& columns) {
  const Index n = factors_.columns(), at_once = plan.columns.at_once;
  const double flops = analysis.flops / static_cast<double>(std::max<Index>(n, 1));
  while (!columns.is_done()) {
    rank.compute({.kind = "columns", .flops = flops * static_cast<double>(at_once), .n = at_once},
                 [&] { columns.advance(at_once); });
    this->watch().report(static_cast<double>(columns.column()) / static_cast<double>(n));
  }
}

template <class T>
double BlockTriangular<T>::held_bytes() const {
  double bytes = bytes_of(factors_.node_end) + bytes_of(factors_.rows.start) + bytes_of(factors_.rows.parts);
  for_each_array(factors_, [&](const auto& values) { bytes += bytes_of(values); });
  return bytes;
}

template <class T>
void BlockTriangular<T>::name_positions(const Analysis& analysis) {
  const auto n = static_cast<std::size_t>(factors_.columns());
  equation_.number.resize(n);
  unknown_.number.resize(n);
  for (std::size_t k = 0; k < n; ++k) {
    equation_.number[k] = static_cast<Node>(analysis.row_perm[factors_.row_of_pivot[k]]);
    unknown_.number[k] =
        static_cast<Node>(analysis.col_perm[factors_.is_symmetric() ? factors_.row_of_pivot[k] : k]);
  }
  equation_.scale = analysis.row_scale;
  unknown_.scale = analysis.col_scale;
}

template <class T>
void BlockTriangular<T>::add_stats(const FactorStats& inner) {
  // blocks are factorised one after the other, each beside the factors of the earlier ones
  const double peak_bytes = std::max(stats_.peak_bytes, stats_.factor_bytes + inner.peak_bytes);
  add<SparseFigures>(stats_, inner);
  stats_.peak_bytes = peak_bytes;
  stats_.most_bytes_of_rank = 0;  // not known
}

template <class T>
ScaledNumber<T> BlockTriangular<T>::determinant(comm::Rank& rank) const {
  ScaledNumber<T> all;
  if (rank.rank() == 0) {
    const LargeVector<T>& pivot = factors_.pivot;
    for (Index k = 0; k < factors_.columns(); ++k) {
      const T off = factors_.is_symmetric() ? factors_.pivot_off[k] : T(0);
      const bool is_pair = off != T(0);
      all = product(all, is_pair ? pair_determinant(pivot[k], off, pivot[k + 1], factors_.is_hermitian)
                                 : ScaledNumber<T>{pivot[k], 0});
      k += is_pair;
    }
    all.exponent -= log2_product(equation_.scale) + log2_product(unknown_.scale);
    std::vector<Index> row_of(equation_.number.size());
    for (std::size_t k = 0; k < row_of.size(); ++k) row_of[unknown_.number[k]] = equation_.number[k];
    if (is_odd(std::move(row_of))) all.mantissa = -all.mantissa;
  }
  all = comm::collective::broadcast(rank, 0, all);
  for (const auto& inner : inner_) all = product(all, inner->determinant(rank));
  return all;
}

template <class T>
std::optional<SymmetricFactors<T>> BlockTriangular<T>::symmetric_factors() const {
  // if a zero pivot was replaced, the caller makes factors by another method, whose error says so
  if (!factors_.is_symmetric() || stats_.pivots.zero > 0) return std::nullopt;
  return symmetric_parts<T>(factors_, unknown_.number, unknown_.scale);
}

template <class T>
comm::Body BlockTriangular<T>::packed() const {
  Packing packing;
  packing.add(inner_method_);
  packing.add_value(stats_);
  packing.add(front_block_);
  packing.add_value(static_cast<char>(factors_.is_hermitian));
  for_each_array(factors_, [&](const auto& values) { packing.add(values); });
  for (const Side* side : {&equation_, &unknown_}) {
    packing.add(side->number);
    packing.add(side->scale);
  }
  for (const auto& inner : inner_) {
    const comm::Body body = inner->packed();
    packing.add(std::span<const std::byte>(body.data(), body.size()));
  }
  return std::move(packing).body();
}

template <class T>
void BlockTriangular<T>::unpack(const comm::Body& body, const FactorPlan& plan) {
  Unpacking unpacking(body);
  make_inner(unpacking.next<Method>());
  stats_ = unpacking.next_value<FactorStats>();
  rhs_block_ = plan.rhs_block;
  unpacking.read_into(front_block_);
  factors_.is_hermitian = unpacking.next_value<char>() != 0;
  for_each_array(factors_, [&](auto& values) { unpacking.read_into(values); });
  factors_.off_diagonal = stats_.pivots.off_diagonal;
  pattern_ = Pattern::factorized;
  for (Side* side : {&equation_, &unknown_}) {
    unpacking.read_into(side->number);
    unpacking.read_into(side->scale);
  }
  for (const auto& inner : inner_) {
    const auto bytes = unpacking.next<std::byte>();
    inner->unpack(body.part(static_cast<std::size_t>(bytes.data() - body.data()), bytes.size()), plan);
  }
}

OVERLAPACK_INSTANTIATE_CLASS(BlockTriangular);

}  // namespace overlapack::sparse::block_triangular
