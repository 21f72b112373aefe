#include "dense/lu/plan/discipline.hpp"

#include "comm/team.hpp"
#include "dense/lu/lu.hpp"
#include "overlapack/error.hpp"

#include <gtest/gtest.h>

#include <string>

namespace overlapack::dense {
namespace {

/// The sentence that refuses a pair; "" if none does.
std::string refusal(Discipline discipline, Schedule schedule) {
  try {
    require_discipline_for_schedule(discipline, schedule);
    return "";
  } catch (const Error& e) {
    EXPECT_EQ(e.status(), Status::bad_plan);
    return e.what();
  }
}

TEST(Discipline, MessagesRunEveryScheduleOfDenseMatrices) {
  for (std::size_t s = 0; s < std::size(choice_names<Schedule>); ++s)
    if (static_cast<Schedule>(s) != Schedule::pipelined) {
      EXPECT_EQ(refusal(Discipline::messages, static_cast<Schedule>(s)), "") << choice_names<Schedule>[s];
    }
  EXPECT_NE(refusal(Discipline::messages, Schedule::pipelined).find("supernodal"), std::string::npos);
}

/// Which of the others run which schedule.
bool is_built(Discipline discipline, Schedule schedule) {
  if (schedule == Schedule::flat || schedule == Schedule::look_ahead) return true;
  return schedule == Schedule::split && discipline == Discipline::onesided;
}

TEST(Discipline, TheOthersRunThoseInWhichNobodyWaitsForMessages) {
  for (const Discipline discipline : {Discipline::onesided, Discipline::superstep})
    for (std::size_t s = 0; s < std::size(choice_names<Schedule>); ++s) {
      const auto schedule = static_cast<Schedule>(s);
      const std::string sentence = refusal(discipline, schedule);
      EXPECT_EQ(sentence.empty(), is_built(discipline, schedule)) << sentence;
      if (sentence.empty()) continue;
      EXPECT_NE(sentence.find(choice_names<Schedule>[s]), std::string::npos) << sentence;
      EXPECT_NE(sentence.find(choice_names<Discipline>[static_cast<std::size_t>(discipline)]),
                std::string::npos)
          << sentence;
    }
}

TEST(Discipline, SearchesAndInterchangesThatASchedulesOrderHasNoPositionForAreRefused) {
  using enum Discipline;
  for (const Discipline discipline : {messages, onesided, superstep}) {
    EXPECT_NO_THROW(require_swap_for_discipline(SwapKind::pairwise, discipline, Schedule::flat));
    EXPECT_NO_THROW(require_swap_for_discipline(SwapKind::direct, discipline, Schedule::look_ahead));
    EXPECT_THROW(require_swap_for_discipline(SwapKind::pairwise, discipline, Schedule::look_ahead), Error);
  }
  EXPECT_NO_THROW(require_search_for_schedule(PivotSearch::columns, Schedule::flat));
  EXPECT_THROW(require_search_for_schedule(PivotSearch::columns, Schedule::look_ahead), Error);
  EXPECT_NO_THROW(require_swap_for_discipline(SwapKind::spread_roll, messages, Schedule::flat));
  EXPECT_THROW(require_swap_for_discipline(SwapKind::spread_roll, superstep, Schedule::flat), Error);
  EXPECT_THROW(require_swap_for_discipline(SwapKind::mix, onesided, Schedule::flat), Error);
  for (const Schedule schedule : {Schedule::flat, Schedule::look_ahead}) {
    EXPECT_NO_THROW(require_swap_for_discipline(SwapKind::shared, superstep, schedule));
    EXPECT_THROW(require_swap_for_discipline(SwapKind::shared, messages, schedule), Error);
    EXPECT_THROW(require_swap_for_discipline(SwapKind::shared, onesided, schedule), Error);
  }
}

TEST(Discipline, AFactorizationAsksForItsPair) {
  comm::run({}, [](comm::Rank& rank) {
    const dist::ProcessGrid grid(1, 1, dist::GridOrder::row_major, 1);
    double a = 2;
    Index pivot = -1;
    const dist::DistributedMatrix<double> A{&grid, {0, 0}, {1, 1, 1, 0}, {1, 1, 1, 0}, {&a, 1, 1, 1}};
    const std::span<Index> pivots(&pivot, 1);
    const LuPlan parity{.discipline = Discipline::onesided, .schedule = Schedule::parity};
    EXPECT_THROW(lu_factor(rank, A, pivots, parity), Error);
    const LuPlan deep{.discipline = Discipline::superstep, .depth = 2};
    EXPECT_THROW(lu_factor(rank, A, pivots, deep), Error);
    EXPECT_EQ(pivot, -1);
    EXPECT_EQ(lu_factor(rank, A, pivots, {}).info, 0);
    EXPECT_EQ(pivot, 0);
  });
}

}  // namespace
}  // namespace overlapack::dense
