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

/// The rows of a vector, or of several columns, that one rank holds. Row rows[k] of column j is values[k + j rows.size()].
template <class T>
struct RowPart {
  std::vector<Index> rows;
  std::vector<T> values;
};

/// Says which rows of a solution each rank gets from solve_distributed.
struct SolutionRows {
  enum class Where : std::uint8_t {
    blocks,      ///< rank r of p gets rows r n / p to (r + 1) n / p - 1, by integer division
    first_rank,  ///< rank 0 gets all rows, the other ranks none
    every_rank,  ///< each rank gets all rows
    chosen,      ///< each rank gets the rows that it names in `chosen`
  };
  Where where = Where::blocks;
  /// With Where::chosen: for each rank of this process, the rows that it wants. It gets them in this order. Several ranks may want
  /// the same row, and a row may go to no rank.
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
  /// Solve op(A) X = B. Iterative refinement uses residuals of the matrix as it was given.
  /// Shapes  b: n x nrhs by columns; on rank 0, ignored on the others
  /// Sync    collective over the ranks of an MPI communicator
  /// Cost    for the first solution and for each refinement step, with LU 2 factor_nnz nrhs flops (8 if complex). LDL^T and Cholesky
  ///         count one triangle, and take 4 factor_nnz nrhs (16). The forward solve skips a front if B is zero in its whole subtree.
  ///         RefinementOptions::error_analysis takes up to 33 solves more, and 22 for each further column. If x would be inaccurate,
  ///         automatic choices are made anew, with another factorisation (Report::falls_back, analysed_again)
  /// Errors  BadInput if b has a wrong size or holds NaN or infinity; Singular if no column of b has a solution (Options::singular);
  ///         Cancelled; CommFailure.
  ///         A solution above RefinementOptions::accuracy is returned with status inaccurate, a doubtful one as ill_conditioned.
  Solution<T> solve(std::span<const T> b, Index nrhs = 1, Transpose op = Transpose::none) override;

  /// x <- op(A)^{-1} x by the factors alone, for callers who refine themselves or can judge x. The result is neither refined nor
  /// measured. If pivots were replaced, null or rounding, the factors are those of another matrix, whose inverse is then used. After
  /// the call the report's errors are unknown and its status is ok.
  /// Shapes  x: n x nrhs by columns. It holds b on rank 0 before the call, and the solution on every rank after it
  /// Cost    2 factor_nnz nrhs flops with LU (8 if complex), 4 factor_nnz nrhs with LDL^T and Cholesky (16)
  /// Errors  BadInput if x has a wrong size or holds NaN or infinity; Cancelled; CommFailure
  void substitute(std::span<T> x, Index nrhs = 1, Transpose op = Transpose::none);

  /// Solve op(A) X = B as solve does, for a B whose rows are distributed, each row on exactly one rank. Each rank gets the rows of X
  /// that it wants. Refinement has whole vectors on rank 0. The ranks that hold the rows of A compute the residuals.
  /// Shapes  b: one part for each rank of this process (under MPI one), all with the same number of columns. If b has fewer parts,
  ///         the remaining ranks have no rows
  /// Cost    as solve, and rank 0 receives and sends n nrhs numbers more
  /// Errors  as solve; BadInput also if no rank, or more than one, gives a row
  DistributedSolution<T> solve_distributed(std::span<const RowPart<T>> b, const SolutionRows& wanted = {},
                                           Transpose op = Transpose::none);

  /// Factorise another matrix with the same pattern. It reuses the analysis, the mapping to ranks and the scaling of the first
  /// matrix. Memory for the factors grows only if more pivots are delayed than ever before.
  /// Shapes  A: as for factorize; under MPI on rank 0, ignored on the others
  /// Errors  BadInput if A has another pattern or symmetry; the old factors stay
  ///         Otherwise as factorize; the object then has no factors until a refactorize succeeds
  void refactorize(SparseMatrix<T> A) override;

  /// As refactorize, given the values alone. values[k] is the new value of entry k of the matrix that was factorised. Its entries
  /// are numbered column by column with rows ascending, duplicates added up, and both triangles of a symmetric matrix.
  /// Shapes  values: report().nnz numbers; under MPI on rank 0, ignored on the others
  /// Cost    as refactorize without the copy and the comparison of the pattern
  void refactorize_values(std::span<const T> values);

  /// Set SparseOptions::pivot_threshold for later calls of refactorize: better pivots without another analysis.
  /// Sync    none; each rank sets the same value
  /// Errors  BadPlan unless 0 <= threshold <= 1
  void set_pivot_threshold(double threshold);
  /// Set RefinementOptions::steps for later solves.
  /// Sync    none; each rank sets the same value
  /// Errors  BadPlan for a number that the option refinement_steps does not take
  void set_refinement_steps(int steps);

  /// As refactorize, for factors that factorize_distributed made. The ranks may share out the entries in another way than before.
  void refactorize_distributed(std::vector<Triplets<T>> parts);

