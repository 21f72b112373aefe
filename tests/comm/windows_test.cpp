#include "comm/collective/collective.hpp"
#include "engine.hpp"

#include <cstring>
#include <sys/statvfs.h>
#include <unistd.h>

namespace overlapack::comm::conformance {
namespace {

std::int64_t* numbers(Window& window) { return reinterpret_cast<std::int64_t*>(window.local().data()); }
std::span<const std::byte> bytes_of(const std::vector<std::int64_t>& v) {
  return std::as_bytes(std::span(v));
}

TEST(Windows, StartAsZerosOfTheSizeAskedFor) {
  on_each_team([](Rank& rank) {
    const auto size_of = [](int r) { return static_cast<std::size_t>(13 * r); };  // rank 0 offers nothing
    const auto window = rank.make_window(size_of(rank.rank()));
    EXPECT_EQ(window->local().size(), size_of(rank.rank()));
    if (rank.rank() > 0) {  // no line of a cache is shared by two
      EXPECT_EQ(reinterpret_cast<std::uintptr_t>(window->local().data()) % 64, 0u);
    }
    for (int r = 0; r < rank.size(); ++r) EXPECT_EQ(window->size_at(r), size_of(r));
    for (const std::byte b : window->local()) EXPECT_EQ(b, std::byte{0});
    collective::barrier(rank);
  });
}

TEST(Windows, APutIsThereBeforeItsSignal) {
  on_each_team([](Rank& rank) {
    const std::size_t p = static_cast<std::size_t>(rank.size());
    constexpr std::size_t length = 300;
    const auto window = rank.make_window(p * length * sizeof(std::int64_t));
    for (int round = 1; round <= 4; ++round) {
      for (int to = 0; to < rank.size(); ++to) {
        const auto data = pattern(rank.rank(), to, round, length);
        window->put(to, static_cast<std::size_t>(rank.rank()) * length * sizeof(std::int64_t),
                    bytes_of(data));
        window->signal(to);
      }
      for (int from = 0; from < rank.size(); ++from) {
        Request request = window->expect_signals(from, round);
        wait(rank, request);
        const std::int64_t* got = numbers(*window) + static_cast<std::size_t>(from) * length;
        EXPECT_EQ(std::vector<std::int64_t>(got, got + length), pattern(from, rank.rank(), round, length));
      }
      collective::barrier(rank);
    }
  });
}

TEST(Windows, AGetReadsWhatTheOwnerWrote) {
  on_each_team([](Rank& rank) {
    constexpr std::size_t length = 100;
    std::vector<std::int64_t> mine = pattern(rank.rank(), 0, 5, length);
    const auto window = rank.attach(std::as_writable_bytes(std::span(mine)));
    collective::barrier(rank);
    for (int from = 0; from < rank.size(); ++from) {
      std::vector<std::int64_t> got(length - 7);
      window->get(from, 7 * sizeof(std::int64_t), std::as_writable_bytes(std::span(got)));
      window->flush(from);
      const auto all = pattern(from, 0, 5, length);
      EXPECT_EQ(got, std::vector<std::int64_t>(all.begin() + 7, all.end()));
    }
    collective::barrier(rank);
  });
}

// In simulated time: the request goes there before the answer comes back. All see the same clock.
TEST(Windows, AGetTakesARoundTrip) {
  if (setup().engine != "smpi") GTEST_SKIP() << "time is real";
  on_each_team([](Rank& rank) {
    if (rank.size() < 2) GTEST_SKIP() << "there is nobody to get from";
    const auto window = rank.make_window(4 * sizeof(double));
    auto* const clock = reinterpret_cast<double*>(window->local().data());
    collective::barrier(rank);
    if (rank.rank() == 0) {
      clock[0] = rank.now();
      window->signal(1);
    }
    if (rank.rank() == 1) {
      Request request = window->expect_signals(0, 1);
      wait(rank, request);
      const double came_s = rank.now();
      double left_s = 0;
      window->get(0, 0, std::as_writable_bytes(std::span(&left_s, 1)));
      window->flush(0);
      const double one_way_s = came_s - left_s, round_trip_s = rank.now() - came_s;
      EXPECT_GT(one_way_s, 0);
      EXPECT_GT(round_trip_s, 1.3 * one_way_s);  // a signal has a call, too
      EXPECT_LT(round_trip_s, 2.5 * one_way_s);
    }
    collective::barrier(rank);
    EXPECT_THROW(rank.make_phantom_window(8), Error);  // here are numbers
  });
}

// With the count all is there that was put before it, however long; what was put earlier, too.
TEST(Windows, APutAndItsSignalAreOne) {
  on_each_team([](Rank& rank) {
    constexpr std::size_t most = 5000, w = sizeof(std::int64_t);
    const auto window = rank.make_window((most + 2) * w);
    const int to = right_of(rank), from = left_of(rank);
    std::int64_t round = 0;
    for (const std::size_t length :
         {std::size_t{0}, std::size_t{1}, std::size_t{7}, std::size_t{600}, most}) {
      const auto earlier = pattern(rank.rank(), to, 100 + round, 1),
                 sent = pattern(rank.rank(), to, round, length);
      window->put(to, (most + 1) * w, bytes_of(earlier));
      window->put_signal(to, w, bytes_of(sent));
      Request request = window->expect_signals(from, ++round);
      wait(rank, request);
      const auto expected = pattern(from, rank.rank(), round - 1, length);
      EXPECT_TRUE(std::equal(expected.begin(), expected.end(), numbers(*window) + 1)) << length;
      EXPECT_EQ(numbers(*window)[most + 1], pattern(from, rank.rank(), 100 + round - 1, 1)[0]);
      collective::barrier(rank);  // all have looked
    }
    // to several, also in turn with signals alone
    for (int d = 0; d < rank.size(); ++d) {
      const int other = (rank.rank() + d) % rank.size();
      window->put_signal(other, 0, {});
      window->signal(other);
    }
    for (int other = 0; other < rank.size(); ++other) {
      Request request = window->expect_signals(other, 2 + (other == from ? round : 0));
      wait(rank, request);
    }
    EXPECT_THROW(window->put_signal(to, (most + 2) * w, bytes_of(pattern(0, 0, 0, 1))), Error);
    collective::barrier(rank);
  });
}

// In simulated time it takes one latency, a put and a signal two.
TEST(Windows, APutWithItsSignalTakesOneLatency) {
  if (setup().engine != "smpi") GTEST_SKIP() << "time is real";
  on_each_team([](Rank& rank) {
    if (rank.size() < 2) GTEST_SKIP() << "there is nobody to put to";
    const auto window = rank.make_window(64);
    auto* const clock = reinterpret_cast<double*>(window->local().data());
    double ways_s[2] = {0, 0};
    for (int turn = 0; turn < 2; ++turn) {
      collective::barrier(rank);
      if (rank.rank() == 0) {
        const double now_s = rank.now();
        const auto bytes = std::as_bytes(std::span(&now_s, 1));
        if (turn == 0) window->put(1, 0, bytes), window->signal(1);
        if (turn == 1) window->put_signal(1, 0, bytes);
      }
      if (rank.rank() == 1) {
        Request request = window->expect_signals(0, turn + 1);
        wait(rank, request);
        ways_s[turn] = rank.now() - *clock;
      }
    }
    if (rank.rank() == 1) {
      EXPECT_GT(ways_s[1], 0);
      EXPECT_LT(ways_s[1], 0.8 * ways_s[0]);
    }
    collective::barrier(rank);
  });
}

// The blocks of a matrix column by column: block_bytes = rows taken, stride = leading dimension.
TEST(Windows, StridedFormsMoveBlocksAndNothingBetweenThem) {
  on_each_team([](Rank& rank) {
    constexpr std::size_t rows = 3, ld = 5, cols = 4, w = sizeof(std::int64_t);
    const auto window = rank.make_window(ld * cols * w);
    std::int64_t* const local = numbers(*window);
    std::fill(local, local + ld * cols, -1);
    collective::barrier(rank);
    const int to = right_of(rank), from = left_of(rank);
    const auto block = pattern(rank.rank(), to, 6, rows * cols);
    window->put_strided(to, w, rows * w, ld * w, cols, bytes_of(block).data());
    window->signal(to);
    Request request = window->expect_signals(from, 1);
    wait(rank, request);
    const auto expected = pattern(from, rank.rank(), 6, rows * cols);
    for (std::size_t j = 0; j < cols; ++j)
      for (std::size_t i = 0; i < ld; ++i) {
        const bool is_in_block = i >= 1 && i < 1 + rows;
        EXPECT_EQ(local[i + j * ld], is_in_block ? expected[i - 1 + j * rows] : -1) << i << " " << j;
      }
    collective::barrier(rank);
    std::vector<std::int64_t> back(rows * cols);
    window->get_strided(to, w, rows * w, ld * w, cols, reinterpret_cast<std::byte*>(back.data()));
    window->flush();
    EXPECT_EQ(back, block);
    collective::barrier(rank);
  });
}

// Each rank stores into its own part of everybody's words; made and attached memory take different ways under MPI.
TEST(Windows, StoredWordsArriveWhereTheyBelong) {
  on_each_team([](Rank& rank) {
    constexpr std::size_t length = 50;
    const std::size_t p = static_cast<std::size_t>(rank.size());
    const std::size_t bytes = p * length * sizeof(std::int64_t);
    std::vector<std::int64_t> memory(p * length);
    const auto made = rank.make_window(bytes),
               attached = rank.attach(std::as_writable_bytes(std::span(memory)));
    for (Window* const window : {made.get(), attached.get()})
      for (const std::size_t word_bytes : {std::size_t{4}, std::size_t{8}}) {
        for (int to = 0; to < rank.size(); ++to)
          window->store_words(
              to, static_cast<std::size_t>(rank.rank()) * length * sizeof(std::int64_t), word_bytes,
              bytes_of(pattern(rank.rank(), to, static_cast<std::int64_t>(word_bytes), length)));
        window->flush();
        collective::barrier(rank);
        std::vector<std::int64_t> got(length);
        for (int from = 0; from < rank.size(); ++from) {
          window->load_words(static_cast<std::size_t>(from) * length * sizeof(std::int64_t), word_bytes,
                             std::as_writable_bytes(std::span(got)));
          EXPECT_EQ(got, pattern(from, rank.rank(), static_cast<std::int64_t>(word_bytes), length));
        }
        collective::barrier(rank);
      }
    EXPECT_THROW(made->store_words(rank.rank(), 4, 8, bytes_of({1})), Error);
    EXPECT_THROW(made->store_words(rank.rank(), 0, 16, {}), Error);
    EXPECT_THROW(made->load_words(bytes, 8, std::as_writable_bytes(std::span(memory))), Error);
    collective::barrier(rank);
  });
}

// What is stored is the words as they were; they come with the next store there at the latest, and with a flush.
TEST(Windows, StoredWordsMayBeOverwrittenAtOnce) {
  on_each_team([](Rank& rank) {
    std::vector<std::int64_t> memory(100);
    const auto window = rank.attach(std::as_writable_bytes(std::span(memory)));
    const int to = right_of(rank), from = left_of(rank);
    for (std::int64_t store = 0; store < 50; ++store) {
      std::vector<std::int64_t> words = pattern(rank.rank(), to, store, 2);
      window->store_words(to, static_cast<std::size_t>(store) * 2 * sizeof store, 8, bytes_of(words));
      std::ranges::fill(words, -1);
    }
    window->flush(to);
    collective::barrier(rank);
    std::vector<std::int64_t> got(memory.size());
    window->load_words(0, 8, std::as_writable_bytes(std::span(got)));
    for (std::int64_t store = 0; store < 50; ++store) {
      const auto expected = pattern(from, rank.rank(), store, 2);
      EXPECT_TRUE(std::equal(expected.begin(), expected.end(), got.begin() + 2 * store)) << store;
    }
    collective::barrier(rank);
  });
}

// In simulated time: nobody waits for words on their way, and they are not there before.
TEST(Windows, AStoreGoesOn) {
  if (setup().engine != "smpi") GTEST_SKIP() << "time is real";
  on_each_team([](Rank& rank) {
    if (rank.size() < 2) GTEST_SKIP() << "there is nobody to store to";
    const auto window = rank.make_window(2 * sizeof(double));
    double seen[2] = {0, 0};
    const auto look = [&] { window->load_words(0, 8, std::as_writable_bytes(std::span(seen))); };
    collective::barrier(rank);
    const double begin_s = rank.now();
    if (rank.rank() == 0) {
      const double words[2] = {begin_s, 1};
      window->store_words(1, 0, 8, std::as_bytes(std::span(words)));
      const double stored_s = rank.now();
      window->flush(1);
      EXPECT_GT(rank.now() - begin_s, 4 * (stored_s - begin_s));
    }
    if (rank.rank() == 1) {
      look();
      const bool was_there = seen[1] == 1;
      for (int looks = 0; seen[1] == 0 && looks < 1000000; ++looks) {
        rank.compute({.kind = "look", .flops = 100}, [] {});
        look();
      }
      EXPECT_FALSE(was_there);
      EXPECT_GT(rank.now(), seen[0]);
    }
    collective::barrier(rank);
  });
}

/// Store words of equal bits again and again into the window of the right neighbour, while the left one stores into mine.
void store_and_look(Rank& rank, Window& window, std::size_t word_bytes, std::size_t words, int stores) {
  std::vector<unsigned char> values(words * word_bytes), seen(values.size());
  Recv end = rank.post_receive(Lane::user, left_of(rank));
  std::int64_t torn = 0;
  bool is_over = false;
  for (int store = 0; store < stores || !is_over; ++store) {
    if (store < stores) {
      std::ranges::fill(values, store % 2 == 0 ? 0xff : 0);
      window.store_words(right_of(rank), 0, word_bytes, std::as_bytes(std::span(values)));
      if (store == stores - 1) rank.start_send(Lane::user, right_of(rank), {}, {});
    }
    is_over = rank.test(end);
    window.load_words(0, word_bytes, std::as_writable_bytes(std::span(seen)));
    for (std::size_t at = 0; at < seen.size(); at += word_bytes)
      torn += std::count(&seen[at], &seen[at] + word_bytes, seen[at]) != std::ptrdiff_t(word_bytes);
  }
  EXPECT_EQ(torn, 0) << "words of " << word_bytes << " bytes";
  collective::barrier(rank);
}

// Stores are under way when they are read. The sizes are such that windows which begin where the one before ends, as a node's would
// at MPI, have words across lines of a cache; what is attached goes through MPI.
TEST(Windows, StoredWordsArriveWhole) {
  on_each_team([](Rank& rank) {
    constexpr std::size_t words = 4096;
    const bool is_real = !rank.capabilities().virtual_time;
    const auto made = rank.make_window(words * sizeof(std::int64_t) + 5);
    std::vector<std::int64_t> memory(words);
    const auto attached = rank.attach(std::as_writable_bytes(std::span(memory)));
    for (const std::size_t word_bytes : {std::size_t{4}, std::size_t{8}}) {
      store_and_look(rank, *made, word_bytes, words, is_real ? 3000 : 10);
      store_and_look(rank, *attached, word_bytes, words, 10);
    }
  });
}

// These tests run on one node: there each engine reaches the memory of all, but for the simulator's, where a load would take no time.
TEST(Windows, DirectIsTheMemoryItselfOrNull) {
  on_each_team([](Rank& rank) {
    const auto window = rank.make_window(61);
    std::byte* const other = window->direct(right_of(rank));
    if (rank.capabilities().virtual_time) {
      EXPECT_EQ(other, nullptr);
      EXPECT_EQ(window->direct(rank.rank()), nullptr);
    } else {
      EXPECT_EQ(window->direct(rank.rank()), window->local().data());
      EXPECT_NE(other, nullptr);
      if (other) other[60] = std::byte{42};
      window->signal(right_of(rank));
      Request request = window->expect_signals(left_of(rank), 1);
      wait(rank, request);
      EXPECT_EQ(window->local()[60], std::byte{42});
    }
    collective::barrier(rank);
  });
}

// An access of nothing is one: it takes no place that a later one needs.
TEST(Windows, AccessesOfNothingAreHarmless) {
  on_each_team([](Rank& rank) {
    const std::vector<std::int64_t> sent = pattern(rank.rank(), 0, 9, 20);
    std::vector<std::int64_t> memory = sent;
    const auto attached = rank.attach(std::as_writable_bytes(std::span(memory)));
    const auto made = rank.make_window(memory.size() * sizeof(std::int64_t));
    std::ranges::copy(sent, numbers(*made));
    collective::barrier(rank);
    const int from = right_of(rank);
    for (Window* const window : {attached.get(), made.get()}) {
      std::vector<std::int64_t> got(sent.size());
      window->get(from, 0, {});
      window->get_strided(from, 8, 0, 8, 3, nullptr);
      window->get_strided(from, 8, 8, 8, 0, nullptr);
      window->put(from, 0, {});
      window->put_strided(from, 8, 0, 8, 3, nullptr);
      window->store_words(from, 0, 8, {});
      window->get(from, 0, std::as_writable_bytes(std::span(got)));
      window->flush();
      EXPECT_EQ(got, pattern(from, 0, 9, sent.size()));
    }
    collective::barrier(rank);
  });
}

// Where processes share the memory of windows: MPI itself would find out on one of them, and leave the others waiting for it.
TEST(Windows, WithoutRoomInSharedMemoryAreRefused) {
  if (setup().engine != "mpi") GTEST_SKIP() << "windows are no files of MPI's";
  struct statvfs position {};
  if (access("/dev/shm", W_OK) != 0 || statvfs("/dev/shm", &position) != 0 || position.f_blocks == 0)
    GTEST_SKIP() << "/dev/shm has no limit here, or cannot be written to";
  const std::size_t twice_the_room = 2 * position.f_bavail * position.f_frsize;
  each_team({}, [&](Team& team) {
    if (team.size() == 1) GTEST_SKIP() << "the window of a single rank needs no file";
    const Error e = error_of(team, [&](Rank& rank) { rank.make_window(twice_the_room); });
    EXPECT_EQ(e.status(), Status::out_of_memory) << e.what();
    EXPECT_NE(std::string(e.what()).find("/dev/shm"), std::string::npos) << e.what();
    team.run([](Rank& rank) {  // and the team is as good as before
      const auto window = rank.make_window(sizeof(std::int64_t));
      const std::int64_t one = 1;
      window->put(right_of(rank), 0, std::as_bytes(std::span(&one, 1)));
      window->flush();
      collective::barrier(rank);
      EXPECT_EQ(numbers(*window)[0], 1);
      collective::barrier(rank);
    });
  });
}

TEST(Windows, AccessOutsideIsAnError) {
  each_team({}, [](Team& team) {
    EXPECT_THROW(team.run([](Rank& rank) {
      const auto window = rank.make_window(16);
      std::vector<std::int64_t> two(2);
      window->put(right_of(rank), 8, bytes_of(two));
    }),
                 Error);
  });
}

}  // namespace
}  // namespace overlapack::comm::conformance
