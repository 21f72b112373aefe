#pragma once
/// overlapack: solves A x = b in parallel with communication that never stalls the computation.
///
///   overlapack::SparseMatrix<double> A = ...;
///   auto [x, report] = overlapack::solve(A, b);
///
/// Factor once, solve often:
///
///   auto factors = overlapack::factorize(A, {.ranks = 4});
///   auto x = factors.solve(b).x;
///
/// Every failure is an overlapack::Error. Its what() says what to do next. Comments name an Error by its status: "Singular" is an Error
/// with Status::singular.
#include "overlapack/error.hpp"
#include "overlapack/export.hpp"
#include "overlapack/factors.hpp"
#include "overlapack/half_factors.hpp"
#include "overlapack/handle.hpp"
#include "overlapack/options.hpp"
#include "overlapack/pattern_analysis.hpp"
#include "overlapack/report.hpp"
#include "overlapack/scalar.hpp"
#include "overlapack/sparse_matrix.hpp"
#include "overlapack/triangular_factors.hpp"

#include <functional>
#include <span>
#include <string>
#include <vector>

namespace overlapack {

/// Rows of vectors held by one rank: row rows[k] of column j is values[k + j rows.size()].
template <class T>
struct RowPart {
  std::vector<Index> rows;
  std::vector<T> values;
};

/// Which rows of a solution each rank gets.
struct SolutionRows {
  enum class Where : std::uint8_t {
    blocks,      ///< rank r of p: r n / p to (r + 1) n / p - 1
    first_rank,  ///< rank 0: all
    every_rank,  ///< each: all
    chosen,      ///< each: those that it names
  };
  Where where = Where::blocks;
  /// For each rank of this process, the rows that it wants, in its order. Several ranks may want the same row, or none.
  std::vector<std::vector<Index>> chosen;
};

/// The rows of a solution that the ranks of this process get, and its report (as in Solution).
template <class T>
struct DistributedSolution {
  std::vector<RowPart<T>> x;
  Report report;
};

/// The factors of a matrix, spread over the ranks that made them. Movable. Concurrent solves on one object
/// are serialised, different objects are independent.
template <class T>
class OVERLAPACK_API Factorization final : public Factors<T> {
 public:
  /// Solve op(A) X = B with iterative refinement on the matrix as it was given.
  /// Shapes  b: n x nrhs by columns; on rank 0, ignored on the others
  /// Sync    collective over the ranks of an MPI communicator
  /// Cost    4 factor_nnz nrhs flops (8 complex) a refinement step. Forward, fronts below which B is zero cost nothing.
  ///         RefinementOptions::error_analysis takes up to 33 solves more, and 22 for each further column. Where x would be inaccurate
  ///         automatic choices are made anew, with a factorisation (Report::falls_back, analysed_again)
  /// Errors  BadInput if b has a wrong size or holds NaN or infinity; Singular if no column of b has a solution (Options::singular);
  ///         Cancelled; CommFailure.
  ///         A solution above RefinementOptions::accuracy is returned with status inaccurate, a doubtful one as ill_conditioned.
  Solution<T> solve(std::span<const T> b, Index nrhs = 1, Transpose op = Transpose::none) override;

  /// x <- op(A)^{-1} x by the factors alone, for callers who refine themselves or can judge x. The result is neither refined nor
  /// measured. With replaced, null or rounding pivots it is the product with the inverse of these factors. The report's errors
  /// are unknown after it, and its status is ok.
  /// Shapes  x: n x nrhs by columns; b on rank 0, x on every rank
  /// Cost    4 factor_nnz nrhs flops (8 complex)
  /// Errors  BadInput if x has a wrong size or holds NaN or infinity; Cancelled; CommFailure
  void substitute(std::span<T> x, Index nrhs = 1, Transpose op = Transpose::none);

