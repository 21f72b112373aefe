#include "comm/failure.hpp"
#include "comm/superstep/world.hpp"

// What hpput and hpget are given without an owner: others copy from and into it while I am in a sync, and not when I have left.
namespace overlapack::comm::superstep {

/// Of memory that only I keep alive: for others alone, since I do not copy where I have left.
Loan* World::loan_to(int process) {
  if (process == me_) return nullptr;
  ++loans_;
  return loan_.get();
}

/// An error ends the run, and nobody copies from or into what was lent any more when it goes on.
void World::while_lending(FunctionRef<void()> sync) {
  if (std::exchange(loans_, 0) == 0) return sync();
  try {
    stop_all_on_failure(rank(), sync);
  } catch (...) {
    loan_->end();
    throw;
  }
}

/// Between the halves of a sync the caller may throw, and I would not know.
void World::end_loans() {
  counters_.direct -= std::exchange(loans_, 0);
  for (Traffic& traffic : traffic_) counters_.copied_bytes += static_cast<std::int64_t>(traffic.end_loans());
  for (Answer& answer : answers_) answer.is_direct = answer.is_direct && answer.from == me_;
}

/// Between a process's memory and mine. Where it has left by an error, the run has ended with that.
void World::copy_lent(const Record& record, int lender, const std::byte* from,
                      std::span<std::byte> to) const {
  if (!record.loan) return copy_bytes(from, to);
  if (!record.loan->use([&] { copy_bytes(from, to); }))
    misuse("process " + std::to_string(lender) + " has left the sync for which it lent memory");
}

}  // namespace overlapack::comm::superstep
