#pragma once
#include "api/io/read_matrix.hpp"
#include "overlapack/options.hpp"

#include <functional>
#include <string>
#include <vector>

namespace overlapack::cli {

/// Does the name stand for a file of each rank? "%r" in it is the rank's number.
bool names_parts(const std::string& path);

/// The files of this process's ranks, each with indices and the shape of the whole matrix.
struct PartFiles {
  std::vector<api::MatrixFile> parts;
  ScalarType type = ScalarType::float64;  ///< that holds the values of all ranks
  api::ReadFacts facts;                   ///< sums over the ranks; on the first process
};
/// Sync    collective over the processes of an MPI run; errors of reading and of `before`, which the first one runs, reach all
/// Errors  BadInput; BadPlan on the thread engine without a number of ranks
PartFiles read_parts(const std::string& path, const Options& options, const std::function<void()>& before);

/// A * ones of the parts together, on the first process: what each rank's entries add up to, by rows.
template <class T>
std::vector<T> row_sums(const std::vector<Triplets<T>>& parts, const Options& options);

/// The entries of a matrix as a list.
template <class T>
Triplets<T> triplets_of(const SparseMatrix<T>& A);

}  // namespace overlapack::cli
