#include "iterative/jacobi/convergence_bounds.hpp"

#include "base/instantiate.hpp"
#include "overlapack/error.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <string>

namespace overlapack::iterative {

namespace {

/// The components of the pattern of entries that are not 0.
template <class T>
Components components_of(const SparseMatrix<T>& A, const FindComponents& find_components) {
  if (std::ranges::find(A.value, T(0)) == A.value.end()) return find_components(A.start, A.row);
  std::vector<Index> start{0}, row;
  for (Index j = 0; j < A.cols; ++j) {
    for (Index p = A.start[j]; p < A.start[j + 1]; ++p)
      if (A.value[p] != T(0)) row.push_back(A.row[p]);
    start.push_back(std::ssize(row));
  }
  return find_components(start, row);
}

/// The component of each unknown.
std::vector<std::int32_t> component_of(const Components& components) {
  std::vector<std::int32_t> of(components.order.size());
  for (std::size_t c = 0; c + 1 < components.start.size(); ++c)
    for (std::int32_t k = components.start[c]; k < components.start[c + 1]; ++k)
      of[components.order[k]] = static_cast<std::int32_t>(c);
  return of;
}

/// Whether an entry counts in |M|: off the diagonal, and inside a component.
struct Within {
  const std::vector<std::int32_t>& of;
  bool operator()(Index i, Index j) const { return i != j && of[i] == of[j]; }
};

/// |x| in double precision, also if T is single precision.
template <class T>
double modulus(const T& x) {
  if constexpr (ScalarTraits<T>::is_complex)
    return std::hypot(static_cast<double>(x.real()), static_cast<double>(x.imag()));
  else
    return static_cast<double>(std::abs(x));
}

/// Whether modulus(x) has no rounding error.
template <class T>
bool has_exact_modulus(const T& x) {
  return std::real(x) == 0 || std::imag(x) == 0;
}

/// A sum of moduli kept as high + low, which is exact unless `low` was rounded, too, or a modulus was.
struct ModulusSum {
  double high = 0, low = 0;
  bool is_exact = true;

  void add(double x, bool x_is_exact) {
    const double rest = add_to(high, x);
    is_exact = add_to(low, rest) == 0 && is_exact && x_is_exact;
  }

 private:
  /// sum <- sum + x, rounded. Returns the exact rounding error (Knuth's two-sum).
  static double add_to(double& sum, double x) {
    const double before = sum;
    sum = before + x;
    const double of_x = sum - before;
    return (before - (sum - of_x)) + (x - of_x);
  }
};

/// The moduli of A's entries, in the same order; 0 for entries that do not count.
template <class T>
std::vector<double> moduli_of(const SparseMatrix<T>& A, const Within& is_within) {
  std::vector<double> moduli(A.row.size());
  for (Index j = 0; j < A.cols; ++j)
    for (Index p = A.start[j]; p < A.start[j + 1]; ++p)
      moduli[p] = is_within(A.row[p], j) ? modulus(A.value[p]) : 0;
  return moduli;
}

/// By row, the sum of the moduli that count.
template <class T>
std::vector<ModulusSum> row_sums(const SparseMatrix<T>& A, const Within& is_within) {
  std::vector<ModulusSum> sums(static_cast<std::size_t>(A.rows));
  for (Index j = 0; j < A.cols; ++j)
    for (Index p = A.start[j]; p < A.start[j + 1]; ++p)
      if (is_within(A.row[p], j)) sums[A.row[p]].add(modulus(A.value[p]), has_exact_modulus(A.value[p]));
  return sums;
}

/// Bounds of one component.
struct ComponentBounds {
  double lower = 0, upper = std::numeric_limits<double>::infinity();
  double low = 0, high = 0, largest = 0;  ///< of this step: bounds, and largest entry of v + w
  bool has_overflown = false;             ///< in w: no step since then tells anything
  bool is_weakly_dominated = true, is_strict = false;

