#include "api/io/file_bytes.hpp"
#include "api/io/foreign_file.hpp"
#include "api/io/harwell_boeing.hpp"
#include "api/io/matrix_market.hpp"
#include "api/io/npy_array.hpp"
#include "api/io/refuse.hpp"
#include "api/io/scipy_npz.hpp"
#include "api/io/zip_archive.hpp"
#include "base/public_call.hpp"
#include "overlapack/error.hpp"
#include "overlapack/io.hpp"

#include <optional>

namespace overlapack::io {
namespace {

/// Return read().  Errors  OutOfMemory, naming the file, if memory does not suffice
template <class Read>
auto fitting_into_memory(call::Name call, const std::string& name, Read read) {
  return public_call(call, [&] {
    try {
      return read();
    } catch (const std::bad_alloc&) {
    } catch (const std::length_error&) {
    }
    throw Error(Status::out_of_memory,
                name + ": does not fit into memory; use a machine with more, or a smaller matrix");
  });
}

/// The content of a gzip file, or of a zip archive with one file that is no NumPy array; no value for other bytes.
std::optional<std::string> unpacked(std::string_view bytes, const std::string& name) {
  if (is_gzip(bytes)) return gunzip(bytes, name);
  if (!is_zip(bytes)) return std::nullopt;
  const ZipArchive archive(bytes, name);
  const std::vector<std::string> members = archive.names();
  if (members.size() != 1 || members.front().ends_with(".npy")) return std::nullopt;
  return archive.extract(members.front());
}

/// Return read(bytes), where packed bytes are unpacked first and the byte order mark before UTF-8 is removed.
template <class Read>
auto read_unpacked(call::Name call, std::string_view bytes, const std::string& name, Read read) {
  constexpr std::string_view mark = "\xef\xbb\xbf";
  return fitting_into_memory(call, name, [&] {
    const std::optional<std::string> inner = unpacked(bytes, name);
    std::string_view plain = inner ? std::string_view(*inner) : bytes;
    if (plain.starts_with(mark)) plain.remove_prefix(mark.size());
    if (plain.empty()) refuse(name, "is empty; write or copy the file again");
    return read(plain);
  });
}

MatrixFile read_plain(std::string_view bytes, const std::string& name) {
  if (is_matrix_market(bytes)) return read_matrix_market(bytes, name);
  if (is_zip(bytes)) return read_scipy_npz(bytes, name);
  if (is_npy(bytes)) return read_npy_matrix(bytes, name);
  if (is_harwell_boeing(bytes)) return read_harwell_boeing(bytes, name);
  refuse_foreign(bytes, name, "| overlapack solve -");
  refuse(name,
         "is none of Matrix Market (a first line of %%MatrixMarket matrix coordinate real general), "
         "Harwell-Boeing, Rutherford-Boeing or SciPy .npz; convert it to one");
}

DenseFile read_dense_plain(std::string_view bytes, const std::string& name) {
  if (is_matrix_market(bytes)) return read_dense_matrix_market(bytes, name);
  if (is_npy(bytes)) return read_dense_npy(bytes, name);
  refuse_foreign(bytes, name, "> right_hand_side");
  refuse(name, "is neither Matrix Market nor NumPy .npy; convert the right-hand sides to one of them");
}

}  // namespace

MatrixFile read_matrix_bytes(std::string_view bytes, const std::string& name) {
  return read_unpacked(call::read_matrix, bytes, name,
                       [&](std::string_view plain) { return read_plain(plain, name); });
}

DenseFile read_dense_bytes(std::string_view bytes, const std::string& name) {
  return read_unpacked(call::read_dense, bytes, name,
                       [&](std::string_view plain) { return read_dense_plain(plain, name); });
}

MatrixFile read_matrix(const std::string& path) {
  return fitting_into_memory(call::read_matrix, path,
                             [&] { return read_matrix_bytes(load_file(path), path); });
}

DenseFile read_dense(const std::string& path) {
  return fitting_into_memory(call::read_dense, path, [&] { return read_dense_bytes(load_file(path), path); });
}

}  // namespace overlapack::io
