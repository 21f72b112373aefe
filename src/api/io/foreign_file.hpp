#pragma once
#include <string>
#include <string_view>

namespace overlapack::io {

/// Errors  BadInput where the first bytes are those of a compressed file, an archive or a MATLAB file that is not read here, with the command
///         that makes one of it that is; into: where the command leads what it unpacks
void refuse_foreign(std::string_view bytes, const std::string& name, const std::string& into);

}  // namespace overlapack::io
