#pragma once
/// Matrices and vectors from files and to files.
///
///   overlapack::io::MatrixFile file = overlapack::io::read_matrix("A.mtx");
///   auto A = overlapack::io::matrix_as<double>(std::move(file.matrix));
#include "overlapack/export.hpp"
#include "overlapack/options.hpp"
#include "overlapack/sparse_matrix.hpp"

#include <functional>
#include <ostream>
#include <span>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

namespace overlapack::io {

/// A matrix of whichever scalar type its file holds.
using AnySparseMatrix = std::variant<SparseMatrix<float>, SparseMatrix<double>,
                                     SparseMatrix<std::complex<float>>, SparseMatrix<std::complex<double>>>;

/// Facts about a file that were found while reading it. A report shows those that are not zero.
struct ReadFacts {
  std::string format;  ///< "matrix market", "rutherford-boeing", "scipy npz", "numpy npy"
  std::string field;   ///< as the file names it: "real", "integer", "pattern", "complex", "float32", ...
  /// A fault of the file that did not stop the reading: "a banner without a field, read as real".
  std::string assumed;
  std::string title;            ///< the first comment or title line
  Index entries = 0;            ///< stored in the file, before a symmetric half is mirrored
  Index explicit_zeros = 0;     ///< stored entries that are exactly zero (kept)
  Index duplicates_summed = 0;  ///< entries added to an earlier one at the same position
  Index subnormals = 0;         ///< values below the normal range, read with fewer digits
  Index underflows = 0;         ///< nonzero numbers too small for a double, read as 0
  Index fortran_exponents = 0;  ///< values written with D, Q or a bare sign before the exponent
};

/// A sparse matrix from a file. Its columns are sorted without duplicates, and a symmetric matrix has both triangles.
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

/// Read a sparse matrix. The formats are Matrix Market (also array format; integer and pattern become double), assembled
/// Harwell–Boeing and Rutherford–Boeing, and SciPy's .npz (csr, csc, coo). A file may be gzip-compressed, or alone in a zip
/// archive. Its content decides about the format, not its name. "-" is standard input.
/// Cost    the file's text once in memory, and three copies of the entries at the peak
/// Errors  BadInput: one sentence with file, line, the fault and what to do; OutOfMemory
OVERLAPACK_API MatrixFile read_matrix(const std::string& path);

/// Read a sparse matrix from the bytes of such a file. `name` stands for the file in messages.
OVERLAPACK_API MatrixFile read_matrix_bytes(std::string_view bytes, const std::string& name);

/// Read right-hand sides or other dense columns: Matrix Market (array, or coordinate as sparse columns) or NumPy's .npy of one or two
/// dimensions. A file may be gzip-compressed.
/// Errors  as read_matrix
OVERLAPACK_API DenseFile read_dense(const std::string& path);
OVERLAPACK_API DenseFile read_dense_bytes(std::string_view bytes, const std::string& name);

/// Whether the name stands for one file for each rank: it contains "%r", the place of the rank's number.
OVERLAPACK_API bool names_parts(const std::string& path);

/// A matrix from one file for each rank: the parts of this process's ranks, each with indices and the shape of the whole matrix.
struct PartFiles {
  std::vector<MatrixFile> parts;
  ScalarType type = ScalarType::float64;  ///< the type that holds the values of all ranks
  ReadFacts facts;                        ///< sums over the ranks; on the first process
};
/// Read the files of this process's ranks, whose names are `path` with the rank's number for "%r". The first process runs `before`
/// before that. An error of `before` or of reading reaches all processes.
/// Sync    collective over the processes of an MPI run
/// Errors  BadInput; BadPlan on the thread engine without a number of ranks
OVERLAPACK_API PartFiles read_parts(
    const std::string& path, const Options& options, const std::function<void()>& before = [] {});

/// Convert a matrix that was read to type T.
/// Errors  BadInput if an entry does not fit T
template <class T>
OVERLAPACK_API SparseMatrix<T> matrix_as(AnySparseMatrix&& matrix);
/// Convert right-hand sides that were read to type T; by columns.
/// Errors  BadInput if an entry does not fit T
template <class T>
OVERLAPACK_API std::vector<T> values_as(const AnyDenseArray& array);

/// Write a sparse matrix as Matrix Market, coordinate format. Only the lower triangle is written if A.symmetry is not
/// general. Values are the shortest decimals that read back to the same bits. A name ending in .gz is compressed.
/// The file appears whole or not at all.
/// Cost    the text once in memory
/// Errors  BadInput if the file cannot be written, or A holds non-finite values or contradicts its symmetry
template <class T>
OVERLAPACK_API void write_matrix_market(const std::string& path, const SparseMatrix<T>& A,
                                        const std::string& comment = "");

/// Write columns of numbers, such as solutions, as Matrix Market, array format.
/// Shapes  X: by columns of `rows` numbers
/// Errors  as for a sparse matrix
template <class T>
OVERLAPACK_API void write_matrix_market(const std::string& path, std::span<const T> X, Index rows,
                                        const std::string& comment = "");

/// Write columns of numbers as numpy.save does. One column becomes an array of one dimension, several columns an array of
/// rows x columns in Fortran order.
/// Shapes  X: rows x (X.size() / rows), by columns
/// Errors  BadInput if a value is not finite or the file cannot be written
template <class T>
OVERLAPACK_API void write_npy(const std::string& path, std::span<const T> X, Index rows);

/// Write a text file by the function `write`. The file appears whole or not at all. "-" is standard output.
/// Errors  BadInput, with the system's reason, if the file cannot be made or the disk is full
OVERLAPACK_API void write_file(const std::string& path, const std::function<void(std::ostream&)>& write);

/// Remove the temporary file that this process has begun to write for this path. For a program that ends without unwinding its stack.
OVERLAPACK_API void remove_unfinished(const std::string& path);

/// Check, before hours of work, that a file can be made at this path. Leaves nothing behind.
/// Errors  BadInput
OVERLAPACK_API void require_writable(const std::string& path);

}  // namespace overlapack::io
