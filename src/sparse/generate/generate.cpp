#include "sparse/generate/generate.hpp"

#include "overlapack/error.hpp"
#include "sparse/generate/kinds.hpp"

#include <array>
#include <string>

namespace overlapack::sparse {
namespace {

constexpr std::array kinds{
    GeneratorKind{"cube", "11-point Laplacian on size^3 points, symmetric positive definite", make_cube},
};

std::string names_of_kinds() {
  std::string names;
  for (const GeneratorKind& kind : kinds) names += (names.empty() ? "" : ", ") + std::string(kind.name);
  return names;
}

}  // namespace

std::span<const GeneratorKind> generator_kinds() { return kinds; }

SparseMatrix<double> generate(std::string_view name, Index size, std::uint64_t seed) {
  if (size < 1 || size > 100000)
    throw Error(ErrorKind::bad_input, "generate",
                "the size " + std::to_string(size) + " is outside 1 to 100000; choose one inside");
  for (const GeneratorKind& kind : kinds)
    if (kind.name == name) return kind.make(size, seed);
  throw Error(ErrorKind::bad_input, "generate",
              "there is no kind \"" + std::string(name) + "\"; choose one of: " + names_of_kinds());
}

}  // namespace overlapack::sparse
