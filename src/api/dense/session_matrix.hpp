#pragma once
#include "api/dense/dense_plan.hpp"
#include "api/run/interruption.hpp"
#include "api/run/locked_call.hpp"
#include "api/run/refuse_answer.hpp"
#include "api/run/session.hpp"
#include "comm/call_mutex.hpp"
#include "dense/check/column_source.hpp"
#include "dense/check/entry_sizes.hpp"
#include "dense/factor_result.hpp"
#include "dist/grid/owned_matrix.hpp"
#include "kernels/product/gemm.hpp"
#include "overlapack/dense.hpp"

#include <utility>

namespace overlapack::api {

/// The properties in which the kinds of dense factorisations differ.
struct DenseKind {
  FactorKind factorization = FactorKind::lu;
  bool is_square = true;         ///< else A may have more rows than columns
  bool is_hermitian = false;     ///< only the lower triangle of A is used
  bool is_whole = false;         ///< is_hermitian: the upper triangle is checked against the lower one
  std::size_t factor_bytes = 0;  ///< bytes of the factors for each entry of A
  double (*flops)(Index m, Index n,
                  bool is_complex) = nullptr;  ///< operations of a factorisation and one solve
};

/// A dense matrix that is distributed over the ranks of a session. Derived classes make its LU, Cholesky or QR factors and solve with them.
template <class T>
class SessionMatrix {
 public:
  SessionMatrix(const Options& options, const DenseKind& kind);
  virtual ~SessionMatrix() = default;

  /// Solve for rank 0's B. This function and the next one are public calls.
  virtual Solution<T> solve(std::span<const T> b, Index nrhs, dense::Transpose op) = 0;
  /// Solve for a distributed B, which is gathered on rank 0. Each rank keeps its part of X.
  Solution<T> solve_distributed(const dense::Layout& layout, dense::View<T> mine, dense::Transpose op);
  virtual Determinant<T> determinant() { refuse_answer(call::determinant, report_, "determinant"); }
  virtual double reciprocal_condition() {
    refuse_answer(call::reciprocal_condition, report_, "estimate of the condition number");
  }
  const Report& report() const { return report_; }
  void agree(const std::function<void()>& check) { session_->agree(check); }
  const trace::Timeline& timeline() const { return session_->timeline(); }
  void between_calls(const std::function<void()>& read) {
    const comm::CallLock turn(calls_);
    read();
  }
  trace::Timeline take_timeline() { return session_->take_timeline(); }
  /// Run `work` as a public call (api::locked_call).
  template <class Work>
  decltype(auto) locked_call(call::Name name, Work&& work) {
    return api::locked_call(name, calls_, interruption_, std::forward<Work>(work));
  }

 protected:
  using Part = dist::DistributedMatrix<T>;

  /// How long the caller's A stays valid: until distribute returns, or as long as this object lives.
  enum class Lent : std::uint8_t { until_distributed, until_the_end };
  /// Distribute rank 0's A as the options say.
  void distribute(dense::View<T> A, Lent lent = Lent::until_distributed);
  /// Copy an A that is distributed already, and keep its layout.
  void distribute(const dense::Layout& layout, dense::View<T> mine);
  /// Make the factors by make(rank, position), which returns counters summed over the ranks. The record of events is of this run alone.
  void run_factorization(const std::function<dense::FactorResult(comm::Rank&, int position)>& make);

  const Part& part(int position) const { return parts_[static_cast<std::size_t>(position)].view(); }
  /// A = op(M) for reading. M is this rank's part or, if A is lent until the end, some columns of the caller's memory.
  struct Readable {
    Part M;
    kernels::Op op = kernels::Op::none;  ///< none or trans
  };
  Readable readable(int position) const;
  /// Whether A is lent until the end. If so, factors may overwrite its parts (move_out_part).
  bool is_lent() const { return lent_.data != nullptr; }
  dist::OwnedMatrix<T> move_out_part(int position) {
    return std::move(parts_[static_cast<std::size_t>(position)]);
  }
  Session& session() { return *session_; }
  int local_ranks() const { return session_->local_ranks(); }
  /// Report progress to the caller. On rank 0.
  void report_progress(double share) { interruption_.report_progress("factorisation", share); }

  Options options_;
  DenseKind kind_;
  Interruption interruption_;
  Report report_;
  Index m_ = 0, n_ = 0;
  DensePlan plan_;
  dense::EntrySizes sizes_;

 private:
  DensePlan plan_of(const Options& options, Index n, std::span<const int> node_of) const;
  void fill_and_measure_part(comm::Rank& rank, int position, dense::ColumnSource<T> columns);
  void write_analysis(double seconds);
  void require_memory(comm::Rank& rank, int position);
  void reduce_to_lower_triangle(const Part& A) const;
  dense::EntrySizes entry_sizes(comm::Rank& rank, int position, dense::ColumnSource<T> columns) const;
  comm::CallMutex calls_;  ///< serialises calls, since threads share this object
  std::unique_ptr<Session> session_;
  std::vector<dist::OwnedMatrix<T>> parts_;  ///< by position
  dense::View<T> lent_;                      ///< the caller's A while it is lent until the end; else null
  dist::ProcessGrid lent_grid_{1, 1, dist::GridOrder::row_major, 1};  ///< a process column for each rank
};

}  // namespace overlapack::api

namespace overlapack::dense {

/// Make the public object Factors<T> whose Implementation is constructed from these arguments.
template <template <class> class Factors, class T, class... Arguments>
Factors<T> make_public_factors(Arguments&&... arguments) {
  return Factors<T>(make_handle<api::SessionMatrix<T>, typename Factors<T>::Implementation>(
      std::forward<Arguments>(arguments)...));
}

}  // namespace overlapack::dense
