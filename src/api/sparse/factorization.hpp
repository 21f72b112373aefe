#pragma once
#include "api/plan/factor_plan.hpp"
#include "api/plan/factor_prediction.hpp"
#include "api/refine/applied_matrix.hpp"
#include "api/refine/driven_solves.hpp"
#include "api/refine/singularity.hpp"
#include "api/run/interruption.hpp"
#include "api/run/locked_call.hpp"
#include "api/run/session.hpp"
#include "base/single.hpp"
#include "comm/call_mutex.hpp"
#include "overlapack/overlapack.hpp"
#include "sparse/factors/sparse_factors.hpp"
#include "sparse/matrix/symmetry.hpp"

#include <array>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <utility>
#include <vector>

namespace overlapack {

/// The implementation of Factorization. It owns the matrix as it was given, the session with its ranks, and each local rank's share of the
/// factors. It also decides what to do if factors or a solution are not good enough: full precision, fronts, or another analysis.
template <class T>
struct Factorization<T>::Implementation {
  /// Analyse and factorise. kept: the analysis to use, on rank 0; null: make one.
  Implementation(SparseMatrix<T> matrix, const Options& options,
                 const PatternAnalysis::Implementation* kept = nullptr);
  /// Analyse and factorise the entries of each rank of this process.
  Implementation(std::vector<Triplets<T>> parts, const Options& options);
  /// Read the factors from a file of save.
  Implementation(const std::string& path, const Options& options);
  void save(const std::string& path);
  /// Solve. If x is inaccurate, factorise in another way (full precision, by fronts, another analysis) and solve again.
  /// is_for_all: x goes to every process, else it stays on rank 0
  Solution<T> solve(std::span<const T> b, Index nrhs, Transpose op, bool is_for_all = true);
  DistributedSolution<T> solve_distributed(std::span<const RowPart<T>> parts, const SolutionRows& wanted,
                                           Transpose op);
  void substitute(std::span<T> x, Index nrhs, Transpose op);
  void refactorize(SparseMatrix<T> matrix);
  void refactorize_values(std::span<const T> values);
  void refactorize(std::vector<Triplets<T>> parts);
  std::vector<T> null_space(Transpose op);
  std::vector<T> inverse_entries(std::span<const Index> rows, std::span<const Index> cols);
  std::vector<T> inverse_diagonal();
  SparseMatrix<T> selected_inverse();
  TriangularFactors<T> triangular_factors();
  SymmetricFactors<T> symmetric_factors();
  HalfFactors<T> half();
  Determinant<T> determinant();
  double reciprocal_condition();
  /// The reciprocal condition by the factors, also of a matrix that null vectors prove singular.
  double estimated_reciprocal_condition();
  Inertia inertia();
  /// Call drive(solve) on rank 0, with a function solve in which all ranks take part.
  void drive(const std::function<void(const api::DrivenSolve<T>&)>& drive);
  /// Run `work` as a public call (api::locked_call).
  template <class Work>
  decltype(auto) locked_call(call::Name name, Work&& work) {
    return api::locked_call(name, calls, interruption, std::forward<Work>(work));
  }
  /// The plan of the current factors.
  const sparse::FactorPlan& plan() const { return *plan_; }
  /// Rank 0's values on every process.
  void broadcast_vector_from_root(std::vector<T>& values);

  Options options;
  comm::CallMutex calls;  ///< serialises calls, since threads share what is below
  api::Interruption interruption;
  SparseMatrix<T> A;  ///< rank 0; order and symmetry alone where the rows are on all ranks
  std::vector<sparse::RowSlab<T>> slabs;  ///< by position; none where rank 0 has the matrix
  api::Prepared prepared;                 ///< rank 0
  std::unique_ptr<api::Session> session;
  Report report;

