#include "api/io/atomic_file.hpp"
#include "api/io/expectations.hpp"
#include "overlapack/generate.hpp"
#include "overlapack/io.hpp"
#include "sparse/matrix/convert.hpp"
#include "sparse/matrix/mirror.hpp"
#include "sparse/matrix/random_sparse.hpp"

#include <gtest/gtest.h>

#include <complex>
#include <filesystem>
#include <fstream>
#include <limits>
#include <unistd.h>

namespace overlapack::io {
namespace {

using test::expect_bad_input;
using test::random_sparse;
namespace fs = std::filesystem;

/// A folder of its own for each test.
class WriteTest : public ::testing::Test {
 protected:
  void SetUp() override {
    const auto* info = ::testing::UnitTest::GetInstance()->current_test_info();
    folder_ = fs::path(::testing::TempDir()) /
              (std::string("overlapack_") + info->name() + std::to_string(getpid()));
    fs::create_directory(folder_);
  }
  void TearDown() override { fs::remove_all(folder_); }
  std::string path(const std::string& name) const { return (folder_ / name).string(); }
  std::ptrdiff_t files() const {
    return std::distance(fs::directory_iterator(folder_), fs::directory_iterator());
  }

  fs::path folder_;
};

/// What is written reads back to the same bits; float as double, which holds every float.
template <class T>
void expect_round_trip(const std::string& path, const SparseMatrix<T>& A) {
  write_matrix_market(path, A, "two\nlines");
  const MatrixFile file = read_matrix(path);
  using Wide = std::conditional_t<ScalarTraits<T>::is_complex, std::complex<double>, double>;
  const auto& B = std::get<SparseMatrix<Wide>>(file.matrix);
  EXPECT_EQ(file.facts.title, "two");
  EXPECT_EQ(B.start, A.start);
  EXPECT_EQ(B.row, A.row);
  EXPECT_EQ(sparse::convert<T>(B).value, A.value);
  EXPECT_EQ(B.symmetry, A.symmetry);
}

TEST_F(WriteTest, RoundTripOfEveryTypeAndSymmetry) {
  Random random(21);
  for (const char* name : {"a.mtx", "a.mtx.gz"}) {
    expect_round_trip(path(name), random_sparse<float>(9, 7, 30, random));
    expect_round_trip(path(name), random_sparse<double>(9, 7, 30, random));
    expect_round_trip(path(name), random_sparse<std::complex<float>>(9, 7, 30, random));
    expect_round_trip(path(name), random_sparse<std::complex<double>>(9, 7, 30, random));
    for (const char* kind : {"cube", "saddle", "convection"})
      expect_round_trip(path(name), sparse::generate(kind, 3));
    const auto L = sparse::compress(sparse::Triplets<std::complex<double>>{
                                        3, 3, {1, 2, 2}, {0, 0, 1}, {{1, 2}, {3, 4}, {5, 6}}})
                       .matrix;
    for (Symmetry symmetry : {Symmetry::symmetric, Symmetry::skew, Symmetry::hermitian})
      expect_round_trip(path(name), sparse::mirror_triangle(L, symmetry));
    expect_round_trip(path(name), SparseMatrix<double>{});
  }
  EXPECT_EQ(files(), 2);
}

TEST_F(WriteTest, ExtremeValuesKeepTheirBits) {
  const double values[] = {5e-324, -2.2250738585072011e-308, 1.7976931348623157e308, 0.1, -0.0, 1.0 / 3};
  sparse::Triplets<double> entries{6, 1, {}, {}, {}};
  for (Index i = 0; i < 6; ++i) entries.add(i, 0, values[i]);
  expect_round_trip(path("x.mtx"), sparse::compress(entries).matrix);
}

TEST_F(WriteTest, DenseArray) {
  const std::vector<double> x{1, 2, 3, 5, 6, 7};
  write_matrix_market(path("x.mtx"), std::span<const double>(x), 3);
  const auto file = read_dense(path("x.mtx"));
  EXPECT_EQ(file.cols, 2);
  EXPECT_EQ(std::get<DenseArray<double>>(file.array).value, x);
}

TEST_F(WriteTest, NothingStaysOfAFailedWrite) {
  const double nan = std::numeric_limits<double>::quiet_NaN();
  write_matrix_market(path("a.mtx"), sparse::generate("cube", 2));
  const auto size = fs::file_size(path("a.mtx"));
  const auto bad = sparse::compress(sparse::Triplets<double>{1, 1, {0}, {0}, {nan}}).matrix;
  expect_bad_input([&] { write_matrix_market(path("a.mtx"), bad); }, {"a.mtx", "finite"});
  EXPECT_EQ(fs::file_size(path("a.mtx")), size);
  {
    AtomicFile file(path("b.mtx"));
    file.write("half");
  }
  EXPECT_EQ(files(), 1);
  expect_bad_input([&] { AtomicFile(path("none/c.mtx")); }, {"none/c.mtx", "directory"});
}

TEST_F(WriteTest, NothingStaysOfAFileWhosePositionIsTaken) {
  AtomicFile file(path("a.mtx"));
  file.write("whole");
  fs::create_directory(path("a.mtx"));
  expect_bad_input([&] { file.commit(); }, {"a.mtx", "put in place", "directory"});
  EXPECT_EQ(files(), 1);
  EXPECT_TRUE(fs::is_directory(path("a.mtx")));
}

TEST(RightHandSide, IsReadInAnyTypeThatHoldsItsValues) {
  const DenseArray<std::complex<float>> real{2, 1, {{1.5f, 0}, {-2, 0}}};
  EXPECT_EQ(values_as<double>(real), (std::vector<double>{1.5, -2}));
  EXPECT_EQ(values_as<std::complex<double>>(real), (std::vector<std::complex<double>>{1.5, -2}));
  EXPECT_EQ(values_as<std::complex<float>>(DenseArray<double>{1, 1, {3}}),
            (std::vector<std::complex<float>>{3}));
  EXPECT_EQ(values_as<float>(DenseArray<double>{1, 1, {0.25}}), (std::vector<float>{0.25f}));
  const DenseArray<std::complex<double>> complex{2, 1, {{1, 0}, {1, 1e-300}}};
  expect_bad_input([&] { values_as<double>(complex); }, {"entry 2", "complex type"});
}

TEST_F(WriteTest, ASymmetryThatTheEntriesDoNotShowIsRefused) {
  auto A = sparse::compress(sparse::Triplets<double>{2, 2, {1}, {0}, {1.0}}).matrix;
  A.symmetry = Symmetry::symmetric;
  expect_bad_input([&] { write_matrix_market(path("a.mtx"), A); }, {"marked symmetric"});
  EXPECT_EQ(files(), 0);
}

TEST_F(WriteTest, AnExistingFileIsReplacedWhole) {
  std::ofstream(path("a.mtx")) << std::string(100000, 'x');
  write_matrix_market(path("a.mtx"), sparse::generate("cube", 1));
  EXPECT_EQ(read_matrix(path("a.mtx")).rows, 1);
  EXPECT_EQ(files(), 1);
}

TEST_F(WriteTest, SpecialFilesAreWrittenDirectly) {
  write_matrix_market("/dev/null", sparse::generate("cube", 2));
  EXPECT_TRUE(fs::is_character_file("/dev/null"));
}

TEST_F(WriteTest, ASymbolicLinkStays) {
  fs::create_directory(path("there"));
  for (const char* name : {"there/old.mtx", "there/new.mtx"}) {
    if (std::string(name) == "there/old.mtx") std::ofstream(path(name)) << "old";
    fs::remove(path("link"));
    fs::create_symlink("again", path("link"));
    fs::remove(path("again"));
    fs::create_symlink(name, path("again"));
    write_matrix_market(path("link"), sparse::generate("cube", 1));
    EXPECT_TRUE(fs::is_symlink(path("link")) && fs::is_symlink(path("again")));
    EXPECT_EQ(read_matrix(path(name)).rows, 1);
  }
  EXPECT_EQ(files(), 3);
}

TEST_F(WriteTest, PermissionsStay) {
  for (const auto permissions : {fs::perms(0600), fs::perms(0666), fs::perms(0755)}) {
    std::ofstream(path("a.mtx")) << "old";
    fs::permissions(path("a.mtx"), permissions);
    write_matrix_market(path("a.mtx"), sparse::generate("cube", 1));
    EXPECT_EQ(fs::status(path("a.mtx")).permissions(), permissions);
  }
  if (geteuid() == 0) return;  // who may write to all files
  fs::permissions(path("a.mtx"), fs::perms(0400));
  expect_bad_input([&] { write_matrix_market(path("a.mtx"), sparse::generate("cube", 1)); },
                   {"a.mtx", "ermission"});
  expect_bad_input([&] { require_writable(path("a.mtx")); }, {"a.mtx", "ermission"});
}

}  // namespace
}  // namespace overlapack::io
