#pragma once
#include <string>
#include <string_view>

namespace overlapack::io {

/// Refuse files in formats that are not read here, with a command that converts them.
/// into: the end of that command in the message: where it sends its output
/// Errors  BadInput if the bytes begin as a compressed file, an archive or a MATLAB file that is not read here
void refuse_foreign(std::string_view bytes, const std::string& name, const std::string& into);

}  // namespace overlapack::io
