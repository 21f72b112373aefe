#include "overlapack/generate.hpp"
#include "overlapack/overlapack.hpp"
#include "random_values.hpp"

#include <gtest/gtest.h>

#include <complex>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>
#include <unistd.h>
#include <vector>

/// Factors from a file answer as those that were saved, to the last bit.
namespace overlapack {
namespace {

using sparse::generate;

/// The file is gone with it.
struct TemporaryFile {
  std::string path =
      std::filesystem::temp_directory_path() / ("overlapack_saved_" + std::to_string(getpid()));
  ~TemporaryFile() { std::filesystem::remove(path); }
};

std::string bytes_of(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

template <class T>
SparseMatrix<T> of_type(const SparseMatrix<double>& A) {
  return {A.rows, A.cols, A.start, A.row, std::vector<T>(A.value.begin(), A.value.end()), A.symmetry};
}

/// Saved, loaded, and refactorised and saved again. Returns the report of the first factorisation.
template <class T>
Report expect_saved(const SparseMatrix<double>& matrix, const Options& options) {
  const auto A = of_type<T>(matrix);
  const TemporaryFile file;
  auto factors = factorize(A, options);
  const Report first = factors.report();
  factors.save(file.path);
  auto loaded = load_factors<T>(file.path);
  EXPECT_EQ(loaded.report().ranks, first.ranks);
  EXPECT_EQ(loaded.report().method, first.method);
  EXPECT_EQ(loaded.report().nodes, first.nodes);
  EXPECT_EQ(loaded.report().factor_nnz, first.factor_nnz);
  const auto b = random_vector<T>(A.rows * 2, 3);
  for (const auto op : {Transpose::none, Transpose::trans, Transpose::conj_trans})
    EXPECT_EQ(loaded.solve(b, 2, op).x, factors.solve(b, 2, op).x);
  EXPECT_EQ(loaded.determinant().mantissa, factors.determinant().mantissa);
  auto other = A;
  for (T& value : other.value) value *= T(3);
  loaded.refactorize(other);
  EXPECT_EQ(loaded.solve(b, 2).report.status, Status::ok);
  loaded.save(file.path);
  EXPECT_EQ(load_factors<T>(file.path).solve(b, 2).x, loaded.solve(b, 2).x);
  const std::string once = bytes_of(file.path);
  loaded.save(file.path);
  EXPECT_TRUE(bytes_of(file.path) == once);
  return first;
}

TEST(SavedFactors, OfNodes) {
  for (const int ranks : {1, 2, 4}) {
    const Options options{.method = Method::supernodal, .ranks = ranks};
    expect_saved<double>(generate("process", 40), options);
    expect_saved<std::complex<float>>(generate("process", 40), options);
  }
  expect_saved<double>(
      generate("process", 40),
      {.method = Method::supernodal, .ranks = 7, .dense = {.grid = {2, 3}}});  // a rank outside
}

Options by_fronts(FactorKind kind, int ranks, RootParallelism root) {
  Options options{.method = Method::multifrontal, .factorization = kind, .ranks = ranks};
  options.sparse.ordering = Ordering::amd;
  options.fronts.sharing = NodeParallelism::strips;
  options.fronts.strip_border = 16;
  options.fronts.strip_rows = 4;
  options.fronts.root = root;
  options.fronts.root_block = 24;
  return options;
}

TEST(SavedFactors, OfWholeFronts) {
  for (const int ranks : {1, 3})
    for (const auto kind : {FactorKind::lu, FactorKind::ldlt, FactorKind::cholesky}) {
      const auto A = generate(kind == FactorKind::lu ? "convection" : "cube", 6);
      expect_saved<double>(A, by_fronts(kind, ranks, RootParallelism::sequential));
      expect_saved<std::complex<float>>(A, by_fronts(kind, ranks, RootParallelism::sequential));
    }
}

TEST(SavedFactors, OfFrontsInStripsAndARootOnAGrid) {
  for (const auto kind : {FactorKind::lu, FactorKind::ldlt, FactorKind::cholesky}) {
    const Report report = expect_saved<double>(generate(kind == FactorKind::lu ? "convection" : "cube", 20),
                                               by_fronts(kind, 4, RootParallelism::grid));
    EXPECT_GT(report.strips, 0);
    EXPECT_EQ(report.grid_roots, 1);
  }
}

}  // namespace
}  // namespace overlapack
