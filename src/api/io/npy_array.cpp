#include "api/io/npy_array.hpp"

#include "api/io/refuse.hpp"
#include "base/instantiate.hpp"

#include <charconv>
#include <cstring>

namespace overlapack::io {
namespace {

constexpr std::string_view magic("\x93NUMPY", 6);

/// The text after a quoted key and its colon in the header's dictionary.
std::string_view dictionary_value(std::string_view header, std::string_view key) {
  const std::size_t at = header.find(key);
  if (at == std::string_view::npos) return {};
  const std::size_t colon = header.find(':', at);
  if (colon == std::string_view::npos) return {};
  const std::size_t first = header.find_first_not_of(' ', colon + 1);
  return first == std::string_view::npos ? std::string_view{} : header.substr(first);
}

}  // namespace

bool is_npy(std::string_view bytes) { return bytes.substr(0, magic.size()) == magic; }

NpyArray::NpyArray(std::string bytes, std::string name) : bytes_(std::move(bytes)), name_(std::move(name)) {
  parse_header();
}

void NpyArray::refuse(const std::string& reason) const { io::refuse(name_, reason); }

void NpyArray::parse_header() {
  const auto byte = [this](std::size_t k) {
    return static_cast<std::size_t>(static_cast<unsigned char>(bytes_[k]));
  };
  if (!is_npy(bytes_) || bytes_.size() < 12) refuse("is no NumPy array or cut short; save it again");
  const bool is_version_1 = byte(6) == 1;
  const std::size_t start = is_version_1 ? 10 : 12;
  const std::size_t length = byte(8) | byte(9) << 8 | (is_version_1 ? 0 : byte(10) << 16 | byte(11) << 24);
  if (length > bytes_.size() - start) refuse("the NumPy header is cut short; save the array again");
  const std::string_view header = std::string_view(bytes_).substr(start, length);
  data_ = start + length;

  const std::string_view type = dictionary_value(header, "'descr'");
  const std::string_view shape = dictionary_value(header, "'shape'");
  const std::size_t quote = type.find('\'', 1), parenthesis = shape.find(')');
  if (type.substr(0, 1) != "'" || quote == std::string_view::npos || shape.substr(0, 1) != "(" ||
      parenthesis == std::string_view::npos)
    refuse("the NumPy header is damaged or describes a structured array; save a plain array");
  is_fortran_order_ = dictionary_value(header, "'fortran_order'").substr(0, 4) == "True";
  parse_type(std::string(type.substr(1, quote - 1)));
  parse_shape(std::string(shape.substr(1, parenthesis - 1)));
  if (bytes_.size() - data_ < static_cast<std::size_t>(size_ * item_bytes_))
    refuse("the NumPy data is cut short; save the array again");
}

/// Parse a type such as <f8, |b1 or |S3: byte order, kind, and number of bytes (characters for U).
void NpyArray::parse_type(const std::string& type) {
  const char* end = type.data() + type.size();
  if (type.size() < 3 || std::from_chars(type.data() + 2, end, item_bytes_).ptr != end || item_bytes_ < 1 ||
      item_bytes_ > 1024)
    refuse("the NumPy type " + type.substr(0, 20) + " is not read; save numbers of a plain type");
  if (type[0] == '>') refuse("the NumPy data is big-endian; save it in little-endian order");
  kind_ = type[1];
  if (kind_ == 'U') item_bytes_ *= 4;
}

void NpyArray::parse_shape(const std::string& text) {
  const char *at = text.data(), *end = at + text.size();
  while (at < end) {
    if (*at == ' ' || *at == ',') {
      ++at;
      continue;
    }
    Index extent = 0;
    const auto [stop, code] = std::from_chars(at, end, extent);
    Index bytes = 0;
    if (code != std::errc() || extent < 0 || __builtin_mul_overflow(size_, extent, &size_) ||
        __builtin_mul_overflow(size_, item_bytes_, &bytes))
      refuse("the NumPy shape (" + text.substr(0, 40) + ") is damaged; save the array again");
    shape_.push_back(extent);
    at = stop;
  }
}

std::string NpyArray::type_name() const {
  static constexpr std::pair<char, const char*> names[] = {
      {'f', "float"}, {'c', "complex"}, {'i', "int"}, {'u', "uint"}, {'b', "bool"}};
  std::string type(1, kind_);
  for (const auto& [kind, name] : names)
    if (kind == kind_) type = name;
  return kind_ == 'b' ? type : type.append(std::to_string(8 * item_bytes_));
}

ScalarType NpyArray::scalar_type() const {
  if (is_integer() && item_bytes_ <= 8) return ScalarType::float64;
  if (kind_ == 'f' && item_bytes_ == 4) return ScalarType::float32;
  if (kind_ == 'f' && item_bytes_ == 8) return ScalarType::float64;
  if (kind_ == 'c' && item_bytes_ == 8) return ScalarType::complex64;
  if (kind_ == 'c' && item_bytes_ == 16) return ScalarType::complex128;
  refuse("values of type " + type_name() + " are not read; save float32, float64, complex64 or complex128");
}

/// Item k of an integer array, sign-extended.
Index NpyArray::integer(Index k) const {
  std::uint64_t bits = 0;  // little-endian in the file and on both machines that overlapack runs on
  std::memcpy(&bits, bytes_.data() + data_ + k * item_bytes_, static_cast<std::size_t>(item_bytes_));
  const int unused = static_cast<int>(64 - 8 * item_bytes_);
  if (kind_ != 'i') return static_cast<Index>(bits);
  return static_cast<Index>(bits << unused) >> unused;
}

std::vector<Index> NpyArray::to_indices() const {
  if (!is_integer() || item_bytes_ > 8)
    refuse("holds " + type_name() + " where integers should be; save it again");
  std::vector<Index> items(size_);
  for (Index k = 0; k < size_; ++k) items[k] = integer(k);
  return items;
}

template <class T>
std::vector<T> NpyArray::to_values() const {
  std::vector<T> items(size_);
  if (items.empty()) return items;  // no pointers to give to memcpy
  if (is_integer()) {
    for (Index k = 0; k < size_; ++k)
      items[k] = kind_ == 'u' ? static_cast<Real<T>>(static_cast<std::uint64_t>(integer(k)))
                              : static_cast<Real<T>>(integer(k));
  } else {
    std::memcpy(static_cast<void*>(items.data()), bytes_.data() + data_, items.size() * sizeof(T));
  }
  return items;
}

std::string NpyArray::to_text() const {
  if (kind_ != 'S' && kind_ != 'U')
    refuse("holds " + type_name() + " where a string should be; save it again");
  std::string text;
  const Index step = kind_ == 'U' ? 4 : 1;
  for (Index k = 0; k < item_bytes_ && size_ == 1; k += step)
    if (const char c = bytes_[data_ + k]; c != '\0') text += c;
  return text;
}

#define OVERLAPACK_INSTANTIATE(T) template std::vector<T> NpyArray::to_values() const;
OVERLAPACK_FOR_EACH_SCALAR(OVERLAPACK_INSTANTIATE)
#undef OVERLAPACK_INSTANTIATE

}  // namespace overlapack::io
