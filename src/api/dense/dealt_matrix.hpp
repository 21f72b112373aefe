#pragma once
#include "api/dense/dense_plan.hpp"
#include "api/interruption.hpp"
#include "api/refinement.hpp"
#include "api/session.hpp"
#include "dense/check/entry_sizes.hpp"
#include "dense/factor_result.hpp"
#include "dist/grid/owned_matrix.hpp"
#include "kernels/dense_residual.hpp"
#include "overlapack/dense.hpp"

namespace overlapack::api {

/// What a kind of dense factorisation says of itself.
struct DenseKind {
  FactorKind factorization = FactorKind::lu;
  bool is_hermitian = false;                            ///< of A only the lower triangle counts
  std::size_t factor_bytes = 0;                         ///< memory of the factors, an entry of A
  double (*flops)(Index n, bool is_complex) = nullptr;  ///< of factorising and solving once
};

/// A square matrix on the ranks of a session, and refined solves by the factors that a derived class makes of it.
template <class T>
class DealtMatrix {
 public:
  DealtMatrix(const Options& options, const DenseKind& kind);
  virtual ~DealtMatrix() = default;

  /// What the functions of the same name of overlapack::dense::LuFactorization do; each a call of the user.
  virtual Solution<T> solve(std::span<const T> b, Index nrhs, dense::Transpose op);
  Solution<T> solve_distributed(const dense::Layout& layout, dense::View<T> mine, dense::Transpose op);
  const Report& report() const { return report_; }
  const trace::Timeline& timeline() const { return session_->timeline(); }
  void restart() { interruption_.restart(); }

 protected:
  using Part = dist::DistributedMatrix<T>;

  /// Rank 0's A, dealt as the options say.
  void deal(dense::View<T> A);
  /// A is dealt already, and stays so.
  void deal(const dense::Layout& layout, dense::View<T> mine);
  /// Make factors: make(rank, place) returns what happened, summed over the ranks. The record is of it alone.
  void record(const std::function<dense::FactorResult(comm::Rank&, int place)>& make);

  /// X <- op(A)^{-1} X for an X that every rank has.
  virtual void substitute(comm::Rank& rank, int place, kernels::Op op, MatrixView<T> X) = 0;

  const Part& part(int place) const { return parts_[static_cast<std::size_t>(place)].view(); }
  Session& session() { return *session_; }
  int places() const { return session_->local_ranks(); }
  /// Tell the caller how far the factorisation is: for rank 0.
  void tell(double share) { interruption_.check("factorisation", share); }

  Options options_;
  Report report_;
  Index n_ = 0;
  DensePlan plan_;
  dense::EntrySizes sizes_;

 private:
  void take_part(comm::Rank& rank, int place);
  void describe(double seconds);
  void require_memory(comm::Rank& rank, int place);
  void drop_upper(const Part& A) const;
  dense::EntrySizes entry_sizes(comm::Rank& rank, int place) const;
  void residual(comm::Rank& rank, int place, kernels::Op op, MatrixView<const T> X,
                MatrixView<kernels::WideScalar<T>> R, MatrixView<Real<T>> W) const;
  void substitute_columns(comm::Rank& rank, int place, kernels::Op op, const T* r, T* d, Index columns);
  std::vector<BackwardError> residuals(comm::Rank& rank, int place, kernels::Op op,
                                       std::span<const ResidualColumn<T>> columns) const;
  void take_part_in_residuals(comm::Rank& rank, int place, kernels::Op op, Index columns) const;

  DenseKind kind_;
  Interruption interruption_;
  std::unique_ptr<Session> session_;
  std::vector<dist::OwnedMatrix<T>> parts_;  ///< by place
};

}  // namespace overlapack::api
