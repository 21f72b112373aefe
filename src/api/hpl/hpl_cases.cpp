#include "api/hpl/hpl_cases.hpp"

#include "api/dense/dense_plan.hpp"
#include "overlapack/error.hpp"

#include <algorithm>

namespace overlapack::api {
namespace {

using dense::Schedule;

struct Order {
  Schedule schedule;
  int depth;
  bool operator==(const Order&) const = default;
};

/// Schedules with their depths, each once.
std::vector<Order> orders(const HplFile& file) {
  std::vector<Order> all;
  const auto add = [&](Order order) {
    if (std::ranges::find(all, order) == all.end()) all.push_back(order);
  };
  for (int depth : file.depth) {
    if (file.schedules.empty()) add({depth == 0 ? Schedule::flat : Schedule::look_ahead, depth});
    for (Schedule schedule : file.schedules) add({schedule, panels_ahead(schedule, std::max(1, depth))});
  }
  return all;
}

std::vector<dense::PanelPlan> panel_plans(const HplFile& file) {
  std::vector<dense::PanelPlan> plans;
  for (auto recursion : file.recursion)
    for (auto base : file.base)
      for (Index smallest : file.smallest)
        for (Index parts : file.parts) plans.push_back({recursion, base, smallest, parts});
  return plans;
}

/// All combinations of options of the factorisation, without the matrix and the grid.
std::vector<dense::LuPlan> lu_plans(const HplFile& file) {
  std::vector<dense::LuPlan> plans;
  for (const Order& order : orders(file))
    for (auto broadcast : file.broadcast)
      for (const dense::PanelPlan& panel : panel_plans(file)) {
        dense::LuPlan plan;
        plan.schedule = order.schedule;
        plan.depth = order.depth;
        plan.panel = panel;
        plan.messages = {.broadcast = broadcast, .swap = file.swap, .mix_columns = file.mix_columns};
        plan.exchange_left = false;  // L is not used for further solves
        plans.push_back(plan);
      }
  return plans;
}

}  // namespace

std::vector<HplCase> hpl_cases(const HplFile& file) {
  constexpr double most_runs = 1e5;  // ten lists of twenty values would be more than memory holds
  double runs = 1;
  for (const std::size_t length :
       {file.grid_rows.size(), file.n.size(), file.block.size(), orders(file).size(), file.broadcast.size(),
        file.recursion.size(), file.base.size(), file.smallest.size(), file.parts.size()})
    runs *= static_cast<double>(length);
  if (runs > most_runs)
    throw Error(Status::bad_input,
                "the lists make more than 100000 runs, each value with each other one; give shorter ones");
  const std::vector<dense::LuPlan> plans = lu_plans(file);
  std::vector<HplCase> cases;
  for (std::size_t grid = 0; grid < file.grid_rows.size(); ++grid)
    for (Index n : file.n)
      for (Index block : file.block)
        for (const dense::LuPlan& plan : plans)
          cases.push_back({n, block, file.grid_rows[grid], file.grid_cols[grid], file.order, plan});
  return cases;
}

}  // namespace overlapack::api
