#pragma once
#include "comm/rank.hpp"

#include <memory>

namespace overlapack::comm {

/// Permission of one rank, the lender, for the other ranks of its process to copy from or into its memory while it is inside a call
/// (superstep::World::sync). If that call throws, the lender ends the loan first, so that no rank copies from memory that is gone.
class Loan {
 public:
  Loan();
  ~Loan();
  Loan(const Loan&) = delete;
  Loan& operator=(const Loan&) = delete;

  /// Call copy() unless the loan has ended; returns whether copy() was called. May be called from any thread of the process.
  bool copy_unless_ended(FunctionRef<void()> copy);
  /// End the loan, called by the lender; blocks until copies under way are complete.
  void end();

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace overlapack::comm
