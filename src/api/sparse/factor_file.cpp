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

/// FNV-1a over words of eight bytes.  Source: Fowler, Noll, Vo
std::uint64_t checksum(const std::byte* data, std::size_t bytes) {
  std::uint64_t hash = 0xcbf29ce484222325ull;
  for (std::size_t at = 0; at < bytes; at += 8) {
    std::uint64_t word = 0;
    std::memcpy(&word, data + at, std::min<std::size_t>(8, bytes - at));
    hash = (hash ^ word) * 0x100000001b3ull;
    hash ^= hash >> 32;
  }
  return hash;
}

std::uint64_t checksum_of(const FactorFileHeader& header) {
  return checksum(reinterpret_cast<const std::byte*>(&header), offsetof(FactorFileHeader, sum));
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

void write_header(std::ostream& out, FactorFileHeader header) {
  header.sum = checksum_of(header);
  put(out, header);
}

void write_part(std::ostream& out, const comm::Body& part) {
  put(out, PartHeader{part.size(), checksum(part.data(), part.size())});
  out.write(reinterpret_cast<const char*>(part.data()), static_cast<std::streamsize>(part.size()));
}

void FactorFile::refuse(const std::string& message) const {
  throw Error(Status::bad_input, path_ + ": " + message);
}

FactorFile::FactorFile(const std::string& path) : path_(path), file_(path, std::ios::binary) {
  if (!file_) refuse(std::string("cannot be read (") + std::strerror(errno) + "); give a file of save");
  std::error_code error;
  bytes_left_ = std::filesystem::file_size(path, error);
  if (error) refuse("is no file that has a size (" + error.message() + "); give a file of save");
  const FactorFileHeader ours;
  if (bytes_left_ < sizeof header_ || !file_.read(reinterpret_cast<char*>(&header_), sizeof header_))
    refuse("is too short for saved factors; save them again");
  bytes_left_ -= sizeof header_;
  if (header_.magic != ours.magic) refuse("holds no factors of overlapack; give a file of save");
  if (header_.byte_order != ours.byte_order)
    refuse("was written by a computer of another byte order; factorise here");
  if (header_.version != ours.version)
    refuse("is of version " + std::to_string(header_.version) + ", and this overlapack reads version " +
           std::to_string(ours.version) + "; factorise and save again");
  if (header_.sum != checksum_of(header_) ||
      header_.type > static_cast<std::uint32_t>(ScalarType::complex128) || header_.ranks == 0 ||
      header_.ranks > 1u << 24)
    refuse("has a damaged header; save the factors again");
}

comm::Body FactorFile::next_part() {
  const std::string cut = "ends too early; it was cut short, save the factors again";
  PartHeader part;
  if (bytes_left_ < sizeof part || !file_.read(reinterpret_cast<char*>(&part), sizeof part)) refuse(cut);
  bytes_left_ -= sizeof part;
  if (part.bytes > bytes_left_) refuse(cut);
  std::vector<std::byte> bytes(part.bytes);
  if (!file_.read(reinterpret_cast<char*>(bytes.data()), static_cast<std::streamsize>(part.bytes)))
    refuse(cut);
  bytes_left_ -= part.bytes;
  if (checksum(bytes.data(), bytes.size()) != part.sum)
    refuse("was changed after it was written: a checksum does not fit; save the factors again");
  return comm::Body::adopt(std::move(bytes));
}

}  // namespace overlapack::api

namespace overlapack {

ScalarType type_of_factors(const std::string& path) {
  return public_call(call::load_factors, [&] { return api::FactorFile(path).type(); });
}

}  // namespace overlapack
