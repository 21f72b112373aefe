#include "dense/lu/plan/discipline_times.hpp"

#include <gtest/gtest.h>

#include <cmath>

/// What LU is predicted to take by each discipline, beside sums that are counted by hand.
namespace overlapack::dense {
namespace {

constexpr Discipline all[] = {Discipline::messages, Discipline::onesided, Discipline::superstep};

LuPlan plan_of(Discipline discipline, Schedule schedule = Schedule::flat) {
  return {.discipline = discipline, .schedule = schedule};
}

/// The relative rounding of sums of some hundred positive terms.
constexpr double rounding = 1e-12;

TEST(DisciplineTimes, WhereNothingHasToMoveAllTakeTheTimeOfTheWork) {
  const LuShape shape{.n = 640, .block = 64};
  const dist::MoveTimes times{.flops_per_s = 1e9};
  double by_hand = 0;  // of a panel, of L11^-1, of the product
  for (double behind = 576; behind >= 0; behind -= 64)
    by_hand += 2e-9 * ((behind + 64) * 64 * 64 / 2 / 0.2 + 64 * 64 * behind / 2 / 0.6 + behind * behind * 64);
  for (const Discipline discipline : all)
    for (const Schedule schedule : {Schedule::flat, Schedule::look_ahead}) {
      const double seconds = predicted_seconds(plan_of(discipline, schedule), shape, times);
      EXPECT_NEAR(seconds, by_hand, rounding * by_hand) << to_string(discipline) << to_string(schedule);
    }
}

TEST(DisciplineTimes, OneRowOfProcessesSendsPanelsAlone) {
  const LuShape shape{.n = 80, .block = 8, .Q = 4};
  dist::MoveTimes times{.flops_per_s = 1e30};
  times.in_row = {.message_s = 1, .next_s = 0.01, .signal_s = 0.5, .next_signal_s = 0.125, .get_s = 0.25};
  const auto seconds = [&](Discipline discipline) {
    return predicted_seconds(plan_of(discipline), shape, times);
  };
  EXPECT_NEAR(seconds(Discipline::messages), 10 * 1.0, 1e-9);
  EXPECT_NEAR(seconds(Discipline::onesided), 10 * (2 * 0.125 + 0.5 + 0.25), 1e-9);
  // in two phases, each with a census of two rounds
  EXPECT_NEAR(seconds(Discipline::superstep), 10 * 2 * (3.0 + 2 * 0.01), 1e-9);
}

TEST(DisciplineTimes, ASearchIsARoundAColumnOrOneOfEach) {
  const LuShape shape{.n = 32, .block = 8, .P = 8};
  dist::MoveTimes times{.flops_per_s = 1e30};
  times.in_column = {.message_s = 1};
  LuPlan known = plan_of(Discipline::superstep);
  known.sync = SyncKind::known;
  // by messages three rounds; then rows to their positions and round a ring or in rounds, here few columns
  EXPECT_NEAR(predicted_seconds(plan_of(Discipline::messages), shape, times), 32 * 3 + 4 * (1 + 3), 1e-9);
  // to all others at once; then rows, and U in two phases; shared, rows alone
  EXPECT_NEAR(predicted_seconds(known, shape, times), 32 * 1 + 4 * 3, 1e-9);
  known.swap = SwapKind::shared;
  EXPECT_NEAR(predicted_seconds(known, shape, times), 32 * 1 + 4 * 1, 1e-9);
  known.pivot_search = PivotSearch::tournament;
  EXPECT_NEAR(predicted_seconds(known, shape, times), 4 * 3 + 4 * 1, 1e-9);
}

TEST(DisciplineTimes, LookAheadHidesWhatIsShorterUnlessMessagesNeedCalls) {
  const LuShape shape{.n = 4096, .block = 64, .Q = 2};
  dist::MoveTimes times{.flops_per_s = 1e9, .has_windows = true};
  times.in_row.byte = times.in_row.byte_of_one_column = {.message_s = 1e-9, .get_s = 1e-9};
  times.in_row.get_byte_of_first_s = 1e-9;
  const auto seconds = [&](Discipline discipline, Schedule schedule) {
    return predicted_seconds(plan_of(discipline, schedule), shape, times);
  };
  const double flat = seconds(Discipline::messages, Schedule::flat),
               ahead = seconds(Discipline::messages, Schedule::look_ahead);
  EXPECT_LT(ahead, flat);
  times.in_row.hidden = 0;
  EXPECT_GT(seconds(Discipline::messages, Schedule::look_ahead), 1.001 * ahead);
  const double by_gets = seconds(Discipline::onesided, Schedule::look_ahead);
  EXPECT_LT(by_gets, seconds(Discipline::messages, Schedule::look_ahead));
  times.is_within_reach = true;  // then panels do not travel
  EXPECT_LT(seconds(Discipline::onesided, Schedule::flat), flat);
  EXPECT_LE(seconds(Discipline::onesided, Schedule::look_ahead), by_gets);
}

TEST(DisciplineTimes, AreFiniteForAnyShape) {
  dist::MoveTimes times{.flops_per_s = 1e9};
  times.in_row = times.in_column = {.message_s = 1e-6, .byte = {.message_s = 1e-10}, .next_s = 1e-7};
  for (const Discipline discipline : all)
    for (const Schedule schedule : {Schedule::flat, Schedule::look_ahead, Schedule::split})
      for (const Index n : {0, 1, 7, 8, 9, 100})
        for (const int P : {1, 2, 3, 7})
          for (const int Q : {1, 2, 3, 7}) {
            const double seconds =
                predicted_seconds(plan_of(discipline, schedule), {.n = n, .block = 8, .P = P, .Q = Q}, times);
            EXPECT_TRUE(std::isfinite(seconds) && seconds >= 0) << n << ", " << P << " x " << Q;
            EXPECT_EQ(seconds > 0, n > 0);
          }
}

}  // namespace
}  // namespace overlapack::dense