  /// As solve, for right-hand sides whose rows are on the ranks, each row on one of them. Each rank gets the rows of the solution
  /// that it wants. Refinement has whole vectors on rank 0. The ranks that hold the rows of A make the residuals.
  /// Shapes  b: a part for each rank of this process (under MPI one; fewer: the others have no rows), all with the same columns
  /// Cost    as solve; n nrhs numbers more into rank 0 and out of it
  /// Errors  as solve; BadInput also for a row that no rank gives, or two
  DistributedSolution<T> solve_distributed(std::span<const RowPart<T>> b, const SolutionRows& wanted = {},
                                           Transpose op = Transpose::none);

  /// Factorise another matrix with the same pattern. Its analysis, mapping and scaling are those of the first one. Memory
  /// for the factors grows only if more pivots are delayed than ever before.
  /// Shapes  A: as for factorize; under MPI on rank 0, ignored on the others
  /// Errors  BadInput if the pattern or the symmetry is another one (the factors do not change)
  ///         Else as factorize: then there are no factors until a refactorize succeeds
  void refactorize(SparseMatrix<T> A) override;

  /// The same, given the values alone. values[k] is the value of entry k of the matrix that was factorised. Its columns come one
  /// after the other, with rows ascending, duplicates added up, and both triangles of a symmetric matrix.
  /// Shapes  values: as many as its entries (report().nnz); under MPI on rank 0, ignored on the others
  /// Cost    spares the pattern's copy and comparison
  void refactorize_values(std::span<const T> values);

  /// SparseOptions::pivot_threshold of later calls of refactorize, for callers who want better pivots without another analysis.
  /// Sync    none; the same on all ranks
  /// Errors  BadPlan unless it is from 0 to 1
  void set_pivot_threshold(double threshold);
  /// RefinementOptions::steps of later solves.
  /// Sync    none; the same on all ranks
  /// Errors  BadPlan for a number that the option refinement_steps does not take
  void set_refinement_steps(int steps);

  /// As refactorize, for factors that factorize_distributed made; a rank's entries may be other ones than before.
  void refactorize_distributed(std::vector<Triplets<T>> parts);

  /// An orthonormal basis of the null space of op(A), n x (n - report().numerical_rank) by columns, on every rank; empty
  /// unless SparseOptions::null_pivots found A singular.
  /// Cost    one solve and a half for each vector
  std::vector<T> null_space(Transpose op = Transpose::none);

  /// Entries (rows[k], cols[k]) of A^{-1}, on every rank, by the way that takes least work:
  ///   fronts from the root down, if the factors have room for (cols[k], rows[k]) in their pattern
  ///   a solve without refinement for each column that occurs
  ///   additional fronts of one rank, of A with these places in its pattern
  /// They are not refined. If a pivot is rounding they may be far off: then report() has the status ill_conditioned, else ok.
  /// Shapes  rows, cols: as long as each other; on rank 0, ignored on the others
  /// Cost    by fronts about two factorisations' time without their analysis, whatever the number of entries
  /// Errors  BadInput: lengths or numbers; Singular; BadPlan where pivots were replaced, or factors compressed
  /// Source  Takahashi, Fagan, Chin 1973; Erisman, Tinney, CACM 18 (1975)
  std::vector<T> inverse_entries(std::span<const Index> rows, std::span<const Index> cols);

  /// The diagonal of A^{-1}, on every rank.
  /// Cost, Errors  as inverse_entries
  std::vector<T> inverse_diagonal();

  /// A^{-1} at (j, i) for each entry (i, j) of A, and on its diagonal; on rank 0, empty on the others.
  /// Cost    as inverse_entries
  /// Errors  as inverse_entries; BadPlan for factors of factorize_distributed, since no rank has the pattern
  SparseMatrix<T> selected_inverse();

  /// L and U of A as it was given, without its scaling; on rank 0, empty on the others. For inspection: solves do not need it.
  /// Cost    a copy of the factors; a factorisation more, by one rank, if these factors are not LU by fronts of one rank in
  ///         memory
  /// Errors  Singular if a pivot is zero; else as factorize
  TriangularFactors<T> triangular_factors();

