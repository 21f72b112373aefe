#pragma once
#include "comm/message.hpp"
#include "overlapack/overlapack.hpp"

#include <array>
#include <cstdint>
#include <fstream>
#include <iosfwd>
#include <span>
#include <string>
#include <string_view>

/// The format of the files of Factorization::save and PatternAnalysis::save: a header, then parts, each with its length and checksum. A
/// file of factors has the matrix with its analysis as first part, then one part for each rank. A file of an analysis has one part.
namespace overlapack::api {

/// The kind of a file.
struct FileOf {
  std::array<char, 8> magic;
  std::uint32_t version;
  std::string_view content;  ///< as messages call it
};
inline constexpr FileOf file_of_factors{{'o', 'v', 'l', 'p', 'f', 'a', 'c', 't'}, 19, "factors"};
inline constexpr FileOf file_of_analysis{{'o', 'v', 'l', 'p', 'a', 'n', 'l', 'y'}, 4, "analysis"};

struct FactorFileHeader {
  std::array<char, 8> magic = file_of_factors.magic;
  std::uint32_t version = file_of_factors.version;
  std::uint32_t byte_order = 0x01020304;
  std::uint32_t type = 0;  ///< ScalarType
  std::uint32_t ranks = 0;
  std::uint64_t sum = 0;  ///< checksum of the fields before it; write_header sets it
};

void write_header(std::ostream& out, FactorFileHeader header);
void write_part(std::ostream& out, const comm::Body& part);

/// A checksum that detects changed bytes.
/// before: the checksum of the bytes before these, to continue it
std::uint64_t checksum(std::span<const std::byte> bytes, std::uint64_t before = 0xcbf29ce484222325ull);

/// Reads what write_header and write_part wrote.
/// Errors  BadInput: one sentence that says what is wrong with the file
class FactorFile {
 public:
  explicit FactorFile(const std::string& path, const FileOf& of = file_of_factors);

  const FactorFileHeader& header() const { return header_; }
  ScalarType type() const { return static_cast<ScalarType>(header_.type); }
  comm::Body next_part();

 private:
  [[noreturn]] void refuse(const std::string& message) const;

  std::string path_;
  std::string content_;
  std::ifstream file_;
  std::uint64_t bytes_left_ = 0;
  FactorFileHeader header_;
};

}  // namespace overlapack::api
