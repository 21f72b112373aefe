#include "api/io/matrix_market.hpp"

#include "api/io/entry_sink.hpp"
#include "api/io/text_scanner.hpp"
#include "sparse/matrix/validate.hpp"

#include <algorithm>
#include <cctype>
#include <complex>
#include <sstream>
#include <utility>

namespace overlapack::io {
namespace {

/// The first line: %%MatrixMarket matrix coordinate|array field symmetry.
struct Banner {
  bool is_array = false;
  std::string field;    ///< "": the file names none
  std::string assumed;  ///< ReadFacts::assumed
  Symmetry symmetry = Symmetry::general;

  bool is_pattern() const { return field == "pattern"; }
};

std::string lower_case(std::string_view text) {
  std::string lower(text);
  std::transform(lower.begin(), lower.end(), lower.begin(), [](unsigned char c) { return std::tolower(c); });
  return lower;
}

Symmetry symmetry_of(const std::string& word, TextScanner& scanner) {
  if (word == "general") return Symmetry::general;
  if (word == "symmetric") return Symmetry::symmetric;
  if (word == "skew-symmetric") return Symmetry::skew;
  if (word == "hermitian") return Symmetry::hermitian;
  scanner.refuse_file("the banner's symmetry must be general, symmetric, skew-symmetric or hermitian");
}

Banner read_banner(TextScanner& scanner) {
  std::istringstream words(lower_case(scanner.line()));
  std::string name, object, format, symmetry;
  Banner banner;
  words >> name >> object >> format >> banner.field >> symmetry;
  if (!name.starts_with("%%")) banner.assumed = "a banner with one per cent sign";
  if (object != "matrix")
    scanner.refuse_file("the banner must read %%MatrixMarket matrix ...; other objects are not read");
  if (format != "coordinate" && format != "array")
    scanner.refuse_file("the banner's format must be coordinate or array");
  banner.is_array = format == "array";
  static constexpr const char* fields[] = {"real",    "double",           "complex",
                                           "integer", "unsigned-integer", "pattern"};
  static constexpr const char* symmetries[] = {"general", "symmetric", "skew-symmetric"};
  const bool has_field =
      std::find(std::begin(symmetries), std::end(symmetries), banner.field) == std::end(symmetries);
  if (!has_field) symmetry = std::exchange(banner.field, "");
  if (has_field && std::find(std::begin(fields), std::end(fields), banner.field) == std::end(fields))
    scanner.refuse_file("the banner's field must be real, complex, integer or pattern");
  banner.symmetry = symmetry_of(symmetry, scanner);
  if (banner.symmetry == Symmetry::hermitian && banner.field != "complex")
    scanner.refuse_file("the banner says hermitian but not complex; write symmetric for a real matrix");
  if (banner.is_pattern() && (banner.is_array || banner.symmetry == Symmetry::skew))
    scanner.refuse_file("the banner joins pattern with array or skew-symmetric, which has no values");
  return banner;
}

/// The field of a file whose banner names none: real if its first entry has one value, else an error. It reads ahead in a copy of the
/// scanner.
std::string field_of_entries(TextScanner ahead, const Banner& banner) {
  if (!ahead.next_data_line()) return "real";
  std::istringstream entry{std::string(ahead.line())};
  std::size_t numbers = banner.is_array ? 0 : std::size_t(-2);  // not counting row and column
  for (std::string word; entry >> word;) ++numbers;
  if (numbers == 1) return "real";
  ahead.refuse_file(
      "the banner names no field, and the first entry has not one value, as real ones have; write real, "
      "complex or "
      "pattern into it, as in: %%MatrixMarket matrix coordinate complex general");
}

/// Return the first comment that is not blank, and move the scanner to the size line.
std::string read_title(TextScanner& scanner) {
  std::string title;
  while (!scanner.at_end() && scanner.peek() == '%') {
    std::string_view comment = scanner.line();
    comment.remove_prefix(std::min(comment.find_first_not_of("% \t"), comment.size()));
    if (title.empty()) title = comment;
  }
  return title;
}

struct Sizes {
  Index rows = 0, cols = 0, entries = 0;
};

/// The number of entries that the file stores: of a symmetric array the lower triangle, of a skew one the triangle without its diagonal.
Index entries_of_array(const Sizes& sizes, Symmetry symmetry) {
  const Index all = sparse::checked_product(sizes.rows, sizes.cols, "rows x columns");
  if (symmetry == Symmetry::general) return all;
  const Index off_diagonal = (all - sizes.rows) / 2;
  return symmetry == Symmetry::skew ? off_diagonal : off_diagonal + sizes.rows;
}

Sizes read_sizes(TextScanner& scanner, const Banner& banner) {
  if (!scanner.next_data_line()) scanner.refuse_file("ends before its size line; the file is cut short");
  Sizes sizes;
  sizes.rows = scanner.integer("the number of rows");
  sizes.cols = scanner.integer("the number of columns");
  if (!banner.is_array) sizes.entries = scanner.integer("the number of entries");
  if (sizes.rows < 0 || sizes.cols < 0 || sizes.entries < 0)
    scanner.refuse("a size is negative; correct the size line");
  if (banner.symmetry != Symmetry::general && sizes.rows != sizes.cols)
    scanner.refuse("a symmetric matrix must be square; correct the size line or the banner");
  if (banner.is_array) sizes.entries = entries_of_array(sizes, banner.symmetry);
  // An entry takes at least two characters ("1\n"), so a size line that promises more is wrong.
  if (sizes.entries / 2 > static_cast<Index>(scanner.bytes_left()))
    scanner.refuse("the size line promises " + std::to_string(sizes.entries) +
                   " entries, more than the file has room for; the file is cut short or the line is wrong");
  if (!are_plausible_sizes(sizes.rows, sizes.cols, sizes.entries))
    scanner.refuse("a matrix of " + std::to_string(sizes.rows) + " x " + std::to_string(sizes.cols) +
                   " with " + std::to_string(sizes.entries) +
                   " entries has mostly empty rows; correct the size line");
  scanner.end_line();
  return sizes;
}

template <class T>
T read_value(TextScanner& scanner) {
  const double real = scanner.real("a value");
  if constexpr (ScalarTraits<T>::is_complex)
    return T(real, scanner.real("an imaginary part"));
  else
    return real;
}

Index read_index(TextScanner& scanner, Index size, const char* what) {
  const Index i = scanner.integer(what);
  if (i < 1 || i > size)
    scanner.refuse(std::string(what) + " " + std::to_string(i) + " is outside 1 to " + std::to_string(size) +
                   "; correct the entry or the size line");
  return i - 1;
}

void require_entry(TextScanner& scanner, Index k, Index entries) {
  if (!scanner.next_data_line())
    scanner.refuse_file("ends after " + std::to_string(k) + " of " + std::to_string(entries) +
                        " entries; the file is cut short, copy or download it again");
}

template <class T>
void read_coordinates(TextScanner& scanner, const Banner& banner, const Sizes& sizes, EntrySink<T>& sink) {
  for (Index k = 0; k < sizes.entries; ++k) {
    require_entry(scanner, k, sizes.entries);
    const Index i = read_index(scanner, sizes.rows, "row");
    const Index j = read_index(scanner, sizes.cols, "column");
    const T value = banner.is_pattern() ? T(1) : read_value<T>(scanner);
    if (const char* reason = sink.add(i, j, value)) scanner.refuse(reason);
    scanner.end_line();
  }
}

/// Read the entries of array format, column by column.
template <class T>
void read_array(TextScanner& scanner, const Banner& banner, const Sizes& sizes, EntrySink<T>& sink) {
  for (Index j = 0, k = 0; j < sizes.cols; ++j) {
    const Index first = banner.symmetry == Symmetry::general ? 0 : j + (banner.symmetry == Symmetry::skew);
    for (Index i = first; i < sizes.rows; ++i, ++k) {
      require_entry(scanner, k, sizes.entries);
      const T value = read_value<T>(scanner);
      if (value != T(0)) {
        if (const char* reason = sink.add(i, j, value)) scanner.refuse(reason);
      }
      scanner.end_line();
    }
  }
}

template <class T>
EntrySink<T> read_entries(TextScanner& scanner, const Banner& banner, const Sizes& sizes) {
  EntrySink<T> sink(sizes.rows, sizes.cols, banner.symmetry, scanner.name());
  if (!banner.is_array) sink.reserve(sizes.entries);
  if (banner.is_array)
    read_array(scanner, banner, sizes, sink);
  else
    read_coordinates(scanner, banner, sizes, sink);
  if (scanner.next_data_line())
    scanner.refuse("text after the last of " + std::to_string(sizes.entries) +
                   " entries; correct the size line or remove the rest");
  return sink;
}

ReadFacts facts_of(const Banner& banner, std::string title) {
  ReadFacts facts;
  facts.format = "matrix market";
  facts.field = banner.field;
  facts.assumed = banner.assumed;
  facts.title = std::move(title);
  return facts;
}

/// Read the whole text and return make(matrix, facts).
template <class Make>
auto read_text(std::string_view text, const std::string& name, Make make) {
  TextScanner scanner(text, name);
  Banner banner = read_banner(scanner);
  std::string title = read_title(scanner);
  const Sizes sizes = read_sizes(scanner, banner);
  if (banner.field.empty()) {
    banner.field = field_of_entries(scanner, banner);
    banner.assumed +=
        (banner.assumed.empty() ? "" : ", ") + std::string("a banner without a field, read as real");
  }
  ReadFacts facts = facts_of(banner, std::move(title));
  auto read = [&](auto zero) {
    auto sink = read_entries<decltype(zero)>(scanner, banner, sizes);
    auto matrix = sink.finish(facts, scanner.counts());
    return make(std::move(matrix), facts, scanner);
  };
  return banner.field == "complex" ? read(std::complex<double>()) : read(double());
}

template <class T>
DenseArray<T> to_dense(const SparseMatrix<T>& A) {
  DenseArray<T> B{A.rows, A.cols, std::vector<T>(A.rows * A.cols)};
  for (Index j = 0; j < A.cols; ++j)
    for (Index p = A.start[j]; p < A.start[j + 1]; ++p) B.value[A.row[p] + j * A.rows] = A.value[p];
  return B;
}

}  // namespace

bool is_matrix_market(std::string_view text) {
  static constexpr std::string_view banner = "%%matrixmarket";
  const std::string first = lower_case(text.substr(0, banner.size()));
  return first == banner || first.starts_with(banner.substr(1));
}

MatrixFile read_matrix_market(std::string_view text, const std::string& name) {
  return read_text(text, name, [](auto&& matrix, const ReadFacts& facts, const TextScanner&) {
    return to_matrix_file(std::forward<decltype(matrix)>(matrix), facts);
  });
}

DenseFile read_dense_matrix_market(std::string_view text, const std::string& name) {
  return read_text(text, name, [](auto&& matrix, const ReadFacts& facts, const TextScanner& scanner) {
    const Index size = sparse::checked_product(matrix.rows, matrix.cols, "rows x columns");
    if (size > (Index{1} << 26) + 64 * matrix.nnz())
      scanner.refuse_file("a sparse " + std::to_string(matrix.rows) + " x " + std::to_string(matrix.cols) +
                          " array is too large to hold as right-hand sides; give fewer columns");
    return to_dense_file(to_dense(matrix), facts);
  });
}

}  // namespace overlapack::io
