#include "api/diagnose/pattern_faults.hpp"

#include "api/diagnose/diagnose_plan.hpp"
#include "api/diagnose/model_parts.hpp"
#include "api/diagnose/sentences.hpp"
#include "overlapack/printed.hpp"
#include "sparse/analysis/graph/dulmage_mendelsohn.hpp"
#include "sparse/matching/assignment.hpp"

#include <algorithm>
#include <cmath>
#include <complex>
#include <map>
#include <utility>

namespace overlapack::api {
namespace {

using sparse::CoarsePart;

template <class T>
std::vector<char> rows_with_entries(const SparseMatrix<T>& A) {
  std::vector<char> has(static_cast<std::size_t>(A.rows));
  for (const Index i : A.row) has[static_cast<std::size_t>(i)] = 1;
  return has;
}

Finding pattern_finding(FindingKind kind, std::vector<Index> unknowns, std::vector<Index> equations,
                        std::string what, std::string remedy) {
  return {kind, true, std::move(unknowns), std::move(equations), {}, 0, std::move(what), std::move(remedy)};
}

std::string counted(std::size_t count, const char* one) {
  return std::to_string(count) + " " + one + (count == 1 ? "" : "s");
}

/// Equations and unknowns of a part of the model in which there are too many of one of them.
struct Uneven {
  std::vector<Index> equations, unknowns;
};

}  // namespace

template <class T>
PatternFindings findings_by_pattern(const SparseMatrix<T>& A, const ModelFacts& facts) {
  const ModelNames names(facts);
  PatternFindings result;
  const std::vector<char> has_row = rows_with_entries(A);
  for (Index i = 0; i < A.rows; ++i)
    if (!has_row[i])
      result.findings.push_back(pattern_finding(
          FindingKind::empty_equation, {}, {i},
          names.equation(i) + " has no unknown: all its numbers are zero", "fill it in, or take it out"));
  for (Index j = 0; j < A.cols; ++j)
    if (A.start[j] == A.start[j + 1])
      result.findings.push_back(pattern_finding(FindingKind::empty_unknown, {j}, {},
                                                names.unknown(j) + " occurs in no equation",
                                                "fix it, take it out, or connect it"));

  sparse::Assignment matched =
      sparse::solve_assignment({A.cols, A.start.data(), A.row.data(), std::vector<double>(A.row.size())});
  result.defect = A.cols - matched.size;
  result.row_of_column = std::move(matched.row_of_column);
  if (result.defect == 0) return result;
  const auto coarse = sparse::dulmage_mendelsohn(A.start, A.row, result.row_of_column);
  const std::vector<Index> part = connected_parts(A);
  std::map<Index, Uneven> over, under;
  for (Index i = 0; i < A.rows; ++i) {
    if (coarse.row[i] == CoarsePart::over && has_row[i]) over[part[i]].equations.push_back(i);
    if (coarse.row[i] == CoarsePart::under) under[part[i]].equations.push_back(i);
    if (coarse.column[i] == CoarsePart::over) over[part[i]].unknowns.push_back(i);
    if (coarse.column[i] == CoarsePart::under && A.start[i] < A.start[i + 1])
      under[part[i]].unknowns.push_back(i);
  }
  for (auto& [where, of] : over)
    if (of.equations.size() > of.unknowns.size())
      result.findings.push_back(pattern_finding(
          FindingKind::too_many_equations, of.unknowns, of.equations,
          counted(of.equations.size(), "equation") + " (" + names.equations(of.equations) + ") have only " +
              counted(of.unknowns.size(), "unknown") + " (" + names.unknowns(of.unknowns) + ")",
          "take " + counted(of.equations.size() - of.unknowns.size(), "equation") +
              " out, or let more unknowns into them"));
  for (auto& [where, of] : under)
    if (of.unknowns.size() > of.equations.size())
      result.findings.push_back(pattern_finding(
          FindingKind::too_few_equations, of.unknowns, of.equations,
          counted(of.unknowns.size(), "unknown") + " (" + names.unknowns(of.unknowns) + ") occur in only " +
              counted(of.equations.size(), "equation") + " (" + names.equations(of.equations) + ")",
          "fix " + counted(of.unknowns.size() - of.equations.size(), "unknown") + ", or add equations"));
  return result;
}

template <class T>
std::vector<Finding> find_badly_scaled_rows(const SparseMatrix<T>& A, const ModelFacts& facts) {
  std::vector<double> largest(static_cast<std::size_t>(A.rows));
  for (std::size_t k = 0; k < A.row.size(); ++k) {
    double& most = largest[static_cast<std::size_t>(A.row[k])];
    most = std::max<double>(most, std::abs(A.value[k]));
  }
  std::vector<double> sorted = largest;
  if (sorted.empty()) return {};
  const auto middle = sorted.begin() + static_cast<std::ptrdiff_t>(sorted.size() / 2);
  std::ranges::nth_element(sorted, middle);
  Finding finding{FindingKind::uneven_scale, false, {}, {}, {}, 1, "", ""};
  for (Index i = 0; i < A.rows; ++i) {
    if (!(largest[i] > 0 && largest[i] < diagnose_plan.uneven * *middle)) continue;
    finding.equations.push_back(i);
    finding.share = std::min(finding.share, largest[i] / *middle);
  }
  if (finding.equations.empty()) return {};
  const ModelNames names(facts);
  finding.change = finding.equations;
  finding.what = names.equations(finding.equations) +
                 ": all numbers are far below those of other equations, down to " +
                 printed("%.0e", finding.share) + " of a usual one";
  finding.remedy = "if that is only a matter of units, write them in units in which their numbers are near 1";
  return {finding};
}

#define OVERLAPACK_INSTANTIATE(T)                                                          \
  template PatternFindings findings_by_pattern(const SparseMatrix<T>&, const ModelFacts&); \
  template std::vector<Finding> find_badly_scaled_rows(const SparseMatrix<T>&, const ModelFacts&);
OVERLAPACK_INSTANTIATE(double)
OVERLAPACK_INSTANTIATE(std::complex<double>)
#undef OVERLAPACK_INSTANTIATE

}  // namespace overlapack::api
