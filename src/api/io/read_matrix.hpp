#pragma once
#include "overlapack/sparse_matrix.hpp"

#include <string>
#include <string_view>
#include <variant>
#include <vector>

namespace overlapack::api {

/// A matrix of whichever scalar type its file holds.
using AnySparseMatrix = std::variant<SparseMatrix<float>, SparseMatrix<double>,
                                     SparseMatrix<std::complex<float>>, SparseMatrix<std::complex<double>>>;

/// What a reader saw on its way; a report shows what is not zero.
struct ReadFacts {
  std::string format;  ///< "matrix market", "rutherford-boeing", "scipy npz", "numpy npy"
  std::string field;   ///< as the file names it: "real", "integer", "pattern", "complex", "float32", ...
  std::string title;   ///< the first comment or title line
  Index entries = 0;   ///< stored in the file, before a symmetric half is mirrored
  Index explicit_zeros = 0;     ///< stored entries that are exactly zero (kept)
  Index duplicates_summed = 0;  ///< entries added to an earlier one at the same place
  Index subnormals = 0;         ///< values below the normal range, read with fewer digits
  Index underflows = 0;         ///< nonzero numbers too small for a double, read as 0
  Index fortran_exponents = 0;  ///< values written with D, Q or a bare sign before the exponent
};

/// A sparse matrix from a file: canonical columns, both triangles of a symmetric one.
struct MatrixFile {
  AnySparseMatrix matrix;
  ScalarType type = ScalarType::float64;
  Symmetry symmetry = Symmetry::general;  ///< as the file declares it
  Index rows = 0;
  Index cols = 0;
  ReadFacts facts;
};

/// A column-major dense array: entry (i, j) is value[i + j * rows].
template <class T>
struct DenseArray {
  Index rows = 0;
  Index cols = 0;
  std::vector<T> value;
};
using AnyDenseArray = std::variant<DenseArray<float>, DenseArray<double>, DenseArray<std::complex<float>>,
                                   DenseArray<std::complex<double>>>;

/// Right-hand sides or solutions from a file.
struct DenseFile {
  AnyDenseArray array;
  ScalarType type = ScalarType::float64;
  Index rows = 0;
  Index cols = 0;
  ReadFacts facts;
};

/// Read a sparse matrix: Matrix Market (also array format; integer and pattern become double), assembled
/// Harwell–Boeing and Rutherford–Boeing, SciPy's .npz (csr, csc, coo), each also gzip-compressed. The content
/// decides, not the name.
/// Cost    the file's text once in memory, and three copies of the entries at the peak
/// Errors  BadInput: one sentence with file, line, what is wrong and what to do; OutOfMemory
MatrixFile read_matrix(const std::string& path);

/// The same from bytes in memory; `name` stands for the file in messages.
MatrixFile read_matrix_bytes(std::string_view bytes, const std::string& name);

/// Read right-hand sides: Matrix Market (array, or coordinate as sparse columns) or a dense NumPy .npy of one
/// or two dimensions, each also gzip-compressed.
/// Errors  as read_matrix
DenseFile read_dense(const std::string& path);
DenseFile read_dense_bytes(std::string_view bytes, const std::string& name);

}  // namespace overlapack::api
