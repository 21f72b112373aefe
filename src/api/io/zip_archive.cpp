#include "api/io/zip_archive.hpp"

#include "api/io/file_bytes.hpp"
#include "api/io/refuse.hpp"

#include <zlib.h>

namespace overlapack::io {
namespace {

constexpr std::size_t end_record_bytes = 22;
constexpr std::size_t zip64_locator_bytes = 20;
constexpr std::size_t directory_entry_bytes = 46;
constexpr std::size_t local_header_bytes = 30;
constexpr std::size_t in_zip64 = 0xffffffff;  ///< a 32-bit field with this value: see the zip64 record
constexpr std::string_view end_signature("PK\5\6", 4);
constexpr std::string_view zip64_locator_signature("PK\6\7", 4);
constexpr std::string_view directory_signature("PK\1\2", 4);
constexpr std::string_view local_signature("PK\3\4", 4);

unsigned long checksum_of(std::string_view bytes) {
  unsigned long sum = crc32_z(0, nullptr, 0);
  return crc32_z(sum, reinterpret_cast<const Bytef*>(bytes.data()), bytes.size());
}

}  // namespace

bool is_zip(std::string_view bytes) { return bytes.substr(0, 4) == local_signature; }

ZipArchive::ZipArchive(std::string_view bytes, std::string name) : bytes_(bytes), name_(std::move(name)) {
  read_directory();
}

void ZipArchive::refuse(const std::string& reason) const {
  io::refuse(name_, reason + "; write or copy the file again");
}

/// Read a little-endian number.
std::size_t ZipArchive::read_number(std::size_t offset, int bytes) const {
  if (offset > bytes_.size() || bytes_.size() - offset < static_cast<std::size_t>(bytes))
    refuse("the archive is cut short");
  std::size_t value = 0;
  for (int k = bytes - 1; k >= 0; --k) value = value << 8 | static_cast<unsigned char>(bytes_[offset + k]);
  return value;
}

void ZipArchive::read_directory() {
  const std::size_t end_record = bytes_.rfind(end_signature);
  if (end_record == std::string_view::npos || bytes_.size() - end_record < end_record_bytes)
    refuse("the archive has no directory at its end: it is cut short");
  std::size_t count = read_number(end_record + 10, 2);
  std::size_t offset = read_number(end_record + 16, 4);
  const std::size_t locator = end_record - std::min(end_record, zip64_locator_bytes);
  if (bytes_.substr(locator, 4) == zip64_locator_signature) {
    const std::size_t record = read_number(locator + 8, 8);
    if (record > bytes_.size()) refuse("the archive's directory is damaged");
    count = read_number(record + 32, 8);
    offset = read_number(record + 48, 8);
  }
  for (; count > 0; --count) offset = read_member(offset);
}

/// Read one entry of the directory. Returns the offset of the next one.
std::size_t ZipArchive::read_member(std::size_t offset) {
  if (offset > bytes_.size() || bytes_.substr(offset, 4) != directory_signature)
    refuse("the archive's directory is damaged");
  Member member;
  member.method = static_cast<unsigned>(read_number(offset + 10, 2));
  member.checksum = read_number(offset + 16, 4);
  member.packed_bytes = read_number(offset + 20, 4);
  member.bytes = read_number(offset + 24, 4);
  const std::size_t name_bytes = read_number(offset + 28, 2);
  const std::size_t extra_bytes = read_number(offset + 30, 2);
  const std::size_t comment_bytes = read_number(offset + 32, 2);
  member.header_offset = read_number(offset + 42, 4);
  const std::size_t name_offset = offset + directory_entry_bytes;
  const std::size_t next = name_offset + name_bytes + extra_bytes + comment_bytes;
  if (next > bytes_.size()) refuse("the archive's directory is damaged");
  read_zip64_sizes(name_offset + name_bytes, extra_bytes, member);
  members_[std::string(bytes_.substr(name_offset, name_bytes))] = member;
  return next;
}

/// Extra field 1 holds, in this order, those of size, packed size and offset that do not fit 32 bits.
void ZipArchive::read_zip64_sizes(std::size_t offset, std::size_t length, Member& member) const {
  const std::size_t end = offset + length;
  while (offset + 4 <= end) {
    const std::size_t id = read_number(offset, 2), bytes = read_number(offset + 2, 2);
    offset += 4;
    if (id == 1) {
      std::size_t field = offset;
      for (std::size_t* value : {&member.bytes, &member.packed_bytes, &member.header_offset})
        if (*value == in_zip64 && field + 8 <= offset + bytes) {
          *value = read_number(field, 8);
          field += 8;
        }
      return;
    }
    offset += bytes;
  }
}

std::vector<std::string> ZipArchive::names() const {
  std::vector<std::string> names;
  for (const auto& [name, member] : members_) names.push_back(name);
  return names;
}

std::string ZipArchive::extract(const std::string& member) const {
  const auto found = members_.find(member);
  if (found == members_.end())
    throw Error(
        Status::bad_input,
        name_ + ": the archive holds no " + member +
            ", so it is neither from scipy.sparse.save_npz nor one packed matrix file; unpack it and give "
            "one file");
  const Member& m = found->second;
  if (m.header_offset > bytes_.size() || bytes_.substr(m.header_offset, 4) != local_signature)
    refuse("the archive's member " + member + " is damaged");
  const std::size_t start = m.header_offset + local_header_bytes + read_number(m.header_offset + 26, 2) +
                            read_number(m.header_offset + 28, 2);
  if (start > bytes_.size() || m.packed_bytes > bytes_.size() - start)
    refuse("the archive's member " + member + " is cut short");
  const std::string_view packed = bytes_.substr(start, m.packed_bytes);
  if (m.method != 0 && m.method != 8) refuse("the archive's member " + member + " is not stored or deflated");
  std::string content = m.method == 8 ? inflate_raw(packed, m.bytes, name_) : std::string(packed);
  if (content.size() != m.bytes || checksum_of(content) != m.checksum)
    refuse("the archive's member " + member + " is damaged (size or checksum differ)");
  return content;
}

}  // namespace overlapack::io
