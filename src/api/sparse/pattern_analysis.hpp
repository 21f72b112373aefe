#pragma once
#include "api/plan/prepare.hpp"
#include "comm/rank.hpp"
#include "comm/tasks.hpp"
#include "overlapack/pattern_analysis.hpp"

#include <cstdint>

namespace overlapack {

/// The implementation of PatternAnalysis: an analysis, and the facts about its matrix by which later matrices are checked. It never changes.
struct PatternAnalysis::Implementation {
  api::MatrixWords matrix;
  std::uint64_t pattern_sum = 0, value_sum = 0;  ///< checksums of the matrix's positions and of its values
  double matching_share = 1;                     ///< sparse::matching_share of its values
  Options options;                               ///< options that shape the analysis
  sparse::Analysis analysis;
  Report report;
};

namespace api {

/// Checksums of the positions, and of the values, of a canonical matrix.
template <class T>
std::uint64_t pattern_sum(const SparseMatrix<T>& A);
template <class T>
std::uint64_t value_sum(const SparseMatrix<T>& A);

/// Check and sort A (check_and_sort_matrix), and check that it has the pattern that was analysed.
/// Errors  BadInput: A has another type, order or pattern, or lacks the symmetry that the factors need
template <class T>
void check_same_pattern(SparseMatrix<T>& A, const PatternAnalysis::Implementation& kept, comm::Tasks& tasks);

/// `given`, with the options that shape an analysis taken from rank 0's analysis, if rank 0 has one.  Collective
/// Errors  BadPlan as with_analysis_options
Options agree_on_analysis_options(comm::Rank& rank, const Options& given,
                                  const PatternAnalysis::Implementation* kept);

/// A sentence if the matching of the kept analysis does not fit the values of A; else "".
/// options: include the options of the analysis
template <class T>
std::string describe_matching_misfit(const SparseMatrix<T>& A, const PatternAnalysis::Implementation& kept,
                                     const Options& options);

/// Write the prediction, and how the factorisation would run, into the report of overlapack::plan.
void describe_run(Report& report, const FactorPrediction& prediction, const Options& options);

}  // namespace api
}  // namespace overlapack
