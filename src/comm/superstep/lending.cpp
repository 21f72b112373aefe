#include "comm/failure.hpp"
#include "comm/superstep/world.hpp"

// Loans of memory that a program passed to hpput and hpget without an owner: other processes may copy from and into it only while this
// process is in a sync.
namespace overlapack::comm::superstep {

/// Loan for memory that only this process keeps alive; null for its own accesses, which happen within its sync anyway.
Loan* World::loan_to(int process) {
  if (process == me_) return nullptr;
  ++loans_;
  return loan_.get();
}

/// Run sync; if it throws, abort all ranks and end the loan, so that no process copies when the exception leaves this function.
void World::run_with_loans(FunctionRef<void()> sync) {
  if (std::exchange(loans_, 0) == 0) return sync();
  try {
    stop_all_on_failure(rank(), sync);
  } catch (...) {
    loan_->end();
    throw;
  }
}

/// For a sync in two halves: replace loans by copies, as the caller may throw between the halves, where this class cannot end a loan.
void World::end_loans() {
  counters_.direct -= std::exchange(loans_, 0);
  for (Traffic& traffic : traffic_) counters_.copied_bytes += static_cast<std::int64_t>(traffic.end_loans());
  for (Answer& answer : answers_) answer.is_direct = answer.is_direct && answer.from == me_;
}

/// Copy between a lender's memory and this process's. If the lender has left its sync by an error, this throws, as the run is aborted.
void World::copy_lent(const Record& record, int lender, const std::byte* from,
                      std::span<std::byte> to) const {
  if (!record.loan) return copy_bytes(from, to);
  if (!record.loan->copy_unless_ended([&] { copy_bytes(from, to); }))
    misuse("process " + std::to_string(lender) + " has left the sync for which it lent memory");
}

}  // namespace overlapack::comm::superstep
