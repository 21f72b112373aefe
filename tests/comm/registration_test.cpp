#include "base/random.hpp"
#include "comm/collective/collective.hpp"
#include "comm/superstep/registered_buffers.hpp"
#include "comm/superstep/world.hpp"
#include "engine.hpp"

#include <algorithm>
#include <array>
#include <optional>

// BSPlib's registration by addresses, on every engine: random pushes and pops, of null pointers too, against a twin that keeps them in
// one list and looks for the latest.
namespace overlapack::comm::superstep::testing {
namespace {

using conformance::on_each_team;

constexpr int buffers = 4, null = -1;
constexpr std::size_t words = 8;
using Buffer = std::array<std::int64_t, words>;

/// A registration: by process the buffer that it gives, or null.
struct Registered {
  std::vector<int> buffer;
  std::int64_t slot = 0;

  bool is_null_everywhere() const { return std::ranges::count(buffer, null) == std::ssize(buffer); }
};

/// What all processes do together in a superstep, or one of them.
struct Call {
  enum class What : std::uint8_t { push, pop, pop_by_slot, put, get };
  What what = What::push;
  Registered area = {};  ///< of push and pops
  int process = 0, peer = 0, buffer = 0;
  std::size_t word = 0;
  std::int64_t value = 0;
};

using List = std::vector<Registered>;

/// The latest registration of a process's buffer.
const Registered* latest(const List& list, int process, int buffer) {
  const auto found = std::find_if(list.rbegin(), list.rend(), [&](const Registered& r) {
    return r.buffer[static_cast<std::size_t>(process)] == buffer;
  });
  return found == list.rend() ? nullptr : &*found;
}

/// Do all processes mean this registration when they pop their buffers of it?
bool is_popped_by_address(const List& list, const Registered& area) {
  if (area.is_null_everywhere())
    return std::find_if(list.rbegin(), list.rend(), [](const Registered& r) {
             return r.is_null_everywhere();
           })->slot == area.slot;
  for (std::size_t q = 0; q < area.buffer.size(); ++q)
    if (area.buffer[q] != null && latest(list, static_cast<int>(q), area.buffer[q])->slot != area.slot)
      return false;
  return true;
}

/// Memory and registrations of all processes, one after the other.
class RegistrationTwin {
 public:
  explicit RegistrationTwin(int processes)
      : memory_(static_cast<std::size_t>(processes)), got(memory_.size()) {}

  std::vector<Call> random_step(Random& random) {
    const auto below = [&](std::size_t n) { return static_cast<int>(random.below(n)); };
    std::vector<Call> calls;
    for (int count = below(12); count > 0; --count) {
      Call call{.what = static_cast<Call::What>(below(5)),
                .process = below(memory_.size()),
                .peer = below(memory_.size()),
                .buffer = below(buffers),
                .word = random.below(words)};
      call.value = below(1000000);
      if (make(call, below(6), below(16))) calls.push_back(call);
    }
    return calls;
  }

  void sync(const std::vector<Call>& calls) {
    for (const Call& call : calls)
      if (call.what == Call::What::get) got[at(call.process)][call.word] = *word_of(call);
    std::vector<Call> puts(calls);
    std::erase_if(puts, [](const Call& call) { return call.what != Call::What::put; });
    std::ranges::stable_sort(puts, {}, &Call::process);
    for (const Call& put : puts) *word_of(put) = put.value;
    now_ = next_;
  }

  std::vector<Buffer>& memory(int process) { return memory_[at(process)].of; }
  const List& now() const { return now_; }

 private:
  struct Memory {
    std::vector<Buffer> of{buffers};
  };
  static std::size_t at(int process) { return static_cast<std::size_t>(process); }

  /// Complete a random call; false if there is none of its kind now.
  bool make(Call& call, int nulls, int pick) {
    switch (call.what) {
      case Call::What::push:
        // Two areas of some processes are one of others; every sixth is null on all, and some on some.
        for (std::size_t q = 0; q < memory_.size(); ++q) {
          const bool is_null = nulls == 0 || (nulls == 1 && q % 2 == 0);
          call.area.buffer.push_back(is_null ? null
                                             : (call.buffer + static_cast<int>(q) * (nulls % 3)) % buffers);
        }
        call.area.slot = pushed_++;
        next_.push_back(call.area);
        return true;
      case Call::What::pop:
      case Call::What::pop_by_slot:
        if (next_.empty()) return false;
        call.area = next_[static_cast<std::size_t>(pick) % next_.size()];
        if (call.what == Call::What::pop && !is_popped_by_address(next_, call.area)) return false;
        std::erase_if(next_, [&](const Registered& r) { return r.slot == call.area.slot; });
        return true;
      case Call::What::put:
      case Call::What::get:
        return word_of(call) != nullptr;
    }
    return false;
  }

  /// What a put or get by address reaches at its peer: null if nothing.
  std::int64_t* word_of(const Call& call) {
    const Registered* const area = latest(now_, call.process, call.buffer);
    if (area == nullptr || area->buffer[at(call.peer)] == null) return nullptr;
    return &memory_[at(call.peer)].of[static_cast<std::size_t>(area->buffer[at(call.peer)])][call.word];
  }

  std::vector<Memory> memory_;
  List now_, next_;
  std::int64_t pushed_ = 0;

 public:
  std::vector<Buffer> got;  ///< by process
};

/// One process of the program.
class Registrar {
 public:
  explicit Registrar(Rank& rank) : world_(rank) {}