  /// An orthonormal basis of the null space of op(A), n x (n - report().numerical_rank) by columns, on every rank. It is empty
  /// unless SparseOptions::null_pivots is set and found A singular.
  /// Cost    one and a half solves for each vector
  std::vector<T> null_space(Transpose op = Transpose::none);

  /// Compute the entries (rows[k], cols[k]) of A^{-1}; the result is on every rank. The call takes the way with the least work:
  ///   1. down the fronts from the root, if the pattern of the factors includes all (cols[k], rows[k])
  ///   2. a solve without refinement for each column that occurs
  ///   3. another factorisation by one rank, of A with these positions added to its pattern, then as 1
  /// The entries are not refined. If a pivot is rounding they may be far off: report() then has the status ill_conditioned, else ok.
  /// Shapes  rows, cols: of equal length; on rank 0, ignored on the others
  /// Cost    by fronts about the time of two numerical factorisations, whatever the number of entries
  /// Errors  BadInput for different lengths or a number outside A; Singular; BadPlan if pivots were replaced or factors compressed
  /// Source  Takahashi, Fagan, Chin 1973; Erisman, Tinney, CACM 18 (1975)
  std::vector<T> inverse_entries(std::span<const Index> rows, std::span<const Index> cols);

  /// The diagonal of A^{-1}, on every rank.
  /// Cost, Errors  as inverse_entries
  std::vector<T> inverse_diagonal();

  /// The selected inverse: entry (j, i) of A^{-1} for each entry (i, j) of A, and the diagonal; on rank 0, empty on the others.
  /// Cost    as inverse_entries
  /// Errors  as inverse_entries; BadPlan for factors of factorize_distributed, since no rank has the whole pattern
  SparseMatrix<T> selected_inverse();

  /// P A Q = L U for A as it was given, without scaling; on rank 0, empty on the others. For inspection: solves do not need it.
  /// Cost    a copy of the factors. One rank factorises again unless these factors are LU by fronts, of one rank and in memory
  /// Errors  Singular if a pivot is zero; else as factorize
  TriangularFactors<T> triangular_factors();

  /// P A P^T = L D L^T for a symmetric or Hermitian A as it was given, without scaling; on rank 0, empty on the others.
  /// Cost    a copy of the factors. One rank factorises again unless these factors are L D L^T or Cholesky's by fronts, of one rank
  ///         and in memory
  /// Errors  BadPlan unless A is symmetric or Hermitian, and for factors of factorize_distributed
  ///         Singular if a pivot is null or was replaced; else as factorize
  SymmetricFactors<T> symmetric_factors();

  /// The factors of symmetric_factors as an object that solves and multiplies with each of them by itself, for example to draw
  /// samples of a normal distribution (HalfFactors).
  /// Errors  as symmetric_factors; Singular if A is proved to be
  HalfFactors<T> half();

  /// The determinant of A, from the product of the pivots. It does not overflow.
  Determinant<T> determinant() override;
  /// The reciprocal condition number 1 / (||A||_1 ||A^{-1}||_1). The norm of the inverse is estimated (Higham and Hager). The result
  /// is mostly within a factor 3 of the truth, and never below it except by rounding. Sets the report's condition_estimate.
  double reciprocal_condition() override;
  /// The inertia of A, from the signs of the pivots (Sylvester's law).
  /// Errors  BadPlan for LU, and for complex symmetric matrices, whose eigenvalues are not real
  Inertia inertia() const override;

