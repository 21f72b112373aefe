#include "part_files.hpp"

#include "any_matrix.hpp"
#include "api/session.hpp"
#include "kernels/operand.hpp"
#include "overlapack/error.hpp"

#include <algorithm>
#include <complex>
#include <functional>

namespace overlapack::cli {
namespace {

constexpr std::string_view mark = "%r";

std::string path_of_rank(const std::string& path, int rank) {
  std::string own = path;
  return own.replace(own.find(mark), mark.size(), std::to_string(rank));
}

/// Collective: sums over all ranks, and the type that holds what they have.
void add_up(comm::Rank& rank, const api::MatrixFile& mine, PartFiles& all, int place) {
  const bool is_complex = mine.type == ScalarType::complex64 || mine.type == ScalarType::complex128;
  const bool is_double = mine.type == ScalarType::float64 || mine.type == ScalarType::complex128;
  const api::ReadFacts& f = mine.facts;
  std::vector<Index> sums{is_complex,          is_double,    f.entries,    f.explicit_zeros,
                          f.duplicates_summed, f.subnormals, f.underflows, f.fortran_exponents};
  comm::collective::all_reduce(rank, std::span<Index>(sums), std::plus<>());
  if (place != 0) return;
  all.type = sums[0] > 0 ? (sums[1] > 0 ? ScalarType::complex128 : ScalarType::complex64)
                         : (sums[1] > 0 ? ScalarType::float64 : ScalarType::float32);
  all.facts = {f.format, f.field, f.title, sums[2], sums[3], sums[4], sums[5], sums[6], sums[7]};
}

}  // namespace

bool names_parts(const std::string& path) { return path.find(mark) != std::string::npos; }

PartFiles read_parts(const std::string& path, const Options& options, const std::function<void()>& before) {
  if (api::engine_name(options) != "mpi" && options.ranks == 0)
    throw Error(ErrorKind::bad_plan, "solve",
                "\"" + path + "\" names a file of each rank; say with --ranks how many there are");
  PartFiles all;
  api::Session session(options, options.ranks);
  all.parts.resize(static_cast<std::size_t>(session.local_ranks()));
  session.run([&](comm::Rank& rank, int place) {
    if (rank.rank() == 0) before();
    api::MatrixFile& mine = all.parts[static_cast<std::size_t>(place)];
    mine = api::read_matrix(path_of_rank(path, rank.rank()));
    add_up(rank, mine, all, place);
  });
  return all;
}

template <class T>
std::vector<T> row_sums(const std::vector<Triplets<T>>& parts, const Options& options) {
  std::vector<T> sums;
  api::Session session(options, options.ranks);
  session.run([&](comm::Rank& rank, int place) {
    const Triplets<T>& mine = parts[static_cast<std::size_t>(place)];
    const Index rows =
        comm::collective::all_reduce(rank, mine.rows, [](Index a, Index b) { return std::max(a, b); });
    std::vector<T> b(static_cast<std::size_t>(rows));
    for (std::size_t k = 0; k < mine.row.size(); ++k)
      b[static_cast<std::size_t>(mine.row[k])] += mine.value[k];
    comm::collective::reduce(rank, 0, std::span<T>(b), std::plus<>());
    if (rank.rank() == 0) sums = std::move(b);
  });
  return sums;
}

template <class T>
Triplets<T> triplets_of(const SparseMatrix<T>& A) {
  Triplets<T> entries{A.rows, A.cols, A.row, {}, A.value};
  for (Index j = 0; j < A.cols; ++j)
    entries.col.insert(entries.col.end(), static_cast<std::size_t>(A.start[j + 1] - A.start[j]), j);
  return entries;
}

#define OVERLAPACK_INSTANTIATE(T)                                                    \
  template std::vector<T> row_sums(const std::vector<Triplets<T>>&, const Options&); \
  template Triplets<T> triplets_of(const SparseMatrix<T>&);
OVERLAPACK_FOR_EACH_SCALAR(OVERLAPACK_INSTANTIATE)
#undef OVERLAPACK_INSTANTIATE

}  // namespace overlapack::cli
