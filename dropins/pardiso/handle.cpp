#include "handle.hpp"

#include "overlapack/half_factors.hpp"

#include <algorithm>
#include <complex>
#include <map>
#include <optional>

namespace overlapack::dropins::pardiso {
namespace {

/// The positions of the entries in the caller's compressed rows.
/// Errors  Refusal: impossible offsets or columns; with iparm[26] also columns that do not ascend
template <class T>
Triplets<T> positions_of(const Call& call, const Kind& kind) {
  const auto refuse = [](const std::string& what) { throw Refusal(bad_input, what); };
  if (!call.ia || !call.ja) refuse("ia or ja is a null pointer; give the rows of the matrix");
  if (call.n < 1) refuse("n is " + std::to_string(call.n) + "; give the order of the matrix, 1 or more");
  const Index base = call.base();
  if (call.ia[0] != base)
    refuse("ia begins with " + std::to_string(call.ia[0]) + ", but rows and columns are numbered from " +
           std::to_string(base) + " (iparm[34])");
  Triplets<T> positions{call.n, call.n, {}, {}, {}};
  for (Index i = 0; i < call.n; ++i) {
    const Index first = call.ia[i] - base, end = call.ia[i + 1] - base;
    if (end < first)
      refuse("ia descends behind row " + std::to_string(i + base) + "; give where each row begins");
    for (Index k = first; k < end; ++k) {
      const Index j = call.ja[k] - base;
      const std::string where =
          "row " + std::to_string(i + base) + " has an entry in column " + std::to_string(j + base);
      if (j < 0 || j >= call.n) refuse(where + ", which is outside of the matrix");
      if (kind.is_symmetric() && j < i) refuse(where + "; give the upper triangle of a symmetric matrix");
      if (call.iparm[at::checks] == 1 && k > first && call.ja[k] <= call.ja[k - 1])
        refuse(where + " behind a larger or equal one; let columns ascend, or set iparm[26] to 0");
      positions.row.push_back(i);
      positions.col.push_back(j);
    }
  }
  return positions;
}

std::int64_t kb(double bytes) { return static_cast<std::int64_t>(bytes / 1024) + 1; }

/// The triangular factors of LU, for solves by parts. Between the two parts, vectors are in the order of elimination.
template <class T>
struct Triangles {
  TriangularFactors<T> of;

  /// x <- L^{-1} P x
  void forward(T* x) const {
    move(x, of.row_position, false);
    for (Index j = 0; j < of.L.cols; ++j)
      for (Index p = of.L.start[j]; p < of.L.start[j + 1]; ++p)
        if (of.L.row[p] > j) x[of.L.row[p]] -= of.L.value[p] * x[j];
  }
  /// x <- Q U^{-1} x
  void backward(T* x) const {
    for (Index j = of.U.cols; j-- > 0;) {
      const Index diagonal = of.U.start[j + 1] - 1;  // rows ascend
      x[j] /= of.U.value[diagonal];
      for (Index p = of.U.start[j]; p < diagonal; ++p) x[of.U.row[p]] -= of.U.value[p] * x[j];
    }
    move(x, of.col_position, true);
  }

 private:
  static void move(T* x, const std::vector<Index>& position, bool is_back) {
    const std::vector<T> before(x, x + position.size());
    for (std::size_t i = 0; i < position.size(); ++i) {
      const auto there = static_cast<std::size_t>(position[i]);
      (is_back ? x[i] : x[there]) = before[is_back ? there : i];
    }
  }
};

template <class T>
class HandleOf final : public Handle {
 public:
  explicit HandleOf(const Call& call) : mtype_(call.mtype), kind_(kind_of(call.mtype)) {}

  void analyse(Call& call) override;
  void factorize(Call& call) override;
  void solve(Call& call) override;
  void solve_part(Call& call) override;
  void forget(Index mnum) override { matrices_.erase(mnum); }
  void diagonals(Index mnum, void* df, void* da) override;
  void require_same(const Call& call) const override {
    if (call.mtype != mtype_ || (call.iparm[at::is_single] == 1) != is_single)
      throw Refusal(bad_input,
                    "mtype is " + std::to_string(call.mtype) +
                        ", or the precision iparm[27] another one than that of the analysis, of mtype " +
                        std::to_string(mtype_) + "; release the handle by phase -1 first");
    if (call.n != n_)
      throw Refusal(bad_input, "n is " + std::to_string(call.n) + ", but the analysis was of order " +
                                   std::to_string(n_) + "; analyse by phase 11, 12 or 13 first");
  }

 private:
  static constexpr bool is_single = std::is_same_v<Real<T>, float>;
  /// The factors of one matrix, and answers that were computed once.
  struct Matrix {
    PatternFactors<T> factors;
    std::vector<T> diagonal;
    std::optional<HalfFactors<T>> half;
    std::optional<Triangles<T>> triangles;
  };