 private:
  /// One rank's part of the factors, in the precision of the matrix or in single precision.
  struct Share {
    std::unique_ptr<sparse::SparseFactors<T>> full;
    std::unique_ptr<sparse::SparseFactors<Single<T>>> single;
  };
  /// Facts about the matrix that all processes have.
  struct MatrixFacts {
    Index n = 0;
    sparse::FactorKind kind = sparse::FactorKind::lu;
    bool has_real_spectrum = false;  ///< real symmetric or Hermitian
    api::AnalysedFacts analysed;
    bool uses_nodes = false;                   ///< static pivots, everywhere or in a diagonal block,
    bool is_chosen = false;                    ///< nodes were chosen by comparison with fronts
    bool is_matched = false, is_ruiz = false;  ///< by the analysis
    bool has_signs = false;                    ///< quasi-definite: pivots of known signs
    double order_pays_after = 0;               ///< Analysis::order_pays_after
  };
  MatrixFacts facts() const;  ///< on rank 0

  bool is_distributed() const { return !slabs.empty(); }
  /// row_maxima(A), if A has entries.
  const std::vector<double>& row_max();
  void analyse(const PatternAnalysis::Implementation* kept);
  /// Use the kept analysis or, if its matching does not fit the values of A, make another one.
  void adopt_analysis(const PatternAnalysis::Implementation& kept, comm::Tasks& tasks);
  void analyse_slab(comm::Rank& rank, int position, Triplets<T> mine);
  void require_parts(std::size_t parts) const;
  void require_same_pattern(comm::Rank& rank, const sparse::RowSlab<T>& old,
                            const sparse::RowSlab<T>& slab) const;
  /// As accept_values, of a part of a matrix that is on all ranks.
  Symmetry accept_symmetry(comm::Rank& rank, const sparse::RowSlab<T>& slab) const;
  void require_factors() const;
  void require_same_pattern(SparseMatrix<T>& matrix) const;
  void require_whole() const;
  /// Whether these values, at the positions of A, have A's symmetry.
  bool has_same_symmetry(std::span<const T> value);
  /// Check other values at the positions of A. Returns the symmetry of A if they have it, else general.
  /// Errors  BadInput: a value is not finite, or the values are less symmetric than claimed or than the factors need
  Symmetry accept_values(std::span<const T> value, Symmetry claimed);
  /// Of the values that A has now, in the report too.
  void take_symmetry(Symmetry found);
  /// Clear figures about errors with other values of A.
  void clear_error_figures();
  /// Begin the timeline with the analysis, until the next factorize().
  void record_analysis_in_timeline();
  /// Factorise A, in the structure of earlier factors of this precision if there are any.
  void factorize();
  void choose_and_factorize();
  bool factorize_in_single();
  void factorize_fully();
  /// Errors  Singular and others, on every process; then there are no factors
  template <class F>
  void factorize_in_precision(std::unique_ptr<sparse::SparseFactors<F>> Share::*which, bool& has_structure,
                              const SparseMatrix<F>& matrix, const std::vector<sparse::RowSlab<F>>& rows);
  void require_full_precision();
  /// Whether static pivots leave open that the matrix may be singular.
  bool is_unsure() const;
  /// Whether column-by-column LDL^T gave up because of too much fill (AnalysedFacts::may_give_up). There are no factors then.
  bool has_given_up() const;
  /// Analyse and factorise again without static pivots: by fronts, or column by column with fronts in dense blocks.
  /// why: for report.choice
  void fall_back_on_fronts(const std::string& why);
  /// While factors are weak and A is not proved singular, factorise in another way, as long as there is one. Then refuse a singular A if the
  /// options say so.
  void replace_weak_factors();
  /// Whether another matching or scaling, or an analysis of the current values, might give better factors.
  bool may_be_improved();
  /// Factorise by the next analysis, matching or scaling that was not tried yet. Returns false if none is left or none gives factors.
  bool factorize_by_next_analysis(const std::string& why);
  bool analyse_again(const Options& other, const std::string& how, const std::string& why,
                     double factorizations = 1);
  /// Count a factorisation of the pattern. After so many that a better order is likely to save time, look for one and factorise by it.
  void reorder_for_many_factorizations();
  void write_factor_report();
  void write_factor_counters();  ///< into the report: figures of the factors, and of reads from disk since
  void report_assumptions();
  const sparse::FactorStats& stats() const {
    return is_single_ ? shares_.front().single->stats() : shares_.front().full->stats();
  }
  void substitute(comm::Rank& rank, int position, kernels::Op op, const T* b, T* x, Index columns);
  Solution<T> solve_with_factors(std::span<const T> b, Index nrhs, Transpose op, bool is_for_all);
  /// The null vectors of A and what they prove, computed on first use.
  const api::Singularity<T>& singularity();
  /// Judge x, if pivots were rounding (api::test_weak_solution).
  /// Errors  Singular if x is no answer
  void test_solution_with_weak_pivots(const api::AppliedMatrix<T>& op_A, Transpose op, std::span<const T> b,
                                      std::span<T> x, Index nrhs);
  int most_gmres_steps() const;
  /// Whether the factors are those of a matrix that differs from A by more than rounding.
  bool has_inexact_factors() const;
  /// Whether the true sizes of pivots are hidden, since pivots were replaced or shifted, or fronts compressed.
  bool has_hidden_pivots() const;
  /// api::error_beside_null_vector of the worst column, on every process.
  double error_beside_null_vector(const api::AppliedMatrix<T>& op_A, Transpose op, std::span<const T> b,
                                  std::span<const T> x, Index nrhs);
  /// Judge x if pivots are hidden: status ill_conditioned if the residual is large or A nearly singular, inaccurate if the residual is large
  /// and A singular.
  /// change_by_digits: DigitChange::of_these
  void test_hidden_pivots(const api::AppliedMatrix<T>& op_A, Transpose op, std::span<const T> b,
                          std::span<const T> x, Index nrhs, double change_by_digits);
  /// Whether A is singular: a pivot was zero, or null vectors prove it.
  bool is_proved_singular();
  /// Check that the factors can answer questions about A, such as its inverse.
  /// Errors  Singular if A is proved singular or a pivot was zero
  void require_sure_pivots();
  /// Status and message of entries of the inverse, after require_inverse.
  void judge_inverse();
  template <class Parts, class Own, class Again>
  Parts read_in_one_piece(FactorKind kind, Own&& own, Again&& again);
  void require_inverse();
  bool find_inverse_in_one_piece(std::span<const Index> rows, std::span<const Index> cols, double solve_flops,
                                 sparse::InverseEntries<T>& found);
  void solve_for_missing_inverse_entries(std::span<const Index> rows, std::span<const Index> cols,
                                         const api::DrivenSolve<T>& solve, sparse::InverseEntries<T>& found);
  void bound_errors(const api::AppliedMatrix<T>& op_A, Transpose op, std::span<const T> b,
                    std::span<const T> x, Index nrhs);

