// What threads would bring to a factorisation and to its large fronts: bench_replay THREADS[,THREADS...] [--steps] [--schedule FILE]
// KIND:SIZE... (of overlapack generate). Ten factorisations on one thread; the least duration of each task is kept, and the tasks of each
// large front are scheduled on so many threads, in the order in which it would give them out. Then the fronts are, along the tree. No
// clock runs beside others, so that two busy processors are enough. One line of JSON for each matrix and number of threads.
// --steps: large fronts step by step instead, as simulated ranks take them: panel, rows below, update
// --schedule: the last one's largest front as a table: thread, begin, end (seconds), kind of task
#include "comm/team.hpp"
#include "comm/wrap/forwarding.hpp"
#include "overlapack/generate.hpp"
#include "sparse/analysis/analysis.hpp"
#include "sparse/multifrontal/multifrontal.hpp"
#include "sparse/multifrontal/plan/placement.hpp"
#include "sparse/multifrontal/plan/structure.hpp"
#include "sparse/multifrontal/tiles/front_tasks.hpp"
#include "tree_schedule.hpp"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <array>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <map>
#include <queue>
#include <sstream>
#include <string>
#include <vector>

using namespace overlapack;

namespace {

constexpr int runs = 10;
constexpr double task_s = 0.5e-6;  ///< to take a task and to end it

double now_s() {
  return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count();
}

struct Scheduled {
  int thread;
  double begin_s, end_s;
  int kind;
};

/// The least durations of everything that a rank computes, over several runs of the same work.
class Durations {
 public:
  void begin_run() { call_ = 0; }
  void next_call() { ++call_; }
  /// The least so far of part {kind, i, j, k} of the call at hand.
  double least(std::array<int, 4> part, double measured_s) {
    const auto it = least_.emplace(std::pair{call_, part}, measured_s).first;
    return it->second = std::min(it->second, measured_s);
  }

 private:
  int call_ = 0;
  std::map<std::pair<int, std::array<int, 4>>, double> least_;
};

/// Runs everything on this thread, and tells when `threads` would have ended.
class ReplayedRank final : public comm::ForwardingRank {
 public:
  ReplayedRank(comm::Rank& inner, int threads, bool in_steps, Durations& durations)
      : ForwardingRank(inner), threads_(threads), in_steps_(in_steps), durations_(durations) {
    durations.begin_run();
  }

  comm::Capabilities capabilities() const override {
    comm::Capabilities can = inner_.capabilities();
    if (in_steps_) can.virtual_time = can.slice_helpers = true;
    return can;
  }

  void run_tasks(const comm::Work& work, comm::TaskSource& source) override {
    tasks.push_back({0, 0});
    struct Running {
      double end_s;
      int thread;
      comm::TaskSource::Task task;
      bool operator<(const Running& other) const { return end_s > other.end_s; }
    };
    std::priority_queue<Running> running;
    std::vector<int> idle;
    for (int t = threads_ - 1; t >= 0; --t) idle.push_back(t);
    std::vector<Scheduled> schedule;
    double at_s = 0, all_s = 0;
    while (!source.is_over()) {
      while (!idle.empty() && source.ready() > 0) {
        const comm::TaskSource::Task task = source.take();
        const double seconds = task_s + timed({task.kind, task.i, task.j, task.k}, [&] { source.run(task); });
        all_s += seconds;
        by_task[sparse::multifrontal::task_name(task.kind)] += seconds;
        schedule.push_back({idle.back(), at_s, at_s + seconds, task.kind});
        running.push({at_s + seconds, idle.back(), task});
        idle.pop_back();
      }
      const Running first = running.top();
      running.pop();
      at_s = first.end_s;
      idle.push_back(first.thread);
      source.done(first.task);
    }
    durations_.next_call();
    large_work_s += all_s;
    large_span_s += at_s;
    tasks.back().shared_s = at_s;
    if (work.flops <= largest_flops) return;
    largest_flops = work.flops;
    largest = {{"order", work.m}, {"summed", work.n}, {"work_s", all_s}, {"span_s", at_s}};
    largest_schedule = std::move(schedule);
  }

  void run_slices(const comm::Work&, std::size_t count, comm::FunctionRef<void(std::size_t)> slice) override {
    std::vector<double> busy_s(static_cast<std::size_t>(threads_));
    double all_s = 0;
    for (std::size_t i = 0; i < count; ++i) {
      const double seconds = task_s + timed({-1, static_cast<int>(i), 0, 0}, [&] { slice(i); });
      all_s += seconds;
      *std::ranges::min_element(busy_s) += seconds;
    }
    durations_.next_call();
    large_work_s += all_s;
    large_span_s += *std::ranges::max_element(busy_s);
  }

  double large_work_s = 0, large_span_s = 0, other_s = 0;
  struct TaskTime {
    double alone_s, shared_s;
  };
  std::vector<TaskTime> tasks;  ///< of the tree, in the order in which one thread takes them
  double largest_flops = 0;
  nlohmann::ordered_json largest;
  std::vector<Scheduled> largest_schedule;

 protected:
  void run_compute(const comm::Work& work, comm::FunctionRef<void()> f) override {
    if (is_inside_) return f();
    if (work.kind == "subtree" || work.kind == "assemble") tasks.push_back({0, 0});
    is_inside_ = true;
    const double seconds = timed({-2, 0, 0, 0}, f);
    is_inside_ = false;
    durations_.next_call();
    other_s += seconds;
    if (!tasks.empty()) tasks.back().alone_s += seconds;
    by_kind[std::string(work.kind)] += seconds;
  }

