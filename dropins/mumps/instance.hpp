#pragma once
#include "attempt.hpp"
#include "caller_vectors.hpp"
#include "controls.hpp"
#include "pattern_factors.hpp"
#include "schur_part.hpp"

#include <algorithm>
#include <cmath>
#include <complex>
#include <optional>
#include <span>
#include <type_traits>

namespace overlapack::dropins::mumps {

/// The object behind a caller's struct, for any type of numbers and layout.
class AnyInstance {
 public:
  virtual ~AnyInstance() = default;
  /// Run a job, 1 to 6 or -2. It sets INFO, INFOG and results in the struct.
  virtual void run(void* struc) = 0;
};

/// The object behind a caller's struct Id, a Struc with numbers of type T.
template <class T, class Id>
class Instance final : public AnyInstance {
 public:
  explicit Instance(const Id& id) : processes_(processes_of(id.comm_fortran)) {}
  void run(void* struc) override;

 private:
  void analyse(Id& id);
  void factorize(Id& id);
  void solve(Id& id);
  void copy_null_space_to_caller(Id& id);
  void copy_inverse_to_caller(Id& id);
  void factorize_whole(Id& id, std::span<const T> values);
  int missing_entries(std::span<const T> values) const;
  void factorize_with_schur(Id& id, std::span<const T> values);
  void solve_with_schur(Id& id);

  Controls controls_of_host(const Id& id) const;
  void require_entries(std::int64_t given) const;
  void read_positions(const Id& id, Index& outside);
  /// Call position(i, j) for each of the caller's values, in their order; i and j from 1.
  template <class Position>
  void for_each_entry(const Id& id, Position position) const;
  template <class Position>
  void for_each_of_elements(const Id& id, Position position) const;
  void choose_schur(const Id& id);
  void read_order(const Id& id);
  std::vector<T> values_of(const Id& id) const;
  CallerVectors<T, Id> vectors(Id& id) const { return {processes_, controls_, id}; }
  void describe(Id& id, const Report& report);
  void describe_pivots(Id& id);
  bool is_host() const { return processes_.is_host(); }
  bool lists_entries() const { return is_host() || controls_.is_distributed(); }

