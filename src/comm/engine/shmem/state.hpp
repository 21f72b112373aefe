#pragma once
#include "comm/engine/shmem/messages.hpp"

#include <algorithm>
#include <cstddef>
#include <map>
#include <memory>
#include <shmem.h>
#include <utility>
#include <vector>

/// What the functions of the table share, and those of them that are about windows.
namespace overlapack::comm::shmem {

constexpr std::size_t arena_bytes = std::size_t{1} << 26;  ///< of all windows of a PE but large ones

constexpr std::size_t line_bytes = 64;  ///< of a cache: no two windows share one

struct Window {
  const Comm* comm = nullptr;
  /// by position: where it is there; in the arena, symmetric addresses of mine
  std::vector<std::byte*> memory = {};
  std::size_t bytes = 0;
  bool is_symmetric = true;
  bool is_of_arena = true;  ///< else it has a piece of the symmetric heap to itself
};

struct State {
  Messages messages;
  std::vector<std::unique_ptr<Comm>> comms;
  std::vector<std::unique_ptr<Window>> windows;
  std::int32_t next_context = 1;
  std::byte* arena = static_cast<std::byte*>(shmem_align(line_bytes, arena_bytes));
  std::map<std::size_t, std::size_t> used;  ///< of my arena: offset, bytes
  std::vector<std::pair<void (*)(void*), void*>> before_end;
  void* kept_with_world = nullptr;

  /// What is symmetric is so on all PEs.
  bool has_room() { return arena && messages.pipes().have_room(); }
};
extern State* state;  ///< of this process, from initialise on

template <class T, class List>
int numbered(std::unique_ptr<T> item, List& list) {
  auto free = std::find(list.begin(), list.end(), nullptr);
  if (free == list.end()) free = list.insert(free, nullptr);
  *free = std::move(item);
  return static_cast<int>(free - list.begin());
}

inline Comm& comm_of(OverlapackComm number) { return *state->comms[static_cast<std::size_t>(number)]; }

// A collective: every pair exchanges a message with a tag that no other one has
/// Each to each: from + to * from_stride goes to `to`; what `from` sent comes to to + from * bytes.
TaskPtr exchange(Comm& comm, const void* from, std::int64_t from_stride, std::int64_t bytes, void* to);

/// What each has, by position: the same, and wait.
template <class T>
std::vector<T> gathered_from_all(Comm& comm, const T& mine) {
  std::vector<T> all(comm.pes.size());
  const TaskPtr whole = exchange(comm, &mine, 0, sizeof(T), all.data());
  state->messages.serve_until([&] { return whole->parts == 0; });
  state->messages.forget(whole);
  return all;
}

// Windows: table.h says what each does
int allocate_window(OverlapackComm comm, std::int64_t bytes, int, void** memory, OverlapackWindow* number);
int attach_window(OverlapackComm comm, void* memory, std::int64_t bytes, OverlapackWindow* number);
int free_window(OverlapackWindow number);
int shared_memory(OverlapackWindow, int, void** memory);
int put(OverlapackWindow number, int target, const OverlapackStrides* at, const void* from);
int get(OverlapackWindow number, int target, const OverlapackStrides* at, void* to);
int flush(OverlapackWindow, int);
int fetch_add(OverlapackWindow number, int target, std::int64_t offset, const std::int64_t* add,
              std::int64_t* before);
int store_words(OverlapackWindow number, int target, std::int64_t offset, std::int64_t words, int word_bytes,
                const void* from);
int synchronise(OverlapackWindow);
int put_signal(OverlapackWindow control, OverlapackWindow data, int target, std::int64_t offset,
               std::int64_t bytes, const void* from);

}  // namespace overlapack::comm::shmem
