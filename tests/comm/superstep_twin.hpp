#pragma once
#include "base/random.hpp"
#include "comm/superstep/world.hpp"

#include <algorithm>
#include <cstring>
#include <set>
#include <vector>

/// The sequential twin of comm::superstep::World: programs of random supersteps, and what they must lead to.
namespace overlapack::comm::superstep::testing {

using Bytes = std::vector<std::byte>;

/// What one process says in a superstep. Areas: 0 is its own and not registered, where puts come from and gets go to.
struct Action {
  enum class What : std::uint8_t { put, hpput, get, hpget, send, hpsend, scribble };
  What what = What::put;
  int process = 0, peer = 0;
  std::size_t area = 0, offset = 0, bytes = 0;
  std::size_t own = 0;  ///< offset in area 0
  std::uint8_t tag = 0;
};

enum class SyncBy : std::uint8_t { whole, halves, known };

struct Step {
  std::vector<Action> actions;
  SyncBy sync = SyncBy::whole;
  std::size_t tag_bytes = 0;  ///< of the messages of this step
  std::size_t next_tag_bytes = 0;

  /// Who has something for a process.
  std::vector<int> senders_to(int process) const {
    std::set<int> senders;
    for (const Action& a : actions)
      if (a.what != Action::What::scribble && a.peer == process && a.process != process)
        senders.insert(a.process);
    return {senders.begin(), senders.end()};
  }
};

inline constexpr std::size_t own_bytes = 512, piece_bytes = 48;
/// Areas 1 and 2 are for anything; hpput writes a piece of 3 for each process, hpget reads 4: nobody else looks there.
inline constexpr std::size_t areas = 5, piece_area = 3, source_area = 4;

inline std::size_t area_bytes(std::size_t area, int process, int processes) {
  if (area == 0) return own_bytes + 2 * piece_bytes * static_cast<std::size_t>(processes);
  if (area == 1) return 8 * static_cast<std::size_t>(process);  // none on process 0
  if (area == 2) return 100;
  return piece_bytes * static_cast<std::size_t>(processes);
}

inline Bytes first_bytes(std::size_t area, int process, int processes) {
  Bytes bytes(area_bytes(area, process, processes));
  for (std::size_t i = 0; i < bytes.size(); ++i)
    bytes[i] = static_cast<std::byte>(i * 7 + area * 50 + static_cast<std::size_t>(process) * 13);
  return bytes;
}

/// A random superstep, the same on all processes.
inline Step random_step(Random& random, int processes, std::size_t tag_bytes) {
  const auto below = [&](std::size_t n) { return static_cast<std::size_t>(random.below(n)); };
  const auto P = static_cast<std::size_t>(processes);
  Step step{.actions = {}, .sync = static_cast<SyncBy>(below(3)), .tag_bytes = tag_bytes};
  step.next_tag_bytes = below(5) == 0 ? below(9) : tag_bytes;
  std::set<std::pair<int, int>> put_directly, got_directly;
  for (std::size_t count = below(6 * P); count > 0; --count) {
    Action a{.what = static_cast<Action::What>(below(7)),
             .process = static_cast<int>(below(P)),
             .peer = static_cast<int>(below(P))};
    a.tag = static_cast<std::uint8_t>(below(256));
    a.area = 1 + below(2);
    if (step.sync == SyncBy::known && (a.what == Action::What::get || a.what == Action::What::hpget))
      continue;
    const std::size_t room = area_bytes(a.area, a.peer, processes);
    a.offset = below(room + 1);
    a.bytes = below(room - a.offset + 1);
    a.own = below(own_bytes - a.bytes);
    if (a.what == Action::What::hpsend) {  // from what no get writes to
      a.bytes = below(piece_bytes + 1);
      a.own = own_bytes + piece_bytes * static_cast<std::size_t>(a.peer);
    }
    if (a.what == Action::What::hpput || a.what == Action::What::hpget) {
      const bool is_put = a.what == Action::What::hpput;
      if (!(is_put ? put_directly : got_directly).insert({a.process, a.peer}).second) continue;
      a.area = is_put ? piece_area : source_area;
      a.bytes = below(piece_bytes + 1);
      a.offset = piece_bytes * static_cast<std::size_t>(a.process);
      a.own = own_bytes + piece_bytes * (static_cast<std::size_t>(a.peer) + (is_put ? 0 : P));
    }
    step.actions.push_back(a);
  }
  return step;
}

inline void scribble(Bytes& own, const Action& a) { own[a.own] = static_cast<std::byte>(a.tag); }
inline Bytes tag_of(const Action& a, std::size_t tag_bytes) {
  return Bytes(tag_bytes, static_cast<std::byte>(a.tag));
}

/// What each process does by itself between two supersteps: sources of unbuffered calls are others in each.
inline void age(std::vector<Bytes>& memory) {
  const auto next = [](std::byte b) { return static_cast<std::byte>(std::to_integer<int>(b) + 1); };
  Bytes& own = memory[0];
  std::transform(own.begin() + own_bytes, own.end(), own.begin() + own_bytes, next);
  std::ranges::transform(memory[source_area], memory[source_area].begin(), next);
}

struct TwinMessage {
  Bytes tag, payload;
  bool operator==(const TwinMessage&) const = default;
};

/// All processes of a world, one after the other.
class Twin {
 public:
  explicit Twin(int processes) : memory_(static_cast<std::size_t>(processes)), queue_(memory_.size()) {
    for (int process = 0; process < processes; ++process)
      for (std::size_t area = 0; area < areas; ++area)
        of(process).push_back(first_bytes(area, process, processes));
  }

