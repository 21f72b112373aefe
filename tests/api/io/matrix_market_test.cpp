#include "api/io/expectations.hpp"
#include "api/io/file_bytes.hpp"
#include "overlapack/io.hpp"
#include "sparse/matrix/canonical.hpp"
#include "sparse/matrix/symmetry.hpp"

#include <gtest/gtest.h>

#include <complex>

namespace overlapack::io {
namespace {

using test::entry;
using test::expect_bad_input;
using test::matrix_of;
using Complex = std::complex<double>;

MatrixFile read(const std::string& text) { return read_matrix_bytes(text, "m.mtx"); }
DenseFile read_rhs(const std::string& text) { return read_dense_bytes(text, "b.mtx"); }

TEST(MatrixMarket, GeneralReal) {
  const auto file = read(
      "%%MatrixMarket matrix coordinate real general\n% a title\n%\n\n3 2 4\n3 2 -1.5e2\n1 1 +2\n\n2 1 .5\n"
      "  1\t2   4.  \n");
  const auto& A = matrix_of<double>(file);
  EXPECT_EQ(file.rows, 3);
  EXPECT_EQ(file.cols, 2);
  EXPECT_EQ(file.facts.title, "a title");
  EXPECT_EQ(file.facts.entries, 4);
  EXPECT_EQ(file.symmetry, Symmetry::general);
  EXPECT_TRUE(sparse::is_canonical(A));
  EXPECT_EQ(entry(A, 2, 1), -150);
  EXPECT_EQ(entry(A, 0, 0), 2);
  EXPECT_EQ(entry(A, 1, 0), 0.5);
  EXPECT_EQ(entry(A, 0, 1), 4);
}

TEST(MatrixMarket, BannerInAnyCaseAndCarriageReturns) {
  const auto file = read("%%mAtRiXmArKeT MATRIX Coordinate REAL General\r\n2 2 1\r\n2 1 7\r\n");
  EXPECT_EQ(entry(matrix_of<double>(file), 1, 0), 7);
}

TEST(MatrixMarket, ABannerWithoutAFieldIsRealWhereItsEntriesAre) {
  const auto file = read("%%MatrixMarket matrix coordinate general\n% c\n2 2 1\n\n2 1 7\n");
  EXPECT_EQ(entry(matrix_of<double>(file), 1, 0), 7);
  EXPECT_EQ(file.facts.field, "real");
  EXPECT_EQ(file.facts.assumed, "a banner without a field, read as real");
  const auto symmetric = read("%%MatrixMarket matrix coordinate symmetric\n2 2 1\n2 1 7\n");
  EXPECT_EQ(entry(matrix_of<double>(symmetric), 0, 1), 7);
  const auto array = read_rhs("%%MatrixMarket matrix array general\n2 1\n3\n4\n");
  EXPECT_EQ(std::get<DenseArray<double>>(array.array).value, (std::vector<double>{3, 4}));
  EXPECT_EQ(matrix_of<double>(read("%%MatrixMarket matrix coordinate general\n2 2 0\n")).nnz(), 0);
  for (const std::string entry : {"2 1", "2 1 7 8"})
    expect_bad_input([&] { read("%%MatrixMarket matrix coordinate general\n2 2 1\n" + entry + "\n"); },
                     {"m.mtx", "no field", "complex or pattern"});
}

TEST(MatrixMarket, ABannerWithOnePerCentSign) {
  const auto file = read("%MatrixMarket matrix coordinate real general\n2 2 1\n2 1 7\n");
  EXPECT_EQ(entry(matrix_of<double>(file), 1, 0), 7);
  EXPECT_EQ(file.facts.assumed, "a banner with one per cent sign");
  EXPECT_EQ(read("%%MatrixMarket matrix coordinate real general\n2 2 1\n2 1 7\n").facts.assumed, "");
  EXPECT_EQ(read("%matrixmarket matrix coordinate general\n2 2 1\n2 1 7\n").facts.assumed,
            "a banner with one per cent sign, a banner without a field, read as real");
}

TEST(MatrixMarket, IntegerAndPatternBecomeDouble) {
  EXPECT_EQ(
      entry(matrix_of<double>(read("%%MatrixMarket matrix coordinate integer general\n1 1 1\n1 1 -3\n")), 0,
            0),
      -3);
  EXPECT_EQ(
      entry(matrix_of<double>(read("%%MatrixMarket matrix coordinate pattern general\n1 1 1\n1 1\n")), 0, 0),
      1);
}

TEST(MatrixMarket, UnsignedIntegersAndSignsOfIndices) {
  const auto file =
      read("%%MatrixMarket matrix coordinate unsigned-integer general\n2 2 1\n+2 +1 4294967295\n");
  EXPECT_EQ(entry(matrix_of<double>(file), 1, 0), 4294967295.0);
}

TEST(MatrixMarket, AByteOrderMarkIsSkipped) {
  const std::string text = "\xef\xbb\xbf%%MatrixMarket matrix coordinate real general\n1 1 1\n1 1 8\n";
  EXPECT_EQ(entry(matrix_of<double>(read(text)), 0, 0), 8);
  EXPECT_EQ(entry(matrix_of<double>(read(gzip(text))), 0, 0), 8);
  EXPECT_EQ(read_rhs(text).rows, 1);
}

TEST(MatrixMarket, EverySymmetryStoresBothTriangles) {
  const auto symmetric = read("%%MatrixMarket matrix coordinate real symmetric\n2 2 2\n1 1 5\n2 1 3\n");
  EXPECT_EQ(symmetric.symmetry, Symmetry::symmetric);
  EXPECT_EQ(entry(matrix_of<double>(symmetric), 0, 1), 3);
  EXPECT_EQ(matrix_of<double>(symmetric).nnz(), 3);

  const auto skew = read("%%MatrixMarket matrix coordinate real skew-symmetric\n2 2 1\n2 1 3\n");
  EXPECT_EQ(skew.symmetry, Symmetry::skew);
  EXPECT_EQ(entry(matrix_of<double>(skew), 0, 1), -3);

  const auto hermitian =
      read("%%MatrixMarket matrix coordinate complex hermitian\n2 2 2\n1 1 5 0\n2 1 3 4\n");
  EXPECT_EQ(hermitian.symmetry, Symmetry::hermitian);
  EXPECT_EQ(entry(matrix_of<Complex>(hermitian), 1, 0), Complex(3, 4));
  EXPECT_EQ(entry(matrix_of<Complex>(hermitian), 0, 1), Complex(3, -4));
  EXPECT_TRUE(sparse::has_symmetry(matrix_of<Complex>(hermitian), Symmetry::hermitian));

  const auto complex = read("%%MatrixMarket matrix coordinate complex symmetric\n2 2 1\n2 1 3 4\n");
  EXPECT_EQ(entry(matrix_of<Complex>(complex), 0, 1), Complex(3, 4));
  const auto pattern = read("%%MatrixMarket matrix coordinate pattern symmetric\n2 2 1\n2 1\n");
  EXPECT_EQ(entry(matrix_of<double>(pattern), 0, 1), 1);
}

TEST(MatrixMarket, AnUpperTriangleIsAsGoodButNotBoth) {
  const auto upper = read("%%MatrixMarket matrix coordinate real symmetric\n2 2 1\n1 2 3\n");
  EXPECT_EQ(entry(matrix_of<double>(upper), 1, 0), 3);
  expect_bad_input([] { read("%%MatrixMarket matrix coordinate real symmetric\n2 2 2\n2 1 3\n1 2 3\n"); },
                   {"line 4", "one triangle"});
}

TEST(MatrixMarket, DuplicatesAreSummedAndZerosKept) {
  const auto file =
      read("%%MatrixMarket matrix coordinate real symmetric\n2 2 4\n2 1 1\n2 1 2\n1 1 0\n2 1 4\n");
  EXPECT_EQ(file.facts.duplicates_summed, 2);
  EXPECT_EQ(file.facts.explicit_zeros, 1);
  EXPECT_EQ(entry(matrix_of<double>(file), 0, 1), 7);
  EXPECT_EQ(matrix_of<double>(file).nnz(), 3);
}

TEST(MatrixMarket, SmallValuesAndFortranExponentsAreReadAndCounted) {
  const auto file = read(
      "%%MatrixMarket matrix coordinate real general\n9 1 9\n1 1 1e-320\n2 1 1.0D-310\n3 1 1e-400\n4 1 "
      "1.5D+2\n"
      "5 1 -2d0\n6 1 1.25-300\n7 1 0.0000000000001e-320\n8 1 2.5Q1\n9 1 0e-999\n");
  const auto& A = matrix_of<double>(file);
  EXPECT_EQ(entry(A, 0, 0), 1e-320);
  EXPECT_EQ(entry(A, 1, 0), 1e-310);
  EXPECT_EQ(entry(A, 2, 0), 0);
  EXPECT_EQ(entry(A, 3, 0), 150);
  EXPECT_EQ(entry(A, 4, 0), -2);
  EXPECT_EQ(entry(A, 5, 0), 1.25e-300);
  EXPECT_EQ(entry(A, 7, 0), 25);
  EXPECT_EQ(file.facts.subnormals, 2);
  EXPECT_EQ(file.facts.underflows, 2);
  EXPECT_EQ(file.facts.fortran_exponents, 5);
  EXPECT_EQ(file.facts.explicit_zeros, 3);
}

TEST(MatrixMarket, ArrayFormatOfASparseMatrixKeepsNonzeros) {
  const auto file = read("%%MatrixMarket matrix array real general\n2 2\n1\n0\n3\n4\n");
  const auto& A = matrix_of<double>(file);
  EXPECT_EQ(A.nnz(), 3);
  EXPECT_EQ(entry(A, 0, 1), 3);
  const auto symmetric = read("%%MatrixMarket matrix array real symmetric\n2 2\n1\n2\n3\n");
  EXPECT_EQ(entry(matrix_of<double>(symmetric), 0, 1), 2);
  const auto skew = read("%%MatrixMarket matrix array real skew-symmetric\n2 2\n2\n");
  EXPECT_EQ(entry(matrix_of<double>(skew), 0, 1), -2);
}

TEST(MatrixMarket, RightHandSides) {
  const auto file = read_rhs("%%MatrixMarket matrix array real general\n2 3\n1\n2\n3\n4\n5\n6\n");
  const auto& B = std::get<DenseArray<double>>(file.array);
  EXPECT_EQ(B.rows, 2);
  EXPECT_EQ(B.cols, 3);
  EXPECT_EQ(B.value, (std::vector<double>{1, 2, 3, 4, 5, 6}));
  const auto complex = read_rhs("%%MatrixMarket matrix array complex general\n1 1\n1 -2\n");
  EXPECT_EQ(std::get<DenseArray<Complex>>(complex.array).value[0], Complex(1, -2));
  const auto point = read_rhs("%%MatrixMarket matrix coordinate real general\n4 1 1\n3 1 9\n");
  EXPECT_EQ(std::get<DenseArray<double>>(point.array).value, (std::vector<double>{0, 0, 9, 0}));
  expect_bad_input([] { read_rhs("%%MatrixMarket matrix coordinate real general\n900000 900000 0\n"); },
                   {"b.mtx", "too large"});
}

TEST(MatrixMarket, GzipOfOneAndTwoMembers) {
  const std::string text = "%%MatrixMarket matrix coordinate real general\n1 1 1\n1 1 8\n";
  EXPECT_EQ(entry(matrix_of<double>(read(gzip(text))), 0, 0), 8);
  EXPECT_EQ(entry(matrix_of<double>(read(gzip(text.substr(0, 30)) + gzip(text.substr(30)))), 0, 0), 8);
  EXPECT_EQ(entry(matrix_of<double>(read(gzip(text) + std::string(512, '\0'))), 0, 0), 8);  // as of a tape
  expect_bad_input([] { read(gzip("")); }, {"m.mtx", "is empty"});
  const std::string large(5 << 20, 'x');
  EXPECT_EQ(gunzip(gzip(large), "x"), large);
  EXPECT_EQ(gunzip(gzip(""), "x"), "");
}

TEST(MatrixMarket, WhatIsPackedByOthersIsNamedWithTheCommandThatUnpacks) {
  using namespace std::string_literals;
  const std::pair<std::string, std::string> packed[] = {
      {"BZh91AY"s, "bzip2 -dc m.mtx | overlapack solve -"},
      {"\xfd"
       "7zXZ\0\0"s,
       "xz -dc m.mtx"},
      {"\x28\xb5\x2f\xfd\x24"s, "zstd -dc m.mtx"},
      {"\x1f\x9d\x90"s, "gzip -dc m.mtx"},
      {"MATLAB 5.0 MAT-file, Platform"s, "mmwrite"},
      {"MATLAB 7.3 MAT-file, Platform"s, "-v7"},
      {std::string(257, 'x') + "ustar 00", "tar -xf m.mtx"}};
  for (const auto& [bytes, command] : packed) {
    expect_bad_input([&] { read(bytes); }, {"m.mtx", command});
    const std::string unpacks =
        command.substr(0, command.find(" |"));  // not into a solve with b for a matrix
    expect_bad_input([&] { read_dense_bytes(bytes, "m.mtx"); }, {"m.mtx", unpacks});
  }
  expect_bad_input([&] { read(gzip(packed[6].first)); }, {"m.mtx", "tar -xf"});
}

TEST(MatrixMarket, DamagedGzip) {
  const std::string bytes = gzip("%%MatrixMarket matrix coordinate real general\n1 1 1\n1 1 8\n");
  expect_bad_input([&] { read(bytes.substr(0, bytes.size() - 12)); }, {"m.mtx", "cut short"});
  std::string changed = bytes;
  changed[bytes.size() - 6] ^= 1;  // the checksum
  expect_bad_input([&] { read(changed); }, {"m.mtx", "damaged"});
  expect_bad_input([&] { read(bytes + "tail"); }, {"m.mtx", "damaged"});
}

TEST(MatrixMarket, EveryDefectIsNamed) {
  const std::string general = "%%MatrixMarket matrix coordinate real general\n";
  const std::pair<std::string, std::vector<std::string>> defects[] = {
      {"", {"is empty"}},
      {"hello world\n", {"none of", "convert"}},
      {"%%MatrixMarket vector coordinate real general\n1 1 0\n", {"banner", "matrix"}},
      {"%%MatrixMarket matrix sparse real general\n1 1 0\n", {"coordinate or array"}},
      {"%%MatrixMarket matrix coordinate quaternion general\n1 1 0\n", {"field"}},
      {"%%MatrixMarket matrix coordinate real lopsided\n1 1 0\n", {"symmetry"}},
      {"%%MatrixMarket matrix coordinate real\n1 1 0\n", {"symmetry"}},
      {"%%MatrixMarket matrix coordinate real hermitian\n1 1 0\n", {"hermitian", "complex"}},
      {"%%MatrixMarket matrix array pattern general\n1 1\n", {"pattern"}},
      {"%%MatrixMarket matrix coordinate pattern skew-symmetric\n2 2 1\n2 1\n", {"pattern"}},
      {general, {"size line"}},
      {general + "% only comments\n", {"size line"}},
      {general + "2 2\n1 1 1\n", {"line 2", "number of entries"}},
      {general + "2 2 1 1\n1 1 1\n", {"line 2", "end of the line"}},
      {general + "-1 2 1\n1 1 1\n", {"line 2", "negative"}},
      {general + "2 x 1\n1 1 1\n", {"line 2", "\"x\"", "columns"}},
      {general + "99999999999999999999 2 1\n1 1 1\n", {"line 2", "rows"}},
      {general + "2 2 1000000\n1 1 1\n", {"line 2", "more than the file has room for"}},
      {general + "2000000000 2 1\n1 1 1\n", {"line 2", "mostly empty"}},
      {general + "2 2 2\n1 1 1\n", {"1 of 2", "cut short"}},
      {general + "2 2 1\n1 1 1\n2 2 1\n", {"line 4", "after the last"}},
      {general + "2 2 1\n3 1 1\n", {"line 3", "row 3", "1 to 2"}},
      {general + "2 2 1\n1 0 1\n", {"line 3", "column 0"}},
      {general + "2 2 1\n1 1\n", {"line 3", "value"}},
      {general + "2 2 1\n1 1 1 1\n", {"line 3", "end of the line"}},
      {general + "2 2 1\n1 1 abc\n", {"line 3", "\"abc\"", "value"}},
      {general + "2 2 1\n1 1 nan\n", {"line 3", "not a finite"}},
      {general + "2 2 1\n1 1 -inf\n", {"line 3", "not a finite"}},
      {general + "2 2 1\n1 1 1e400\n", {"line 3", "not a finite"}},
      {general + "2 2 1\n1 1 1.0D+400\n", {"line 3", "not a finite"}},
      {general + "2 2 2\n1 1 1e308\n1 1 1e308\n", {"add up"}},
      {general + "2 2 1\n1.5 1 1\n", {"line 3", "column"}},
      {"%%MatrixMarket matrix coordinate complex general\n1 1 1\n1 1 1\n", {"line 3", "imaginary"}},
      {"%%MatrixMarket matrix coordinate real symmetric\n2 3 0\n", {"line 2", "square"}},
      {"%%MatrixMarket matrix coordinate real skew-symmetric\n2 2 1\n1 1 1\n", {"line 3", "diagonal"}},
      {"%%MatrixMarket matrix coordinate complex hermitian\n2 2 1\n1 1 1 1\n", {"line 3", "real diagonal"}},
      {"%%MatrixMarket matrix array real general\n2 2\n1\n2\n3\n", {"3 of 4"}},
      {"%%MatrixMarket matrix array real symmetric\n3 3\n1\n2\n3\n4\n5\n", {"5 of 6"}},
      {"%%MatrixMarket matrix array real skew-symmetric\n3 3\n1\n2\n3\n4\n", {"after the last of 3"}},
      {general + "2 2 1\n+-1 1 1\n", {"line 3", "\"+-1\""}},
      {"%%MatrixMarket matrix array real general\n3037000500 3037000500\n1\n", {"64-bit"}},
  };
  for (const auto& [text, parts] : defects) {
    SCOPED_TRACE(text);
    try {
      read(text);
      ADD_FAILURE() << "nothing was thrown";
    } catch (const Error& error) {
      EXPECT_EQ(error.status(), Status::bad_input);
      for (const std::string& part : parts)
        EXPECT_NE(std::string(error.what()).find(part), std::string::npos) << part << " in: " << error.what();
    }
  }
}

TEST(MatrixMarket, SkipsNothingThatIsAnEntry) {
  // Zero on a skew diagonal and an imaginary zero on a hermitian one are allowed.
  EXPECT_NO_THROW(read("%%MatrixMarket matrix coordinate real skew-symmetric\n2 2 2\n1 1 0\n2 1 1\n"));
  EXPECT_NO_THROW(read("%%MatrixMarket matrix coordinate complex hermitian\n1 1 1\n1 1 1 0.0\n"));
  EXPECT_EQ(read("%%MatrixMarket matrix coordinate real general\n0 0 0\n").rows, 0);
  EXPECT_EQ(matrix_of<double>(read("%%MatrixMarket matrix coordinate real general\n3 3 0\n")).nnz(), 0);
}

TEST(Files, MissingDirectoryAndEmpty) {
  expect_bad_input([] { read_matrix("/no/such/file.mtx"); }, {"/no/such/file.mtx", "no such file"});
  expect_bad_input([] { read_matrix(::testing::TempDir()); }, {"directory"});
  expect_bad_input([] { read_matrix("/dev/null"); }, {"empty"});
}

}  // namespace
}  // namespace overlapack::io
