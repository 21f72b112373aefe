#pragma once
#include "comm/rank.hpp"

#include <memory>

namespace overlapack::comm {

/// Memory of a rank that others copy from or into while it is in a call, and not when an error has thrown it out of that.
class Loan {
 public:
  Loan();
  ~Loan();
  Loan(const Loan&) = delete;
  Loan& operator=(const Loan&) = delete;

  /// Copy, unless the loan has ended; false then. From any thread of the process.
  bool use(FunctionRef<void()> copy);
  /// Returns when nobody copies any more; blocks for as long as that takes.
  void end();

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace overlapack::comm
