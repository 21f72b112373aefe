#include "api/io/expectations.hpp"
#include "api/io/file_bytes.hpp"
#include "overlapack/io.hpp"
#include "sparse/matrix/canonical.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <complex>
#include <limits>

namespace overlapack::io {
namespace {

using test::entry;
using test::expect_bad_input;
using test::matrix_of;

/// The files in data/ were written by SciPy and NumPy with make_fixtures.py.
std::string data(const std::string& name) { return std::string(OVERLAPACK_IO_DATA) + "/" + name; }

/// The matrix of make_fixtures.py.
constexpr Index n = 6;
bool is_present(Index i, Index j) { return i == j || (2 * i + 3 * j) % 4 == 0; }
std::complex<double> expected(Index i, Index j) {
  const auto x = static_cast<double>(i), y = static_cast<double>(j);
  return {(x + 1) + 0.25 * (y + 1), y - 0.5 * x};
}
template <class T>
T expected_as(Index i, Index j, bool is_integer) {
  if constexpr (ScalarTraits<T>::is_complex)
    return T(expected(i, j));
  else
    return static_cast<T>(is_integer ? std::floor(expected(i, j).real()) : expected(i, j).real());
}

template <class T>
void expect_fixture(const std::string& name, const std::string& field, bool is_integer = false) {
  SCOPED_TRACE(name);
  const MatrixFile file = read_matrix(data(name));
  const auto& A = matrix_of<T>(file);
  EXPECT_EQ(file.rows, n);
  EXPECT_EQ(file.facts.field, field);
  EXPECT_TRUE(sparse::is_canonical(A));
  Index entries = 0;
  for (Index j = 0; j < n; ++j)
    for (Index i = 0; i < n; ++i) {
      entries += is_present(i, j);
      EXPECT_EQ(entry(A, i, j), is_present(i, j) ? expected_as<T>(i, j, is_integer) : T(0));
    }
  EXPECT_EQ(A.nnz(), entries);
}

TEST(ScipyNpz, EveryFormatAndType) {
  expect_fixture<float>("csr_float32.npz", "float32");
  expect_fixture<double>("csc_float64_stored.npz", "float64");
  expect_fixture<std::complex<float>>("coo_complex64.npz", "complex64");
  expect_fixture<std::complex<double>>("csr_complex128.npz", "complex128");
  expect_fixture<double>("csc_int32.npz", "int32", true);
  expect_fixture<double>("coo_int64_array.npz", "int64", true);
  expect_fixture<double>("csr_wide_indices.npz", "float64");
  const MatrixFile empty = read_matrix(data("empty.npz"));
  EXPECT_EQ(empty.rows, 3);
  EXPECT_EQ(matrix_of<double>(empty).nnz(), 0);
}

TEST(ScipyFiles, HarwellBoeingAndMatrixMarket) {
  expect_fixture<double>("scipy.rua", "RUA");
  expect_fixture<std::complex<double>>("scipy_complex.mtx", "complex");
}

TEST(ScipyNpz, OtherFormatsAreRefusedWithAWayOut) {
  expect_bad_input([] { read_matrix(data("bsr.npz")); }, {"bsr.npz", "csc"});
}

TEST(ScipyNpz, DamageIsFound) {
  const std::string bytes = load_file(data("csc_float64_stored.npz"));
  for (std::size_t size = 4; size < bytes.size(); ++size)
    expect_bad_input([&] { read_matrix_bytes(bytes.substr(0, size), "m.npz"); }, {"m.npz"});
  // One changed byte in the data of a stored member: only the checksum knows.
  std::string changed = bytes;
  changed[bytes.find("\x93NUMPY") + 128] ^= 1;
  expect_bad_input([&] { read_matrix_bytes(changed, "m.npz"); }, {"m.npz", "checksum"});
}

TEST(Npy, VectorsAndColumnsInBothOrders) {
  const DenseFile vector = read_dense(data("vector.npy"));
  const auto& v = std::get<DenseArray<double>>(vector.array);
  EXPECT_EQ(v.rows, n);
  EXPECT_EQ(v.cols, 1);
  const DenseFile c_order = read_dense(data("columns_c.npy"));
  const auto& c = std::get<DenseArray<std::complex<double>>>(c_order.array);
  const DenseFile fortran_order = read_dense(data("columns_fortran.npy"));
  const auto& f = std::get<DenseArray<float>>(fortran_order.array);
  EXPECT_EQ(c.cols, 3);
  EXPECT_EQ(f.cols, 3);
  for (Index j = 0; j < 3; ++j)
    for (Index i = 0; i < n; ++i) {
      const auto shift = static_cast<double>(j);
      EXPECT_EQ(c.value[i + j * n], std::complex<double>(v.value[i], shift));
      EXPECT_EQ(f.value[i + j * n], static_cast<float>(v.value[i] + shift));
    }
}

TEST(Npy, ADenseArrayIsAlsoAMatrix) {
  const MatrixFile file = read_matrix(data("columns_fortran.npy"));
  EXPECT_EQ(file.cols, 3);
  EXPECT_EQ(matrix_of<float>(file).nnz(), 3 * n);
}

/// An .npy of this header and data.
std::string npy(const std::string& dictionary, const std::string& items) {
  std::string header = dictionary + std::string(63 - (dictionary.size() + 10) % 64, ' ') + "\n";
  std::string bytes = "\x93NUMPY";
  bytes += '\1';
  bytes += '\0';
  bytes += static_cast<char>(header.size() & 0xff);
  bytes += static_cast<char>(header.size() >> 8);
  return bytes + header + items;
}

TEST(Npy, EveryDefectIsNamed) {
  expect_bad_input([] { read_dense(data("big_endian.npy")); }, {"big-endian"});
  const std::string eight(8, '\0');
  const auto read = [](const std::string& bytes) { return [bytes] { read_dense_bytes(bytes, "b.npy"); }; };
  EXPECT_NO_THROW(read(npy("{'descr': '<f8', 'fortran_order': False, 'shape': (1,), }", eight))());
  expect_bad_input(read(npy("{'descr': '<f8', 'fortran_order': False, 'shape': (2,), }", eight)),
                   {"cut short"});
  expect_bad_input(read(npy("{'descr': '<f2', 'fortran_order': False, 'shape': (1,), }", eight)),
                   {"float16"});
  expect_bad_input(read(npy("{'descr': '|O', 'fortran_order': False, 'shape': (1,), }", eight)), {"|O"});
  expect_bad_input(read(npy("{'descr': [('a', '<f8')], 'fortran_order': False, 'shape': (1,), }", eight)),
                   {"structured"});
  expect_bad_input(read(npy("{'descr': '<f8', 'fortran_order': False, 'shape': (1, 1, 1), }", eight)),
                   {"3 dimensions"});
  expect_bad_input(read(npy("{'descr': '<f8', 'fortran_order': False, 'shape': (), }", eight)),
                   {"0 dimensions"});
  expect_bad_input(
      read(npy("{'descr': '<f8', 'fortran_order': False, 'shape': (0, 99999999999999), }", eight)),
      {"empty"});
  expect_bad_input(
      read(npy("{'descr': '<f8', 'fortran_order': False, 'shape': (4611686018427387904, 4), }", eight)),
      {"shape"});
  expect_bad_input(read(npy("{'descr': '<f8', 'fortran_order': False, 'shape': (x,), }", eight)), {"shape"});
  std::string nan(8, '\0');
  nan[6] = '\xf8';
  nan[7] = '\x7f';
  expect_bad_input(read(npy("{'descr': '<f8', 'fortran_order': False, 'shape': (1,), }", nan)),
                   {"row 0", "finite"});
  expect_bad_input([] { read_dense_bytes("hello", "b.txt"); }, {"neither"});
}

}  // namespace
}  // namespace overlapack::io
