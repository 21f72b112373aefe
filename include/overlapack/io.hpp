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

/// Facts found while reading; a report shows those that are not zero.
struct ReadFacts {
  std::string format;  ///< "matrix market", "rutherford-boeing", "scipy npz", "numpy npy"
  std::string field;   ///< as the file names it: "real", "integer", "pattern", "complex", "float32", ...
  std::string
      assumed;  ///< a fault of the file that did not stop the reading: "a banner without a field, read as real"
  std::string title;            ///< the first comment or title line
  Index entries = 0;            ///< stored in the file, before a symmetric half is mirrored
  Index explicit_zeros = 0;     ///< stored entries that are exactly zero (kept)
  Index duplicates_summed = 0;  ///< entries added to an earlier one at the same position
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

/// Read a sparse matrix. Formats are Matrix Market (also array format; integer and pattern become double), assembled
/// Harwell–Boeing and Rutherford–Boeing, and SciPy's .npz (csr, csc, coo). Each may be gzip-compressed or alone in a zip
/// archive. The content decides, not the name. "-" is standard input.
/// Cost    the file's text once in memory, and three copies of the entries at the peak
/// Errors  BadInput: one sentence with file, line, the fault and what to do; OutOfMemory
OVERLAPACK_API MatrixFile read_matrix(const std::string& path);

/// The same from bytes in memory; `name` stands for the file in messages.
OVERLAPACK_API MatrixFile read_matrix_bytes(std::string_view bytes, const std::string& name);

/// Read right-hand sides: Matrix Market (array, or coordinate as sparse columns) or a dense NumPy .npy of one
/// or two dimensions, each also gzip-compressed.
/// Errors  as read_matrix
OVERLAPACK_API DenseFile read_dense(const std::string& path);
OVERLAPACK_API DenseFile read_dense_bytes(std::string_view bytes, const std::string& name);

/// Whether the name stands for a file of each rank. "%r" in it is the rank's number.
OVERLAPACK_API bool names_parts(const std::string& path);

/// The files of this process's ranks, each with indices and the shape of the whole matrix.
struct PartFiles {
  std::vector<MatrixFile> parts;
  ScalarType type = ScalarType::float64;  ///< that holds the values of all ranks
  ReadFacts facts;                        ///< sums over the ranks; on the first process
};
/// Sync    collective over the processes of an MPI run. The first process runs `before`. Its errors and those of reading reach all
/// Errors  BadInput; BadPlan on the thread engine without a number of ranks
OVERLAPACK_API PartFiles read_parts(
    const std::string& path, const Options& options, const std::function<void()>& before = [] {});

/// A matrix as it was read, in type T.  Errors  BadInput if an entry does not fit T
template <class T>
OVERLAPACK_API SparseMatrix<T> matrix_as(AnySparseMatrix&& matrix);
/// Right-hand sides as they were read, in type T.  Errors  BadInput if an entry does not fit T
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
/// Errors  as above
template <class T>
OVERLAPACK_API void write_matrix_market(const std::string& path, std::span<const T> X, Index rows,
                                        const std::string& comment = "");

/// Write columns of numbers as numpy.save does: an array of `rows` numbers, or of rows x columns in Fortran order if there are
/// several columns.
/// Shapes  X: rows x (X.size() / rows), by columns
/// Errors  BadInput if a value is not finite or the file cannot be written
template <class T>
OVERLAPACK_API void write_npy(const std::string& path, std::span<const T> X, Index rows);

/// Write a text file that appears whole or not at all; "-": to standard output.
/// Errors  BadInput, with the system's reason, if the file cannot be made or the disk is full
OVERLAPACK_API void write_file(const std::string& path, const std::function<void(std::ostream&)>& write);

/// Remove the unfinished file of this process for this path, for a program that is about to end without unwinding.
OVERLAPACK_API void remove_unfinished(const std::string& path);

/// Check, before hours of work, that a file can be made at this path. Leaves nothing behind.
/// Errors  BadInput
OVERLAPACK_API void require_writable(const std::string& path);

}  // namespace overlapack::io
