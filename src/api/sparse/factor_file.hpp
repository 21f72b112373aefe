#pragma once
#include "comm/message.hpp"
#include "overlapack/overlapack.hpp"

#include <array>
#include <cstdint>
#include <fstream>
#include <iosfwd>
#include <string>

/// The file of Factorization::save: a header, then parts, each with its length and checksum. The first part is the matrix and
/// its analysis, then there is one for each rank.
namespace overlapack::api {

struct FactorFileHeader {
  std::array<char, 8> magic{'o', 'v', 'l', 'p', 'f', 'a', 'c', 't'};
  std::uint32_t version = 15;
  std::uint32_t byte_order = 0x01020304;
  std::uint32_t type = 0;  ///< ScalarType
  std::uint32_t ranks = 0;
  std::uint64_t sum = 0;  ///< checksum of the fields before it; write_header sets it
};

void write_header(std::ostream& out, FactorFileHeader header);
void write_part(std::ostream& out, const comm::Body& part);

/// Reads what write_header and write_part wrote.
/// Errors  BadInput: one sentence that says what is wrong with the file
class FactorFile {
 public:
  explicit FactorFile(const std::string& path);

  const FactorFileHeader& header() const { return header_; }
  ScalarType type() const { return static_cast<ScalarType>(header_.type); }
  comm::Body next_part();

 private:
  [[noreturn]] void refuse(const std::string& message) const;

  std::string path_;
  std::ifstream file_;
  std::uint64_t bytes_left_ = 0;
  FactorFileHeader header_;
};

}  // namespace overlapack::api