  Processes processes_;
  Controls controls_;
  Options options_;
  std::vector<Index> order_;  // of the variables, by the caller's perm_in
  std::vector<Index> kept_;   // the caller's entries that are inside of the matrix; empty: all
  std::optional<PatternFactors<T>> factors_;
  SchurPart<T> schur_;
  Index deficiency_ = 0;  // null pivots of the last factorisation
  bool is_analysed_ = false;
  int analysed_n_ = 0;
  Controls of_factors_;
};

/// A number as MUMPS reports it: if it exceeds an int, in millions and negative.
inline int as_integer(double value) { return static_cast<int>(value < 2147483647 ? value : -value / 1e6); }

/// One sentence on the last call of this thread that failed.
inline thread_local std::string last_message;

template <class T, class Id>
void Instance<T, Id>::run(void* struc) {
  Id& id = *static_cast<Id*>(struc);
  std::fill_n(id.info, 2, 0);
  const Outcome outcome = attempt([&]() -> Outcome {
    if (id.job == -2) return {};
    try {
      controls_ = controls_of_host(id);
      controls_.require_supported(processes_.size);
      if (id.job == 1 || id.job == 4 || id.job == 6)
        analyse(id);
      else if (is_analysed_ && controls_.n != analysed_n_)
        throw Refusal(bad_n, controls_.n,
                      "n is " + std::to_string(controls_.n) + ", but was " + std::to_string(analysed_n_) +
                          " in the analysis; leave it, or call job 1 again");
      if (id.job == 2 || id.job >= 4) factorize(id);
      if (id.job == 3 || id.job >= 5) solve(id);
      return {};
    } catch (const Refusal& refusal) {
      std::copy_n(refusal.info.begin(), 2, id.info);
      return {Status::bad_plan, refusal.what()};
    }
  });
  if (outcome.status != Status::ok) {
    last_message = outcome.message;
    if (outcome.status == Status::singular)
      id.info[0] = is_singular;
    else if (outcome.status == Status::out_of_memory)
      id.info[0] = no_memory;
    else if (id.info[0] >= 0)
      id.info[0] = not_here;
  }
  std::copy_n(id.info, 2, id.infog);
}

template <class T, class Id>
Controls Instance<T, Id>::controls_of_host(const Id& id) const {
  Controls controls;
  controls.n = id.n;
  controls.sym = id.sym == 1 || id.sym == 2 ? id.sym : 0;  // MUMPS takes all others as 0
  controls.nrhs = id.nrhs;
  controls.nelt = id.nelt;
  controls.size_schur = id.size_schur;
  controls.schur_lld = id.schur_lld;
  controls.lredrhs = id.lredrhs;
  controls.nprow = id.nprow;
  controls.npcol = id.npcol;
  std::copy_n(id.icntl, 60, controls.icntl.begin());
  controls.threshold = static_cast<double>(id.cntl[0]);
  broadcast(processes_, &controls, sizeof controls);
  return controls;
}

/// Visit the entries of finite elements. An element's values are a square by columns or, if SYM is not 0, its lower triangle by columns.
template <class T, class Id>
template <class Position>
void Instance<T, Id>::for_each_of_elements(const Id& id, Position position) const {
  if (controls_.nelt < 1)
    throw Refusal(bad_elements, controls_.nelt, "nelt is below 1; give the number of elements");
  require(processes_, !is_host() || id.eltptr, 1, "eltptr");
  require(processes_, !is_host() || id.eltvar, 2, "eltvar");
  const auto has_order = [&] {
    const std::span pointers(id.eltptr, static_cast<std::size_t>(controls_.nelt) + 1);
    return pointers.front() == 1 && std::ranges::is_sorted(pointers);
  };
  if (largest(processes_, is_host() && !has_order() ? 1 : 0) > 0)
    throw Refusal(bad_elements, controls_.nelt, "eltptr has to begin with 1, and not to decrease");
  for (int e = 0; is_host() && e < id.nelt; ++e)
    for (int j = id.eltptr[e] - 1; j < id.eltptr[e + 1] - 1; ++j)
      for (int i = controls_.sym == 0 ? id.eltptr[e] - 1 : j; i < id.eltptr[e + 1] - 1; ++i)
        position(id.eltvar[i], id.eltvar[j]);
}

template <class T, class Id>
template <class Position>
void Instance<T, Id>::for_each_entry(const Id& id, Position position) const {
  if (controls_.is_by_elements()) return for_each_of_elements(id, position);
  const bool is_local = controls_.is_distributed();
  const std::int64_t given =
      is_local ? (id.nnz_loc > 0 ? id.nnz_loc : id.nz_loc) : (id.nnz > 0 ? id.nnz : id.nz);
  const auto* irn = is_local ? id.irn_loc : id.irn;
  const auto* jcn = is_local ? id.jcn_loc : id.jcn;
  if (!is_local) require_entries(given);
  require(processes_, !lists_entries() || given <= 0 || (irn && jcn), 1,
          is_local ? "irn_loc or jcn_loc" : "irn or jcn");
  for (std::int64_t k = 0; lists_entries() && k < given; ++k) position(irn[k], jcn[k]);
}

/// Check that the caller gave the entries. given: on the host, their number
template <class T, class Id>
void Instance<T, Id>::require_entries(std::int64_t given) const {
  broadcast(processes_, &given, sizeof given);
  if (given < 1)
    throw Refusal(
        bad_entries, static_cast<int>(given),
        "there are " + std::to_string(given) + " entries (nnz, or nz where that is 0); give their number");
}

template <class T, class Id>
void Instance<T, Id>::read_positions(const Id& id, Index& outside) {
  const Index n = controls_.n;
  Triplets<T> positions{n, n, {}, {}, {}};
  kept_.clear();
  Index given = 0;
  for_each_entry(id, [&](Index i, Index j) {
    const Index k = given++;
    if (i < 1 || i > n || j < 1 || j > n) return;  // left out, with a warning, as MUMPS does
    positions.row.push_back(i - 1);
    positions.col.push_back(j - 1);
    kept_.push_back(k);
  });
  outside = given - static_cast<Index>(kept_.size());
  if (outside == 0) kept_.clear();
  factors_.emplace(std::move(positions), controls_.sym == 0 ? Listed::all : Listed::symmetric_half,
                   controls_.is_distributed() && processes_.size > 1);
}

template <class T, class Id>
void Instance<T, Id>::choose_schur(const Id& id) {
  schur_.forget();
  if (!controls_.has_schur()) return;
  if (controls_.size_schur < 0)
    throw Refusal(bad_schur_size, controls_.size_schur,
                  "size_schur is negative; give the number of variables in listvar_schur");
  if (controls_.size_schur >= controls_.n)
    throw Refusal(bad_schur_size, controls_.size_schur,
                  "size_schur is " + std::to_string(controls_.size_schur) + " of " +
                      std::to_string(controls_.n) + " variables; leave at least one to eliminate");
  require(processes_, !is_host() || id.listvar_schur, 8, "listvar_schur");
  std::vector<Index> variables(static_cast<std::size_t>(controls_.size_schur));
  for (std::size_t k = 0; is_host() && k < variables.size(); ++k)
    variables[k] = Index{id.listvar_schur[k]} - 1;
  broadcast(processes_, variables.data(), variables.size() * sizeof(Index));
  schur_.choose(std::move(variables));
}

/// Read the order in perm_in, if ICNTL(7) asks for it.
template <class T, class Id>
void Instance<T, Id>::read_order(const Id& id) {
  constexpr Index none = -1;
  order_.assign(static_cast<std::size_t>(controls_.of(7) == 1 ? controls_.n : 0), none);
  int wrong = 0;  // the first variable whose place is not free, from 1
  for (std::size_t i = 0; is_host() && wrong == 0 && i < order_.size(); ++i) {
    const Index position = Index{id.perm_in[i]} - 1;
    const bool is_free =
        position >= 0 && position < controls_.n && order_[static_cast<std::size_t>(position)] == none;
    if (is_free)
      order_[static_cast<std::size_t>(position)] = static_cast<Index>(i);
    else
      wrong = static_cast<int>(i) + 1;
  }
  broadcast(processes_, &wrong, sizeof wrong);
  if (wrong > 0)
    throw Refusal(bad_order, wrong,
                  "perm_in gives variable " + std::to_string(wrong) +
                      " a place that is out of range or taken; give each variable its own from 1 to n");
  broadcast(processes_, order_.data(), order_.size() * sizeof(Index));
}

/// Store the pattern: the analysis follows with the first values, since a matching and scalings need some (PatternFactors).
template <class T, class Id>
void Instance<T, Id>::analyse(Id& id) {
  is_analysed_ = false;
  if (controls_.n < 1)
    throw Refusal(bad_n, controls_.n,
                  "n is " + std::to_string(controls_.n) + "; give the order of the matrix");
  require(processes_, controls_.of(7) != 1 || !is_host() || id.perm_in, 3, "perm_in");
  Index outside = 0;
  read_positions(id, outside);
  choose_schur(id);
  read_order(id);
  is_analysed_ = true;
  analysed_n_ = controls_.n;
  if (outside > 0) {
    id.info[0] = 1;
    id.info[1] = static_cast<int>(outside);
  }
}

template <class T, class Id>
std::vector<T> Instance<T, Id>::values_of(const Id& id) const {
  const auto* a = reinterpret_cast<const T*>(controls_.is_by_elements()   ? id.a_elt
                                             : controls_.is_distributed() ? id.a_loc
                                                                          : id.a);
  const std::size_t count = factors_->positions().row.size();
  require(processes_, count == 0 || a, 4, "a, a_loc or a_elt");
  std::vector<T> values(count);
  for (std::size_t k = 0; k < count; ++k)
    values[k] = a[kept_.empty() ? k : static_cast<std::size_t>(kept_[k])];
  return values;
}

template <class T, class Id>
void Instance<T, Id>::factorize(Id& id) {
  if (!is_analysed_) throw Refusal(bad_job, id.job, "there is no analysis; call job 1 before job 2");
  const std::vector<T> values = values_of(id);
  options_ = controls_.options(processes_, order_);
  if (!controls_.factorizes_as(of_factors_)) factors_->forget();
  of_factors_ = controls_;
  deficiency_ = 0;
  try {
    schur_.size() > 0 ? factorize_with_schur(id, values) : factorize_whole(id, values);
  } catch (const Error& error) {
    if (error.status() != Status::out_of_memory || controls_.of(23) <= 0) throw;
    throw Refusal(small_memory, missing_entries(values),
                  "the factorisation is predicted to need more than the " + std::to_string(controls_.of(23)) +
                      " MB a process of ICNTL(23); raise it, or set 0 for what there is");
  }
}

template <class T, class Id>
void Instance<T, Id>::factorize_whole(Id& id, std::span<const T> values) {
  factors_->factorize(values, options_);
  if (factors_->factors().report().pivots.zero > 0)
    throw Refusal(is_singular, 0, "the matrix is singular: a pivot is exactly zero; set ICNTL(24) to go on");
  describe(id, factors_->factors().report());
  describe_pivots(id);
}

/// Entries by which the prediction for all processes exceeds ICNTL(23), large ones as MUMPS has them: in millions, negative. 0: not
/// known, for a matrix that no process has whole.
template <class T, class Id>
int Instance<T, Id>::missing_entries(std::span<const T> values) const {
  if (controls_.is_distributed() && processes_.size > 1) return 0;
  double bytes = 0;
  const Outcome planned = attempt([&]() -> Outcome {  // the host alone plans
    if (!is_host()) return {};
    Options unlimited = options_;
    unlimited.run.memory_limit_bytes = 0;
    bytes = plan(factors_->matrix(values), unlimited).predicted_bytes -
            static_cast<double>(options_.run.memory_limit_bytes);
    return {};
  });
  if (planned.status != Status::ok) bytes = 0;
  broadcast(processes_, &bytes, sizeof bytes);
  return bytes > 0 ? as_integer(std::ceil(bytes / sizeof(T))) : 0;
}

/// S and the factors of the other variables are made without a stored analysis.
template <class T, class Id>
void Instance<T, Id>::factorize_with_schur(Id& id, std::span<const T> values) {
  const bool is_by_rows = controls_.has_schur_by_rows();
  const auto size = static_cast<int>(schur_.size());
  if (controls_.size_schur != size)
    throw Refusal(bad_schur_size, controls_.size_schur, "size_schur has changed since the analysis");
  if (!is_by_rows && controls_.schur_lld < size)
    throw Refusal(bad_schur_lld, controls_.schur_lld, "schur_lld is below size_schur");
  require(processes_, !is_host() || id.schur, 9, "schur");
  schur_.factorize(factors_->matrix(values), options_);
  describe(id, schur_.complement().report());
  id.info[22] = 0;
  id.schur_mloc = id.schur_nloc = is_host() ? size : 0;
  if (controls_.sym != 0 && !ScalarTraits<T>::is_complex)
    id.infog[11] = static_cast<int>(schur_.complement().inertia().negative);
  if (is_host()) schur_.copy_to_caller(reinterpret_cast<T*>(id.schur), is_by_rows, controls_.schur_lld);
}

/// INFOG from the report, known on the host alone; entries for pivots and rank are zeroed.
template <class T, class Id>
void Instance<T, Id>::describe(Id& id, const Report& report) {
  const auto infog = [&](int k) -> auto& { return id.infog[k - 1]; };
  const auto rinfog = [&](int k) -> auto& { return id.rinfog[k - 1]; };
  using RealOf = std::remove_reference_t<decltype(rinfog(1))>;
  infog(3) = infog(9) = infog(20) = infog(29) = as_integer(static_cast<double>(report.factor_nnz));
  infog(7) = report.ordering == "metis" ? 5 : 0;
  infog(13) = as_integer(static_cast<double>(report.pivots.delayed));
  for (const int k : {16, 17, 18, 19, 21, 22}) infog(k) = as_integer(std::ceil(report.peak_bytes / 1e6));
  rinfog(1) = static_cast<RealOf>(report.predicted_flops);
  rinfog(3) = static_cast<RealOf>(report.flops);
  infog(12) = infog(28) = 0;
  if constexpr (Id::has_deficiency) id.deficiency = 0;
}

/// INFOG(12) and (28), known on all processes, INFO(23) and the determinant.
template <class T, class Id>
void Instance<T, Id>::describe_pivots(Id& id) {
  const Report& report = factors_->factors().report();
  const auto infog = [&](int k) -> auto& { return id.infog[k - 1]; };
  const auto rinfog = [&](int k) -> auto& { return id.rinfog[k - 1]; };
  using RealOf = std::remove_reference_t<decltype(rinfog(1))>;
  if (controls_.sym != 0 && !ScalarTraits<T>::is_complex) {
    const Inertia inertia = factors_->factors().inertia();
    infog(12) = static_cast<int>(inertia.negative);
    infog(28) = static_cast<int>(inertia.zero);
  } else if (options_.sparse.null_pivots && report.numerical_rank >= 0) {
    infog(28) = static_cast<int>(report.n - report.numerical_rank);
  }
  deficiency_ = infog(28);
  if constexpr (Id::has_deficiency) id.deficiency = infog(28);
  id.info[22] = static_cast<int>(vectors(id).own_rows().size());  // INFO(23): of sol_loc
  if (controls_.of(33) == 1) {
    const Determinant<T> determinant = factors_->factors().determinant();
    rinfog(12) = static_cast<RealOf>(std::real(determinant.mantissa));
    rinfog(13) = static_cast<RealOf>(std::imag(determinant.mantissa));
    infog(34) = static_cast<int>(determinant.exponent);
  }
}

}  // namespace overlapack::dropins::mumps
