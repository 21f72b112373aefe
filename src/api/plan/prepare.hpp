#pragma once
#include "api/plan/accept_matrix.hpp"
#include "api/plan/factor_prediction.hpp"
#include "api/run/interruption.hpp"
#include "api/words/type_names.hpp"
#include "overlapack/options.hpp"
#include "overlapack/report.hpp"
#include "overlapack/sparse_matrix.hpp"
#include "sparse/analysis/analysis.hpp"

#include <string>

namespace overlapack::comm {
class Tasks;
}

namespace overlapack::api {

/// The plan of the analysis that the options ask for.
/// n, symmetry, type: the order, symmetry and scalar type of the matrix
/// Errors  BadPlan for a factorization that does not suit the symmetry, and for methods without factors
sparse::AnalysisPlan analysis_plan(const Options& options, Index n, Symmetry symmetry, ScalarType type,
                                   const Contradiction& contradiction = {});

/// The number of threads for work before there are ranks, such as the analysis: the processors of this process that will factorise.
int analysis_threads(const Options& options);

/// Do everything before the numerical phase: analyse A, predict memory and time, and write the results into the report.
/// A: as check_and_sort_matrix leaves it, or a stand-in with the same pattern; `type` is the type of the matrix itself
/// interruption: checked at each step; null on a thread that is not the caller's
/// The last argument is how often the pattern is likely to be factorised
/// Errors  as analysis_plan; Singular if A is structurally singular; Cancelled
template <class T>
Prepared prepare(const SparseMatrix<T>& A, const Options& options, Report& report, Interruption* interruption,
                 comm::Tasks& tasks, ScalarType type = ScalarTraits<T>::type, double factorizations = 1);

/// prepare with an existing analysis of A's pattern.
template <class T>
Prepared prepare_with(const SparseMatrix<T>& A, sparse::Analysis analysis, const Options& options,
                      Report& report, ScalarType type = ScalarTraits<T>::type);

/// The facts about a matrix that a report has.
struct MatrixWords {
  Index n = 0, nnz = 0;
  ScalarType type = ScalarType::float64;
  Symmetry symmetry = Symmetry::general;
};
template <class T>
MatrixWords words_of(const SparseMatrix<T>& A) {
  return {A.rows, A.nnz(), ScalarTraits<T>::type, A.symmetry};
}

/// Write the facts about a matrix and its analysis into the report. Returns the prediction, for factors in memory.
FactorPrediction report_analysis(const MatrixWords& A, const sparse::Analysis& analysis,
                                 const Options& options, Report& report);

/// The number of ranks on the thread engine: the option's; if it is 0, one for little work or inside a parallel region, else the number of
/// usable processors.
/// shared_flops: the predicted work that several ranks can share
int choose_ranks(const Options& options, double shared_flops);

}  // namespace overlapack::api
