#include "comm/engine/thread/group.hpp"

namespace overlapack::comm::thread {

std::shared_ptr<Group::Meeting> Group::exchange_objects(
    int i, Shared brought, FunctionRef<Shared(const std::vector<Shared>&)> combine) {
  std::shared_ptr<Meeting> meeting;
  {
    const std::lock_guard lock(mutex_);
    const std::int64_t position = calls_[static_cast<std::size_t>(i)]++;
    std::shared_ptr<Meeting>& slot = meetings_[position];
    if (!slot) {  // insert only a complete one, as resize may throw
      auto first = std::make_shared<Meeting>();
      first->brought.resize(members_.size());
      slot = std::move(first);
    }
    meeting = slot;
    meeting->brought[static_cast<std::size_t>(i)] = std::move(brought);
    if (++meeting->here < size()) return meeting;
    meetings_.erase(position);
    meeting->result = combine(meeting->brought);
    meeting->is_complete.store(true, std::memory_order_release);
  }
  wake_all();
  return meeting;
}

void Group::wake_all() {
  for (ThreadMailbox* mailbox : members_) mailbox->wake();
}

void Group::drop_messages() {
  for (int i = 0; i < size(); ++i) {
    const std::lock_guard lock(mailbox(i).mutex);
    for (auto& arrived : port(i).arrived) arrived.clear();
    for (auto& posted : port(i).posted) {
      for (const auto& receive : posted) receive->abandon();
      posted.clear();
    }
  }
  const std::lock_guard lock(mutex_);
  calls_.assign(calls_.size(), 0);
  meetings_.clear();
}

}  // namespace overlapack::comm::thread