  Matrix& matrix_of(Index mnum);
  std::span<const T> values_of(const Call& call) const;
  void analyse_values(const PatternFactors<T>& pattern, std::span<const T> values);
  void give_order(const Call& call) const;
  std::span<T> take_right_hand_sides(const Call& call, std::vector<T>& x) const;
  void give(const Call& call, const std::vector<T>& x) const;
  void describe(Call& call, Factorization<T>& factors) const;

  Index mtype_, n_ = 0;
  Kind kind_;
  Options options_;  ///< of the phase that analysed
  Triplets<T> positions_;
  std::optional<PatternAnalysis> analysis_;  ///< of the first values, for all matrices
  std::map<Index, Matrix> matrices_;
};

/// Phase 11. As in MKL, it reads values if a scaling or a matching is requested; otherwise the values of phase 22 are analysed. If the caller
/// then asks for the order, it is computed for the pattern with a dominant diagonal, and phase 22 analyses by it.
template <class T>
void HandleOf<T>::analyse(Call& call) {
  matrices_.clear();
  analysis_.reset();
  n_ = call.n;
  positions_ = positions_of<T>(call, kind_);
  options_ = options_of(call, kind_);
  const bool reads_values = call.iparm[at::scaling] != 0 || call.iparm[at::matching] != 0;
  if (!reads_values && call.iparm[at::user_order] != 2) return;
  std::vector<T> stand_ins(reads_values ? 0 : positions_.row.size(), T(1));
  for (std::size_t k = 0; k < stand_ins.size(); ++k)
    if (positions_.row[k] == positions_.col[k]) stand_ins[k] = T(static_cast<Real<T>>(n_ + 1));
  analyse_values(PatternFactors<T>(positions_, kind_.listed, false),
                 reads_values ? values_of(call) : std::span<const T>(stand_ins));
  const Report& report = analysis_->report();
  call.iparm[at::factor_entries] = report.predicted_factor_nnz;
  call.iparm[at::factor_kb] = kb(report.predicted_bytes);
  call.iparm[at::mflops] = static_cast<std::int64_t>(report.predicted_flops / 1e6);
  give_order(call);
  if (reads_values) return;
  options_.sparse.ordering = Ordering::user;
  options_.sparse.user_order = analysis_->order();
  analysis_.reset();
}

template <class T>
std::span<const T> HandleOf<T>::values_of(const Call& call) const {
  if (call.values == nullptr) throw Refusal(bad_input, "a is a null pointer; give the values of the matrix");
  const std::span<const T> values(static_cast<const T*>(call.values), positions_.row.size());
  if (!std::ranges::all_of(values, is_finite<T>))
    throw Refusal(bad_input, "a holds NaN or infinity; remove them");
  return values;
}

template <class T>
void HandleOf<T>::analyse_values(const PatternFactors<T>& pattern, std::span<const T> values) {
  analysis_ = overlapack::analyse(pattern.matrix(values), options_);
}

/// Set perm[i] to the place of unknown i in the order, if iparm[4] asks for it.
template <class T>
void HandleOf<T>::give_order(const Call& call) const {
  if (call.iparm[at::user_order] != 2) return;
  if (!call.perm)
    throw Refusal(bad_input, "iparm[4] (from 0) is 2, but perm is a null pointer; give room for n numbers");
  Index place = call.base();
  for (const Index i : analysis_->order()) call.perm.set(i, place++);
}

template <class T>
void HandleOf<T>::factorize(Call& call) {
  Matrix& matrix =
      matrices_.try_emplace(call.mnum, Matrix{{positions_, kind_.listed, false}, {}, {}, {}}).first->second;
  const std::span<const T> values = values_of(call);
  matrix.half.reset();
  matrix.triangles.reset();
  matrix.diagonal.assign(static_cast<std::size_t>(n_), T(0));
  for (std::size_t k = 0; k < values.size(); ++k)
    if (positions_.row[k] == positions_.col[k])
      matrix.diagonal[static_cast<std::size_t>(positions_.row[k])] += values[k];
  if (!analysis_) analyse_values(matrix.factors, values);
  matrix.factors.factorize(values, options_, *analysis_);
  if (options_.sparse.ordering != Ordering::user) give_order(call);  // else it is known
  describe(call, matrix.factors.factors());
}

template <class T>
typename HandleOf<T>::Matrix& HandleOf<T>::matrix_of(Index mnum) {
  const auto found = matrices_.find(mnum);
  if (found == matrices_.end() || !found->second.factors.has_factors())
    throw Refusal(bad_input, "matrix " + std::to_string(mnum) +
                                 " (mnum) has no factors; factorise by phase 12 or 22 first");
  return found->second;
}

/// x <- b
template <class T>
std::span<T> HandleOf<T>::take_right_hand_sides(const Call& call, std::vector<T>& x) const {
  if (call.b == nullptr || (call.x == nullptr && call.iparm[at::writes_b] == 0))
    throw Refusal(bad_input, "b or x is a null pointer; give right-hand sides, and room for the solutions");
  if (call.nrhs < 1)
    throw Refusal(bad_input,
                  "nrhs is " + std::to_string(call.nrhs) + "; give how many right-hand sides there are");
  const T* const b = static_cast<const T*>(call.b);
  x.assign(b, b + n_ * call.nrhs);
  return x;
}

template <class T>
void HandleOf<T>::give(const Call& call, const std::vector<T>& x) const {
  std::ranges::copy(x, static_cast<T*>(call.iparm[at::writes_b] != 0 ? call.b : call.x));
}

template <class T>
void HandleOf<T>::solve(Call& call) {
  Factorization<T>& factors = matrix_of(call.mnum).factors.factors();
  std::vector<T> b;
  take_right_hand_sides(call, b);
  factors.set_refinement_steps(refinement_steps(call));
  const Solution<T> solution = factors.solve(b, call.nrhs, op_of(call));
  call.iparm[at::steps_done] = solution.report.iterations_max;
  give(call, solution.x);
}

template <class T>
void HandleOf<T>::solve_part(Call& call) {
  Matrix& matrix = matrix_of(call.mnum);
  const Index part = call.phase % 10;
  std::vector<T> x;
  const std::span<T> columns = take_right_hand_sides(call, x);
  if (kind_.is_symmetric()) {
    if (!matrix.half) matrix.half.emplace(matrix.factors.factors().half());
    const bool has_d = kind_.factorization == FactorKind::ldlt;
    if (part == 1) matrix.half->solve_l(columns, call.nrhs);
    if (part == (has_d ? 2 : 3)) matrix.half->solve_d(columns, call.nrhs);
    if (part == 3) matrix.half->solve_lt(columns, call.nrhs);
    return give(call, x);
  }
  if (op_of(call) != Transpose::none)
    throw Refusal(bad_input, "iparm[11] is " + std::to_string(call.iparm[at::op]) + " in phase " +
                                 std::to_string(call.phase) +
                                 ": parts of LU are those of A; give 0, or phase 33");
  if (!matrix.triangles)
    matrix.triangles.emplace(Triangles<T>{matrix.factors.factors().triangular_factors()});
  for (Index j = 0; j < call.nrhs; ++j) {
    if (part == 1) matrix.triangles->forward(x.data() + j * n_);
    if (part == 3) matrix.triangles->backward(x.data() + j * n_);
  }
  give(call, x);
}

template <class T>
void HandleOf<T>::describe(Call& call, Factorization<T>& factors) const {
  const Report& report = factors.report();
  call.iparm[at::perturbed] = report.pivots.perturbed + report.pivots.zero;
  call.iparm[at::peak_kb] = call.iparm[at::permanent_kb] =
      kb(static_cast<double>(positions_.row.size()) * 3 * sizeof(Index));
  call.iparm[at::factor_kb] = kb(report.factor_bytes);
  call.iparm[at::factor_entries] = report.factor_nnz;
  call.iparm[at::mflops] = static_cast<std::int64_t>(report.flops / 1e6);
  if (kind_.factorization != FactorKind::ldlt || kind_.listed == Listed::all || mtype_ == 6) return;
  call.iparm[at::positive] = n_ - report.pivots.negative;
  call.iparm[at::negative] = report.pivots.negative;
}

template <class T>
void HandleOf<T>::diagonals(Index mnum, void* df, void* da) {
  Matrix& matrix = matrix_of(mnum);
  if (df == nullptr || da == nullptr)
    throw Refusal(bad_input, "df or da is a null pointer; give two arrays of n numbers");
  std::ranges::copy(matrix.diagonal, static_cast<T*>(da));
  T* const of_factors = static_cast<T*>(df);
  const auto entry = [](const SparseMatrix<T>& D, Index j) {
    for (Index p = D.start[j]; p < D.start[j + 1]; ++p)
      if (D.row[p] == j) return D.value[p];
    return T(0);
  };
  if (kind_.is_symmetric()) {
    const SymmetricFactors<T> parts = matrix.factors.factors().symmetric_factors();
    for (Index i = 0; i < n_; ++i)
      of_factors[i] = entry(parts.D, parts.position[static_cast<std::size_t>(i)]);
  } else {
    const TriangularFactors<T> parts = matrix.factors.factors().triangular_factors();
    for (Index j = 0; j < n_; ++j)
      of_factors[j] = entry(parts.U, parts.col_position[static_cast<std::size_t>(j)]);
  }
}

}  // namespace

std::unique_ptr<Handle> make_handle(const Call& call) {
  const bool is_single = call.iparm[at::is_single] == 1;
  if (kind_of(call.mtype).is_complex) {
    if (is_single) return std::make_unique<HandleOf<std::complex<float>>>(call);
    return std::make_unique<HandleOf<std::complex<double>>>(call);
  }
  if (is_single) return std::make_unique<HandleOf<float>>(call);
  return std::make_unique<HandleOf<double>>(call);
}

}  // namespace overlapack::dropins::pardiso
