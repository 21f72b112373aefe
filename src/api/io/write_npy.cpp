#include "api/io/atomic_file.hpp"
#include "api/io/refuse.hpp"
#include "base/instantiate.hpp"
#include "base/public_call.hpp"
#include "overlapack/io.hpp"

#include <bit>
#include <complex>

namespace overlapack::io {
namespace {

/// The text of type T, such as <f8: byte order, kind and number of bytes.
template <class T>
std::string type_text() {
  return std::string(std::endian::native == std::endian::little ? "<" : ">") +
         (ScalarTraits<T>::is_complex ? "c" : "f") + std::to_string(sizeof(T));
}

/// The header of a file: magic, version 1.0, and a dictionary whose line ends at a multiple of 64 bytes.
/// Source  NumPy, "A simple file format for NumPy arrays", NEP 1
template <class T>
std::string npy_header(Index rows, Index cols) {
  const std::string shape = std::to_string(rows) + "," + (cols == 1 ? "" : " " + std::to_string(cols));
  std::string text = "{'descr': '" + type_text<T>() + "', 'fortran_order': True, 'shape': (" + shape + "), }";
  const std::size_t prefix_bytes = 10;
  text += std::string(63 - (text.size() + prefix_bytes) % 64, ' ') + "\n";
  std::string header("\x93NUMPY\1\0", 8);
  header += static_cast<char>(text.size() & 0xff);
  header += static_cast<char>(text.size() >> 8);
  return header + text;
}

}  // namespace

template <class T>
void write_npy(const std::string& path, std::span<const T> X, Index rows) {
  public_call(call::write, [&] {
    for (const T& x : X)
      if (!is_finite(x)) refuse(path, "not written, because a value is not a finite number");
    AtomicFile file(path);
    file.write(npy_header<T>(rows, rows > 0 ? static_cast<Index>(X.size()) / rows : 1));
    file.write({reinterpret_cast<const char*>(X.data()), X.size_bytes()});
    file.commit();
  });
}

#define OVERLAPACK_INSTANTIATE(T) template void write_npy(const std::string&, std::span<const T>, Index);
OVERLAPACK_FOR_EACH_SCALAR(OVERLAPACK_INSTANTIATE)
#undef OVERLAPACK_INSTANTIATE

}  // namespace overlapack::io
