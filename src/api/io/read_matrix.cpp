#include "api/io/file_bytes.hpp"
#include "api/io/harwell_boeing.hpp"
#include "api/io/matrix_market.hpp"
#include "api/io/npy_array.hpp"
#include "api/io/scipy_npz.hpp"
#include "api/io/zip_archive.hpp"
#include "api/within_memory.hpp"
#include "overlapack/error.hpp"
#include "overlapack/io.hpp"

namespace overlapack::io {
namespace {

[[noreturn]] void refuse_to_read(const std::string& name, const std::string& reason) {
  throw Error(ErrorKind::bad_input, "read", name + ": " + reason);
}

/// What read() returns; a file that does not fit becomes an Error that says so.
template <class Read>
auto fitting_into_memory(const std::string& name, Read read) {
  return api::within_memory(read, [&] {
    return Error(ErrorKind::out_of_memory, "read",
                 name + ": does not fit into memory; use a machine with more, or a smaller matrix");
  });
}

MatrixFile read_plain(std::string_view bytes, const std::string& name) {
  if (is_matrix_market(bytes)) return read_matrix_market(bytes, name);
  if (is_zip(bytes)) return read_scipy_npz(bytes, name);
  if (is_npy(bytes)) return read_npy_matrix(bytes, name);
  if (is_harwell_boeing(bytes)) return read_harwell_boeing(bytes, name);
  refuse_to_read(
      name, "is none of Matrix Market, Harwell-Boeing, Rutherford-Boeing or SciPy .npz; convert it to one");
}

DenseFile read_dense_plain(std::string_view bytes, const std::string& name) {
  if (is_matrix_market(bytes)) return read_dense_matrix_market(bytes, name);
  if (is_npy(bytes)) return read_dense_npy(bytes, name);
  refuse_to_read(name,
                 "is neither Matrix Market nor NumPy .npy; convert the right-hand sides to one of them");
}

}  // namespace

MatrixFile read_matrix_bytes(std::string_view bytes, const std::string& name) {
  return fitting_into_memory(
      name, [&] { return is_gzip(bytes) ? read_plain(gunzip(bytes, name), name) : read_plain(bytes, name); });
}

DenseFile read_dense_bytes(std::string_view bytes, const std::string& name) {
  return fitting_into_memory(name, [&] {
    return is_gzip(bytes) ? read_dense_plain(gunzip(bytes, name), name) : read_dense_plain(bytes, name);
  });
}

MatrixFile read_matrix(const std::string& path) {
  return fitting_into_memory(path, [&] { return read_matrix_bytes(load_file(path), path); });
}

DenseFile read_dense(const std::string& path) {
  return fitting_into_memory(path, [&] { return read_dense_bytes(load_file(path), path); });
}

}  // namespace overlapack::io
