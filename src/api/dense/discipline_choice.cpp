#include "api/dense/discipline_choice.hpp"

#include "dense/lu/lu.hpp"
#include "dense/lu/plan/discipline_times.hpp"
#include "overlapack/error.hpp"

#include <algorithm>
#include <cstdio>
#include <string>
#include <vector>

namespace overlapack::api {
namespace {

struct Prediction {
  dense::LuPlan plan;
  double seconds;
};

/// Whether other ranks can access A in the memory that the options name. Empty: in place only, since a copy doubles the memory.
bool can_be_lent(const dist::MoveTimes& times, const DisciplineProblem& problem,
                 std::optional<LentMemory> memory) {
  if (!times.has_windows) return false;
  if (!memory) return times.reaches_attached || problem.may_stand_in_window;
  return *memory == LentMemory::copy ||
         (*memory == LentMemory::user ? problem.may_stand_in_window : times.reaches_attached);
}

bool is_possible(const dense::LuPlan& plan) {
  try {
    dense::require_built(plan);
    return true;
  } catch (const Error&) {
    return false;
  }
}

std::vector<Prediction> predictions(const dist::MoveTimes& times, const Options& options,
                                    const DisciplineProblem& problem, const DensePlan& plan) {
  const dense::LuShape shape{.n = problem.n,
                             .block = plan.block,
                             .P = plan.grid.rows(),
                             .Q = plan.grid.cols(),
                             .entry_bytes = static_cast<double>(problem.entry_bytes),
                             .flops_of_multiply = problem.is_complex ? 8.0 : 2.0};
  std::vector<Prediction> found;
  for (const Discipline discipline : {Discipline::messages, Discipline::onesided, Discipline::superstep}) {
    dense::LuPlan by = plan.lu;
    by.discipline = discipline;
    by.swap = choose_swap_kind(options.dense, discipline, by.schedule);
    const bool is_others = discipline != Discipline::messages;
    if (is_others && (options.dense.broadcast || !is_possible(by))) continue;  // kinds are of messages only
    if (discipline == Discipline::onesided && !can_be_lent(times, problem, options.dense.memory)) continue;
    found.push_back({by, dense::predicted_seconds(by, shape, times)});
  }
  return found;
}

template <class... Values>
std::string printed(const char* pattern, Values... values) {
  char text[200];
  std::snprintf(text, sizeof text, pattern, values...);
  return text;
}

std::string in_words(const dist::TransferCost& cost, bool has_windows, const char* where) {
  std::string text = printed(
      " along process %s a message takes %.2g us and %.2g s a GB (one column alone %.2g), "
      "hiding %.0f %%",
      where, 1e6 * cost.message_s, 1e9 * cost.byte.message_s, 1e9 * cost.byte_of_one_column.message_s,
      100 * cost.hidden);
  if (has_windows)
    text += printed(", a signal %.2g us, a get %.2g us and %.2g s a GB (%.2g, %.2g by all from one)",
                    1e6 * cost.signal_s, 1e6 * cost.get_s, 1e9 * cost.byte.get_s,
                    1e9 * cost.byte_of_one_column.get_s, 1e9 * cost.get_byte_of_first_s);
  return text + ";";
}

}  // namespace

DensePlan choose_discipline(const dist::MoveTimes& times, const Options& options,
                            const DisciplineProblem& problem, DensePlan plan) {
  const std::vector<Prediction> all = predictions(times, options, problem, plan);
  const Prediction& messages = all.front();
  if (all.size() == 1) {
    plan.choice = "messages of disciplines: with these options and on this engine no other one can be";
    return plan;
  }
  const Prediction& least = *std::ranges::min_element(all, {}, &Prediction::seconds);
  const bool is_worth = least.seconds * discipline_worth < messages.seconds;
  plan.lu = is_worth ? least.plan : messages.plan;
  plan.choice = std::string(to_string(plan.lu.discipline)) + " of disciplines:";
  for (const Prediction& one : all)
    plan.choice += printed(" %s %.3g s,", std::string(to_string(one.plan.discipline)).c_str(), one.seconds);
  plan.choice.back() = ' ';
  plan.choice += "were predicted, since";
  if (plan.grid.cols() > 1) plan.choice += in_words(times.in_row, times.has_windows, "rows");
  if (plan.grid.rows() > 1) plan.choice += in_words(times.in_column, times.has_windows, "columns");
  plan.choice.pop_back();
  return plan;
}

DensePlan choose_discipline(comm::Rank& rank, const Options& options, const DisciplineProblem& problem,
                            DensePlan plan) {
  if (options.dense.discipline) return plan;
  if (plan.grid.size() == 1) {
    plan.choice = "messages of disciplines: one rank has nothing to move";
    return plan;
  }
  const dist::MoveTimes times = dist::measured_moves(rank, plan.grid);
  return choose_discipline(times, options, problem, std::move(plan));
}

}  // namespace overlapack::api
