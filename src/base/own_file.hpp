#pragma once
#include <filesystem>
#include <string>

namespace overlapack {

/// The program or shared library that holds this code, as the system knows it now: neither the name that it was started by nor the
/// working directory counts. Empty where /proc does not tell.
std::filesystem::path own_file();

/// Where the installation that own_file() belongs to has its plugins and programs: PREFIX/lib/overlapack of PREFIX/bin, or of the
/// PREFIX/lib... that libraries are installed to. Empty where that file lies in neither.
std::filesystem::path folder_of_installation();

/// What stands against running the file that is open here, or one of the folder that is; empty: nothing. It belongs to root, to the
/// caller or to the owner of own_file(), and nobody else may write to it: only those could have changed what runs already.
std::string objection_to_running(int descriptor);

}  // namespace overlapack
