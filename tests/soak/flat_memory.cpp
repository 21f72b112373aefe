/// flat_memory ENGINE [STEPS [RANKS [KIND]]]: objects of every kind live through many solves and refactorisations with constant memory. Under a launcher each
/// process is a rank. KIND: only those with it in their names. Prints the bytes that are left by each kind; ends with 1 where they grow.
#include "bytes_in_use.hpp"
#include "overlapack/dense.hpp"
#include "overlapack/iterative.hpp"
#include "overlapack/overlapack.hpp"

#include <cstdio>
#include <cstdlib>
#include <functional>
#include <string>
#include <vector>

namespace {

using namespace overlapack;

constexpr Index n = 20;

SparseMatrix<double> tridiagonal(double above) {
  SparseMatrix<double> A{n, n, {0}, {}, {}};
  for (Index j = 0; j < n; ++j) {
    for (Index i = std::max<Index>(0, j - 1); i <= std::min(n - 1, j + 1); ++i) {
      A.row.push_back(i);
      A.value.push_back(i == j ? 4 : i > j ? -1 : above);
    }
    A.start.push_back(A.nnz());
  }
  return A;
}

const SparseMatrix<double> unsymmetric = tridiagonal(-2), symmetric = tridiagonal(-1);
const std::vector<double> b(n, 1.0);

constexpr long mpi_pools = 1 << 17;  ///< for which MPI takes memory now and then, in chunks

/// Counts, and tells, which kinds grow.
class Tally {
 public:
  Tally(std::string engine, long steps, std::string kind)
      : engine_(std::move(engine)), steps_(steps), kind_(std::move(kind)) {}
  void run(const std::string& what, const std::function<void()>& step, long part = 1) {
    if (what.find(kind_) == std::string::npos) return;
    const long steps = steps_ / part, left = test::growth_of(steps, step);
    const bool has_grown = left > test::allowed_growth(steps) + (engine_ == "mpi" ? mpi_pools : 0);
    std::printf("| %s | %s | %ld | %ld |%s\n", engine_.c_str(), what.c_str(), steps, left,
                has_grown ? " grown" : "");
    grown_ += has_grown;
  }
  int grown() const { return grown_; }

 private:
  std::string engine_;
  long steps_;
  std::string kind_;
  int grown_ = 0;
};

template <class Call>
void expect_error(Call&& call) {
  try {
    call();
  } catch (const Error&) {
    return;
  }
  std::puts("an error did not come");
  std::exit(1);
}

/// Everything that a sparse factorisation is asked again and again.
void sparse_steps(Tally& tally, const std::string& name, const SparseMatrix<double>& A,
                  const Options& options) {
  Factorization<double> factors = factorize(A, options);
  const std::vector<double> two(2 * n, 1.0);
  std::vector<double> x(n);
  tally.run(name + ": refactorize, solve", [&] {
    factors.refactorize(A);
    factors.solve(b);
  });
  tally.run(name + ": refactorize_values, substitute, two columns", [&] {
    factors.refactorize_values(A.value);
    x = b;
    factors.substitute(x);
    factors.solve(two, 2, Transpose::trans);
  });
  const Index at[] = {0, 3};
  tally.run(name + ": answers", [&] {
    factors.determinant();
    factors.reciprocal_condition();
    factors.inverse_entries(at, at);
  });
}

void sparse_kinds(Tally& tally, const Options& base) {
  const auto with = [&](Method method, auto&& change) {
    Options options = base;
    options.method = method;
    change(options);
    return options;
  };
  const auto nothing = [](Options&) {};
  for (const Method method : {Method::multifrontal, Method::supernodal, Method::block_triangular}) {
    const std::string name(to_string(method));
    sparse_steps(tally, name, unsymmetric, with(method, nothing));
    sparse_steps(tally, name + " mixed", unsymmetric,
                 with(method, [](Options& o) { o.precision = Precision::mixed; }));
    sparse_steps(tally, name + " analysed", unsymmetric,
                 with(method, [](Options& o) { o.refinement.error_analysis = true; }));
  }
  for (const Method method : {Method::multifrontal, Method::block_triangular})
    sparse_steps(tally, std::string(to_string(method)) + " LDL^T", symmetric, with(method, nothing));
  sparse_steps(tally, "null pivots", symmetric,
               with(Method::multifrontal, [](Options& o) { o.sparse.null_pivots = true; }));
}

void failing_steps(Tally& tally, const Options& base) {
  Factorization<double> factors = factorize(unsymmetric, base);
  SparseMatrix<double> other = unsymmetric;
  other.value.assign(other.value.size(), 0.0);
  tally.run("refused refactorisations and right-hand sides", [&] {
    expect_error([&] { factors.refactorize(other); });
    expect_error([&] { factors.solve(b); });
    factors.refactorize(unsymmetric);
    expect_error([&] { factors.solve(std::vector<double>(n + 1, 1.0)); });
    factors.solve(b);
  });
  Options told = base;
  told.progress = [](const Progress&) { return false; };
  Factorization<double> watched = factorize(unsymmetric, told);
  tally.run("with a callback", [&] {
    watched.refactorize(unsymmetric);
    watched.solve(b);
  });
}

void other_kinds(Tally& tally, const Options& options) {
  const Index variables[] = {0, 5};
  SchurComplement<double> schur_of = schur(unsymmetric, variables, options);
  tally.run("Schur complement", [&] { schur_of.expand(b, schur_of.condense(b).x); });
  for (const Method method : {Method::jacobi, Method::multisplitting}) {
    Options iterated = options;
    iterated.method = method;
    auto iteration = iterative::iteration<double>(unsymmetric, iterated);
    tally.run(
        std::string(to_string(method)), [&] { iteration.solve(b); }, 4);
  }
  std::vector<double> A(n * n, 1.0);
  for (Index i = 0; i < n; ++i) A[static_cast<std::size_t>(i * (n + 1))] = n;
  const dense::View<double> view{A.data(), n, n, n};
  auto lu = dense::lu_factor(view, options);
  tally.run("dense LU", [&] {
    lu.solve(b);
    lu.determinant();
    lu.reciprocal_condition();
  });
  auto cholesky = dense::cholesky_factor(view, options);
  tally.run("Cholesky", [&] { cholesky.solve(b); });
  auto qr = dense::qr_factor(view, options);
  tally.run("QR", [&] { qr.solve(b); });
  tally.run(
      "solve, everything anew", [&] { solve(unsymmetric, b, options); }, 10);
  tally.run(
      "dense solve, everything anew", [&] { dense::solve<double>(view, b, options); }, 10);
}

}  // namespace

int main(int argc, char** argv) {
  const std::string engine = argc > 1 ? argv[1] : "thread";
  Tally tally(engine, argc > 2 ? std::atol(argv[2]) : 2000, argc > 4 ? argv[4] : "");
  Options options;
  options.run.engine = engine == "thread" ? Engine::thread : Engine::mpi;
  if (engine == "thread") options.ranks = argc > 3 ? std::atoi(argv[3]) : 1;
  sparse_kinds(tally, options);
  failing_steps(tally, options);
  other_kinds(tally, options);
  return tally.grown() > 0 ? 1 : 0;
}
