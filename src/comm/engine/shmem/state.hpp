#pragma once
#include "comm/engine/shmem/messages.hpp"

#include <algorithm>
#include <cstddef>
#include <map>
#include <memory>
#include <shmem.h>
#include <utility>
#include <vector>

/// State shared by the functions of the table, and declarations of those for windows.
namespace overlapack::comm::shmem {

/// Symmetric memory of a PE for all its windows that fit
constexpr std::size_t arena_bytes = std::size_t{1} << 26;

constexpr std::size_t line_bytes = 64;  ///< cache line: no two windows have one in common

struct Window {
  const Comm* comm = nullptr;
  /// by position: address of its memory; in the arena, as symmetric addresses of this PE
  std::vector<std::byte*> memory = {};
  std::size_t bytes = 0;
  bool is_symmetric = true;
  bool is_of_arena = true;  ///< else a separate allocation of the symmetric heap
};

struct State {
  Messages messages;
  std::vector<std::unique_ptr<Comm>> comms;
  std::vector<std::unique_ptr<Window>> windows;
  std::int32_t next_context = 1;
  std::byte* arena = static_cast<std::byte*>(shmem_align(line_bytes, arena_bytes));
  std::map<std::size_t, std::size_t> used;  ///< allocations of this PE's arena: offset, bytes
  std::vector<std::pair<void (*)(void*), void*>> before_end;
  void* kept_with_world = nullptr;

  /// Whether the symmetric allocations succeeded; the same on all PEs.
  bool has_room() { return arena && messages.pipes().have_room(); }
};
extern State* state;  ///< set by initialise

template <class T, class List>
int append_numbered(std::unique_ptr<T> item, List& list) {
  auto free = std::find(list.begin(), list.end(), nullptr);
  if (free == list.end()) free = list.insert(free, nullptr);
  *free = std::move(item);
  return static_cast<int>(free - list.begin());
}

inline Comm& comm_of(OverlapackComm number) { return *state->comms[static_cast<std::size_t>(number)]; }

// Collectives: every pair exchanges a message, with a tag unique to the collective
/// All to all: sends `bytes` bytes at from + i * from_stride to position i, and receives those of position i at to + i * bytes.
TaskPtr exchange(Comm& comm, const void* from, std::int64_t from_stride, std::int64_t bytes, void* to);

/// Gather one value of every PE of a communicator, by position. Blocks until all have called it.
template <class T>
std::vector<T> gathered_from_all(Comm& comm, const T& mine) {
  std::vector<T> all(comm.pes.size());
  const TaskPtr whole = exchange(comm, &mine, 0, sizeof(T), all.data());
  state->messages.make_progress_until([&] { return whole->parts == 0; });
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
int put_flag(OverlapackWindow number, int target, std::int64_t offset, std::int64_t bytes, const void* from,
             std::int64_t flag, std::int64_t value);

}  // namespace overlapack::comm::shmem
