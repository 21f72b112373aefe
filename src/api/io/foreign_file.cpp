#include "api/io/foreign_file.hpp"

#include "api/io/refuse.hpp"

#include <array>

namespace overlapack::io {
namespace {

using namespace std::string_view_literals;

/// First bytes of a packed file, the packer's name, and the command that unpacks it to standard output.
struct Packer {
  std::string_view magic, name, unpack;
};

constexpr std::array packers{Packer{"BZh"sv, "bzip2", "bzip2 -dc"},
                             Packer{"\xfd"
                                    "7zXZ\0"sv,
                                    "xz", "xz -dc"},
                             Packer{"\x28\xb5\x2f\xfd"sv, "zstd", "zstd -dc"},
                             Packer{"\x04\x22\x4d\x18"sv, "lz4", "lz4 -dc"},
                             Packer{"LZIP"sv, "lzip", "lzip -dc"},
                             Packer{"\x1f\x9d"sv, "compress", "gzip -dc"},
                             Packer{"7z\xbc\xaf\x27\x1c"sv, "7-Zip", "7z x -so"}};

}  // namespace

void refuse_foreign(std::string_view bytes, const std::string& name, const std::string& into) {
  for (const Packer& packer : packers)
    if (bytes.starts_with(packer.magic))
      refuse(name, "is compressed by " + std::string(packer.name) +
                       "; unpack it first, as in: " + std::string(packer.unpack) + " " + name + " " + into);
  if (bytes.size() > 262 && bytes.substr(257, 5) == "ustar")
    refuse(name, "is a tar archive; take the matrix out first, as in: tar -xf " + name);
  if (bytes.starts_with("\x89HDF\r\n") || bytes.starts_with("MATLAB 7.3 MAT-file"))
    refuse(name,
           "is an HDF5 file, as MATLAB writes with -v7.3; write it anew by save(NAME, \"A\", \"-v7\") "
           "in MATLAB, and read "
           "that in Python");
  if (bytes.substr(0, 20).find(" MAT-file") != std::string_view::npos)
    refuse(name,
           "is a MATLAB file; write the matrix as Matrix Market in Python: scipy.io.mmwrite(\"A.mtx\", "
           "scipy.io.loadmat(NAME)[\"A\"])");
}

}  // namespace overlapack::io
