#pragma once
#include "api/plan/prepare.hpp"
#include "comm/rank.hpp"
#include "comm/tasks.hpp"
#include "overlapack/pattern_analysis.hpp"

#include <cstdint>

namespace overlapack {

/// What is kept of a matrix and its analysis; never changed once it is made.
struct PatternAnalysis::Implementation {
  api::MatrixWords matrix;
  std::uint64_t pattern_sum = 0, value_sum = 0;  ///< of its positions and of its values
  double matching_share = 1;                     ///< sparse::matching_share of its values
  Options options;                               ///< those that shape an analysis
  sparse::Analysis analysis;
  Report report;
};

namespace api {

/// Checksums of what is canonical.
template <class T>
std::uint64_t pattern_sum(const SparseMatrix<T>& A);
template <class T>
std::uint64_t value_sum(const SparseMatrix<T>& A);

/// Accept A (check_and_sort_matrix) as one of the pattern that was analysed.
/// Errors  BadInput: another type, order or pattern; a lack of the symmetry that the factors need
template <class T>
void check_same_pattern(SparseMatrix<T>& A, const PatternAnalysis::Implementation& kept, comm::Tasks& tasks);

/// `given`, with the options that shape an analysis as that of rank 0 was made, where rank 0 has one.  Collective
/// Errors  BadPlan as with_analysis_options
Options agree_on_analysis_options(comm::Rank& rank, const Options& given,
                                  const PatternAnalysis::Implementation* kept);

/// Why the matching of the analysis does not serve the values of A; "": it does.
/// options: with those of the analysis
template <class T>
std::string describe_matching_misfit(const SparseMatrix<T>& A, const PatternAnalysis::Implementation& kept,
                                     const Options& options);

/// What a report says of what predicts it and of how it would run, as overlapack::plan.
void describe_run(Report& report, const FactorPrediction& prediction, const Options& options);

}  // namespace api
}  // namespace overlapack
