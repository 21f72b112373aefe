#pragma once
#include "comm/rank.hpp"

#include <memory>

namespace overlapack::comm {

/// Permission for other ranks to copy from or into a rank's memory during a call of it; ended if the call throws.
class Loan {
 public:
  Loan();
  ~Loan();
  Loan(const Loan&) = delete;
  Loan& operator=(const Loan&) = delete;

  /// Call copy() unless the loan has ended; returns whether it did. From any thread of the process.
  bool copy_unless_ended(FunctionRef<void()> copy);
  /// End the loan; blocks until copies under way are complete.
  void end();

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace overlapack::comm
