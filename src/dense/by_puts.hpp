#pragma once
#include "comm/collective/collective.hpp"
#include "comm/failure.hpp"
#include "comm/wrap/counted.hpp"
#include "dense/factor_result.hpp"
#include "dist/moves/onesided/direct_moves.hpp"

namespace overlapack::dense {

/// Copies this rank's counts of puts, gets and signals into its result.
inline void add_access_counts(const comm::Counts& counts, FactorResult& result) {
  result.signals = counts.signals;
  result.puts = counts.put.messages;
  result.put_signals = counts.put_signals;
  result.gets = counts.got.messages;
}

/// Calls f(moves) with DirectMoves on the processes of the grid; returns its FactorResult with the counts of puts, gets and signals.
/// Sync    collective over the team: ranks outside of the grid take part in the window
template <class T, class F>
FactorResult run_with_puts(comm::Rank& engine, const dist::ProcessGrid& grid, const dist::DirectRoom& room,
                           F&& f) {
  comm::Counts counts;
  comm::CountedRank rank(engine, counts);
  FactorResult result;
  comm::stop_all_on_failure(rank, [&] {
    dist::DirectMoves<T> moves(rank, grid, room);
    if (grid.holds(rank.rank())) {
      result = f(moves);
      add_access_counts(counts, result);
    }
    comm::collective::barrier(rank);  // afterwards nobody reads in my window any more
  });
  return result;
}

}  // namespace overlapack::dense
