#include "overlapack/diagnose.hpp"

#include "api/diagnose/model_parts.hpp"
#include "api/diagnose/motions.hpp"
#include "api/diagnose/null_vectors.hpp"
#include "api/diagnose/pattern_faults.hpp"
#include "api/diagnose/sentences.hpp"
#include "base/instantiate.hpp"
#include "base/public_call.hpp"
#include "overlapack/overlapack.hpp"
#include "overlapack/printed.hpp"
#include "sparse/matrix/convert.hpp"
#include "sparse/matrix/transpose.hpp"

#include <algorithm>
#include <cmath>
#include <map>
#include <set>
#include <span>
#include <utility>

namespace overlapack {
namespace api {
namespace {

void require_facts(const ModelFacts& facts, Index rows, Index cols) {
  const auto refuse = [](const std::string& message) { throw Error(Status::bad_input, message); };
  if (rows != cols)
    refuse("the matrix is " + std::to_string(rows) + " x " + std::to_string(cols) +
           "; a model has as many equations as unknowns");
  const auto require_names = [&](const std::vector<std::string>& names, const char* what) {
    if (!names.empty() && static_cast<Index>(names.size()) != cols)
      refuse("there are " + std::to_string(names.size()) + " names of " + what + " for " +
             std::to_string(cols) + "; give one for each, or none");
  };
  const auto require_finite = [&](const std::vector<double>& values, const std::string& what) {
    const auto bad = std::ranges::find_if_not(values, [](double x) { return std::isfinite(x); });
    if (bad != values.end())
      refuse("entry " + std::to_string(bad - values.begin()) + " of " + what +
             " is not a finite number; remove NaN and infinity");
  };
  require_names(facts.unknowns, "unknowns");
  require_names(facts.equations, "equations");
  if (!facts.right_hand_side.empty() && static_cast<Index>(facts.right_hand_side.size()) != rows)
    refuse("the right-hand side has " + std::to_string(facts.right_hand_side.size()) + " entries for " +
           std::to_string(rows) + " equations");
  require_finite(facts.right_hand_side, "the right-hand side");
  require_finite(facts.coordinates, "the coordinates");
  if (facts.coordinates.empty()) return;
  const Index d = facts.dimensions;
  if (d < 1 || d > 3 || static_cast<Index>(facts.coordinates.size()) % d != 0)
    refuse("there are " + std::to_string(facts.coordinates.size()) + " coordinates in " + std::to_string(d) +
           " dimensions; give 1 to 3 for each node");
  const Index nodes = static_cast<Index>(facts.coordinates.size()) / d;
  if (cols % nodes != 0)
    refuse("there are " + std::to_string(nodes) + " nodes for " + std::to_string(cols) +
           " unknowns; each node has as many, one node after the other");
}

/// Turns the null vectors of a matrix into findings about its model.
template <class T>
class NullVectorFindings {
 public:
  /// n: the number of unknowns; part: the part of the model of each unknown
  NullVectorFindings(Index n, const ModelFacts& facts, std::span<const Index> part)
      : n_(n), facts_(facts), names_(facts), motions_(facts, n), part_(part) {
    for (const Index of_unknown : part) ++size_of_part_[of_unknown];
  }

  /// The findings of right null vectors. Vectors of one part of the model, or with common unknowns, make one finding.
  std::vector<Finding> unknowns(const std::vector<NullVector<T>>& vectors) const {
    std::map<std::pair<bool, Index>, std::vector<const NullVector<T>*>> by_part;
    for (const NullVector<T>& v : vectors) by_part[{!v.is_proved, part_[v.pivot]}].push_back(&v);
    std::vector<Finding> findings;
    for (const auto& [key, group] : by_part) findings.push_back(key.first ? weak(group) : free(group));
    return findings;
  }

  /// The findings of left null vectors, one for each vector.
  std::vector<Finding> equations(const std::vector<NullVector<T>>& vectors) const {
    std::vector<Finding> findings;
    for (const NullVector<T>& w : vectors)
      if (w.is_proved) findings.push_back(dependent(w));
    return findings;
  }

 private:
  using Group = std::vector<const NullVector<T>*>;

  std::vector<Index> union_of_supports(const Group& group) const {
    std::vector<Index> all;
    std::set<Index> seen;
    for (const auto* v : group)
      for (const Index i : v->support)
        if (seen.insert(i).second) all.push_back(i);
    return all;
  }