  void run(const Step& step) {
    for (auto& memory : memory_) age(memory);
    std::vector<Action> actions = step.actions;
    std::ranges::stable_sort(actions, {}, &Action::process);
    std::vector<Bytes> values;
    for (const Action& a : actions) values.push_back(read_at_call(a));
    for (std::size_t i = 0; i < actions.size(); ++i)  // at the sync: before anything is written
      if (is_get(actions[i]))
        values[i] = part(of(actions[i].peer)[actions[i].area], actions[i].offset, actions[i].bytes);
    for (std::size_t i = 0; i < actions.size(); ++i)
      if (is_get(actions[i])) write(values[i], of(actions[i].process)[0], actions[i].own);
    for (auto& queue : queue_) queue.clear();
    for (std::size_t i = 0; i < actions.size(); ++i) {
      const Action& a = actions[i];
      if (a.what == Action::What::put || a.what == Action::What::hpput)
        write(values[i], of(a.peer)[a.area], a.offset);
      if (a.what == Action::What::send || a.what == Action::What::hpsend)
        queue_[static_cast<std::size_t>(a.peer)].push_back({tag_of(a, step.tag_bytes), values[i]});
    }
  }

  const std::vector<Bytes>& memory(int process) const { return memory_[static_cast<std::size_t>(process)]; }
  const std::vector<TwinMessage>& queue(int process) const {
    return queue_[static_cast<std::size_t>(process)];
  }

 private:
  static bool is_get(const Action& a) { return a.what == Action::What::get || a.what == Action::What::hpget; }
  static Bytes part(const Bytes& bytes, std::size_t begin, std::size_t count) {
    return {bytes.begin() + static_cast<std::ptrdiff_t>(begin),
            bytes.begin() + static_cast<std::ptrdiff_t>(begin + count)};
  }
  static void write(const Bytes& values, Bytes& to, std::size_t offset) {
    std::ranges::copy(values, to.begin() + static_cast<std::ptrdiff_t>(offset));
  }
  std::vector<Bytes>& of(int process) { return memory_[static_cast<std::size_t>(process)]; }

  Bytes read_at_call(const Action& a) {
    Bytes& own = of(a.process)[0];
    if (a.what == Action::What::scribble) scribble(own, a);
    return is_get(a) || a.what == Action::What::scribble ? Bytes() : part(own, a.own, a.bytes);
  }

  std::vector<std::vector<Bytes>> memory_;  ///< by process and area
  std::vector<std::vector<TwinMessage>> queue_;
};

}  // namespace overlapack::comm::superstep::testing
