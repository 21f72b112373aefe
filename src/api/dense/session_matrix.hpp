#pragma once
#include "api/dense/dense_plan.hpp"
#include "api/run/interruption.hpp"
#include "api/run/locked_call.hpp"
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

/// What a kind of dense factorisation says of itself.
struct DenseKind {
  FactorKind factorization = FactorKind::lu;
  bool is_square = true;                                         ///< else A may have more rows than columns
  bool is_hermitian = false;                                     ///< of A only the lower triangle counts,
  bool is_whole = false;                                         ///< and the upper one has to be like it
  std::size_t factor_bytes = 0;                                  ///< memory of the factors, an entry of A
  double (*flops)(Index m, Index n, bool is_complex) = nullptr;  ///< of factorising and solving once
};

/// A matrix on the ranks of a session, for the factors that a derived class makes of it.
template <class T>
class SessionMatrix {
 public:
  SessionMatrix(const Options& options, const DenseKind& kind);
  virtual ~SessionMatrix() = default;

  /// X for rank 0's B; a call of the user, as the following.
  virtual Solution<T> solve(std::span<const T> b, Index nrhs, dense::Transpose op) = 0;
  /// The same for a B whose parts are on the ranks: it comes to rank 0, and of X each rank keeps its part.
  Solution<T> solve_distributed(const dense::Layout& layout, dense::View<T> mine, dense::Transpose op);
  const Report& report() const { return report_; }
  const trace::Timeline& timeline() const { return session_->timeline(); }
  trace::Timeline take_timeline() { return session_->take_timeline(); }
  /// A call of the user: api::locked_call.
  template <class Work>
  decltype(auto) locked_call(call::Name name, Work&& work) {
    return api::locked_call(name, calls_, interruption_, std::forward<Work>(work));
  }

 protected:
  using Part = dist::DistributedMatrix<T>;

  /// Until when the caller's A is there.
  enum class Lent : std::uint8_t { until_distributed, until_the_end };
  /// Rank 0's A, distributed as the options say.
  void distribute(dense::View<T> A, Lent lent = Lent::until_distributed);
  /// A is distributed already, and stays so.
  void distribute(const dense::Layout& layout, dense::View<T> mine);
  /// Make factors: make(rank, place) returns what happened, summed over the ranks. The record is of it alone.
  void record(const std::function<dense::FactorResult(comm::Rank&, int position)>& make);

  const Part& part(int position) const { return parts_[static_cast<std::size_t>(position)].view(); }
  /// A, as op(M), for who reads it: my part of it or, where it is lent until the end, some columns of the caller's memory.
  struct Readable {
    Part M;
    kernels::Op op = kernels::Op::none;  ///< or trans
  };
  Readable readable(int position) const;
  /// Where A is lent until the end its parts need not be kept: factors may stand there.
  bool is_lent() const { return lent_.data != nullptr; }
  dist::OwnedMatrix<T> take_memory(int position) {
    return std::move(parts_[static_cast<std::size_t>(position)]);
  }
  Session& session() { return *session_; }
  int positions() const { return session_->local_ranks(); }
  /// Tell the caller how far the factorisation is: for rank 0.
  void report_progress(double share) { interruption_.check("factorisation", share); }

  Options options_;
  DenseKind kind_;
  Interruption interruption_;
  Report report_;
  Index m_ = 0, n_ = 0;
  DensePlan plan_;
  dense::EntrySizes sizes_;

 private:
  void take_part(comm::Rank& rank, int position, dense::ColumnSource<T> columns);
  void describe(double seconds);
  void require_memory(comm::Rank& rank, int position);
  void drop_upper(const Part& A) const;
  dense::EntrySizes entry_sizes(comm::Rank& rank, int position, dense::ColumnSource<T> columns) const;
  comm::CallMutex calls_;  ///< of the threads that call: they share what is here and in derived classes
  std::unique_ptr<Session> session_;
  std::vector<dist::OwnedMatrix<T>> parts_;  ///< by position
  dense::View<T> lent_;                      ///< until the end, by columns or by rows; null: it is not
  dist::ProcessGrid lent_grid_{1, 1, dist::GridOrder::row_major, 1};  ///< a position for each rank
};

}  // namespace overlapack::api
