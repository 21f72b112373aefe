#include "api/sparse/factor_file.hpp"

#include "base/public_call.hpp"
#include "overlapack/error.hpp"

#include <algorithm>
#include <cerrno>
#include <cstddef>
#include <cstring>
#include <filesystem>
#include <type_traits>
#include <vector>

namespace overlapack::api {
namespace {

std::uint64_t checksum_of(const FactorFileHeader& header) {
  return checksum({reinterpret_cast<const std::byte*>(&header), offsetof(FactorFileHeader, sum)});
}

struct PartHeader {
  std::uint64_t bytes = 0, sum = 0;
};

template <class V>
void put(std::ostream& out, const V& value) {
  static_assert(std::is_trivially_copyable_v<V>);
  out.write(reinterpret_cast<const char*>(&value), sizeof value);
}

}  // namespace

// FNV-1a over words of eight bytes.  Source: Fowler, Noll, Vo
std::uint64_t checksum(std::span<const std::byte> bytes, std::uint64_t before) {
  std::uint64_t hash = before;
  for (std::size_t at = 0; at < bytes.size(); at += 8) {
    std::uint64_t word = 0;
    std::memcpy(&word, bytes.data() + at, std::min<std::size_t>(8, bytes.size() - at));
    hash = (hash ^ word) * 0x100000001b3ull;
    hash ^= hash >> 32;
  }
  return hash;
}

void write_header(std::ostream& out, FactorFileHeader header) {
  header.sum = checksum_of(header);
  put(out, header);
}

void write_part(std::ostream& out, const comm::Body& part) {
  put(out, PartHeader{part.size(), checksum({part.data(), part.size()})});
  out.write(reinterpret_cast<const char*>(part.data()), static_cast<std::streamsize>(part.size()));
}

void FactorFile::refuse(const std::string& message) const {
  throw Error(Status::bad_input, path_ + ": " + message);
}

FactorFile::FactorFile(const std::string& path, const FileOf& of)
    : path_(path), content_(of.content), file_(path, std::ios::binary) {
  if (!file_) refuse(std::string("cannot be read (") + std::strerror(errno) + "); give a file of save");
  std::error_code error;
  bytes_left_ = std::filesystem::file_size(path, error);
  if (error) refuse("is no file that has a size (" + error.message() + "); give a file of save");
  if (bytes_left_ < sizeof header_ || !file_.read(reinterpret_cast<char*>(&header_), sizeof header_))
    refuse("is too short for saved " + content_ + "; save it again");
  bytes_left_ -= sizeof header_;
  if (header_.magic != of.magic) refuse("holds no " + content_ + " of overlapack; give a file of save");
  if (header_.byte_order != FactorFileHeader().byte_order)
    refuse("was written by a computer of another byte order; make the " + content_ + " here");
  if (header_.version != of.version)
    refuse("is of version " + std::to_string(header_.version) + ", and this overlapack reads version " +
           std::to_string(of.version) + "; make the " + content_ + " and save again");
  if (header_.sum != checksum_of(header_) ||
      header_.type > static_cast<std::uint32_t>(ScalarType::complex128) || header_.ranks == 0 ||
      header_.ranks > 1u << 24)
    refuse("has a damaged header; save the " + content_ + " again");
}

comm::Body FactorFile::next_part() {
  const std::string cut = "ends too early; it was cut short, save the " + content_ + " again";
  PartHeader part;
  if (bytes_left_ < sizeof part || !file_.read(reinterpret_cast<char*>(&part), sizeof part)) refuse(cut);
  bytes_left_ -= sizeof part;
  if (part.bytes > bytes_left_) refuse(cut);
  std::vector<std::byte> bytes(part.bytes);
  if (!file_.read(reinterpret_cast<char*>(bytes.data()), static_cast<std::streamsize>(part.bytes)))
    refuse(cut);
  bytes_left_ -= part.bytes;
  if (checksum(bytes) != part.sum)
    refuse("was changed after it was written: a checksum does not fit; save the " + content_ + " again");
  return comm::Body::adopt(std::move(bytes));
}

}  // namespace overlapack::api

namespace overlapack {

ScalarType type_of_factors(const std::string& path) {
  return public_call(call::load_factors, [&] { return api::FactorFile(path).type(); });
}

}  // namespace overlapack
