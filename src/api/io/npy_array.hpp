#pragma once
#include "overlapack/scalar.hpp"

#include <complex>
#include <string>
#include <vector>

namespace overlapack::io {

/// Reads an array that NumPy saved.
/// Source  NumPy, "A simple file format for NumPy arrays", NEP 1; versions 1.0 to 3.0
class NpyArray {
 public:
  /// Errors  BadInput if the header is damaged, the data too short or the type unknown; `name` goes into messages
  NpyArray(std::string bytes, std::string name);

  char kind() const { return kind_; }  ///< f, c, i, u, b (bool), S or U
  bool is_fortran_order() const { return is_fortran_order_; }
  const std::vector<Index>& shape() const { return shape_; }
  Index size() const { return size_; }
  std::string type_name() const;  ///< "float64", "int32", ...

  bool is_integer() const { return kind_ == 'i' || kind_ == 'u' || kind_ == 'b'; }
  /// The type its values are read as: integers become double.
  /// Errors  BadInput for half, long double and everything that is no number
  ScalarType scalar_type() const;

  /// Item k as an index.  Errors BadInput if the array does not hold integers
  std::vector<Index> to_indices() const;
  /// All items, integers converted.  Shapes scalar_type() is T's
  template <class T>
  std::vector<T> to_values() const;
  /// The characters of a 0-dimensional string.
  std::string to_text() const;

 private:
  void parse_header();
  void parse_type(const std::string& type);
  void parse_shape(const std::string& text);
  Index integer(Index k) const;
  [[noreturn]] void refuse(const std::string& reason) const;

  std::string bytes_, name_;
  std::size_t data_ = 0;  ///< offset of the first item
  char kind_ = 'f';
  Index item_bytes_ = 8;
  bool is_fortran_order_ = false;
  std::vector<Index> shape_;
  Index size_ = 1;
};

bool is_npy(std::string_view bytes);

}  // namespace overlapack::io