  static std::string how_many(Index count) {
    return count == 1 ? "one way" : std::to_string(count) + " independent ways";
  }

  /// Describe in words how these unknowns can change.
  std::string motion(const Group& group, std::span<const Index> support) const {
    std::vector<std::vector<double>> vectors;
    bool are_all_equal = true;
    for (const auto* v : group) {
      std::map<Index, T> known;
      for (std::size_t k = 0; k < v->support.size(); ++k) known[v->support[k]] = v->values[k];
      std::vector<double> values;
      for (const Index i : support) {
        const T x = known[i];
        are_all_equal &= std::abs(x - T(1)) <= 1e-6;
        values.push_back(std::real(x));
      }
      vectors.push_back(std::move(values));
    }
    if (const std::string rigid = motions_.describe(support, vectors); !rigid.empty()) return rigid;
    return group.size() == 1 && are_all_equal && support.size() > 1 ? "all by the same amount" : "";
  }

  Finding free(const Group& group) const {
    Finding finding{FindingKind::free_unknowns, true, union_of_supports(group), {}, {}, 0, "", ""};
    const std::vector<Index>& all = finding.unknowns;
    for (const auto* v : group) finding.change.push_back(v->pivot);
    const Index part = part_[group.front()->pivot];
    const Index in_part = size_of_part_.at(part);
    const std::string whom = names_.unknowns(all);
    const std::string how = motion(group, all);
    const bool is_whole = static_cast<Index>(all.size()) == in_part;
    const std::string subject = all.size() == 1 ? whom + " can change" : whom + " can change together";
    finding.what = subject + " in " + how_many(static_cast<Index>(group.size())) +
                   " without any effect on an equation" + (how.empty() ? "" : ": " + how);
    if (is_whole && in_part < n_)
      finding.what += "; this part of " + std::to_string(in_part) +
                      " unknowns is not connected to the others, and nothing holds it";
    else if (is_whole && in_part > 1)
      finding.what += "; nothing holds the model";
    finding.remedy = "fix " + names_.unknowns(finding.change) + ", or connect what is free to what is held";
    return finding;
  }

  Finding weak(const Group& group) const {
    Finding finding{FindingKind::weak_unknowns, false, union_of_supports(group), {}, {}, 0, "", ""};
    for (const auto* v : group) {
      finding.change.push_back(v->pivot);
      finding.share = std::max(finding.share, v->share);
    }
    const std::string how = motion(group, finding.unknowns);
    finding.what = names_.unknowns(finding.unknowns) + " are held by only " + printed("%.1e", finding.share) +
                   " of the numbers in their equations" + (how.empty() ? "" : ": " + how) +
                   "; as many digits of their values are lost";
    finding.remedy =
        "if that is meant, nothing; else look for what should hold " + names_.unknowns(finding.change);
    return finding;
  }

  Finding dependent(const NullVector<T>& w) const {
    Finding finding{FindingKind::dependent_equations, true, {}, w.support, {w.pivot}, 0, "", ""};
    T defect = 0;
    double size = 0;
    const bool is_known = !facts_.right_hand_side.empty();
    for (std::size_t k = 0; is_known && k < w.support.size(); ++k) {
      const double b = facts_.right_hand_side[static_cast<std::size_t>(w.support[k])];
      defect += conjugate(w.values[k]) * b;
      size += std::abs(w.values[k] * b);
    }
    const bool contradict = std::abs(defect) > 1e-9 * size;
    finding.what = names_.equations(w.support) +
                   (w.support.size() == 1 ? " says nothing" : " depend on each other: ") +
                   (w.support.size() == 1 ? "" : combination(w)) +
                   (contradict ? "; their right-hand sides contradict each other"
                    : is_known ? "; they repeat each other"
                               : "; they repeat or, by their right-hand sides, contradict each other");
    finding.remedy = "take out " + names_.equation(w.pivot) + ", or correct the one that is wrong";
    return finding;
  }

  /// The linear combination of equations, as text: "a - 2 b + ... = 0".
  std::string combination(const NullVector<T>& w) const {
    std::string text;
    constexpr std::size_t shown = 4;
    for (std::size_t k = 0; k < std::min(w.support.size(), shown); ++k) {
      const double c = std::real(w.values[k]);
      text += k == 0 ? (c < 0 ? "-" : "") : (c < 0 ? " - " : " + ");
      if (std::abs(std::abs(c) - 1) > 1e-6) text += printed("%.4g ", std::abs(c));
      text += '(';
      text += names_.equation(w.support[k]);
      text += ')';
    }
    return text + (w.support.size() > shown ? " + ... = 0" : " = 0");
  }