  void say(const Call& call) {
    const int me = world_.process();
    switch (call.what) {
      case Call::What::push: {
        std::byte* const begin = address(call.area);
        EXPECT_EQ(world_.push_reg({begin, begin == nullptr ? 0 : sizeof(Buffer)}).number, call.area.slot);
        return;
      }
      case Call::What::pop:
        return world_.pop_area(address(call.area));
      case Call::What::pop_by_slot:
        return world_.pop_reg({call.area.slot});
      case Call::What::put:
        if (call.process == me)
          world_.put(call.peer, std::as_bytes(std::span(&call.value, 1)), world_.area_at(buffer(call.buffer)),
                     8 * call.word);
        return;
      case Call::What::get:
        if (call.process == me)
          world_.get(call.peer, world_.area_at(buffer(call.buffer)), 8 * call.word,
                     std::as_writable_bytes(std::span(got)).subspan(8 * call.word, 8));
    }
  }

  void expect_as(RegistrationTwin& twin) {
    const int me = world_.process();
    EXPECT_EQ(memory_, twin.memory(me)) << "process " << me << ", superstep " << world_.superstep();
    EXPECT_EQ(got, twin.got[static_cast<std::size_t>(me)]);
    for (int b = 0; b < buffers; ++b) {
      const Registered* const area = latest(twin.now(), me, b);
      EXPECT_EQ(world_.slot_of(buffer(b)).number, area ? area->slot : -1);
    }
    EXPECT_EQ(world_.counters().areas, std::ssize(twin.now()));
  }

  World& world() { return world_; }
  Buffer got{};

 private:
  std::byte* buffer(int number) {
    return reinterpret_cast<std::byte*>(memory_[static_cast<std::size_t>(number)].data());
  }
  std::byte* address(const Registered& area) {
    const int number = area.buffer[static_cast<std::size_t>(world_.process())];
    return number == null ? nullptr : buffer(number);
  }

  World world_;
  std::vector<Buffer> memory_{buffers};
};

TEST(Registration, RandomPushesAndPopsAreThoseOfTheTwin) {
  on_each_team([](Rank& rank) {
    std::int64_t pops = 0, null_pops = 0, accesses = 0;
    for (std::uint64_t seed = 1; seed <= 12; ++seed) {
      Registrar mine(rank);
      RegistrationTwin twin(rank.size());
      Random random(seed);
      for (int step = 0; step < 40; ++step) {
        const std::vector<Call> calls = twin.random_step(random);
        for (const Call& call : calls) {
          mine.say(call);
          pops += call.what == Call::What::pop ? 1 : 0;
          null_pops += call.what == Call::What::pop && call.area.is_null_everywhere() ? 1 : 0;
          accesses += call.what == Call::What::put || call.what == Call::What::get ? 1 : 0;
        }
        mine.world().sync();
        twin.sync(calls);
        mine.expect_as(twin);
      }
      mine.world().end();
      collective::barrier(rank);
    }
    EXPECT_GT(pops, 100);
    EXPECT_GT(null_pops, 5);
    EXPECT_GT(accesses, 50);
  });
}

// An inner product registers a vector, uses it and pops it, for as long as the program runs.
TEST(Registration, PoppedAreasAreForgotten) {
  on_each_team([](Rank& rank) {
    if (rank.size() > 2) return;
    World world(rank);
    std::array<std::int64_t, 4> old{}, area{};
    world.push_reg(std::as_writable_bytes(std::span(old)));
    world.sync();
    for (std::int64_t round = 0; round < 2000; ++round) {
      world.push_reg(std::as_writable_bytes(std::span(area)));
      world.put(world.process(), std::as_bytes(std::span(&round, 1)), world.area_at(old.data()), 0);
      world.sync();
      world.pop_area(area.data());
    }
    world.sync();
    EXPECT_EQ(old[0], 1999);
    EXPECT_EQ(world.counters().areas, 1);
    world.end();
    collective::barrier(rank);
  });
}

// Paper 4, section 2.4: the smallest buffer that is free and large enough, the same on all processes.
TEST(Registration, BuffersAreTheSmallestFreeOnes) {
  on_each_team([](Rank& rank) {
    World world(rank);
    RegisteredBuffers buffers(world, {100, 8, 40});
    auto middle = buffers.take(10);
    const auto small = buffers.take(8), large = buffers.take(40);
    EXPECT_EQ(small->memory.size(), 8u);
    EXPECT_EQ(middle->memory.size(), 40u);
    EXPECT_EQ(large->memory.size(), 100u);
    try {
      buffers.take(1);
      ADD_FAILURE() << "all are taken";
    } catch (const Error& e) {
      EXPECT_EQ(e.status(), Status::bad_plan);
      EXPECT_NE(std::string(e.what()).find("no registered buffer of 1 bytes is free"), std::string::npos);
    }
    const std::int64_t slot = middle->slot.number;
    const Body lent = buffers.lent(Body(middle, middle->memory.data(), 4));
    EXPECT_EQ(lent.data(), middle->memory.data());
    middle.reset();  // what was lent does not hold it
    EXPECT_EQ(buffers.take(30)->slot.number, slot);
    EXPECT_EQ(world.counters().areas, 3);
    world.end();
    collective::barrier(rank);
  });
}

}  // namespace
}  // namespace overlapack::comm::superstep::testing
