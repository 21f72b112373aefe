#include "fuzz/seeds.hpp"

#include "api/io/file_bytes.hpp"
#include "overlapack/error.hpp"
#include "overlapack/io.hpp"
#include "sparse/matrix/canonical.hpp"
#include "sparse/matrix/symmetry.hpp"
#include "sparse/matrix/validate.hpp"

#include <filesystem>
#include <stdexcept>

namespace overlapack::test {
namespace {

template <class T>
void require_sound(const SparseMatrix<T>& A) {
  try {
    sparse::validate(A);
  } catch (const Error& error) {
    throw std::logic_error(error.what());  // a reader must not accept this
  }
  if (!sparse::is_canonical(A)) throw std::logic_error("the matrix read is not canonical");
  if (!sparse::has_symmetry(A, A.symmetry))
    throw std::logic_error("the matrix read is not symmetric as declared");
}

template <class T>
void require_sound(const io::DenseArray<T>& array) {
  if (static_cast<Index>(array.value.size()) != array.rows * array.cols)
    throw std::logic_error("the array read has a wrong size");
}

/// True if read() gives something sound, false if it is refused as BadInput.
template <class Read>
bool accepts(Read read) {
  try {
    read();
    return true;
  } catch (const Error& error) {
    if (error.status() != Status::bad_input) throw;
    return false;
  }
}

}  // namespace

std::vector<std::string> fuzz_seeds() {
  std::vector<std::string> seeds = {
      "%%MatrixMarket matrix coordinate real general\n% title\n3 3 4\n1 1 1.5\n2 2 -2e3\n3 1 1.0D-310\n3 3 "
      "7\n",
      "%%MatrixMarket matrix coordinate complex hermitian\n2 2 3\n1 1 1 0\n2 1 3 4\n2 2 5 0\n",
      "%%MatrixMarket matrix coordinate pattern symmetric\n3 3 3\n1 1\n3 1\n2 2\n",
      "%%MatrixMarket matrix coordinate integer skew-symmetric\n2 2 1\n2 1 3\n",
      "%%MatrixMarket matrix array real general\n2 2\n1\n2\n3\n4\n",
  };
  seeds.push_back(io::gzip(seeds[0]));
  for (const auto& file : std::filesystem::directory_iterator(OVERLAPACK_IO_DATA))
    if (file.path().extension() != ".py") seeds.push_back(io::load_file(file.path().string()));
  return seeds;
}

int read_as_everything(const std::string& bytes) {
  const bool is_matrix = accepts([&] {
    const auto file = io::read_matrix_bytes(bytes, "fuzz");
    std::visit([](const auto& A) { require_sound(A); }, file.matrix);
  });
  const bool is_dense = accepts([&] {
    const auto file = io::read_dense_bytes(bytes, "fuzz");
    std::visit([](const auto& array) { require_sound(array); }, file.array);
  });
  return is_matrix + is_dense;
}

}  // namespace overlapack::test