  MatrixFacts facts_;
  std::shared_ptr<const sparse::FactorPlan> plan_;  ///< of the current factors
  double fullest_share_ = 1;                        ///< of the ranks, on the computer that has most of them
  std::vector<Share> shares_;                       ///< by position
  /// The tests of the next x of A, and of the next x of its transposes. Each has its own, since changes may affect only one of them.
  std::array<api::DigitTest, 2> test_{api::DigitTest::of_any, api::DigitTest::of_any};
  bool has_factors_ = false, is_single_ = false;
  bool has_full_ = false, has_single_ = false;    ///< is there a structure of this precision?
  std::vector<sparse::MirrorPair> mirror_pairs_;  ///< rank 0: of A; made when A gets other values
  /// Ways to better factors that were tried, or that the caller's options rule out: a new analysis for other values, no matching, scaling
  /// ruiz.
  bool has_tried_anew_ = false, has_tried_unmatched_ = false, has_tried_ruiz_ = false;
  bool is_stale_ = false;        ///< A has other values than those that were analysed
  Index factorizations_ = 0;     ///< factorisations of the pattern since the last search for a better order
  Index usual_perturbed_ = 0;    ///< how many pivots were replaced with the values that were analysed
  std::vector<double> row_max_;  ///< rank 0; made on first use
  std::optional<api::Singularity<T>> singularity_;  ///< of A; made on first use
};

}  // namespace overlapack
