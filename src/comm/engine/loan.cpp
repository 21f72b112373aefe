#include "comm/loan.hpp"

#include <mutex>
#include <shared_mutex>

namespace overlapack::comm {

struct Loan::State {
  std::shared_mutex mutex;  ///< locked shared while copying
  bool has_ended = false;
};

Loan::Loan() : state_(std::make_unique<State>()) {}
Loan::~Loan() = default;

bool Loan::copy_unless_ended(FunctionRef<void()> copy) {
  const std::shared_lock lock(state_->mutex);
  if (!state_->has_ended) copy();
  return !state_->has_ended;
}

void Loan::end() {
  const std::unique_lock lock(state_->mutex);
  state_->has_ended = true;
}

}  // namespace overlapack::comm
