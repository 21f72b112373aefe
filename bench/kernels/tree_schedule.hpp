#pragma once
#include "overlapack/scalar.hpp"

#include <algorithm>
#include <cmath>
#include <map>
#include <span>
#include <vector>

/// What threads would need for a tree of fronts, of which large ones may be shared.
namespace overlapack::bench {

struct TreeTask {
  Index parent = -1;
  double seconds = 0;                ///< what one thread does alone
  std::map<int, double> shared_s{};  ///< threads, 1 among them -> seconds of what they share; empty: nothing
};

/// With so many threads: `seconds`, and between the measured numbers a rate between theirs.
inline double seconds_on(const TreeTask& task, int threads) {
  if (task.shared_s.empty()) return task.seconds;
  const auto above = task.shared_s.lower_bound(threads);
  if (above == task.shared_s.end()) return task.seconds + task.shared_s.rbegin()->second;
  if (above->first == threads) return task.seconds + above->second;
  const auto below = std::prev(above);
  const double share = static_cast<double>(threads - below->first) / (above->first - below->first);
  return task.seconds + 1 / ((1 - share) / below->second + share / above->second);
}

struct TreeTime {
  double work_s = 0;  ///< on one thread
  double path_s = 0;  ///< of tasks that wait for each other, each shared by all threads
  double span_s = 0;  ///< scheduled
};

/// Each thread takes the ready task with the longest path to the root; those for whom none is ready help with shared ones, those with the
/// longest path first. A task's rate changes as helpers come and go. Children are numbered before their parents.
inline TreeTime schedule(std::span<const TreeTask> tasks, int threads) {
  struct Running {
    Index task;
    double left;  ///< share
    int helpers;
  };
  const auto count = static_cast<Index>(tasks.size());
  TreeTime time;
  std::vector<double> path(tasks.size());
  std::vector<Index> children(tasks.size()), ready;
  for (Index t = count; t-- > 0;) {
    const Index parent = tasks[t].parent;
    path[t] = seconds_on(tasks[t], threads) + (parent < 0 ? 0 : path[parent]);
    if (parent >= 0) ++children[parent];
    time.work_s += seconds_on(tasks[t], 1);
    time.path_s = std::max(time.path_s, path[t]);
  }
  const auto is_later = [&](Index a, Index b) { return path[a] < path[b]; };
  for (Index t = 0; t < count; ++t)
    if (children[t] == 0) ready.push_back(t);
  std::ranges::make_heap(ready, is_later);
  std::vector<Running> running;
  for (Index done = 0; done < count;) {
    while (!ready.empty() && static_cast<int>(running.size()) < threads) {
      std::ranges::pop_heap(ready, is_later);
      running.push_back({ready.back(), 1, 0});
      ready.pop_back();
    }
    std::ranges::sort(running,
                      [&](const Running& a, const Running& b) { return path[a.task] > path[b.task]; });
    int idle = threads - static_cast<int>(running.size());
    const auto shared =
        std::ranges::count_if(running, [&](const Running& r) { return !tasks[r.task].shared_s.empty(); });
    for (Index left = shared; Running & r : running) {
      r.helpers = 0;
      if (tasks[r.task].shared_s.empty()) continue;
      r.helpers = static_cast<int>((idle + left - 1) / left--);
      idle -= r.helpers;
    }
    double step_s = HUGE_VAL;
    for (const Running& r : running)
      step_s = std::min(step_s, r.left * seconds_on(tasks[r.task], 1 + r.helpers));
    time.span_s += step_s;
    for (Running& r : running) {
      const double all_s = seconds_on(tasks[r.task], 1 + r.helpers);
      r.left = all_s > 0 ? r.left - step_s / all_s : 0;
      if (r.left > 1e-12) continue;
      ++done;
      const Index parent = tasks[r.task].parent;
      if (parent < 0 || --children[parent] > 0) continue;
      ready.push_back(parent);
      std::ranges::push_heap(ready, is_later);
    }
    std::erase_if(running, [](const Running& r) { return r.left <= 1e-12; });
  }
  return time;
}

}  // namespace overlapack::bench