  /// L, D and P of a symmetric or Hermitian A as it was given, without its scaling; on rank 0, empty on the others.
  /// Cost    a copy of the factors; a factorisation more, by one rank, if these factors are not L D L^T or Cholesky's by fronts of
  ///         one rank in memory
  /// Errors  BadPlan unless A is symmetric or Hermitian, and for factors of factorize_distributed
  ///         Singular if a pivot is null or was replaced; else as factorize
  SymmetricFactors<T> symmetric_factors();

  /// The same as an object that solves and multiplies in parts, for example for samples of a normal distribution (HalfFactors).
  /// Errors  as symmetric_factors; Singular if A is proved to be
  HalfFactors<T> half();

  /// The product of the pivots. It does not overflow.
  Determinant<T> determinant() override;
  /// 1 / (||A||_1 ||A^{-1}||_1). The norm of the inverse is estimated (Higham and Hager). The result is mostly within a factor 3
  /// of the truth, and never below it except by rounding. Sets the report's condition_estimate.
  double reciprocal_condition() override;
  /// By the signs of the pivots (Sylvester).
  /// Errors  BadPlan for LU, and for complex symmetric matrices, whose eigenvalues are not real
  Inertia inertia() const override;

  /// Write the factors and the matrix to a file that load_factors reads; one file, written by rank 0.
  /// Cost    one rank's factors more in memory of rank 0
  /// Errors  BadInput, with the system's reason, if the file cannot be written
  void save(const std::string& path) override;

  void agree(const std::function<void()>& check) override;
  const Report& report() const override;
  const trace::Timeline& timeline() const override;
  void between_calls(const std::function<void()>& read) const override;

  struct Implementation;
  explicit Factorization(Handle<Implementation> implementation)
      : implementation_(std::move(implementation)) {}

 private:
  Handle<Implementation> implementation_;
};

/// Analyse and factorise A.
/// Shapes  A: square; the rows of a column in any order, entries at one position are summed; under MPI on rank 0, ignored on the others
/// Sync    collective over the ranks of an MPI communicator
/// Errors  BadInput, BadPlan, Singular, OutOfMemory, Cancelled, CommFailure
template <class T>
OVERLAPACK_API Factorization<T> factorize(SparseMatrix<T> A, const Options& options = {});

/// The same by an analysis that was made before, of a matrix with the same pattern, zeros counted as entries. The largest entries
/// may have left the places that were matched (AnalysisPlan::matching_fits). A is then analysed anew, for these factors alone.
/// The report has this in analysed_again and choice.
/// analysis: that of rank 0 counts
/// options: those that shape an analysis (docs/options.md) are the analysis'. You need not give them again
/// Errors  as factorize
///         BadInput: another type, order or pattern, or a lack of the symmetry that its LDL^T or Cholesky needs
///         BadPlan: an option that shapes an analysis and differs from the analysis'
template <class T>
OVERLAPACK_API Factorization<T> factorize(SparseMatrix<T> A, const PatternAnalysis& analysis,
                                          const Options& options = {});

/// The same for a matrix whose entries are on the ranks in any way. Entries at one position are summed, also across ranks. Values
/// go to the ranks that hold their rows, and from there to the ranks that assemble their fronts. Rank 0 sees the pattern. It
/// sees the moduli of the entries if a matching or scaling ruiz needs them. No rank sees all values.
/// Shapes  parts: the entries of each rank of this process, with the indices and the shape of the whole matrix; under MPI one.
///         A part of 0 x 0, or one that is missing, belongs to a rank without entries
/// Units   memory beyond that of factorize: the rows of A on each rank, about nnz / p entries
/// Errors  as factorize
///         BadInput: shapes or types that differ among the ranks; with the rank, indices outside and values that are not finite
///         BadPlan from Factorization::save
template <class T>
OVERLAPACK_API Factorization<T> factorize_distributed(std::vector<Triplets<T>> parts,
                                                      const Options& options = {});

/// Factors from a file that Factorization::save wrote, on as many ranks as they had.
/// options: those of solves and of the ranks that run them. A refactorize has the factorisation's options of the file
/// Errors  BadInput: no such file, not one of ours or of this version, cut short or changed (checksums), of another type, byte
///         order or number of ranks
template <class T>
OVERLAPACK_API Factorization<T> load_factors(const std::string& path, const Options& options = {});
/// The type of the factors in such a file.
/// Errors  BadInput
OVERLAPACK_API ScalarType type_of_factors(const std::string& path);

/// The Schur complement S = A_vv - A_vi A_ii^{-1} A_iv of some variables v, after elimination of all others i. To solve A x = b,
/// solve S x_v = condense(b).x and take x = expand(b, x_v).x. Movable. Under MPI all ranks call each function.
template <class T>
class OVERLAPACK_API SchurComplement {
 public:
  /// S by columns, order() x order(), in the order of the variables; on every rank.
  const std::vector<T>& matrix() const;
  Index order() const;

