#include "overlapack/generate.hpp"

#include "base/public_call.hpp"
#include "overlapack/error.hpp"
#include "overlapack/quiet_floats.hpp"
#include "sparse/generate/kinds.hpp"

#include <array>
#include <string>

namespace overlapack::sparse {
namespace {

// The largest size of each kind keeps its entries below about 2^31.
constexpr std::array kinds{
    GeneratorKind{"cube", "11-point Laplacian on size^3 points: symmetric positive definite", 560, make_cube},
    GeneratorKind{"convection", "convection-diffusion, upwind, on size^3 points: unsymmetric", 640,
                  make_convection},
    GeneratorKind{
        "elasticity",
        "steel bracket with bolt holes, 3D elasticity, 1.5 size elements along an edge (size 20: 23472 "
        "unknowns): symmetric positive definite",
        250, make_elasticity},
    GeneratorKind{
        "saddle",
        "Stokes flow on a staggered grid of (size + 1)^3 cells: symmetric indefinite, zero diagonal "
        "entries",
        400, make_saddle},
    GeneratorKind{
        "bordered",
        "size blocks of order 24, each singular but for 1e-10, and a border: unsymmetric; from size 20 "
        "pivots must be delayed",
        1000000, make_bordered},
    GeneratorKind{"bordered-symmetric", "the same with symmetric indefinite blocks", 1000000,
                  make_bordered_symmetric},
    GeneratorKind{"process",
                  "flowsheet of size units with recycles, 10 equations each: unsymmetric, one of four "
                  "entries has its mirror image",
                  10000000, make_process},
    GeneratorKind{"random", "order size, about 8 entries a row at random places: unsymmetric", 200000000,
                  make_random},
    GeneratorKind{"dense", "order size, every entry present and random: unsymmetric", 46000, make_dense},
};

std::string names_of_kinds() {
  std::string names;
  for (const GeneratorKind& kind : kinds) names.append(names.empty() ? "" : ", ").append(kind.name);
  return names;
}

const GeneratorKind& find_kind(std::string_view name) {
  for (const GeneratorKind& kind : kinds)
    if (kind.name == name) return kind;
  throw Error(Status::bad_input,
              "there is no kind \"" + std::string(name) + "\"; choose one of: " + names_of_kinds());
}

}  // namespace

std::span<const GeneratorKind> generator_kinds() { return kinds; }

SparseMatrix<double> generate(std::string_view name, Index size, std::uint64_t seed) {
  return public_call(call::generate, [&]() -> SparseMatrix<double> {
    const GeneratorKind& kind = find_kind(name);
    if (size < 1 || size > kind.max_size)
      throw Error(Status::bad_input, "the size " + std::to_string(size) + " of kind " + std::string(name) +
                                         " is outside 1 to " + std::to_string(kind.max_size) +
                                         "; choose one inside");
    return kind.make(size, seed);
  });
}

}  // namespace overlapack::sparse
