#include "problem.hpp"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <fstream>
#include <limits>
#include <stdexcept>

namespace bench {

namespace {

template <class T>
void read_array(std::ifstream& file, std::vector<T>& out, std::int64_t count) {
  out.resize(static_cast<std::size_t>(count));
  file.read(reinterpret_cast<char*>(out.data()), static_cast<std::streamsize>(sizeof(T) * out.size()));
}

}  // namespace

Matrix read_matrix(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  char magic[8] = {};
  std::int64_t head[4] = {};  // n, nnz, is_symmetric, has_positive_diagonal
  file.read(magic, sizeof magic);
  file.read(reinterpret_cast<char*>(head), sizeof head);
  if (!file || std::memcmp(magic, "OVLPBM01", sizeof magic) != 0)
    throw std::runtime_error("cannot read " + path + ": not a matrix that sparse_compare wrote");
  Matrix a;
  a.n = head[0];
  a.is_symmetric = head[2] != 0;
  read_array(file, a.start, a.n + 1);
  read_array(file, a.row, head[1]);
  read_array(file, a.value, head[1]);
  if (!file) throw std::runtime_error("cannot read " + path + ": the file ends too early");
  return a;
}

std::vector<double> multiply(const Matrix& a, const std::vector<double>& x) {
  std::vector<double> y(x.size(), 0.0);
  for (std::int64_t j = 0; j < a.n; ++j)
    for (std::int64_t p = a.start[j]; p < a.start[j + 1]; ++p) y[a.row[p]] += a.value[p] * x[j];
  return y;
}

Matrix transpose(const Matrix& a) {
  Matrix t = a;
  std::fill(t.start.begin(), t.start.end(), 0);
  for (std::int64_t i : a.row) ++t.start[i + 1];
  for (std::int64_t i = 0; i < a.n; ++i) t.start[i + 1] += t.start[i];
  std::vector<std::int64_t> next(t.start.begin(), t.start.end() - 1);
  for (std::int64_t j = 0; j < a.n; ++j)
    for (std::int64_t p = a.start[j]; p < a.start[j + 1]; ++p) {
      const std::int64_t q = next[a.row[p]]++;
      t.row[q] = j;
      t.value[q] = a.value[p];
    }
  return t;
}

std::vector<double> residual(const Matrix& a, const std::vector<double>& x, const std::vector<double>& b) {
  std::vector<long double> r(b.begin(), b.end());
  for (std::int64_t j = 0; j < a.n; ++j)
    for (std::int64_t p = a.start[j]; p < a.start[j + 1]; ++p)
      r[a.row[p]] -= static_cast<long double>(a.value[p]) * x[j];
  return {r.begin(), r.end()};
}

double backward_error(const Matrix& a, const std::vector<double>& x, const std::vector<double>& b) {
  const std::vector<double> r = residual(a, x, b);
  std::vector<double> weight(x.size(), 0.0);    // (|A| |x|)_i
  std::vector<double> row_norm(x.size(), 0.0);  // ||A_i||_1
  double x_norm = 0;
  for (double v : x) {
    if (!std::isfinite(v)) return std::numeric_limits<double>::quiet_NaN();
    x_norm = std::max(x_norm, std::abs(v));
  }
  for (std::int64_t j = 0; j < a.n; ++j)
    for (std::int64_t p = a.start[j]; p < a.start[j + 1]; ++p) {
      weight[a.row[p]] += std::abs(a.value[p] * x[j]);
      row_norm[a.row[p]] += std::abs(a.value[p]);
    }
  const double eps = std::numeric_limits<double>::epsilon();
  double omega1 = 0;
  double omega2 = 0;
  for (std::size_t i = 0; i < x.size(); ++i) {
    const double threshold = 1000 * static_cast<double>(a.n) * eps * (row_norm[i] * x_norm + std::abs(b[i]));
    const double denominator = weight[i] + std::abs(b[i]);
    if (denominator > threshold)
      omega1 = std::max(omega1, std::abs(r[i]) / denominator);
    else if (r[i] != 0)
      omega2 = std::max(omega2, std::abs(r[i]) / (weight[i] + row_norm[i] * x_norm));
  }
  return omega1 + omega2;
}

}  // namespace bench
