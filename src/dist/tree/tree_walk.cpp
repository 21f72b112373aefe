#include "dist/tree/tree_walk.hpp"

#include "comm/collective/collective.hpp"

#include <algorithm>
#include <functional>
#include <utility>

namespace overlapack::dist {

namespace {
constexpr std::size_t to_slot = 0, last_slot = 1;  // of Header::id
constexpr Index no_task = -1;

/// Children of each task, in compressed form: child[start[t]] .. child[start[t + 1] - 1].
void list_children(const TaskTree& tree, std::vector<Index>& start, std::vector<Index>& child) {
  start.assign(static_cast<std::size_t>(tree.size()) + 1, 0);
  for (Index parent : tree.parent)
    if (parent >= 0) ++start[parent + 1];
  for (std::size_t t = 1; t < start.size(); ++t) start[t] += start[t - 1];
  child.resize(static_cast<std::size_t>(start.back()));
  std::vector<Index> next(start.begin(), start.end() - 1);
  for (Index t = 0; t < tree.size(); ++t)
    if (tree.parent[t] >= 0) child[next[tree.parent[t]]++] = t;
}
}  // namespace

TreeWalk::TreeWalk(comm::Rank& rank, const TaskTree& tree, Direction direction, const WalkPlan& plan,
                   TaskEvents& events)
    : rank_(rank),
      tree_(tree),
      direction_(direction),
      events_(events),
      outbox_(rank, comm::Lane::bulk,
              {.budget_bytes = plan.budget_bytes,
               .largest_bytes = plan.largest_bytes,
               .inbox = &open_inbox(plan)}),
      waiting_for_(static_cast<std::size_t>(tree.size()), 0) {
  if (direction == Direction::downward) list_children(tree, child_start_, child_);
  for (Index t = 0; t < tree.size(); ++t) {
    const Index parent = tree.parent[t];
    if (direction == Direction::upward && parent >= 0) ++waiting_for_[parent];
    if (direction == Direction::downward && parent >= 0) waiting_for_[t] = 1;
  }
  for (Index t = 0; t < tree.size(); ++t) left_ += is_mine(t);
  ready_.reserve(static_cast<std::size_t>(left_));
}

comm::WaitSource& TreeWalk::open_inbox(const WalkPlan& plan) {
  if (plan.early == EarlyMessages::park)
    return inbox_.emplace(rank_, comm::Lane::bulk,
                          comm::InboxOptions{.posted = plan.posted, .receive = plan.receive});
  if (plan.receive == comm::ReceiveMode::immediate && plan.posted != 1)
    throw Error(Status::bad_plan,
                "waiting for late messages (early = wait) goes with one posted receive: set posted to 1, or "
                "early to park");
  return single_.emplace(rank_, comm::Lane::bulk, plan.receive,
                         [this](comm::Message message) { dispatch_message(std::move(message)); });
}

/// Handle messages first, then run a task; if there is no task, block for a message. With EarlyMessages::wait this is paper 1's
/// Algorithm 2, or Algorithm 1 with ReceiveMode::probe.
void TreeWalk::run() {
  for (Index t = 0; t < tree_.size(); ++t)
    if (is_mine(t) && waiting_for_[t] == 0) push_ready(t);
  for (;;) {
    handle_arrived();
    if (run_next_ready()) continue;
    const bool has_ended = left_ == 0;
    events_.on_idle(has_ended);  // may have received
    if (has_work() || has_ended != (left_ == 0)) continue;
    if (has_ended && events_.is_closed()) break;
    wait();
  }
  outbox_.drain([this] { handle_arrived(); });
  inbox_ ? inbox_->close() : single_->close();
  comm::collective::barrier(rank_);
}

/// Run the next job or task; false if there is none.
bool TreeWalk::run_next_ready() {
  if (!urgent_jobs_.empty() || !jobs_.empty()) {
    auto& jobs = urgent_jobs_.empty() ? jobs_ : urgent_jobs_;
    const std::function<void()> job = std::move(jobs.front());
    jobs.pop_front();
    job();
    return true;
  }
  if (ready_.empty()) return false;
  const Index task = pop_ready();
  if (events_.run(task)) complete(task);
  return true;
}

void TreeWalk::send(Index to, comm::Header header, comm::Body body, bool last) {
  header.id[to_slot] = to;
  header.id[last_slot] = last;
  outbox_.send(tree_.owner[to], header, std::move(body), [this] { handle_arrived(); });
}

void TreeWalk::post(int to, comm::Header header, comm::Body body) {
  if (to == rank_.rank()) return events_.on_message({header, std::move(body), to, comm::Lane::bulk});
  header.id[to_slot] = no_task;
  outbox_.send(to, header, std::move(body), [this] { handle_arrived(); });
}

void TreeWalk::handle_arrived() {
  if (single_)
    while (single_->try_to_receive_and_treat(false)) {
    }
  else
    while (auto message = inbox_->receive_if_any()) dispatch_message(std::move(*message));
}

void TreeWalk::wait() {
  if (single_)
    single_->try_to_receive_and_treat(true);
  else
    dispatch_message(inbox_->wait());
}

void TreeWalk::dispatch_message(comm::Message message) {
  const Index task = message.header.id[to_slot];
  if (task == no_task) return events_.on_message(std::move(message));
  const bool last = message.header.id[last_slot] != 0;
  events_.on_task_message(task, std::move(message));
  if (last) fulfil_dependency(task);
}

void TreeWalk::fulfil_dependency(Index task) {
  if (--waiting_for_[task] > 0) return;
  push_ready(task);
  events_.on_task_ready(task);
}

void TreeWalk::complete(Index task) {
  --left_;
  if (direction_ == Direction::upward) {
    const Index parent = tree_.parent[task];
    if (parent >= 0 && is_mine(parent)) fulfil_dependency(parent);
    return;
  }
  for (Index c = child_start_[task]; c < child_start_[task + 1]; ++c)
    if (is_mine(child_[c])) fulfil_dependency(child_[c]);
}

void TreeWalk::push_ready(Index task) {
  ready_.push_back(key(task));
  std::ranges::push_heap(ready_, std::greater<>());
}

Index TreeWalk::pop_ready() {
  std::ranges::pop_heap(ready_, std::greater<>());
  const Index task = key(ready_.back());
  ready_.pop_back();
  return task;
}

std::optional<Index> TreeWalk::remove_ready_task(comm::FunctionRef<bool(Index)> may_be_stolen) {
  if (ready_.size() < 2) return std::nullopt;
  auto last = ready_.end();
  for (auto k = ready_.begin(); k != ready_.end(); ++k)
    if ((last == ready_.end() || *k > *last) && may_be_stolen(key(*k))) last = k;
  if (last == ready_.end()) return std::nullopt;
  const Index task = key(*last);
  ready_.erase(last);
  std::ranges::make_heap(ready_, std::greater<>());
  --left_;
  return task;
}

void TreeWalk::add_ready_task(Index task) {
  ++left_;
  push_ready(task);
}

}  // namespace overlapack::dist
