#include "call.hpp"

#include "comm/collective/collective.hpp"
#include "overlapack/quiet_floats.hpp"
#include "teams.hpp"

#include <algorithm>

namespace overlapack::scalapack {
namespace {

/// The process grid in ranks of the team, since BLACS may number the processes of a grid in any way.
dist::ProcessGrid process_grid(comm::Rank& rank, const Grid& grid) {
  std::vector<int> ranks(static_cast<std::size_t>(grid.size()), -1);
  ranks[static_cast<std::size_t>(grid.row) +
        static_cast<std::size_t>(grid.col) * static_cast<std::size_t>(grid.rows)] = rank.rank();
  comm::collective::all_reduce(rank, std::span<int>(ranks), [](int a, int b) { return std::max(a, b); });
  return {grid.rows, grid.cols, std::move(ranks), rank.size()};
}

}  // namespace

int run(const Grid& grid, const ArgumentCheck& check, const std::function<int(const Position&)>& work) {
  const QuietFloats quiet;
  take_given_plan();
  const bool has_plan = session().refusal.empty();
  Verdict verdict;
  int info = 0;
  team_of(grid).run([&](comm::Rank& rank) {
    verdict = check.agree(rank, session().plan_number);
    if (verdict.info != 0 || !verdict.is_one_plan || !has_plan) return;
    const dist::ProcessGrid processes = process_grid(rank, grid);
    info = work({rank, processes, {grid.row, grid.col}, session().plan});
  });
  if (!verdict.is_taken) throw NotServed{verdict.info};
  if (verdict.info != 0) return verdict.info;
  if (!verdict.is_one_plan)
    throw Error(Status::bad_plan,
                "the processes of the grid have different plans; call overlapack_scalapack_set_plan with the "
                "same on all");
  if (!has_plan) {
    tell_refusal(grid);
    throw Error(Status::bad_plan, session().refusal);
  }
  ++session().calls;
  return info;
}

}  // namespace overlapack::scalapack
