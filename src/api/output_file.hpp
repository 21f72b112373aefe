#pragma once
#include <functional>
#include <ostream>
#include <string>

namespace overlapack::api {

/// Write a text file that appears whole or not at all.
/// Errors  BadInput, with the system's reason, if the file cannot be made or the disk is full
void write_file(const std::string& path, const std::function<void(std::ostream&)>& write);

/// Can a file be made at this path? To be asked before hours of work. Leaves nothing behind.
/// Errors  BadInput
void require_writable(const std::string& path);

}  // namespace overlapack::api
