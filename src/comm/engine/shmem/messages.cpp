#include "comm/engine/shmem/messages.hpp"

#include <algorithm>
#include <thread>
#include <utility>

namespace overlapack::comm::shmem {

namespace {

std::vector<std::byte> gathered(const std::byte* from, const OverlapackStrides& at) {
  std::vector<std::byte> bytes;
  for (std::int64_t i = 0; i < at.blocks; ++i)
    bytes.insert(bytes.end(), from + i * at.stride_bytes, from + i * at.stride_bytes + at.block_bytes);
  return bytes;
}

FrameHeader access_header(std::int32_t kind, std::byte* address, const OverlapackStrides& at) {
  FrameHeader header{.kind = kind};
  header.more[0] = static_cast<std::int64_t>(reinterpret_cast<std::intptr_t>(address)) + at.offset;
  header.more[1] = at.block_bytes;
  header.more[2] = at.stride_bytes;
  header.more[3] = at.blocks;
  return header;
}

}  // namespace

TaskPtr Messages::new_task() {
  if (free_.empty()) return std::make_shared<Task>(Task{numbers_++, {}, 0});
  const int number = free_.top();
  free_.pop();
  return std::make_shared<Task>(Task{number, {}, 0});
}

TaskPtr Messages::new_whole(int parts) {
  TaskPtr whole = new_task();
  whole->parts = parts;
  if (parts == 0) finish(whole, 0, false, fine, 0);
  return whole;
}

void Messages::finish(const TaskPtr& task, int source, bool is_cancelled, int error, std::int64_t bytes) {
  if (task->whole) {
    if (--task->whole->parts == 0) finish(task->whole, 0, false, fine, 0);
  } else {
    finished_.push_back({task->number, source, is_cancelled, error, bytes});
  }
}

void Messages::send(const Comm& comm, std::span<const std::byte> first, std::span<const std::byte> second,
                    int to, int tag, bool is_synchronous, TaskPtr task) {
  Frame frame{.header = {.kind = message_kind,
                         .context = comm.context,
                         .tag = tag,
                         .bytes = static_cast<std::int64_t>(first.size() + second.size())},
              .parts = {first, second}};
  if (is_synchronous) {
    auto free = std::ranges::find(synchronous_, nullptr);
    if (free == synchronous_.end()) free = synchronous_.insert(free, nullptr);
    frame.header.token = free - synchronous_.begin() + 1;
    *free = std::move(task);
  } else {
    frame.is_sent = [this, task = std::move(task)] { finish(task, 0, false, fine, 0); };
  }
  pipes_.send(comm.pes[static_cast<std::size_t>(to)], std::move(frame));
}

bool Messages::fits(const Posted& posted, const Arrived& message) const {
  const Comm& comm = *posted.comm;
  return message.header.context == comm.context && message.header.tag == posted.tag &&
         (posted.from < 0 || comm.pes[static_cast<std::size_t>(posted.from)] == message.pe);
}

void Messages::deliver(const Posted& posted, const Arrived& message) {
  const std::int64_t size = static_cast<std::int64_t>(message.bytes.size());
  std::copy_n(message.bytes.begin(), std::min(size, posted.bytes), posted.buffer);
  if (message.header.token > 0)
    pipes_.send(message.pe, {.header = {.kind = found_kind, .token = message.header.token}});
  const auto& pes = posted.comm->pes;
  const int source = static_cast<int>(std::ranges::find(pes, message.pe) - pes.begin());
  finish(posted.task, source, false, size > posted.bytes ? too_long : fine, size);
}

void Messages::receive(Posted posted) {
  const auto first = std::ranges::find_if(unexpected_, [&](const Arrived& m) { return fits(posted, m); });
  if (first == unexpected_.end()) return posted_.push_back(std::move(posted));
  const Arrived message = std::move(*first);
  unexpected_.erase(first);
  deliver(posted, message);
}

const Arrived* Messages::find(const Comm& comm, int from, int tag) const {
  const Posted wanted{.comm = &comm, .from = from, .tag = tag};
  const auto first = std::ranges::find_if(unexpected_, [&](const Arrived& m) { return fits(wanted, m); });
  return first == unexpected_.end() ? nullptr : &*first;
}

void Messages::cancel(OverlapackRequest number) {
  const auto at = std::ranges::find_if(posted_, [&](const Posted& p) { return p.task->number == number; });
  if (at == posted_.end()) return;
  const TaskPtr task = at->task;
  posted_.erase(at);
  finish(task, 0, true, fine, 0);
}

void Messages::arrived(int pe, const FrameHeader& header, std::vector<std::byte> bytes) {
  auto* const address = reinterpret_cast<std::byte*>(static_cast<std::intptr_t>(header.more[0]));
  const OverlapackStrides at{0, header.more[1], header.more[2], header.more[3]};
  switch (header.kind) {
    case message_kind: {
      Arrived message{pe, header, std::move(bytes)};
      const auto first = std::ranges::find_if(posted_, [&](const Posted& p) { return fits(p, message); });
      if (first == posted_.end()) return unexpected_.push_back(std::move(message));
      const Posted posted = *first;
      posted_.erase(first);
      return deliver(posted, message);
    }
    case found_kind:
      return finish(std::exchange(synchronous_[static_cast<std::size_t>(header.token - 1)], nullptr), 0,
                    false, fine, 0);
    case put_kind:
      for (std::int64_t i = 0; i < at.blocks; ++i)
        std::copy_n(bytes.data() + i * at.block_bytes, at.block_bytes, address + i * at.stride_bytes);
      return pipes_.send(pe, {.header = {.kind = answer_kind}});
    case get_kind: {
      Frame answer{.header = {.kind = answer_kind, .token = header.token}, .owned = gathered(address, at)};
      answer.header.bytes = static_cast<std::int64_t>(answer.owned.size());
      return pipes_.send(pe, std::move(answer));
    }
    default:
      --accesses_;
      if (header.token > 0) {
        Answer& answer = answers_[static_cast<std::size_t>(header.token - 1)];
        std::copy(bytes.begin(), bytes.end(), answer.to);
        answer = {};
      }
  }
}

void Messages::put_by_owner(int pe, std::byte* address, const OverlapackStrides& at, const void* from) {
  if (at.blocks * at.block_bytes == 0) return;
  Frame frame{.header = access_header(put_kind, address, at)};
  const auto* const bytes = static_cast<const std::byte*>(from);
  frame.owned.assign(bytes, bytes + at.blocks * at.block_bytes);
  frame.header.bytes = static_cast<std::int64_t>(frame.owned.size());
  ++accesses_;
  pipes_.send(pe, std::move(frame));
}

void Messages::get_by_owner(int pe, std::byte* address, const OverlapackStrides& at, void* to) {
  if (at.blocks * at.block_bytes == 0) return;
  Frame frame{.header = access_header(get_kind, address, at)};
  auto free = std::ranges::find(answers_, false, &Answer::is_awaited);
  if (free == answers_.end()) free = answers_.insert(free, Answer{});
  *free = {static_cast<std::byte*>(to), true};
  frame.header.token = free - answers_.begin() + 1;
  ++accesses_;
  pipes_.send(pe, std::move(frame));
}

void Messages::advance() {
  pipes_.advance([this](int pe, const FrameHeader& header, std::vector<std::byte> bytes) {
    arrived(pe, header, std::move(bytes));
  });
}

int Messages::fetch(OverlapackCompletion* done, int capacity) {
  int count = 0;
  for (; count < capacity && !finished_.empty(); ++count) {
    done[count] = finished_.front();
    finished_.pop_front();
    free_.push(done[count].request);
  }
  return count;
}

void Messages::forget(const TaskPtr& task) {
  std::erase_if(finished_, [&](const OverlapackCompletion& done) { return done.request == task->number; });
  free_.push(task->number);
}

void Messages::make_progress_until(const std::function<bool()>& is_over) {
  while (!is_over()) {
    advance();
    std::this_thread::yield();
  }
}

}  // namespace overlapack::comm::shmem
