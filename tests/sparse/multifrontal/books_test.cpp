#include "problems.hpp"
#include "sparse/multifrontal/factorize/factorize.hpp"
#include "sparse/multifrontal/factors/state.hpp"
#include "sparse/multifrontal/message/contribution_message.hpp"
#include "sparse/multifrontal/plan/front_slots.hpp"
#include "sparse/multifrontal/plan/placement.hpp"

#include <deque>

/// What the books of a rank say once its run has ended early.
namespace overlapack::sparse::testing {
namespace {

using comm::conformance::each_team;

/// Bytes that are promised to strips which have not begun; all that is held is given back.
double promised(FactorState<double>& state) {
  for (Front<double>& front : state.fronts) front = {};
  state.remote.clear();
  state.strips.clear();
  return state.ledger.bytes_with_promised() - static_cast<double>(state.ledger.factors.used_bytes());
}

/// Others hear of these bytes with each news of loads, so that strips would go elsewhere in all later runs.
TEST(Books, AreEmptyAfterACancelledRun) {
  const auto A = cube_of<double>(6);
  const FactorPlan plan = strips_plan(comm::ReceiveMode::immediate, 2);
  double left = 0;
  int most_ranks = 0;
  for (const FactorKind kind : {FactorKind::lu, FactorKind::ldlt})
    for (const double share : {0.05, 0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7})
      each_team({}, [&](comm::Team& team) {
        most_ranks = std::max(most_ranks, team.size());
        const Analysis analysis = team.first_local() == 0 ? analyse(A, plan_of(kind)) : Analysis();
        std::deque<FactorState<double>> states(static_cast<std::size_t>(team.size()));
        const FactorWatch watch{.on_progress = [&](double done) { return done <= share; }};
        try {
          team.run([&](comm::Rank& rank) {
            FactorState<double>& state = states[static_cast<std::size_t>(rank.rank())];
            if (rank.rank() == 0)
              state.structure = make_structure(analysis, place_fronts(rank, analysis, plan, false));
            state.structure = broadcast(rank, std::move(state.structure));
            state.fronts = FrontTable<double>(state.structure.tree.fronts());
            for (Index f = 0; f < state.structure.tree.fronts(); ++f)
              if (state.structure.owner[f] == rank.rank()) state.fronts.add(f);
            EntryStore<double> entries;
            entries.distribute(rank, FrontSlots(state.structure), &analysis, {&A}, false);
            FactorWalk<double>(rank, state, entries, plan, watch).run_all();
          });
          ADD_FAILURE() << "a cancelled factorisation returned";
        } catch (const Error& error) {
          EXPECT_EQ(error.status(), Status::cancelled) << error.what();
        }
        for (FactorState<double>& state : states) {
          left += promised(state);
          state.clear();
          EXPECT_EQ(state.ledger.bytes_with_promised(), 0);
        }
      });
  if (comm::conformance::is_thread()) {
    EXPECT_EQ(left > 0, most_ranks > 1);
  }
}

TEST(Books, HaveAPackedBlockBesideWhatComesOfIt) {
  each_team({}, [](comm::Team& team) {
    team.run([](comm::Rank& rank) {
      constexpr Index m = 100, width = staircase_width(m);
      const std::vector<double> block(static_cast<std::size_t>(staircase_entries(m, width)), 1);
      Contribution<double> mine;
      mine.front = 0;
      mine.border = m;
      mine.block = {block.data(), m, width};
      auto [header, body] = copy_block(rank, mine, true);
      const std::size_t packed = body.size();
      Ledger ledger;
      RemoteContribution<double> remote;
      remote.store_block_or_delayed(rank, ledger, {header, std::move(body)});
      EXPECT_EQ(ledger.peak_bytes(), static_cast<double>(packed + block.size() * sizeof(double)));
      EXPECT_EQ(ledger.bytes_with_promised(), 0);
    });
  });
}

}  // namespace
}  // namespace overlapack::sparse::testing