  Index n_;
  const ModelFacts& facts_;
  ModelNames names_;
  RigidMotions motions_;
  std::span<const Index> part_;
  std::map<Index, Index> size_of_part_;
};

template <class T>
bool is_zero(const SparseMatrix<T>& A) {
  return A.value.empty();
}

/// Add the null vectors of a part, with their positions numbered as in the model. Vectors of an empty row or column are left out, since the
/// pattern has shown them already.
template <class T>
void add_vectors(std::vector<NullVector<T>> of_part, const SparseMatrix<T>& A, std::span<const Index> number,
                 std::vector<NullVector<T>>& all) {
  for (NullVector<T>& v : of_part) {
    if (A.start[v.pivot] == A.start[v.pivot + 1]) continue;
    for (Index& i : v.support) i = number[static_cast<std::size_t>(i)];
    v.pivot = number[static_cast<std::size_t>(v.pivot)];
    all.push_back(std::move(v));
  }
}

/// The findings by the values: null vectors of A and, for an unsymmetric A, of A^H. It goes part by part, so that the time grows only linearly
/// with the number of parts.
template <class T>
std::vector<Finding> findings_by_numbers(const SparseMatrix<T>& A, const ModelFacts& facts,
                                         const Options& given, const PatternFindings& pattern) {
  Options options;
  options.method = Method::multifrontal;
  options.ranks = 1;
  options.run.engine = Engine::thread;
  options.run.memory_limit_bytes = given.run.memory_limit_bytes;
  options.progress = given.progress;
  options.sparse.null_pivots = true;
  auto factors = factorize(A, options);
  if (A.cols - factors.report().numerical_rank <= pattern.defect) return {};
  const bool has_left = factors.report().symmetry == "general";
  const std::vector<Index> part_of = connected_parts(A);
  std::vector<NullVector<T>> right, left;
  for (const ModelPart<T>& part : model_parts<T>(A, part_of, pattern.row_of_column)) {
    if (part.A.cols < A.cols) factors = factorize(part.A, options);
    const Index nulls = part.A.cols - factors.report().numerical_rank;
    if (nulls <= part.defect) continue;
    add_vectors(sparse_null_basis(part.A, factors.null_space(), nulls), part.A, part.unknowns, right);
    if (!has_left) continue;
    const SparseMatrix<T> adjoint = sparse::conjugate_transpose(part.A);
    add_vectors(sparse_null_basis(adjoint, factors.null_space(Transpose::conj_trans), nulls), adjoint,
                part.equations, left);
  }
  const NullVectorFindings<T> findings(A.cols, facts, part_of);
  std::vector<Finding> all = findings.unknowns(right);
  std::ranges::move(findings.equations(left), std::back_inserter(all));
  return all;
}

template <class T>
Diagnosis diagnosis_of(SparseMatrix<T> A, const ModelFacts& facts, const Options& options) {
  drop_zeros(A);
  PatternFindings pattern = findings_by_pattern(A, facts);
  Diagnosis diagnosis{std::move(pattern.findings)};
  if (!is_zero(A))
    std::ranges::move(findings_by_numbers(A, facts, options, pattern),
                      std::back_inserter(diagnosis.findings));
  std::ranges::move(find_badly_scaled_rows(A, facts), std::back_inserter(diagnosis.findings));
  std::ranges::stable_partition(diagnosis.findings, [](const Finding& f) { return f.is_fault; });
  return diagnosis;
}

}  // namespace
}  // namespace api

template <class T>
Diagnosis diagnose(SparseMatrix<T> A, const ModelFacts& facts, const Options& options) {
  return public_call(call::diagnose, [&] {
    using Double = std::conditional_t<ScalarTraits<T>::is_complex, std::complex<double>, double>;
    api::require_facts(facts, A.rows, A.cols);
    return api::diagnosis_of<Double>(sparse::convert<Double>(A), facts, options);
  });
}

#define OVERLAPACK_INSTANTIATE(T) \
  template Diagnosis diagnose(SparseMatrix<T>, const ModelFacts&, const Options&);
OVERLAPACK_FOR_EACH_SCALAR(OVERLAPACK_INSTANTIATE)
#undef OVERLAPACK_INSTANTIATE

}  // namespace overlapack
