#include "failing_allocations.hpp"
#include "overlapack/dense.hpp"
#include "overlapack/generate.hpp"
#include "overlapack/iterative.hpp"
#include "overlapack/overlapack.hpp"

#include <filesystem>
#include <optional>
#include <vector>

/// The public interface when any one allocation of the caller's thread fails.
namespace overlapack {
namespace {

using overlapack::testing::fail_each_allocation;

/// The unknowns of a cube; x is all ones.
struct System {
  SparseMatrix<double> A = sparse::generate("cube", 3);
  SparseMatrix<double> copy() const {
    return overlapack::testing::without_faults([this] { return A; });
  }
  std::vector<double> b = std::vector<double>(27, 0.0);
  System() {
    for (Index j = 0; j < A.cols; ++j)
      for (Index k = A.start[j]; k < A.start[j + 1]; ++k) b[static_cast<std::size_t>(A.row[k])] += A.value[k];
  }
  /// cond(A) < 20, backward error below 27 eps.
  static void expect_ones(const std::vector<double>& x) {
    for (const double value : x) EXPECT_NEAR(value, 1, 20 * 27 * 2.3e-16);
  }
};

TEST(ApiFaults, AnyFailingAllocationOfASolve) {
  const System system;
  for (const std::optional<Method> method :
       {std::optional<Method>(), {Method::multifrontal}, {Method::block_triangular}, {Method::supernodal}})
    for (const int ranks : {1, 2}) {
      Options options;
      options.method = method;
      options.ranks = ranks;
      const auto work = [&] { System::expect_ones(solve<double>(system.copy(), system.b, options).x); };
      EXPECT_GT(fail_each_allocation(work, [] {}), 100);
    }
}

TEST(ApiFaults, AnyFailingAllocationOfADenseSolve) {
  constexpr Index n = 12;
  std::vector<double> A(n * n, 1.0);
  for (Index i = 0; i < n; ++i) A[static_cast<std::size_t>(i * (n + 1))] = n;
  const std::vector<double> b(n, 2.0 * n - 1);
  const dense::View<double> view{A.data(), n, n, n};
  for (const int ranks : {1, 2}) {
    const auto lu = [&] { System::expect_ones(dense::lu_factor(view, {.ranks = ranks}).solve(b).x); };
    const auto cholesky = [&] {
      System::expect_ones(dense::cholesky_factor(view, {.ranks = ranks}).solve(b).x);
    };
    const auto qr = [&] { System::expect_ones(dense::qr_factor(view, {.ranks = ranks}).solve(b).x); };
    for (const std::function<void()>& work : {std::function<void()>(lu), {cholesky}, {qr}})
      EXPECT_GT(fail_each_allocation(work, [] {}), 50);
  }
}

TEST(ApiFaults, AnyFailingAllocationOfAnIteration) {
  const System system;
  for (const Method method : {Method::jacobi, Method::multisplitting}) {
    const Options options{
        .method = method, .ranks = 2, .iteration = {.variant = Variant::sync, .tolerance = 1e-12}};
    const auto work = [&] {
      const Solution<double> solution = iterative::iteration<double>(system.copy(), options).solve(system.b);
      for (const double value : solution.x) EXPECT_NEAR(value, 1, 1e-10);
    };
    EXPECT_GT(fail_each_allocation(work, [] {}), 50);
  }
}

TEST(ApiFaults, AnyFailingAllocationOfASequenceOfSolves) {
  const System system;
  std::string folder = ::testing::TempDir() + "overlapack-faults-XXXXXX";
  ASSERT_NE(mkdtemp(folder.data()), nullptr);
  const std::string path = folder + "/factors";
  const auto work = [&] {
    Factorization<double> factors = factorize(system.copy(), {.ranks = 2});
    factors.refactorize(system.copy());
    System::expect_ones(factors.solve(system.b).x);
    factors.save(path);
    System::expect_ones(load_factors<double>(path).solve(system.b).x);
    overlapack::testing::without_faults([&] { std::filesystem::remove(path); });
  };
  const auto look = [&] {
    std::filesystem::remove(path);
    EXPECT_TRUE(std::filesystem::is_empty(folder));
  };
  EXPECT_GT(fail_each_allocation(work, look), 100);
  std::filesystem::remove_all(folder);
}

}  // namespace
}  // namespace overlapack