  /// Write the factors and the matrix to a file that load_factors reads. Rank 0 writes it; there is one file for all ranks.
  /// Cost    rank 0 holds the factors of one other rank in memory, beside its own
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

/// Factorise A by an existing analysis of a matrix with the same pattern; stored zeros count as entries. If the large entries of A
/// are no longer where the matching put them (AnalysisPlan::matching_fits), the call analyses A anew, for these factors alone. The
/// report then shows it in analysed_again and choice.
/// analysis: under MPI that of rank 0 is used
/// options: options that shape an analysis (docs/options.md) come from the analysis, and need not be given again
/// Errors  as factorize
///         BadInput: A has another type, order or pattern, or lacks the symmetry that the analysis' LDL^T or Cholesky needs
///         BadPlan: an option that shapes an analysis differs from that of the analysis
template <class T>
OVERLAPACK_API Factorization<T> factorize(SparseMatrix<T> A, const PatternAnalysis& analysis,
                                          const Options& options = {});

/// Analyse and factorise a matrix whose entries are distributed over the ranks in any way. Entries at one position are summed, also
/// across ranks. Each value goes to the rank that holds its row, and from there to the rank that assembles its front. Rank 0 sees
/// the whole pattern, and the moduli of the entries if the matching or scaling ruiz needs them. No rank sees all values.
/// Shapes  parts: the entries of each rank of this process (under MPI one part), with the indices and the shape of the whole matrix.
///         A part of 0 x 0, or one that is missing, belongs to a rank without entries
/// Units   memory beyond that of factorize: the rows of A on each rank, about nnz / p entries
/// Errors  as factorize
///         BadInput: shapes or types differ among the ranks, an index is outside, or a value is not finite (the sentence has the rank)
///         BadPlan if Factorization::save is called later
template <class T>
OVERLAPACK_API Factorization<T> factorize_distributed(std::vector<Triplets<T>> parts,
                                                      const Options& options = {});

/// Read factors from a file that Factorization::save wrote. They need as many ranks as they had.
/// options: options of solves and of the engine are used. A later refactorize uses the factorisation's options from the file
/// Errors  BadInput: there is no such file; it is not a file of factors or not of this version; it was cut short or changed
///         (checksums); it is for another type, byte order or number of ranks
template <class T>
OVERLAPACK_API Factorization<T> load_factors(const std::string& path, const Options& options = {});
/// The scalar type of the factors in a file that Factorization::save wrote.
/// Errors  BadInput, as load_factors
OVERLAPACK_API ScalarType type_of_factors(const std::string& path);

/// The Schur complement S = A_vv - A_vi A_ii^{-1} A_iv of chosen variables v, after elimination of all other variables i. To solve
/// A x = b, solve S x_v = condense(b).x and take x = expand(b, x_v).x. Movable. Under MPI all ranks call each function.
template <class T>
class OVERLAPACK_API SchurComplement {
 public:
  /// S by columns, order() x order(), on every rank. Its rows and columns follow the list of variables that schur was given.
  const std::vector<T>& matrix() const;
  Index order() const;

  /// The right-hand side of the system with S: b_v - A_vi A_ii^{-1} b_i, with the status of the solve with A_ii.
  /// Shapes  b: n x nrhs, on rank 0; x: order() x nrhs, on every rank
  Solution<T> condense(std::span<const T> b, Index nrhs = 1);
  /// The whole solution x for a given x_v, with A_ii x_i = b_i - A_iv x_v, and the status of that solve.
  /// Shapes  b: n x nrhs, x_v: order() x nrhs, on rank 0; x: n x nrhs, on every rank
  Solution<T> expand(std::span<const T> b, std::span<const T> x_v, Index nrhs = 1);

  /// Check this process's arguments of condense or expand before the call, as Factors::agree does.
  void agree(const std::function<void()>& check);

  /// The inertia of A_ii. The inertia of A is the sum of this and of S's (Haynsworth 1968).
  /// Errors  BadPlan if A_ii was factorised by LU or is complex symmetric
  Inertia inertia() const;
  /// The report of the factorisation of A_ii and of the last solve with it. Read it while no other thread calls.
  const Report& report() const;
  /// A copy of the report, which is safe while other threads call (Factors::copy_report).
  Report copy_report() const;

  struct Implementation;
  explicit SchurComplement(Handle<Implementation> implementation)
      : implementation_(std::move(implementation)) {}

 private:
  Handle<Implementation> implementation_;
};

/// Compute the Schur complement of A for the given variables. It factorises A_ii.
/// Shapes  A: as for factorize; variables: numbers from 0, each at most once, and not all n of them; both on rank 0 under MPI
/// Cost    factorize of A_ii, and a solve with it for each variable
/// Errors  as factorize; BadInput if the list of variables breaks one of these rules
template <class T>
OVERLAPACK_API SchurComplement<T> schur(SparseMatrix<T> A, std::span<const Index> variables,
                                        const Options& options = {});

/// Solve A x = b: factorize and solve in one. Stored zeros of A are dropped, which saves their fill. The Solution has x and the
/// report.
/// Shapes  A: as for factorize; b: n x nrhs by columns, whose length decides nrhs
/// Errors  as factorize and Factorization::solve
template <class T>
OVERLAPACK_API Solution<T> solve(SparseMatrix<T> A, std::span<const T> b, const Options& options = {});
template <class T>
Solution<T> solve(SparseMatrix<T> A, const std::vector<T>& b, const Options& options = {}) {
  return solve(std::move(A), std::span<const T>(b), options);
}
/// Solve A x = b by an existing analysis, as factorize with an analysis does. Stored zeros stay in the pattern.
template <class T>
OVERLAPACK_API Solution<T> solve(SparseMatrix<T> A, std::span<const T> b, const PatternAnalysis& analysis,
                                 const Options& options = {});
template <class T>
Solution<T> solve(SparseMatrix<T> A, const std::vector<T>& b, const PatternAnalysis& analysis,
                  const Options& options = {}) {
  return solve(std::move(A), std::span<const T>(b), analysis, options);
}

/// Analyse A without factorising it, to predict the cost. The report's predicted_* fields, ordering, matching and symmetry are set.
template <class T>
OVERLAPACK_API Report plan(SparseMatrix<T> A, const Options& options = {});

}  // namespace overlapack
