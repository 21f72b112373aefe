#include "base/random.hpp"
#include "comm/superstep/world.hpp"

#include <map>

/// What a sync does with the records that arrived: it answers gets, then writes puts and queues messages.
namespace overlapack::comm::superstep {
namespace {

std::size_t size_of(std::int64_t bytes) { return static_cast<std::size_t>(bytes); }

}  // namespace

/// The local memory that a record refers to; checks slot, offset and size.
std::span<std::byte> World::position_of(const Record& record, int from) const {
  const auto memory = areas_.find({record.slot});
  const std::size_t offset = size_of(record.offset), bytes = size_of(record.bytes);
  if (!memory || offset > memory->size() || bytes > memory->size() - offset)
    misuse("process " + std::to_string(from) + (record.is_get() ? " gets " : " puts ") +
           std::to_string(bytes) + " bytes at offset " + std::to_string(offset) + " of slot " +
           std::to_string(record.slot) + ", which has " + std::to_string(memory ? memory->size() : 0) +
           " here");
  return memory->subspan(offset, bytes);
}

/// Answer each process's gets with one message, in the order of its gets.
void World::answer_gets(const std::vector<Arrival>& arrivals) {
  for (const auto& [from, body] : arrivals) {
    std::vector<std::byte> values;
    bool has_asked = false;
    for_each_record(body, [&, from = from](const Record& record, const std::byte*) {
      if (!record.is_get()) return;
      has_asked = true;
      const std::span<std::byte> position = position_of(record, from);
      if (from != me_) sent_.words += words_of(position.size());
      if (record.what == Record::What::get_direct)
        copy_lent(record, from, position.data(), {record.lent.target, position.size()});
      else
        values.insert(values.end(), position.begin(), position.end());
    });
    counters_.copied_bytes += std::ssize(values);
    if (!has_asked) continue;
    if (Body answers = Body::adopt(std::move(values)); from == me_)
      mine_ = std::move(answers);
    else
      send_body(from, SyncMessage::answers, std::move(answers));
  }
}

/// Copy puts to their targets and queue messages: sender by sender, and for each sender in the order of its calls.
void World::write(std::vector<Arrival> arrivals) {
  for (auto& [from, body] : arrivals) {
    bool is_lent = false, has_messages = false;
    if (body.is_phantom()) received_.words += words_of(body.size());
    for_each_record(body, [&, from = from](const Record& record, const std::byte* data) {
      std::int64_t words = words_of(size_of(record.bytes));
      switch (record.what) {
        case Record::What::put:
          copy_bytes(data, position_of(record, from));
          break;
        case Record::What::put_direct:
          copy_lent(record, from, record.lent.source, position_of(record, from));
          is_lent = true;
          break;
        case Record::What::message:
          queue_.push_back(
              {{data + padded(size_of(record.bytes)), size_of(record.slot)}, {data, size_of(record.bytes)}});
          queue_bytes_ += size_of(record.bytes);
          words += words_of(size_of(record.slot)) + 1;
          has_messages = true;
          break;
        case Record::What::get:
        case Record::What::get_direct:
          words = request_words;
      }
      if (from != me_) received_.words += words;
    });
    if (has_messages) queued_.push_back(std::move(body));
    body = {};  // drop lent memory before its owner is told `taken`
    if (is_lent && from != me_) send_body(from, SyncMessage::taken, {});
  }
}

void World::shuffle_queue() {
  Random random(plan_.queue_seed + static_cast<std::uint64_t>(superstep_));
  for (std::size_t left = queue_.size(); left > 1; --left)
    std::swap(queue_[left - 1], queue_[random.below(left)]);
}

void World::receive_answers() {
  std::map<int, std::pair<Body, std::size_t>> answers;  // by process: its answer, bytes of it used
  for (const Answer& answer : answers_)
    if (!answers.contains(answer.from))
      answers[answer.from].first =
          answer.from == me_ ? std::exchange(mine_, Body()) : receive_body(answer.from, SyncMessage::answers);
  for (const auto& [from, to, is_direct] : std::exchange(answers_, {})) {
    if (from != me_) received_.words += words_of(to.size());
    if (is_direct) continue;
    auto& [body, used] = answers[from];
    copy_bytes(body.data() + used, to);
    used += to.size();
  }
}

}  // namespace overlapack::comm::superstep
