#pragma once
#include "api/interruption.hpp"
#include "api/iterative/direct_inner.hpp"
#include "api/session.hpp"
#include "iterative/driver/block.hpp"
#include "iterative/driver/plan.hpp"
#include "overlapack/iterative.hpp"

#include <memory>
#include <vector>

namespace overlapack::iterative {

/// What an Iteration owns: the matrix as read, the team, and each local rank's rows.
template <class T>
struct Iteration<T>::Implementation {
  Implementation(SparseMatrix<T> matrix, const Options& options);
  Solution<T> solve(std::span<const T> b, Index nrhs);

  Options options;
  api::Interruption interruption;
  std::unique_ptr<api::Session> session;
  Report report;

 private:
  /// One rank of this process.
  struct Place {
    std::unique_ptr<DealtBlock<T>> block;
    api::OneRank* alone = nullptr;  ///< during a run, where blocks are factorised
    api::BlockFactors factors;
  };
  bool is_multisplitting() const { return options.method == "multisplitting"; }
  bool has_factors() const { return is_multisplitting() && options.inner == "direct"; }
  void analyse();
  void bound();
  void deal();
  void deal_blocks(comm::Rank& rank, Place& place, int number, const SparseMatrix<T>* A,
                   std::span<const int> owner);
  void run(const std::function<void(comm::Rank&, Place&, int)>& fn);

  IterationPlan plan_;
  SparseMatrix<T> A_;  ///< rank 0
  std::vector<Place> places_;
};

}  // namespace overlapack::iterative
