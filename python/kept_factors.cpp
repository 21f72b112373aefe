#include "kept_factors.hpp"

#include "overlapack/environment.hpp"

#include <algorithm>
#include <cstring>
#include <pthread.h>
#include <span>
#include <string_view>

namespace overlapack::python {
namespace {

/// The default limit, as a share of the memory that is free when a limit is first needed.
constexpr double share_of_memory = 0.25;

KeptFactors* of_this_process = nullptr;

/// Everything that the answer of a question depends on: numbers, then pieces of memory. It is the key of the kept factors.
struct Question {
  explicit Question(const olp_kept_call& call)
      : numbers{call.type, call.index_bytes, call.n, call.entries, call.systems} {
    const auto entries = static_cast<std::size_t>(call.entries),
               systems = static_cast<std::size_t>(call.systems);
    const auto index_bytes = static_cast<std::size_t>(call.index_bytes);
    pieces[0] = {static_cast<const char*>(call.data), entries * systems * bytes_of_type[call.type]};
    pieces[1] = {static_cast<const char*>(call.row), entries * index_bytes};
    pieces[2] = {static_cast<const char*>(call.col), entries * index_bytes};
    pieces[3] = {call.options, call.options_length};
  }

  std::uint64_t hash() const {
    std::uint64_t sum = 0;
    const auto add = [&](std::uint64_t word) {
      sum = (sum ^ word) * 0x9e3779b97f4a7c15u;
      sum ^= sum >> 29;
    };
    for (const std::int64_t number : numbers) add(static_cast<std::uint64_t>(number));
    for (const std::string_view piece : pieces) {
      const std::size_t whole = piece.size() / sizeof(std::uint64_t) * sizeof(std::uint64_t);
      for (std::size_t at = 0; at < whole; at += sizeof(std::uint64_t)) {
        std::uint64_t word;
        std::memcpy(&word, piece.data() + at, sizeof(word));  // of a known size: one load
        add(word);
      }
      std::uint64_t rest = 0;
      if (whole < piece.size()) std::memcpy(&rest, piece.data() + whole, piece.size() - whole);
      add(rest);
    }
    return sum;
  }

  std::int64_t numbers[5];
  std::string_view pieces[4];
};

}  // namespace

struct KeptFactors::Entry {
  Entry(const Question& question, std::uint64_t its_hash) : hash(its_hash) {
    std::ranges::copy(question.numbers, numbers);
    for (const std::string_view piece : question.pieces) copies.emplace_back(piece);
  }
  bool is_of(const Question& question) const {
    return std::ranges::equal(numbers, question.numbers) && std::ranges::equal(copies, question.pieces);
  }

  std::uint64_t hash;
  std::int64_t numbers[5];
  std::vector<std::string> copies;
  std::mutex working;  ///< of the factors: their calls are made one after the other
  std::unique_ptr<KeptSystems> systems;
  // Under the mutex of all:
  Place place;
  bool is_kept = false;
  double bytes = 0;
};

/// The kept factors of this process. A forked child begins with none, since a thread of its parent may hold the locks and does not exist in the
/// child.
KeptFactors& KeptFactors::of_process() {
  static const int is_registered = [] {
    of_this_process = new KeptFactors;
    return pthread_atfork(nullptr, nullptr, [] { of_this_process = new KeptFactors; });
  }();
  static_cast<void>(is_registered);
  return *of_this_process;
}

std::shared_ptr<KeptFactors::Entry> KeptFactors::entry_of(const olp_kept_call& call) {
  const Question question(call);
  const std::uint64_t hash = question.hash();
  const std::lock_guard lock(mutex_);
  choose_limit();
  const auto [first, last] = places_.equal_range(hash);
  for (auto it = first; it != last; ++it) {
    if (!(*it->second)->is_of(question)) continue;
    order_.splice(order_.begin(), order_, it->second);
    ++figures_.hits;
    return order_.front();
  }
  ++figures_.misses;
  const auto made = std::make_shared<Entry>(question, hash);
  order_.push_front(made);
  places_.emplace(hash, made->place = order_.begin());
  made->is_kept = true;
  return made;
}

void KeptFactors::answer(const olp_kept_call& call) {
  const std::shared_ptr<Entry> entry = entry_of(call);
  const std::lock_guard working(entry->working);
  if (!entry->systems) {
    try {
      entry->systems = factorized(call);
    } catch (...) {
      forget(*entry);
      throw;
    }
    double copies = 0;
    for (const std::string& copy : entry->copies) copies += static_cast<double>(copy.size());
    add_bytes(*entry, copies + entry->systems->bytes());
  }
  const Status status = entry->systems->answer(call);
  if (status == Status::ok) return;
  const std::lock_guard lock(mutex_);
  ++(status == Status::inaccurate ? figures_.inaccurate : figures_.ill_conditioned);
}

void KeptFactors::add_bytes(Entry& entry, double bytes) {
  const std::lock_guard lock(mutex_);
  if (!entry.is_kept) return;
  if (bytes > figures_.limit_bytes) {  // the others stay
    ++figures_.dropped;
    return drop(entry);
  }
  entry.bytes = bytes;
  figures_.bytes += bytes;
  drop_oldest(figures_.limit_bytes);
}

void KeptFactors::forget(Entry& entry) {
  const std::lock_guard lock(mutex_);
  if (entry.is_kept) drop(entry);
}

/// Drop factors. A call that works with them keeps them until its end.
void KeptFactors::drop(Entry& entry) {
  figures_.bytes -= entry.bytes;
  entry.is_kept = false;
  auto [it, last] = places_.equal_range(entry.hash);
  while (it != last && it->second != entry.place) ++it;
  places_.erase(it);
  order_.erase(entry.place);
}

/// Drop the oldest factors until the rest takes at most `limit` bytes. Factors that are still being made have no bytes yet, and stay.
void KeptFactors::drop_oldest(double limit) {
  for (auto next = order_.end(); figures_.bytes > limit && next != order_.begin();) {
    const std::shared_ptr<Entry> oldest = *--next;
    if (oldest->bytes == 0) continue;
    ++next;  // that stays where it is
    ++figures_.dropped;
    drop(*oldest);
  }
}

void KeptFactors::set_limit(double bytes) {
  const std::lock_guard lock(mutex_);
  figures_.limit_bytes = bytes;
  drop_oldest(bytes);
}

void KeptFactors::clear() {
  const std::lock_guard lock(mutex_);
  while (!order_.empty()) {
    const std::shared_ptr<Entry> oldest = order_.back();
    drop(*oldest);
  }
}

void KeptFactors::choose_limit() {
  if (figures_.limit_bytes < 0)
    figures_.limit_bytes = share_of_memory * static_cast<double>(available_memory_bytes());
}

KeptFigures KeptFactors::figures() {
  const std::lock_guard lock(mutex_);
  choose_limit();
  figures_.entries = static_cast<std::int64_t>(order_.size());
  return figures_;
}

}  // namespace overlapack::python
