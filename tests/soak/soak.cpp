/// soak ENGINE [CYCLES]: solves of every kind in one process, again and again, with the memory, threads and open files of the process
/// constant. Under a launcher each process is a rank. Prints a row of the table in docs/testing.md.
#include "overlapack/dense.hpp"
#include "overlapack/generate.hpp"
#include "overlapack/iterative.hpp"
#include "overlapack/overlapack.hpp"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <malloc.h>
#include <stdexcept>
#include <string>

namespace {

using namespace overlapack;

struct Resources {
  long resident_kib = 0, threads = 0, files = 0;
};

Resources resources() {
  Resources now;
  malloc_trim(0);  // what the allocator keeps for later is no leak
  std::ifstream status("/proc/self/status");
  for (std::string word; status >> word;) {
    if (word == "VmRSS:") status >> now.resident_kib;
    if (word == "Threads:") status >> now.threads;
  }
  for (const auto& file : std::filesystem::directory_iterator("/proc/self/fd"))
    now.files += !file.path().empty();
  return now;
}

/// A system of which x = 1 is the solution.
struct System {
  SparseMatrix<double> A = sparse::generate("cube", 6);
  std::vector<double> b = std::vector<double>(static_cast<std::size_t>(A.rows));
  System() {
    for (Index j = 0; j < A.cols; ++j)
      for (Index k = A.start[j]; k < A.start[j + 1]; ++k) b[static_cast<std::size_t>(A.row[k])] += A.value[k];
  }
};

void require_ones(const std::vector<double>& x, const char* what) {
  for (const double value : x)
    if (!(std::abs(value - 1) < 1e-7)) throw std::runtime_error(std::string("a wrong answer of ") + what);
}

void sparse_cycle(const System& system, const Options& base, int cycle) {
  for (const Method method : {Method::multifrontal, Method::supernodal, Method::block_triangular}) {
    Options options = base;
    options.method = method;
    if (method == Method::multifrontal && cycle % 2 == 1)
      options.disk = {.factors = FactorsIn::disk, .scratch = std::filesystem::temp_directory_path()};
    Factorization<double> factors = factorize(system.A, options);
    for (int time = 0; time < 3; ++time) {
      require_ones(factors.solve(system.b).x, "factors");
      factors.refactorize(system.A);
    }
    factors.reciprocal_condition();
  }
}

void iterative_cycle(const System& system, const Options& base, int cycle) {
  for (const Method method : {Method::jacobi, Method::multisplitting}) {
    Options options = base;
    options.method = method;
    options.iteration = {.variant = cycle % 2 == 0 ? Variant::async : Variant::sync, .tolerance = 1e-10};
    require_ones(iterative::iteration<double>(system.A, options).solve(system.b).x, "an iteration");
  }
}

void dense_cycle(const Options& options) {
  constexpr Index n = 60;
  std::vector<double> A(n * n, 1.0), b(n, 2.0 * n - 1);
  for (Index i = 0; i < n; ++i) A[static_cast<std::size_t>(i * (n + 1))] = n;
  const dense::View<double> view{A.data(), n, n, n};
  require_ones(dense::lu_factor(view, options).solve(b).x, "dense LU");
  require_ones(dense::cholesky_factor(view, options).solve(b).x, "Cholesky");
  require_ones(dense::qr_factor(view, options).solve(b).x, "QR");
}

/// Runs that end with errors leave nothing either.
void failing_cycle(const System& system, const Options& base) {
  const auto expect = [](Status kind, auto&& work) {
    try {
      work();
    } catch (const Error& error) {
      if (error.status() == kind) return;
      throw;
    }
    throw std::runtime_error("an error did not come");
  };
  SparseMatrix<double> zero = system.A;
  std::ranges::fill(zero.value, 0.0);
  expect(Status::singular, [&] { factorize(zero, base); });
  Options stopped = base;
  stopped.progress = [](const Progress&) { return true; };
  expect(Status::cancelled, [&] { factorize(system.A, stopped); });
}

void cycle(const System& system, const Options& options, int number) {
  sparse_cycle(system, options, number);
  iterative_cycle(system, options, number);
  dense_cycle(options);
  failing_cycle(system, options);
}

}  // namespace

int main(int argc, char** argv) {
  const std::string engine = argc > 1 ? argv[1] : "thread";
  const int cycles = argc > 2 ? std::atoi(argv[2]) : 100;
  const int warm_up = std::max(1, cycles / 5);
  const System system;
  Options options;
  options.run.engine = engine == "thread" ? Engine::thread : engine == "mpi" ? Engine::mpi : Engine::shmem;
  if (engine == "thread") options.ranks = 3;
  Resources first;
  const auto start = std::chrono::steady_clock::now();
  for (int number = 0; number < warm_up + cycles; ++number) {
    if (number == warm_up) first = resources();
    cycle(system, options, number);
  }
  const Resources last = resources();
  const double seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  const bool is_constant = last.threads == first.threads && last.files == first.files &&
                           last.resident_kib <= first.resident_kib + first.resident_kib / 20 + 1024;
  std::printf("| %s | %d | %.0f | %ld, %ld | %ld, %ld | %ld, %ld |%s\n", engine.c_str(), cycles, seconds,
              first.resident_kib, last.resident_kib, first.threads, last.threads, first.files, last.files,
              is_constant ? "" : " grown");
  return is_constant ? 0 : 1;
}
