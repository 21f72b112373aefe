#include "api/write_matrix.hpp"

#include <charconv>
#include <sstream>

namespace overlapack::api {
namespace {

/// Collects text and hands it to the stream in large pieces.
class TextBuffer {
 public:
  explicit TextBuffer(std::ostream& out) : out_(out) {}
  ~TextBuffer() { flush(); }

  template <class Number>
  void number(Number value) {
    char digits[40];
    text_.append(digits, std::to_chars(digits, digits + sizeof digits, value).ptr);
  }
  void value(float v) { number(v); }
  void value(double v) { number(v); }
  template <class R>
  void value(const std::complex<R>& v) {
    number(v.real());
    text_ += ' ';
    number(v.imag());
  }
  void space() { text_ += ' '; }
  void end_line() {
    text_ += '\n';
    if (text_.size() > std::size_t{1} << 16) flush();
  }

 private:
  void flush() {
    out_.write(text_.data(), static_cast<std::streamsize>(text_.size()));
    text_.clear();
  }
  std::ostream& out_;
  std::string text_;
};

template <class T>
void write_head(std::ostream& out, std::string_view format, std::string_view symmetry,
                const std::string& comment) {
  out << "%%MatrixMarket matrix " << format << ' ' << (ScalarTraits<T>::is_complex ? "complex" : "real")
      << ' ' << symmetry << '\n';
  std::istringstream lines(comment);
  for (std::string line; std::getline(lines, line);) out << "% " << line << '\n';
}

constexpr std::string_view symmetry_word(Symmetry symmetry) {
  switch (symmetry) {
    case Symmetry::symmetric:
      return "symmetric";
    case Symmetry::skew:
      return "skew-symmetric";
    case Symmetry::hermitian:
      return "hermitian";
    case Symmetry::general:
      break;
  }
  return "general";
}

/// Is (i, j) among the entries that a file of this symmetry lists?
constexpr bool is_listed(Symmetry symmetry, Index i, Index j) {
  if (symmetry == Symmetry::general) return true;
  return symmetry == Symmetry::skew ? i > j : i >= j;
}

}  // namespace

template <class T>
void write_matrix_market(std::ostream& out, const SparseMatrix<T>& A, const std::string& comment) {
  Index listed = 0;
  for (Index j = 0; j < A.cols; ++j)
    for (Index k = A.start[j]; k < A.start[j + 1]; ++k) listed += is_listed(A.symmetry, A.row[k], j);
  write_head<T>(out, "coordinate", symmetry_word(A.symmetry), comment);
  out << A.rows << ' ' << A.cols << ' ' << listed << '\n';
  TextBuffer text(out);
  for (Index j = 0; j < A.cols; ++j)
    for (Index k = A.start[j]; k < A.start[j + 1]; ++k) {
      if (!is_listed(A.symmetry, A.row[k], j)) continue;
      text.number(A.row[k] + 1);
      text.space();
      text.number(j + 1);
      text.space();
      text.value(A.value[k]);
      text.end_line();
    }
}

template <class T>
void write_matrix_market(std::ostream& out, std::span<const T> values, Index rows, Index cols,
                         const std::string& comment) {
  write_head<T>(out, "array", "general", comment);
  out << rows << ' ' << cols << '\n';
  TextBuffer text(out);
  for (const T& v : values) {
    text.value(v);
    text.end_line();
  }
}

#define OVERLAPACK_INSTANTIATE(T)                                                               \
  template void write_matrix_market(std::ostream&, const SparseMatrix<T>&, const std::string&); \
  template void write_matrix_market(std::ostream&, std::span<const T>, Index, Index, const std::string&);
OVERLAPACK_INSTANTIATE(float)
OVERLAPACK_INSTANTIATE(double)
OVERLAPACK_INSTANTIATE(std::complex<float>)
OVERLAPACK_INSTANTIATE(std::complex<double>)
#undef OVERLAPACK_INSTANTIATE

}  // namespace overlapack::api
