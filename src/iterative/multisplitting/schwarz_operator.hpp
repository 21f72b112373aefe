#pragma once
#include "iterative/multisplitting/coarse_level.hpp"
#include "iterative/multisplitting/schwarz_block.hpp"
#include "overlapack/choices.hpp"

namespace overlapack::iterative {

/// Additive Schwarz as a fixed linear operator, for use as a preconditioner; in step, with any number of blocks a rank:
///
///   M = sum over the blocks of R^T W_out A(S,S)^-1 W_in R,   R: the rows S of a vector,
///
/// The weights are those of OverlapWeights. owner (restricted): W_in is 1; W_out is 1 for a block's own rows and 0 for those of
/// others.
/// both: W_in = W_out = 1 / sqrt(number of blocks that have the row). none: all weights are 1.
///
/// One application is k sweeps x <- x + omega B (b - A x) from x = 0. Without a coarse level, B = M. With a coarse level
/// C = P (P^H A P)^-1 P^H, `both` and `none` are balanced: B = C + (I - C A) M (I - A C); `owner` corrects once: B = M + C (I - A
/// M). If P^H r is 0, a balanced sweep of r is (I - C A) M r, which saves a product with A and a coarse solve. Up to rounding
/// that holds for all residuals of a Krylov method that begins at start(). `both` and `none` are Hermitian if A is, and positive
/// definite if A is and one sweep is done.
/// Source  Cai and Sarkis 1999; Smith, Bjorstad, Gropp, Domain Decomposition 1996, section 1.3; Mandel, Balancing domain
///         decomposition 1993; Nicolaides 1987 for the coarse level; Tang, Nabben, Vuik, Erlangga 2009, where the corrected forms are
///         BNN and A-DEF2
template <class T>
class SchwarzOperator {
 public:
  /// Shapes  A, block: as for SchwarzBlock; basis: as for CoarseLevel, empty for none
  /// Sync    collective
  /// Errors  those of SchwarzBlock and of CoarseLevel
  SchwarzOperator(comm::Rank& rank, const SparseMatrix<T>* A, std::span<const int> block,
                  const SchwarzPlan& plan, OverlapWeights weights, const InnerFactory<T>& factory,
                  const InnerFactory<T>& coarse_factory, const CoarseBasis<T>& basis);

  /// What is known of b: nothing, or that it is a residual of a method that began at start(), so that P^H b should be 0.
  enum class Right : std::uint8_t { any, behind_start };

  /// x <- the result of `sweeps` sweeps for b, from 0; is_adjoint: of the adjoint operator. With behind_start, a P^H b of the
  /// size of rounding errors counts as 0; apart from that, the operator is linear.
  /// Shapes  b, x: n on rank 0, ignored elsewhere
  /// Sync    collective
  void apply(comm::Rank& rank, const T* b, T* x, int sweeps, bool is_adjoint, Right right = Right::any);

  /// Whether there is a coarse level on both sides of the blocks' solves.
  bool is_balanced() const { return coarse_ && !is_restricted_; }
  /// x <- C r, the first vector of a Krylov method. Only if is_balanced().
  /// Shapes  r, x: n on rank 0, ignored elsewhere
  /// Sync    collective
  void start(comm::Rank& rank, const T* r, T* x);

  /// Number of rows in the largest S.
  Index block_rows() const;
  /// Number of solves with blocks so far, on this rank.
  Index solves() const { return solves_; }
  /// Memory on this rank of the matrix and of the blocks' lists and weights; and the most that was needed in addition while they
  /// were distributed.
  double held_bytes() const;
  double dealing_bytes() const { return dealing_bytes_; }
  /// Number of balanced sweeps in which P^H r counted as 0, on this rank.
  Index sweeps_without_coarse() const { return shorter_sweeps_; }
  Index coarse_solves() const { return coarse_ ? coarse_->solves() : 0; }

 private:
  struct Part {
    RowNumbers where;              ///< by row of S: its position in a state
    std::vector<Real<T>> in, out;  ///< by row of S: its weights
    std::unique_ptr<InnerSolver<T>> inner;
  };
  using Vector = std::vector<T>;  ///< a state; its halo is scratch

  SchwarzOperator(comm::Rank& rank, BlockDeal<T> deal, Symmetry symmetry, const SchwarzPlan& plan,
                  OverlapWeights weights, const InnerFactory<T>& factory);
  void set_parts(OverlapWeights weights, std::vector<std::unique_ptr<InnerSolver<T>>> solvers);
  void receive_halo(comm::Rank& rank, Vector& v);
  void add_halo_to_owners(comm::Rank& rank, Vector& v);
  /// My rows of y <- b - A x, or b - A^H x.
  void residual(comm::Rank& rank, const Vector& b, Vector& x, Vector& y, bool is_adjoint);
  void solve_blocks(comm::Rank& rank, Vector& r, Vector& z, bool is_adjoint);
  void sweep(comm::Rank& rank, Vector& r, Vector& z, bool is_adjoint, Right right);
  /// z <- x + M (r - A x) for x = C r
  void solve_behind_coarse(comm::Rank& rank, Vector& r, Vector& z, bool is_adjoint, Right right);
  bool is_negligible(comm::Rank& rank, const std::vector<T>& restricted, const Vector& r);

  /// Until set_parts; declared before rows_, whose halo depends on them
  std::vector<ExtendedBlock<T>> blocks_;
  MatrixBlock<T> rows_;
  SchwarzPlan plan_;
  std::vector<Part> parts_;
  bool is_restricted_ = false;  ///< OverlapWeights::owner: the weights outside of W are 0 on one side
  std::unique_ptr<CoarseLevel<T>> coarse_;
  /// States on which an application works; they are kept, since new pages of memory cost more than the work on them.
  Vector right_, solution_, r_, z_, coarse_x_, coarse_r_;
  double dealing_bytes_ = 0;
  Index solves_ = 0, shorter_sweeps_ = 0;
};

}  // namespace overlapack::iterative