 public:
  std::map<std::string, double> by_kind;  ///< of what runs on one thread
  std::map<std::string, double> by_task;  ///< of the large fronts

 private:
  template <class F>
  double timed(std::array<int, 4> part, F&& f) {
    const double begin_s = now_s();
    f();
    return durations_.least(part, now_s() - begin_s);
  }

  const int threads_;
  const bool in_steps_;
  Durations& durations_;
  bool is_inside_ = false;
};

sparse::Analysis analysis_of(const SparseMatrix<double>& A) {
  sparse::AnalysisPlan plan;
  const bool is_symmetric = A.symmetry != Symmetry::general;
  plan.kind = is_symmetric ? sparse::FactorKind::ldlt : sparse::FactorKind::lu;
  if (!is_symmetric) plan.matching = Switch::off;  // the model problems have large diagonals
  return sparse::analyse(A, plan);
}

/// The tasks of one rank's tree.
std::vector<bench::TreeTask> tree_of(comm::Team& team, const sparse::Analysis& analysis) {
  std::vector<bench::TreeTask> tree;
  team.run([&](comm::Rank& rank) {
    const sparse::FactorPlan plan;
    const auto structure = sparse::multifrontal::make_structure(
        analysis, sparse::multifrontal::place_fronts(rank, analysis, plan, false));
    for (const Index parent : structure.tasks.parent) tree.push_back({parent});
  });
  return tree;
}

void write_schedule(const std::string& path, const std::vector<Scheduled>& schedule) {
  std::FILE* const file = std::fopen(path.c_str(), "w");
  if (file == nullptr) {
    std::fprintf(stderr, "%s cannot be written\n", path.c_str());
    std::exit(1);
  }
  std::fputs("thread,begin_s,end_s,kind\n", file);
  for (const Scheduled& s : schedule)
    std::fprintf(file, "%d,%.9f,%.9f,%s\n", s.thread, s.begin_s, s.end_s,
                 sparse::multifrontal::task_name(s.kind));
  std::fclose(file);
}

}  // namespace

int main(int count, char** arguments) {
  std::vector<int> threads;
  std::vector<std::string> matrices;
  std::string schedule;
  bool in_steps = false;
  for (int i = 1; i < count; ++i) {
    const std::string argument = arguments[i];
    if (argument == "--steps") {
      in_steps = true;
    } else if (argument == "--schedule" && i + 1 < count) {
      schedule = arguments[++i];
    } else if (threads.empty()) {
      std::istringstream list(argument);
      for (std::string one; std::getline(list, one, ',');)
        threads.push_back(std::max(1, std::atoi(one.c_str())));
    } else {
      matrices.push_back(argument);
    }
  }
  if (matrices.empty()) {
    std::fputs("usage: bench_replay THREADS[,THREADS...] [--steps] [--schedule FILE] KIND:SIZE...\n", stderr);
    return 2;
  }
  if (std::ranges::find(threads, 1) == threads.end()) threads.insert(threads.begin(), 1);  // the tree's work
  const auto team = comm::open({.engine = "thread", .ranks = 1});
  for (const std::string& name : matrices) {
    const auto colon = name.find(':');
    const SparseMatrix<double> A = sparse::generate(
        name.substr(0, colon), std::atoll(name.c_str() + std::min(colon, name.size() - 1) + 1));
    const sparse::Analysis analysis = analysis_of(A);
    std::vector<bench::TreeTask> tree = tree_of(*team, analysis);
    std::vector<nlohmann::ordered_json> records;
    for (const int p : threads) {
      sparse::multifrontal::Multifrontal<double> factors;
      Durations durations;
      nlohmann::ordered_json record;
      for (int run = 0; run < runs; ++run)
        team->run([&](comm::Rank& inner) {
          ReplayedRank rank(inner, p, in_steps, durations);
          if (run == 0)
            factors.factorize(rank, &analysis, &A, {});
          else
            factors.refactorize(rank, &analysis, &A, {});
          const auto& stats = factors.stats();
          record = {{"matrix", name},
                    {"threads", p},
                    {"fronts", in_steps ? "steps" : "tasks"},
                    {"gflop", stats.flops * 1e-9},
                    {"tiled_fronts", stats.tiled_fronts},
                    {"large_work_s", rank.large_work_s},
                    {"large_span_s", rank.large_span_s},
                    {"other_s", rank.other_s},
                    {"largest", rank.largest},
                    {"by_kind", rank.by_kind},
                    {"by_task", rank.by_task}};
          if (run == runs - 1 && !in_steps) {
            if (rank.tasks.size() != tree.size()) {
              std::fprintf(stderr, "%zu tasks were run, and the tree has %zu\n", rank.tasks.size(),
                           tree.size());
              std::exit(1);
            }
            for (std::size_t t = 0; t < tree.size(); ++t) {
              tree[t].seconds = rank.tasks[t].alone_s;
              if (rank.tasks[t].shared_s > 0) tree[t].shared_s[p] = rank.tasks[t].shared_s;
            }
          }
          if (run == runs - 1 && !schedule.empty()) write_schedule(schedule, rank.largest_schedule);
        });
      records.push_back(std::move(record));
    }
    for (auto& record : records) {
      if (!in_steps) {
        const bench::TreeTime time = bench::schedule(tree, record["threads"]);
        record["tree"] = {{"tasks", tree.size()},
                          {"work_s", time.work_s},
                          {"path_s", time.path_s},
                          {"span_s", time.span_s}};
      }
      std::printf("%s\n", record.dump().c_str());
      std::fflush(stdout);
    }
  }
  return 0;
}
