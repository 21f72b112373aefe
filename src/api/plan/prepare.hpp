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

/// The analysis that the options ask for.
/// Shapes  n, symmetry: of the matrix; type: of its values
/// Errors  BadPlan for a factorization that does not suit the symmetry, and for methods without factors
sparse::AnalysisPlan analysis_plan(const Options& options, Index n, Symmetry symmetry, ScalarType type,
                                   const Contradiction& contradiction = {});

/// Threads for what the options ask for before there are ranks: of the process that analyses, the processors that will factorise.
int analysis_threads(const Options& options);

/// Everything before the numerical phase, and what a report says about it.
/// Shapes  A: from check_and_sort_matrix, or a stand-in for the analysis: then type is that of the matrix itself
/// interruption: checked at each step; null on another thread than the caller's
/// The last argument: how often the pattern is likely to be factorised
/// Errors  as analysis_plan; Singular if A is structurally singular; Cancelled
template <class T>
Prepared prepare(const SparseMatrix<T>& A, const Options& options, Report& report, Interruption* interruption,
                 comm::Tasks& tasks, ScalarType type = ScalarTraits<T>::type, double factorizations = 1);

/// The same with an analysis that was made of A's pattern.
template <class T>
Prepared prepare_with(const SparseMatrix<T>& A, sparse::Analysis analysis, const Options& options,
                      Report& report, ScalarType type = ScalarTraits<T>::type);

/// What a report says about a matrix.
struct MatrixWords {
  Index n = 0, nnz = 0;
  ScalarType type = ScalarType::float64;
  Symmetry symmetry = Symmetry::general;
};
template <class T>
MatrixWords words_of(const SparseMatrix<T>& A) {
  return {A.rows, A.nnz(), ScalarTraits<T>::type, A.symmetry};
}

/// What a report says about a matrix and its analysis. Returns what that predicts, with factors in memory.
FactorPrediction report_analysis(const MatrixWords& A, const sparse::Analysis& analysis,
                                 const Options& options, Report& report);

/// The ranks to use on the thread engine: those asked for, else one for little work and inside a parallel region,
/// else the usable processors.
/// shared_flops: predicted, of work that several ranks can share
int choose_ranks(const Options& options, double shared_flops);

}  // namespace overlapack::api
