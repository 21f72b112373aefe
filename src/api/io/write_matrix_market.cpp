#include "api/io/atomic_file.hpp"
#include "api/io/file_bytes.hpp"
#include "api/io/refuse.hpp"
#include "base/instantiate.hpp"
#include "base/public_call.hpp"
#include "overlapack/io.hpp"
#include "sparse/matrix/symmetry.hpp"

#include <charconv>
#include <complex>

namespace overlapack::io {
namespace {

/// The text of a file, number by number.
class Text {
 public:
  Text& operator<<(std::string_view text) {
    text_ += text;
    return *this;
  }
  Text& operator<<(Index i) { return append(i); }
  Text& operator<<(float x) { return append(x); }
  Text& operator<<(double x) { return append(x); }
  template <class R>
  Text& operator<<(const std::complex<R>& x) {
    return append(x.real()) << " " << x.imag();
  }
  const std::string& str() const { return text_; }

 private:
  template <class Number>
  Text& append(Number x) {
    char digits[40];
    text_.append(digits, std::to_chars(digits, digits + sizeof digits, x).ptr);
    return *this;
  }
  std::string text_;
};

template <class T>
Text banner(const char* format, const char* symmetry, const std::string& comment) {
  Text text;
  text << "%%MatrixMarket matrix " << format << (ScalarTraits<T>::is_complex ? " complex " : " real ")
       << symmetry << "\n";
  for (std::size_t at = 0; at < comment.size();) {
    const std::size_t end = std::min(comment.find('\n', at), comment.size());
    text << "% " << std::string_view(comment).substr(at, end - at) << "\n";
    at = end + 1;
  }
  return text;
}

const char* name_of(Symmetry symmetry) {
  switch (symmetry) {
    case Symmetry::symmetric:
      return "symmetric";
    case Symmetry::skew:
      return "skew-symmetric";
    case Symmetry::hermitian:
      return "hermitian";
    case Symmetry::general:
      return "general";
  }
  return "general";
}

void save(const std::string& path, const std::string& text) {
  AtomicFile file(path);
  file.write(path.ends_with(".gz") ? gzip(text) : text);
  file.commit();
}

template <class T>
void require_finite(const std::string& path, const T& x) {
  if (!is_finite(x)) refuse(path, "not written, because a value is not a finite number");
}

/// The symmetry to declare in the file, which is that of A.
/// Errors  BadInput if the entries contradict it, since one triangle would be lost silently
template <class T>
Symmetry symmetry_to_write(const std::string& path, const SparseMatrix<T>& A) {
  if (A.symmetry == Symmetry::general) return Symmetry::general;
  const bool is_real_hermitian = A.symmetry == Symmetry::hermitian && !ScalarTraits<T>::is_complex;
  const Symmetry symmetry = is_real_hermitian ? Symmetry::symmetric : A.symmetry;
  if (!sparse::has_symmetry(A, symmetry))
    refuse(path, "not written, because the matrix is marked " + std::string(name_of(symmetry)) +
                     " but its entries are not");
  return symmetry;
}

}  // namespace

template <class T>
void write_matrix_market(const std::string& path, const SparseMatrix<T>& A, const std::string& comment) {
  public_call(call::write, [&] {
    const Symmetry symmetry = symmetry_to_write(path, A);
    // Of a symmetric matrix rows i >= j, of a skew one i > j.
    const auto is_stored = [&](Index i, Index j) {
      return symmetry == Symmetry::general || i > j || (i == j && symmetry != Symmetry::skew);
    };
    Index entries = 0;
    for (Index j = 0; j < A.cols; ++j)
      for (Index p = A.start[j]; p < A.start[j + 1]; ++p) entries += is_stored(A.row[p], j);

    Text text = banner<T>("coordinate", name_of(symmetry), comment);
    text << A.rows << " " << A.cols << " " << entries << "\n";
    for (Index j = 0; j < A.cols; ++j)
      for (Index p = A.start[j]; p < A.start[j + 1]; ++p) {
        require_finite(path, A.value[p]);
        if (is_stored(A.row[p], j)) text << A.row[p] + 1 << " " << j + 1 << " " << A.value[p] << "\n";
      }
    save(path, text.str());
  });
}

template <class T>
void write_matrix_market(const std::string& path, std::span<const T> X, Index rows,
                         const std::string& comment) {
  public_call(call::write, [&] {
    const Index cols = rows > 0 ? static_cast<Index>(X.size()) / rows : 0;
    Text text = banner<T>("array", "general", comment);
    text << rows << " " << cols << "\n";
    for (const T& x : X) {
      require_finite(path, x);
      text << x << "\n";
    }
    save(path, text.str());
  });
}

#define OVERLAPACK_INSTANTIATE(T)                                                                    \
  template void write_matrix_market(const std::string&, const SparseMatrix<T>&, const std::string&); \
  template void write_matrix_market(const std::string&, std::span<const T>, Index, const std::string&);
OVERLAPACK_FOR_EACH_SCALAR(OVERLAPACK_INSTANTIATE)
#undef OVERLAPACK_INSTANTIATE

}  // namespace overlapack::io
