#pragma once
#include <string>
#include <string_view>

namespace overlapack::io {

/// Errors  BadInput where the first bytes are those of a compressed file, an archive or a MATLAB file that is not read here, with the command
///         that makes one of it that is
void refuse_foreign(std::string_view bytes, const std::string& name);

}  // namespace overlapack::io
