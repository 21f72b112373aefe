#include "sparse/analysis/scaling.hpp"

#include "base/instantiate.hpp"
#include "comm/tasks.hpp"
#include "overlapack/error.hpp"
#include "sparse/analysis/graph/dulmage_mendelsohn.hpp"
#include "sparse/matching/equilibration.hpp"
#include "sparse/matching/maximum_product.hpp"
#include "sparse/matrix/symmetry.hpp"

#include <algorithm>
#include <cmath>
#include <complex>
#include <numeric>
#include <string>

namespace overlapack::sparse {
namespace {

/// For lu: whether the present diagonal is a good choice of pivots.
bool diagonal_is_large(const ColumnSizes& sizes, const AnalysisPlan& plan) {
  for (std::size_t j = 0; j < sizes.diagonal.size(); ++j)
    if (sizes.diagonal[j] == 0 || sizes.diagonal[j] < plan.matching_diagonal * sizes.largest[j]) return false;
  return true;
}

/// For ldlt: whether the diagonal has holes, or the columns differ much in size.
bool symmetric_needs_scaling(const ColumnSizes& sizes, const AnalysisPlan& plan) {
  double smallest = HUGE_VAL, largest = 0;
  for (std::size_t j = 0; j < sizes.diagonal.size(); ++j) {
    if (sizes.diagonal[j] <= plan.matching_tiny * sizes.largest[j]) return true;
    smallest = std::min(smallest, sizes.largest[j]);
    largest = std::max(largest, sizes.largest[j]);
  }
  return largest > plan.matching_spread * smallest;
}

std::vector<double> scaled_diagonal(const ColumnSizes& sizes, const std::vector<double>& scale) {
  std::vector<double> diagonal(scale.size());
  for (std::size_t j = 0; j < scale.size(); ++j) diagonal[j] = scale[j] * sizes.diagonal[j] * scale[j];
  return diagonal;
}

bool wants_matching(const ColumnSizes& sizes, const AnalysisPlan& plan) {
  if (plan.kind == FactorKind::cholesky || sizes.diagonal.empty()) return false;
  if (plan.matching) return plan.matching == Switch::on;
  return plan.kind == FactorKind::lu ? !diagonal_is_large(sizes, plan) : symmetric_needs_scaling(sizes, plan);
}

/// Whether to scale by Ruiz's method, if there is no matching.
bool wants_ruiz(const ColumnSizes& sizes, const AnalysisPlan& plan) {
  const auto is_extreme = [&](double size) {
    return size > 0 && !(size < plan.extreme && size > 1 / plan.extreme);
  };
  if (plan.scaling) return plan.scaling == ScalingKind::ruiz;
  return plan.keeps_null_pivots ||
         (!wants_matching(sizes, plan) && std::ranges::any_of(sizes.largest, is_extreme));
}

Scaling no_scaling(Index n) {
  Scaling scaling;
  scaling.row_of_column.resize(n);
  std::iota(scaling.row_of_column.begin(), scaling.row_of_column.end(), Index{0});
  scaling.row_scale.assign(n, 1.0);
  scaling.col_scale.assign(n, 1.0);
  scaling.matching = scaling.scaling = "off";
  return scaling;
}

bool has_full_diagonal(const ColumnSizes& sizes) {
  return std::ranges::all_of(sizes.diagonal, [](double size) { return size != 0; });
}

/// Match the unmatched columns to the unmatched rows in any way, since their diagonal is empty in any case.
void match_empty_columns(std::vector<Index>& row_of_column) {
  std::vector<char> is_taken(row_of_column.size(), 0);
  for (const Index i : row_of_column)
    if (i >= 0) is_taken[i] = 1;
  Index free_row = 0;
  for (Index& i : row_of_column) {
    if (i >= 0) continue;
    while (is_taken[free_row]) ++free_row;
    i = free_row++;
  }
}

/// The pattern of the nonzero entries.
template <class T>
Pattern nonzero_pattern(const SparseMatrix<T>& A) {
  Pattern pattern;
  pattern.n = A.cols;
  for (Index j = 0; j < A.cols; ++j) {
    for (Index p = A.start[j]; p < A.start[j + 1]; ++p)
      if (A.value[p] != T(0)) pattern.row.push_back(A.row[p]);
    pattern.start.push_back(static_cast<Index>(pattern.row.size()));
  }
  return pattern;
}

/// "3 columns (7 is the first, from 0) have entries in no more than 2 rows"
std::string describe_deficiency(Index count, Index first, const std::string& line, Index others,
                                const std::string& other) {
  std::string text = count == 1 ? line + " " + std::to_string(first) + " (from 0) has "
                                : std::to_string(count) + " " + line + "s (" + std::to_string(first) +
                                      " is the first, from 0) have ";
  if (others == 0) return text + "no entry but zeros";
  return text + "entries in no more than " + std::to_string(others) + " " + other + (others == 1 ? "" : "s");
}

/// Refuse a structurally singular matrix. The message names a part of the pattern that cannot be matched, so that the error in the model can be
/// found.
template <class T>
[[noreturn]] void refuse_deficient(const SparseMatrix<T>& A, const Matching& matching) {
  const Pattern pattern = nonzero_pattern(A);
  const DulmageMendelsohn parts = dulmage_mendelsohn(pattern.start, pattern.row, matching.row_of_column);
  const auto first = [](const std::vector<CoarsePart>& of, CoarsePart part) {
    return static_cast<Index>(std::ranges::find(of, part) - of.begin());
  };
  const std::string columns = describe_deficiency(parts.under_columns, first(parts.column, CoarsePart::under),
                                                  "column", parts.under_rows, "row");
  const std::string rows = describe_deficiency(parts.over_rows, first(parts.row, CoarsePart::over), "row",
                                               parts.over_columns, "column");
  const bool are_columns_empty = parts.under_rows == 0, are_rows_empty = parts.over_columns == 0;
  throw Error(Status::singular, "the matrix is structurally singular: its structural rank is " +
                                    std::to_string(matching.structural_rank) + " of " +
                                    std::to_string(A.cols) + ", since " +
                                    (are_rows_empty && !are_columns_empty   ? rows
                                     : are_columns_empty && !are_rows_empty ? columns
                                                                            : columns + ", and " + rows) +
                                    "; remove empty or dependent rows and columns (diagnose names them), or "
                                    "factorise with null_pivots");
}

void set_ruiz(Scaling& scaling, Equilibration found) {
  scaling.row_scale = std::move(found.row_scale);
  scaling.col_scale = std::move(found.col_scale);
  scaling.scaling = "ruiz";
}

/// Whether Ruiz's scaling is even enough to be used if null pivots are kept. It is better than the scaling of the matching then, which enlarges
/// the small difference of two nearly equal rows and so hides that they are nearly equal. But if rows and columns differ too much in size, only
/// the matching can balance them.
bool is_even(const Equilibration& found, const AnalysisPlan& plan) {
  const auto are_near = [&](const std::vector<double>& scale) {
    const auto [least, most] = std::ranges::minmax_element(scale);
    return *most <= plan.even_scales * *least;
  };
  return are_near(found.row_scale) && are_near(found.col_scale);
}

}  // namespace

template <class T>
ColumnSizes column_sizes(const SparseMatrix<T>& A, comm::Tasks& tasks, Index first_row) {
  ColumnSizes sizes{std::vector<double>(static_cast<std::size_t>(A.cols)),
                    std::vector<double>(static_cast<std::size_t>(A.cols))};
  tasks.for_ranges(A.cols, [&](Index first, Index end) {
    for (Index j = first; j < end; ++j)
      for (Index k = A.start[j]; k < A.start[j + 1]; ++k) {
        const double modulus = static_cast<double>(std::abs(A.value[k]));
        if (A.row[k] + first_row == j) sizes.diagonal[j] = modulus;
        sizes.largest[j] = std::max(sizes.largest[j], modulus);
      }
  });
  return sizes;
}

bool needs_moduli(const ColumnSizes& sizes, const AnalysisPlan& plan) {
  return wants_ruiz(sizes, plan) || wants_matching(sizes, plan);
}

template <class T>
Scaling choose_scaling(const SparseMatrix<T>& A, const AnalysisPlan& plan, comm::Tasks& tasks) {
  plan.report_progress("scaling", 0.03);
  const ColumnSizes sizes = column_sizes(A, tasks);
  const bool is_ruiz = wants_ruiz(sizes, plan), is_symmetric = plan.kind != FactorKind::lu;
  Scaling scaling = no_scaling(A.cols);
  if (!wants_matching(sizes, plan)) {
    if (has_full_diagonal(sizes)) scaling.structural_rank = A.cols;
    if (is_ruiz) set_ruiz(scaling, equilibrate(A, is_symmetric));
    return scaling;
  }
  plan.report_progress("matching", 0.03);
  Matching matching = maximum_product_matching(
      A, [&](double share) { plan.report_progress("matching", 0.03 + 0.07 * share); });
  scaling.structural_rank = matching.structural_rank;
  const bool is_deficient = matching.structural_rank < A.cols;
  if (is_deficient && !plan.keeps_null_pivots) refuse_deficient(A, matching);
  scaling.matching = is_deficient ? "maximum cardinality" : "maximum product";
  Equilibration ruiz;
  if (is_ruiz) ruiz = equilibrate(A, is_symmetric);
  const bool is_matched = !plan.scaling && !(is_ruiz && (is_deficient || is_even(ruiz, plan)));
  if (is_matched)
    scaling.scaling = "matching";
  else if (is_ruiz)
    set_ruiz(scaling, std::move(ruiz));
  if (plan.kind == FactorKind::lu) {
    match_empty_columns(matching.row_of_column);
    scaling.row_of_column = std::move(matching.row_of_column);
    if (!is_matched) return scaling;
    scaling.row_scale = std::move(matching.row_scale);
    scaling.col_scale = std::move(matching.col_scale);
  } else if (!is_deficient) {
    if (is_matched) scaling.row_scale = scaling.col_scale = symmetric_scaling(matching);
    scaling.partners =
        pivot_partners(matching.row_of_column, scaled_diagonal(sizes, scaling.row_scale), plan.pair_diagonal);
    scaling.matched_row = std::move(matching.row_of_column);
  }
  return scaling;
}

#define OVERLAPACK_INSTANTIATE(T)                                                             \
  template Scaling choose_scaling(const SparseMatrix<T>&, const AnalysisPlan&, comm::Tasks&); \
  template ColumnSizes column_sizes(const SparseMatrix<T>&, comm::Tasks&, Index);
OVERLAPACK_FOR_EACH_SCALAR(OVERLAPACK_INSTANTIATE)
#undef OVERLAPACK_INSTANTIATE

}  // namespace overlapack::sparse
