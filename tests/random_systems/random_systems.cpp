#include "overlapack/overlapack.hpp"
#include "random_systems/dense_twin.hpp"
#include "random_systems/random_matrix.hpp"
#include "random_values.hpp"

#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <limits>
#include <map>
#include <string>
#include <unistd.h>

/// Systems at random against a dense twin in extended precision: the answer, or the right refusal.
///   random_systems CASES [SEED]    cases SEED, SEED + 1, ...; one fails: random_systems 1 ITS-SEED repeats it
namespace overlapack {
namespace {

template <class E>
E any_of(Random& random, std::initializer_list<E> values) {
  return values.begin()[random.below(values.size())];
}

/// Thresholds so small that each parallel path is taken.
void stress(Options& options, Random& random, std::string& what) {
  options.ranks = 1 + static_cast<int>(random.below(4));
  what += std::to_string(options.ranks) + " ranks ";
  if (random.below(2) == 0) return;
  what += "stressed ";
  FrontOptions& fronts = options.fronts;
  fronts.sharing = NodeParallelism::strips;
  fronts.strip_border = fronts.strip_rows = 1;
  fronts.strip_panel = 2;
  fronts.chain_pivots = any_of<Index>(random, {0, 2});
  fronts.strip_choice = any_of(random, {StripChoice::by_load, StripChoice::fixed});
  fronts.load_news = any_of(random, {NewsBy::own_lane, NewsBy::shared_lane, NewsBy::put});
  fronts.slice_flops = any_of(random, {0.0, 100.0});
  if (random.below(3) == 0) fronts.root_order = 1, fronts.root_block = 2, fronts.root = RootParallelism::grid;
  options.run.receive = any_of(random, {ReceiveMode::immediate, ReceiveMode::probe});
  options.run.early = any_of(random, {EarlyMessages::park, EarlyMessages::wait});
  if (options.run.early == EarlyMessages::wait) options.run.posted = 1;
  options.run.budget_bytes = any_of<std::int64_t>(random, {0, 1});
  options.nodes.max_width = any_of(random, {2, 256});
}

Options random_options(Random& random, std::string& what) {
  Options options;
  options.run.engine = Engine::thread;
  options.run.watchdog_s = 20;
  options.method = any_of<std::optional<Method>>(
      random,
      {{}, {}, Method::multifrontal, Method::multifrontal, Method::block_triangular, Method::supernodal});
  what += std::string(options.method ? to_string(*options.method) : "auto") + " ";
  if (options.method.value_or(Method::multifrontal) == Method::multifrontal)
    options.factorization = any_of<std::optional<FactorKind>>(
        random, {{}, {}, FactorKind::lu, FactorKind::ldlt, FactorKind::cholesky});
  const bool is_bold = random.below(8) == 0;  // what may not go together, and wrong claims
  const bool is_general =
      what.find("ian ") == std::string::npos && what.find("symmetric") == std::string::npos;
  if (is_general && !is_bold && options.factorization) options.factorization = FactorKind::lu;
  if (options.factorization) what += std::string(to_string(*options.factorization)) + " ";
  SparseOptions& sparse = options.sparse;
  sparse.ordering =
      any_of<std::optional<Ordering>>(random, {{}, Ordering::amd, Ordering::metis, Ordering::natural});
  sparse.matching = any_of<std::optional<Switch>>(random, {{}, {}, Switch::on, Switch::off});
  sparse.scaling = any_of<std::optional<ScalingKind>>(random, {{}, {}, ScalingKind::ruiz, ScalingKind::off});
  sparse.pivot_threshold = any_of(random, {0.01, 0.01, 0.1, 0.5, 1.0});
  const bool may_be_null = options.method.value_or(Method::multifrontal) == Method::multifrontal &&
                           options.factorization != FactorKind::cholesky;
  if (random.below(8) == 0 && (is_bold || may_be_null)) sparse.null_pivots = true, what += "null_pivots ";
  if (random.below(8) == 0 && (is_bold || (may_be_null && !sparse.null_pivots)))
    sparse.perturbation = 1e-8, what += "perturbation ";
  if (random.below(4) == 0) options.singular = SingularMatrix::refuse, what += "refuse ";
  if (random.below(8) == 0 && (is_bold || what.find("64 ") == 5 || what.find("128 ") == 7))
    options.precision = Precision::mixed, what += "mixed ";
  stress(options, random, what);
  if (sparse.null_pivots && !is_bold) options.fronts.root = {};
  return options;
}

/// Backward error as the report has it, in extended precision: |r| <= (omega1 or omega2) scale, row by row.
struct BackwardError {
  long double omega1 = 0, omega2 = 0;
  std::vector<long double> scale;
};

template <class T>
BackwardError backward_error(const std::vector<Long>& A, const std::vector<Long>& b,
                             const std::vector<Long>& x) {
  const std::size_t n = b.size();
  const long double eps = std::numeric_limits<Real<T>>::epsilon();
  long double x_max = 0;
  for (const Long& value : x) x_max = std::max(x_max, std::abs(value));
  BackwardError error;
  for (std::size_t i = 0; i < n; ++i) {
    Long r = b[i];
    long double w = 0, row_max = 0;
    for (std::size_t j = 0; j < n; ++j) {
      const Long& a = A[i + j * n];
      r -= a * x[j];
      w += std::abs(a) * std::abs(x[j]);
      row_max = std::max(row_max, std::abs(a));
    }
    const bool is_meaningful = w + std::abs(b[i]) > 1000 * n * eps * (row_max * x_max + std::abs(b[i]));
    error.scale.push_back(is_meaningful ? w + std::abs(b[i]) : w + row_max * x_max);
    if (r == Long(0)) continue;
    long double& omega = is_meaningful ? error.omega1 : error.omega2;
    omega = std::max(omega, std::abs(r) / error.scale.back());
  }
  return error;
}

/// Of one system: which end it came to, or what is wrong with that.
struct Verdict {
  std::string end, wrong;
};

/// x is judged by its status, and beside the twin's.
template <class T>
std::string judge_answer(const Report& report, const DenseTwin& twin, const std::string& what,
                         const std::vector<Long>& A, const std::vector<Long>& b, const std::vector<Long>& x) {
  const long double eps = std::numeric_limits<Real<T>>::epsilon();
  const BackwardError error = backward_error<T>(A, b, x);
  const bool is_answer = report.status == Status::ok || report.status == Status::ill_conditioned;
  if (is_answer && !(error.omega1 + error.omega2 <= 90 * eps))
    return "the backward error is " + std::to_string(double((error.omega1 + error.omega2) / eps)) + " eps";
  if (what.find("scaled") != std::string::npos)
    return {};                   // pivots and errors beside the twin's scaling tell nothing
  const auto is_x_known = [&] {  // whatever the last digits of A and b
    return twin.has_inverse() &&
           eps * twin.unscaled_condition(error.scale, twin.solve(b)) < std::sqrt(std::sqrt(eps));
  };
  if (report.status == Status::ill_conditioned && twin.smallest_pivot() > std::sqrt(eps) &&
      !(report.scaling == "off" && twin.norm_condition() > 1 / eps) && is_x_known())
    return "called ill conditioned, but no pivot is small, and x is known: " + report.message;
  if (report.status == Status::ill_conditioned && report.forward_error_bound < 1 && twin.has_inverse()) {
    const std::vector<Long> exact = twin.solve(b);
    long double most = 0, size = 0;
    for (std::size_t i = 0; i < x.size(); ++i)
      most = std::max(most, std::abs(x[i] - exact[i])), size = std::max(size, std::abs(x[i]));
    const long double own = 1000 * std::numeric_limits<long double>::epsilon() * twin.scaled_condition();
    const long double low =
        report.pivots.perturbed > 0 ? 30 : 1;  // factors of another matrix estimate roughly
    if (most > (low * report.forward_error_bound + own) * size)
      return "x is wrong by " + std::to_string(double(most / size / report.forward_error_bound)) +
             " of its bound";
  }
  if (twin.smallest_pivot() < std::sqrt(eps)) return {};
  if (!is_answer) {  // replaced pivots, and rows that are small as a whole beside null pivots, may spoil x
    for (const char* excuse : {"supernodal", "perturbation", "null_pivots", "compressed"})
      if (what.find(excuse) != std::string::npos) return {};
    return "no answer, although no pivot is small: " + report.message;
  }
  const std::vector<Long> exact = twin.solve(b);
  const long double bound = 1000 * eps * twin.condition(error.scale, exact);
  if (bound < 0.1L && !(twin.distance(x, exact) <= bound + 1000 * eps))
    return "x is wrong by " + std::to_string(double(twin.distance(x, exact) / eps)) + " eps";
  return {};
}

/// What else factors tell of A, where it is so far from singular that they have to be right.
template <class T>
std::string judge_factors(Factorization<T>& factors, const std::vector<Long>& A, Index n,
                          const std::string& what) {
  const long double eps = std::numeric_limits<Real<T>>::epsilon();
  const Report& report = factors.report();
  for (const char* excuse : {"compressed", "null_pivots", "mixed"})
    if (what.find(excuse) != std::string::npos) return {};
  if (report.pivots.perturbed > 0 || report.pivots.rounding > 0) return {};
  if (report.method == "supernodal" && report.matching == "off") return {};  // static pivots let factors grow
  const DenseTwin twin(A, n);
  const long double error =
      1000 * eps * static_cast<long double>(n) * (twin.has_inverse() ? twin.scaled_condition() : HUGE_VALL);
  if (!(error < 0.1L)) return {};
  const Determinant<T> det = factors.determinant();
  const Long mantissa(det.mantissa);
  const long double size =
      std::log(std::abs(mantissa)) + static_cast<long double>(det.exponent) * std::log(2.0L);
  if (!(std::abs(size - twin.log_determinant()) <= error) ||
      !(std::abs(mantissa / std::abs(mantissa) - twin.determinant_phase()) <= error))
    return "the determinant is wrong";
  constexpr Index most = 60;  // the twin is slow
  const bool has_root_by_lu = report.factorization == "ldlt" && report.grid_roots > 0;
  const bool has_inertia =
      report.factorization != "lu" && !has_root_by_lu && n <= most &&
      (report.symmetry == "hermitian" || (report.symmetry == "symmetric" && !ScalarTraits<T>::is_complex));
  if (has_inertia && factors.inertia().negative != negative_eigenvalues(A, n)) return "the inertia is wrong";
  return {};
}

/// Is the error one that this system deserves?
template <class T>
std::string judge_error(const Error& error, const DenseTwin& twin, const std::string& what) {
  const auto has = [&](const char* word) { return what.find(word) != std::string::npos; };
  const long double eps = std::numeric_limits<Real<T>>::epsilon();
  switch (error.status()) {
    case Status::singular: {
      if (!twin.has_inverse() || twin.scaled_condition() >= 0.1L / eps) return "";
      const bool has_lost_digits = has("mixed") || has("null_pivots");
      return has_lost_digits && twin.smallest_pivot() < std::sqrt(eps)
                 ? ""
                 : "called singular, but its condition number is " +
                       std::to_string(double(twin.scaled_condition() * eps)) + " / epsilon";
    }
    case Status::bad_plan:
      return has("null_pivots") || has("perturbation") || has("ldlt") || has("cholesky") || has("mixed") ||
                     has("stressed") || has("supernodal") || has("block_triangular") || has("distributed") ||
                     has("on disk") || has("compressed")
                 ? ""
                 : "refused a plan that is fine";
    case Status::bad_input:
      return has("cholesky") || has("scaled") ? "" : "refused input that is fine";
    default:
      return "an error of kind " + std::string(to_string(error.status()));
  }
}

/// What is drawn beside the rest, so that the seeds of before repeat what they did: half of the cases have none of it.
struct Use {
  Transpose op = Transpose::none;
  std::size_t columns = 1;
  bool is_saved = false, is_distributed = false;
};

Use random_use(Random beside, Options& options, std::string& what) {
  Use use;
  if (beside.below(2) == 0) return use;
  use.op = any_of(beside, {Transpose::none, Transpose::trans, Transpose::conj_trans});
  use.columns = any_of<std::size_t>(beside, {1, 3});
  use.is_saved = beside.below(6) == 0;
  use.is_distributed = !use.is_saved && beside.below(4) == 0;
  constexpr std::string_view ops[] = {"", "of A^T ", "of A^H "};
  what += ops[static_cast<std::size_t>(use.op)];
  if (use.columns > 1) what += "many ";
  if (use.is_saved) what += "saved ";
  if (use.is_distributed) what += "distributed ";
  if (options.method != Method::multifrontal) return use;
  if (!use.is_saved && beside.below(6) == 0) {
    options.disk = {.factors = FactorsIn::disk, .scratch = std::filesystem::temp_directory_path()};
    what += "on disk ";
  } else if (!options.fronts.sharing && beside.below(3) == 0) {
    options.compression = {.kind = Compression::blr, .block = 4, .order = 6};
    what += "compressed ";
  }
  return use;
}

/// The factors, made in the way that was drawn.
template <class T>
Factorization<T> factors_of(const SparseMatrix<T>& A, const Options& options, const Use& use) {
  if (!use.is_distributed) {
    auto factors = factorize(A, options);
    if (!use.is_saved) return factors;
    const std::string path =
        std::filesystem::temp_directory_path() / ("overlapack-random-" + std::to_string(getpid()));
    factors.save(path);
    auto loaded = load_factors<T>(path, options);
    std::filesystem::remove(path);
    return loaded;
  }
  std::vector<Triplets<T>> parts(static_cast<std::size_t>(options.ranks));
  for (Triplets<T>& part : parts) part.rows = A.rows, part.cols = A.cols;
  for (Index j = 0; j < A.cols; ++j)
    for (Index k = A.start[j]; k < A.start[j + 1]; ++k)
      parts[static_cast<std::size_t>(k) % parts.size()].add(A.row[k], j, A.value[k]);
  return factorize_distributed(std::move(parts), options);
}

/// op(A) of an array by columns.
std::vector<Long> applied(Transpose op, const std::vector<Long>& A, std::size_t n) {
  if (op == Transpose::none) return A;
  std::vector<Long> B(A.size());
  for (std::size_t j = 0; j < n; ++j)
    for (std::size_t i = 0; i < n; ++i)
      B[i + j * n] = op == Transpose::conj_trans ? std::conj(A[j + i * n]) : A[j + i * n];
  return B;
}

template <class T>
std::vector<T> random_sides(Random& random, const std::vector<Long>& A, std::size_t n, std::size_t columns,
                            std::string& what) {
  std::vector<T> x(n * columns);
  for (T& value : x) value = random_value<T>(random);
  if (random.below(2) != 0) return x;
  what += "b = A x ";
  std::vector<T> b(x.size());
  for (std::size_t c = 0; c < columns; ++c)
    for (std::size_t i = 0; i < n; ++i) {
      Long sum = 0;
      for (std::size_t j = 0; j < n; ++j) sum += A[i + j * n] * Long(x[j + c * n]);
      if constexpr (ScalarTraits<T>::is_complex)
        b[i + c * n] = T(sum);
      else
        b[i + c * n] = static_cast<T>(sum.real());
    }
  return b;
}

template <class T>
Verdict run_case(std::uint64_t seed, Random& random, std::string& what) {
  const SparseMatrix<T> A = random_matrix<T>(random, 200, what);
  Options options = random_options(random, what);
  const Use use = random_use(Random(~seed), options, what);
  const auto n = static_cast<std::size_t>(A.rows);
  const std::vector<Long> op_A = applied(use.op, dense_of(A), n);
  const std::vector<T> b = random_sides<T>(random, op_A, n, use.columns, what);
  const DenseTwin twin(op_A, A.rows);
  try {
    Factorization<T> factors = factors_of(A, options, use);
    if (random.below(3) == 0 && !use.is_distributed) factors.refactorize(A), what += "again ";
    const Solution<T> solution = factors.solve(b, static_cast<Index>(use.columns), use.op);
    std::string wrong = judge_factors(factors, dense_of(A), A.rows, what);
    for (std::size_t c = 0; c < use.columns && wrong.empty(); ++c) {
      const auto column = [&](const std::vector<T>& all) {
        const auto first = all.begin() + static_cast<std::ptrdiff_t>(c * n);
        return std::vector<Long>(first, first + static_cast<std::ptrdiff_t>(n));
      };
      wrong = judge_answer<T>(solution.report, twin, what, op_A, column(b), column(solution.x));
    }
    return {std::string(to_string(solution.report.status)), wrong};
  } catch (const Error& error) {
    const std::string wrong = judge_error<T>(error, twin, what);
    const bool is_plan = error.status() == Status::bad_plan;
    return {"error " + (is_plan ? "bad_plan: " + std::string(error.what()).substr(0, 36)
                                : std::string(to_string(error.status()))),
            wrong.empty() ? "" : wrong + ": " + error.what()};
  }
}

Verdict run_case(std::uint64_t seed, std::string& what) {
  Random random(seed);
  random.next();
  switch (random.below(4)) {
    case 0:
      what = "float32 ";
      return run_case<float>(seed, random, what);
    case 1:
      what = "complex64 ";
      return run_case<std::complex<float>>(seed, random, what);
    case 2:
      what = "complex128 ";
      return run_case<std::complex<double>>(seed, random, what);
    default:
      what = "float64 ";
      return run_case<double>(seed, random, what);
  }
}

}  // namespace
}  // namespace overlapack

int main(int count, char** arguments) {
  const std::uint64_t cases = count > 1 ? std::strtoull(arguments[1], nullptr, 10) : 400;
  const std::uint64_t first = count > 2 ? std::strtoull(arguments[2], nullptr, 10) : 1;
  std::map<std::string, int> ends;
  int failed = 0;
  for (std::uint64_t seed = first; seed < first + cases; ++seed) {
    std::string what;
    const overlapack::Verdict verdict = overlapack::run_case(seed, what);
    ++ends[verdict.end];
    if (verdict.wrong.empty()) continue;
    ++failed;
    std::printf("seed %llu (%s): %s: %s\n", static_cast<unsigned long long>(seed), what.c_str(),
                verdict.end.c_str(), verdict.wrong.c_str());
    std::fflush(stdout);
  }
  for (const auto& [end, times] : ends) std::printf("%7d %s\n", times, end.c_str());
  std::printf("%llu cases, %d failed\n", static_cast<unsigned long long>(cases), failed);
  return failed > 0;
}
