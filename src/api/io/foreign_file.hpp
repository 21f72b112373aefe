#pragma once
#include <string>
#include <string_view>

namespace overlapack::io {

/// into: the end of the command in the message, where it sends its output
/// Errors  BadInput, with a command that converts the file, if it begins as a compressed file, an archive or a MATLAB file that
///         is not read here
void refuse_foreign(std::string_view bytes, const std::string& name, const std::string& into);

}  // namespace overlapack::io