  /// b_v - A_vi A_ii^{-1} b_i, with the status of the solve with A_ii as Factorization::solve tells it.
  /// Shapes  b: n x nrhs, on rank 0; x: order() x nrhs, on every rank
  Solution<T> condense(std::span<const T> b, Index nrhs = 1);
  /// x with x_v as given and A_ii x_i = b_i - A_iv x_v, and the status of that.
  /// Shapes  b: n x nrhs, x_v: order() x nrhs, on rank 0; x: n x nrhs, on every rank
  Solution<T> expand(std::span<const T> b, std::span<const T> x_v, Index nrhs = 1);

  /// As Factors::agree, before condense or expand.
  void agree(const std::function<void()>& check);

  /// Inertia of A_ii; the sum with that of S is that of A (Haynsworth 1968).
  /// Errors  BadPlan if A_ii was factorised by LU or is complex symmetric
  Inertia inertia() const;
  /// Of the factors of A_ii and the last solve with them, with its status. Read it while no other thread calls.
  const Report& report() const;
  /// The same as a copy, as Factors::copy_report.
  Report copy_report() const;

  struct Implementation;
  explicit SchurComplement(Handle<Implementation> implementation)
      : implementation_(std::move(implementation)) {}

 private:
  Handle<Implementation> implementation_;
};

/// Shapes  A: as for factorize; variables: from 0, each at most once, not all of them; under MPI on rank 0
/// Cost    factorize of A_ii, and a solve with it for each variable
/// Errors  as factorize; BadInput for the variables
template <class T>
OVERLAPACK_API SchurComplement<T> schur(SparseMatrix<T> A, std::span<const Index> variables,
                                        const Options& options = {});

/// factorize and solve in one. Entries of A that are zero are dropped, which saves their fill.
template <class T>
OVERLAPACK_API Solution<T> solve(SparseMatrix<T> A, std::span<const T> b, const Options& options = {});
template <class T>
Solution<T> solve(SparseMatrix<T> A, const std::vector<T>& b, const Options& options = {}) {
  return solve(std::move(A), std::span<const T>(b), options);
}
/// The same by an analysis that was made before, as factorize; then zeros stay.
template <class T>
OVERLAPACK_API Solution<T> solve(SparseMatrix<T> A, std::span<const T> b, const PatternAnalysis& analysis,
                                 const Options& options = {});
template <class T>
Solution<T> solve(SparseMatrix<T> A, const std::vector<T>& b, const PatternAnalysis& analysis,
                  const Options& options = {}) {
  return solve(std::move(A), std::span<const T>(b), analysis, options);
}

/// Analyse only, to predict a factorisation. The report's predicted_* fields, ordering, matching and symmetry are set.
template <class T>
OVERLAPACK_API Report plan(SparseMatrix<T> A, const Options& options = {});

}  // namespace overlapack
