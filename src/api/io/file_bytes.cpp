#include "api/io/file_bytes.hpp"

#include "api/io/refuse.hpp"
#include "overlapack/error.hpp"

#include <zlib.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <system_error>

namespace overlapack::io {
namespace {

/// zlib's counters are 32-bit: feed and drain it in pieces of this size.
constexpr std::size_t piece_bytes = std::size_t{1} << 20;

/// One inflate stream over bytes in memory. window_bits as zlib takes them: -15 raw deflate, 31 gzip.
class Inflater {
 public:
  Inflater(std::string_view bytes, int window_bits) : rest_(bytes) {
    if (inflateInit2(&stream_, window_bits) != Z_OK)
      throw Error(Status::out_of_memory, "no memory to decompress; free some and try again");
  }
  ~Inflater() { inflateEnd(&stream_); }
  Inflater(const Inflater&) = delete;
  Inflater& operator=(const Inflater&) = delete;

  /// Append the next piece to `text`. Returns zlib's code: Z_OK, Z_STREAM_END or what went wrong.
  int step(std::string& text) {
    if (stream_.avail_in == 0) refill();
    const std::size_t before = text.size();
    text.resize(before + piece_bytes);
    stream_.next_out = reinterpret_cast<Bytef*>(text.data() + before);
    stream_.avail_out = static_cast<uInt>(piece_bytes);
    const int code = inflate(&stream_, Z_NO_FLUSH);
    text.resize(before + piece_bytes - stream_.avail_out);
    return code;
  }
  /// Whether nothing is left except zeros, with which tapes fill their last block.
  bool at_end() const {
    const std::string_view taken(reinterpret_cast<const char*>(stream_.next_in), stream_.avail_in);
    constexpr std::string_view zero("\0", 1);
    return taken.find_first_not_of(zero) == taken.npos && rest_.find_first_not_of(zero) == rest_.npos;
  }
  void next_member() { inflateReset(&stream_); }
  const char* reason() const { return stream_.msg ? stream_.msg : "the stream ends early"; }

 private:
  void refill() {
    const std::size_t take = std::min(piece_bytes, rest_.size());
    stream_.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(rest_.data()));
    stream_.avail_in = static_cast<uInt>(take);
    rest_.remove_prefix(take);
  }

  z_stream stream_{};
  std::string_view rest_;
};

}  // namespace

std::string load_file(const std::string& name) {
  const std::string path = name == "-" ? "/dev/stdin" : name;
  std::error_code code;
  const auto status = std::filesystem::status(path, code);
  if (!std::filesystem::exists(status)) refuse(path, "no such file; check the name and the directory");
  if (std::filesystem::is_directory(status)) refuse(path, "is a directory; name a matrix file in it");
  std::ifstream file(path, std::ios::binary);
  if (!file) refuse(path, std::string("cannot be opened: ") + std::strerror(errno));
  std::string bytes;
  const auto size = std::filesystem::file_size(path, code);
  if (!code) bytes.reserve(size);
  std::string piece(piece_bytes, '\0');
  while (file.read(piece.data(), piece_bytes) || file.gcount() > 0) bytes.append(piece.data(), file.gcount());
  if (file.bad()) refuse(path, "cannot be read to its end; check the disk");
  if (bytes.empty()) refuse(path, "is empty; write or copy the file again");
  return bytes;
}

bool is_gzip(std::string_view bytes) { return bytes.size() >= 2 && bytes[0] == '\x1f' && bytes[1] == '\x8b'; }

std::string gunzip(std::string_view bytes, const std::string& name) {
  Inflater inflater(bytes, 15 + 16);
  std::string text;
  while (true) {
    const int code = inflater.step(text);
    if (code == Z_STREAM_END) {
      if (inflater.at_end()) return text;
      inflater.next_member();
    } else if (code == Z_BUF_ERROR) {
      refuse(name, "the gzip data is cut short; copy or download the file again");
    } else if (code != Z_OK) {
      refuse(name, std::string("the gzip data is damaged (") + inflater.reason() + "); copy the file again");
    }
  }
}

std::string inflate_raw(std::string_view bytes, std::size_t size, const std::string& name) {
  Inflater inflater(bytes, -15);
  std::string text;
  int code = Z_OK;
  while (code == Z_OK && text.size() <= size) code = inflater.step(text);
  if (code != Z_STREAM_END || text.size() != size)
    refuse(name, "the compressed data is damaged or cut short; write the file again");
  return text;
}

std::string gzip(std::string_view text) {
  z_stream stream{};
  if (deflateInit2(&stream, Z_DEFAULT_COMPRESSION, Z_DEFLATED, 15 + 16, 8, Z_DEFAULT_STRATEGY) != Z_OK)
    throw Error(Status::out_of_memory, "no memory to compress; write an uncompressed file instead");
  std::string bytes, piece(piece_bytes, '\0');
  int code = Z_OK;
  while (code == Z_OK) {
    if (stream.avail_in == 0 && !text.empty()) {
      const std::size_t take = std::min(piece_bytes, text.size());
      stream.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(text.data()));
      stream.avail_in = static_cast<uInt>(take);
      text.remove_prefix(take);
    }
    stream.next_out = reinterpret_cast<Bytef*>(piece.data());
    stream.avail_out = static_cast<uInt>(piece_bytes);
    code = deflate(&stream, text.empty() ? Z_FINISH : Z_NO_FLUSH);
    bytes.append(piece.data(), piece_bytes - stream.avail_out);
  }
  deflateEnd(&stream);
  return bytes;
}

}  // namespace overlapack::io
