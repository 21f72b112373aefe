// A model problem as the drivers read it, in a moment: bench_generate KIND SIZE FILE.bin (kinds of overlapack generate; the format of
// compare/matrices.py).
#include <overlapack/generate.hpp>

#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <vector>

using namespace overlapack;

namespace {

template <class T>
void write(std::ofstream& out, const std::vector<T>& values) {
  out.write(reinterpret_cast<const char*>(values.data()),
            static_cast<std::streamsize>(values.size() * sizeof(T)));
}

}  // namespace

int main(int count, char** arguments) {
  if (count != 4) {
    std::fprintf(stderr, "usage: bench_generate KIND SIZE FILE.bin\n");
    return 2;
  }
  const SparseMatrix<double> A = sparse::generate(arguments[1], std::atoll(arguments[2]));
  bool has_positive_diagonal = true;
  for (Index j = 0; j < A.cols; ++j) {
    double diagonal = 0;
    for (Index p = A.start[j]; p < A.start[j + 1]; ++p)
      if (A.row[p] == j) diagonal = A.value[p];
    has_positive_diagonal &= diagonal > 0;
  }
  std::ofstream out(arguments[3], std::ios::binary);
  out.write("OVLPBM01", 8);
  write<std::int64_t>(out, {A.cols, A.nnz(), A.symmetry == Symmetry::symmetric, has_positive_diagonal});
  write(out, A.start);
  write(out, A.row);
  write(out, A.value);
  return out.good() ? 0 : 1;
}
