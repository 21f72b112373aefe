#pragma once
#include <string>
#include <string_view>

namespace overlapack::io {

/// Read all bytes of a file; "-" is standard input.
/// Errors  BadInput if it is missing, a directory, empty or cannot be read
std::string load_file(const std::string& name);

bool is_gzip(std::string_view bytes);

/// Inflate a gzip file of one or more members. Zeros after the members are ignored, as gzip does.
/// Errors  BadInput if it is cut short or damaged
std::string gunzip(std::string_view bytes, const std::string& name);

/// Inflate a raw deflate stream whose size is known.
/// Errors  BadInput if the stream is damaged or has another size
std::string inflate_raw(std::string_view bytes, std::size_t size, const std::string& name);

/// Compress `text` to a gzip file.
std::string gzip(std::string_view text);

}  // namespace overlapack::io