  bool is_dominated() const { return is_weakly_dominated && is_strict; }
  bool is_convergent() const { return upper < 1 || is_dominated(); }
};

/// Mark the components in all of whose rows |a_ii| >= the sum of |a_ij| over the component's other j, with > in one row. The sums
/// are exact, because both sides are equal for a Laplacian; where they are not, |a_ii| must be larger by their possible error.
template <class T>
void find_dominated(const std::vector<T>& diagonal, const std::vector<ModulusSum>& others,
                    const std::vector<std::int32_t>& of, double rounding,
                    std::vector<ComponentBounds>& blocks) {
  for (std::size_t i = 0; i < of.size(); ++i) {
    ComponentBounds& block = blocks[of[i]];
    const double size = modulus(diagonal[i]);
    const bool is_exact = others[i].is_exact && has_exact_modulus(diagonal[i]);
    const double excess = size - others[i].high;  // exact wherever `low` is not far smaller
    const double least = others[i].low + (is_exact ? 0 : rounding * size);
    block.is_weakly_dominated = block.is_weakly_dominated && excess >= least;
    block.is_strict = block.is_strict || excess > least;
  }
}

/// Tighten the bounds of each component by w = N v, for an N >= 0 with the radius of |M|.
void tighten_bounds(const std::vector<double>& w, const std::vector<double>& v,
                    const std::vector<std::int32_t>& of, double rounding,
                    std::vector<ComponentBounds>& blocks) {
  for (ComponentBounds& b : blocks) b.low = std::numeric_limits<double>::infinity(), b.high = b.largest = 0;
  for (std::size_t i = 0; i < v.size(); ++i) {
    ComponentBounds& b = blocks[of[i]];
    const double quotient = w[i] / v[i];
    if (!is_finite(quotient)) b.has_overflown = true;
    b.low = std::min(b.low, quotient);
    b.high = std::max(b.high, quotient);
    b.largest = std::max(b.largest, v[i] + w[i]);
  }
  for (ComponentBounds& b : blocks) {
    if (b.has_overflown) continue;
    b.lower = std::max(b.lower, b.low * (1 - rounding));
    b.upper = std::min(b.upper, b.high * (1 + rounding));
  }
}

RadiusBounds bounds_of_all(const std::vector<ComponentBounds>& blocks, double rounding) {
  RadiusBounds bounds{.rounding = rounding};
  for (const ComponentBounds& b : blocks) {
    bounds.lower = std::max(bounds.lower, b.lower);
    bounds.upper = std::max(bounds.upper, b.upper);
  }
  bounds.is_convergent = std::ranges::all_of(blocks, &ComponentBounds::is_convergent);
  return bounds;
}

/// Relative rounding error of the sum of a row or column: the largest number of entries, with some to spare, times eps.
template <class T>
double rounding_of_lines(const SparseMatrix<T>& A) {
  std::vector<Index> entries(static_cast<std::size_t>(A.rows), 0);
  for (const Index i : A.row) ++entries[i];
  Index most = 0;
  for (Index i = 0; i < A.rows; ++i) most = std::max({most, entries[i], A.start[i + 1] - A.start[i]});
  return static_cast<double>(most + 2) * std::numeric_limits<double>::epsilon();
}

}  // namespace

template <class T>
std::vector<T> diagonal_of(const SparseMatrix<T>& A) {
  std::vector<T> diagonal(static_cast<std::size_t>(A.rows), T(0));
  for (Index j = 0; j < A.cols; ++j)
    for (Index p = A.start[j]; p < A.start[j + 1]; ++p)
      if (A.row[p] == j) diagonal[j] = A.value[p];
  const auto zero = std::ranges::find(diagonal, T(0));
  if (zero != diagonal.end())
    throw Error(Status::bad_input,
                "row " + std::to_string(zero - diagonal.begin()) +
                    " has a zero on the diagonal, by which Jacobi's method would divide; reorder the "
                    "equations, or use method "
                    "multifrontal");
  return diagonal;
}

template <class T>
RadiusBounds bound_radius(const SparseMatrix<T>& A, const FindComponents& find_components, int steps) {
  const std::vector<T> numbers = diagonal_of(A);
  std::vector<double> diagonal;
  for (const T& d : numbers) diagonal.push_back(modulus(d));
  if (!std::ranges::all_of(diagonal, is_finite<double>))  // a modulus overflows, so that nothing is known
    return {.upper = std::numeric_limits<double>::infinity(), .is_convergent = false};
  const Components components = components_of(A, find_components);
  const std::vector<std::int32_t> of = component_of(components);
  const Within is_within{of};
  const double rounding = rounding_of_lines(A);
  std::vector<ComponentBounds> blocks(components.start.size() - 1);
  std::vector<double> v(of.size(), 1.0), w(of.size());
  const std::vector<ModulusSum> sums = row_sums(A, is_within);
  find_dominated(numbers, sums, of, rounding, blocks);
  for (std::size_t i = 0; i < w.size(); ++i) w[i] = sums[i].high / diagonal[i];
  tighten_bounds(w, v, of, rounding, blocks);  // by |M|
  RadiusBounds bounds = bounds_of_all(blocks, rounding);
  const auto is_decided = [&] { return bounds.is_convergent || bounds.is_divergent(); };
  const std::vector<double> moduli = is_decided() ? std::vector<double>() : moduli_of(A, is_within);
  constexpr double least_product =
      std::numeric_limits<double>::min();  // one that underflows must not lower the bound
  for (int step = 0; step < steps && !is_decided(); ++step) {
    for (Index j = 0; j < A.cols; ++j) {
      double sum = 0;
      for (Index p = A.start[j]; p < A.start[j + 1]; ++p)
        if (moduli[p] > 0) sum += std::max(moduli[p] * v[A.row[p]], least_product);
      w[j] = sum / diagonal[j];
    }
    tighten_bounds(w, v, of, rounding, blocks);
    for (std::size_t i = 0; i < v.size(); ++i)
      v[i] = std::max((v[i] + w[i]) / blocks[of[i]].largest, std::numeric_limits<double>::min());
    bounds = bounds_of_all(blocks, rounding);
  }
  return bounds;
}

#define OVERLAPACK_INSTANTIATE(T)                              \
  template std::vector<T> diagonal_of(const SparseMatrix<T>&); \
  template RadiusBounds bound_radius(const SparseMatrix<T>&, const FindComponents&, int);
OVERLAPACK_FOR_EACH_SCALAR(OVERLAPACK_INSTANTIATE)
#undef OVERLAPACK_INSTANTIATE

}  // namespace overlapack::iterative
