#pragma once
#include "api/plan/factor_prediction.hpp"
#include "api/run/interruption.hpp"
#include "api/words/type_names.hpp"
#include "overlapack/options.hpp"
#include "overlapack/report.hpp"
#include "overlapack/sparse_matrix.hpp"
#include "sparse/analysis/analysis.hpp"
#include "sparse/matrix/symmetry.hpp"

#include <string>

namespace overlapack::comm {
class Tasks;
}

namespace overlapack::api {

/// Check a matrix as a caller hands it over, and put its columns into canonical form.
/// Errors  BadInput: offsets, indices, values that are not finite, not square, empty
template <class T>
void accept_entries(SparseMatrix<T>& A, comm::Tasks& tasks);
/// Errors  BadInput: entries that do not show the symmetry that is claimed (general claims none)
template <class T>
void require_symmetry(const SparseMatrix<T>& A, Symmetry claimed);
/// accept_entries and require_symmetry; sets A.symmetry by the entries. wanted: what a matrix both symmetric and Hermitian counts
/// as, unless it claims to be Hermitian.
template <class T>
void accept_matrix(SparseMatrix<T>& A, sparse::RealValued wanted, comm::Tasks& tasks);

/// `wanted` of accept_matrix for the factors or inner iterations that are asked for.
sparse::RealValued real_valued_as(const Options& options);

/// ": A(1, 2) = 3, but A(2, 1) = 4 (from 0)": the first entries that show that A has not this symmetry; "" if it has.
/// Shapes  A square and canonical
template <class T>
std::string unequal_text(const SparseMatrix<T>& A, Symmetry symmetry);

/// What a message says about a matrix that lacks the symmetry of the factorization.
struct Contradiction {
  std::string difference;  ///< ": A(1, 0) = 3, but A(0, 1) = 4 (from 0)"
  std::string remedy;      ///< ", or give ..."
};

/// The analysis that the options ask for.
/// Shapes  n, symmetry: of the matrix; type: of its values
/// Errors  BadPlan for a factorization that does not suit the symmetry, and for methods without factors
sparse::AnalysisPlan analysis_plan(const Options& options, Index n, Symmetry symmetry, ScalarType type,
                                   const Contradiction& contradiction = {});

/// Threads for what the options ask for before there are ranks: of the process that analyses, the processors that will factorise.
int analysis_threads(const Options& options);

/// Everything before the numerical phase, and what a report says about it.
/// Shapes  A: from accept_matrix, or a stand-in for the analysis: then type is that of the matrix itself
/// interruption: checked at each step; null on another thread than the caller's
/// Errors  as analysis_plan; Singular if A is structurally singular; Cancelled
template <class T>
Prepared prepare(const SparseMatrix<T>& A, const Options& options, Report& report, Interruption* interruption,
                 comm::Tasks& tasks, ScalarType type = ScalarTraits<T>::type);

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
FactorPrediction describe(const MatrixWords& A, const sparse::Analysis& analysis, const Options& options,
                          Report& report);

/// Is A = A^H, so that its eigenvalues are real?
bool is_self_adjoint(Symmetry symmetry, bool is_complex);

/// The ranks to use on the thread engine: those asked for, else one for little work and inside a parallel region,
/// else the usable processors.
/// shared_flops: predicted, of work that several ranks can share
int choose_ranks(const Options& options, double shared_flops);

}  // namespace overlapack::api
