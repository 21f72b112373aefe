#pragma once
#include <filesystem>
#include <string>

namespace overlapack {

/// Path of the program or shared library that holds this code, from /proc/self/maps: does not depend on argv[0] or on the
/// working directory. Empty where /proc has no answer.
std::filesystem::path own_binary_path();

/// Folder of the installation's plugins and programs: PREFIX/lib/overlapack, where own_binary_path() lies in PREFIX/bin or in the
/// PREFIX/lib... that libraries are installed to. Empty where it lies in neither.
std::filesystem::path folder_of_installation();

/// Why the open file, or files in the open folder, must not be executed; empty if they may be. The file or folder must belong to
/// root, to the caller or to the owner of own_binary_path(), and only users who can change own_binary_path() or its folder anyway
/// may have permission to write to it.
std::string reason_not_to_execute(int descriptor);

}  // namespace overlapack
