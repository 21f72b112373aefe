#include "dist/tree/stealing.hpp"

#include <utility>

namespace overlapack::dist {

namespace {
constexpr std::size_t step_slot = 3, task_slot = 4;  // of Header::id
}

Stealing::Stealing(TreeWalk& walk, Index tasks, StealEvents& events, comm::Kind kind)
    : walk_(walk),
      events_(events),
      kind_(kind),
      may_be_stolen_(static_cast<std::size_t>(tasks), 0),
      victims_(static_cast<std::size_t>(walk.rank().size()), Victim::unasked) {
  for (Index t = 0; t < tasks; ++t) {
    if (!walk.is_mine(t) || !events.may_be_stolen(t)) continue;
    may_be_stolen_[static_cast<std::size_t>(t)] = 1;
    ++to_give_;
  }
  ++to_give_;
  count_task_as_gone();
}

void Stealing::post(int to, Step step, Index task, comm::Body body) {
  comm::Header header;
  header.kind = kind_;
  header.id[step_slot] = step;
  header.id[task_slot] = task;
  walk_.post(to, header, std::move(body));
}

void Stealing::ask_for_work() {
  const int me = walk_.rank().rank(), size = walk_.rank().size();
  for (int i = 1; i < size; ++i) {
    const int to = (me + i) % size;
    Victim& victim = victims_[static_cast<std::size_t>(to)];
    if (victim != Victim::unasked) continue;
    victim = Victim::asked;
    post(to, hungry);
  }
}

void Stealing::on_task_ready(Index task) {
  if (may_be_stolen_[static_cast<std::size_t>(task)] && !thieves_.empty())
    walk_.add_urgent_job([this] { send_tasks_to_thieves(); });
}

void Stealing::on_task_begin(Index task) {
  if (std::exchange(may_be_stolen_[static_cast<std::size_t>(task)], 0)) count_task_as_gone();
}

void Stealing::on_message(comm::Message message) {
  Victim& sender = victims_[static_cast<std::size_t>(message.source)];
  switch (message.header.id[step_slot]) {
    case hungry:
      thieves_.push_back(message.source);
      return walk_.add_urgent_job([this] { send_tasks_to_thieves(); });
    case given:
      sender = Victim::unasked;
      ++stolen_;
      events_.store_stolen(message.header.id[task_slot], std::move(message.body));
      return walk_.add_ready_task(message.header.id[task_slot]);
    case nothing_left:
      sender = Victim::exhausted;
      ++exhausted_;
      return walk_.add_urgent_job([this, to = message.source] { post(to, heard); });
    case heard:
      ++heard_;
      return;
    default:
      throw Error(Status::internal, "a rank sent an unknown step");
  }
}

/// Give one task to each waiting thief, as long as two or more tasks are ready.
void Stealing::send_tasks_to_thieves() {
  while (!thieves_.empty()) {
    const auto task =
        walk_.remove_ready_task([&](Index t) { return may_be_stolen_[static_cast<std::size_t>(t)] != 0; });
    if (!task) return;
    const int thief = thieves_.front();
    thieves_.pop_front();
    post(thief, given, *task, events_.pack_stolen(*task, thief));
    on_task_begin(*task);
  }
}

void Stealing::count_task_as_gone() {
  if (--to_give_ > 0) return;
  walk_.add_urgent_job([this] {
    for (int to = 0; to < walk_.rank().size(); ++to)
      if (to != walk_.rank().rank()) post(to, nothing_left);
  });
}

}  // namespace overlapack::dist
