#pragma once
#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace overlapack::io {

/// Reads the members of a zip archive in memory, stored or deflated, also beyond 4 GiB (zip64).
/// Source  PKWARE, .ZIP File Format Specification 6.3.9, sections 4.3 and 4.5.3
class ZipArchive {
 public:
  /// Errors  BadInput if the directory of the archive is missing or damaged
  ZipArchive(std::string_view bytes, std::string name);

  std::vector<std::string> names() const;
  bool contains(const std::string& member) const { return members_.count(member) > 0; }
  /// The content of a member.
  /// Errors  BadInput if it is absent, damaged (wrong size or checksum) or compressed in another way
  std::string extract(const std::string& member) const;

 private:
  struct Member {
    unsigned method = 0;
    unsigned long checksum = 0;
    std::size_t packed_bytes = 0, bytes = 0, header_offset = 0;
  };

  std::size_t read_number(std::size_t offset, int bytes) const;
  void read_directory();
  std::size_t read_member(std::size_t offset);
  void read_zip64_sizes(std::size_t offset, std::size_t length, Member& member) const;
  [[noreturn]] void refuse(const std::string& reason) const;

  std::string_view bytes_;
  std::string name_;
  std::map<std::string, Member> members_;
};

bool is_zip(std::string_view bytes);

}  // namespace overlapack::io
