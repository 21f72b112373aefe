#include "api/run/session.hpp"
#include "base/public_call.hpp"
#include "overlapack/error.hpp"
#include "overlapack/io.hpp"

#include <functional>

namespace overlapack::io {
namespace {

constexpr std::string_view mark = "%r";

std::string path_of_rank(const std::string& path, int rank) {
  std::string own = path;
  return own.replace(own.find(mark), mark.size(), std::to_string(rank));
}

/// Sum the facts about files over all ranks, and find a type that holds the values of all.  Collective
void sum_over_ranks_into(comm::Rank& rank, const MatrixFile& mine, PartFiles& all, int position) {
  const bool is_complex = mine.type == ScalarType::complex64 || mine.type == ScalarType::complex128;
  const bool is_double = mine.type == ScalarType::float64 || mine.type == ScalarType::complex128;
  const ReadFacts& f = mine.facts;
  std::vector<Index> sums{is_complex,          is_double,    f.entries,    f.explicit_zeros,
                          f.duplicates_summed, f.subnormals, f.underflows, f.fortran_exponents};
  comm::collective::all_reduce(rank, std::span<Index>(sums), std::plus<>());
  if (position != 0) return;
  all.type = sums[0] > 0 ? (sums[1] > 0 ? ScalarType::complex128 : ScalarType::complex64)
                         : (sums[1] > 0 ? ScalarType::float64 : ScalarType::float32);
  all.facts = {f.format, f.field, f.assumed, f.title, sums[2], sums[3], sums[4], sums[5], sums[6], sums[7]};
}

}  // namespace

bool names_parts(const std::string& path) { return path.find(mark) != std::string::npos; }

PartFiles read_parts(const std::string& path, const Options& options, const std::function<void()>& before) {
  return named_call(call::read_matrix, [&]() -> PartFiles {
    if (!api::ranks_are_processes(options) && options.ranks == 0)
      throw Error(Status::bad_plan,
                  "\"" + path + "\" names a file of each rank; say with --ranks how many there are");
    PartFiles all;
    api::Session session(options, options.ranks);
    all.parts.resize(static_cast<std::size_t>(session.local_ranks()));
    session.run([&](comm::Rank& rank, int position) {
      if (rank.rank() == 0) before();
      MatrixFile& mine = all.parts[static_cast<std::size_t>(position)];
      mine = read_matrix(path_of_rank(path, rank.rank()));
      sum_over_ranks_into(rank, mine, all, position);
    });
    return all;
  });
}

}  // namespace overlapack::io
