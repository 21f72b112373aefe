#ifndef OVERLAPACK_COMM_ENGINE_MPI_TABLE_H
#define OVERLAPACK_COMM_ENGINE_MPI_TABLE_H
#include <stddef.h>
#include <stdint.h>

/// What the core needs of an MPI library, as a table of C functions: the plugin fills it, the loader hands it to
/// the core. No C++ type and no exception crosses. Every function returns 0 or an MPI error code (`error_text`
/// explains it) unless it says otherwise; communicators, requests and windows are small numbers, and -1 is none.

#ifdef __cplusplus
extern "C" {
#endif

enum { overlapack_mpi_table_version = 11, overlapack_mpi_text_bytes = 512 };

/// Instead of an MPI error code: the plugin had no memory; a communicator of the caller's is MPI_COMM_NULL, or one between two
/// groups; the node has no room for a shared window, which all its ranks are told; the memory of a window is not what its owner
/// loads (MPI_WIN_SEPARATE), which all are told. Nothing has begun then.
enum {
  overlapack_mpi_no_memory = -1,
  overlapack_mpi_no_ranks = -2,
  overlapack_mpi_no_room = -3,
  overlapack_mpi_separate = -4
};

/// A communicator of the caller's: by its Fortran handle, or the MPI_Comm at an address; MPI_COMM_WORLD where both are null.
typedef struct OverlapackUserComm {
  const void* address;
  const int32_t* fortran_handle;
} OverlapackUserComm;

/// Who may call MPI: its main thread, and no other thread may live; its main thread; all threads, one at a time.
enum { overlapack_mpi_single, overlapack_mpi_funneled, overlapack_mpi_serialized };

typedef int32_t OverlapackComm;
typedef int32_t OverlapackRequest;
typedef int32_t OverlapackWindow;

/// A request that has come to its end; its number is free again.
typedef struct OverlapackCompletion {
  OverlapackRequest request;
  int32_t source;     ///< of a receive
  int32_t cancelled;  ///< nothing was received
  int32_t error;      ///< 0 or an MPI error code
  int64_t bytes;      ///< of a receive
} OverlapackCompletion;

/// How an access to a window walks through the target's memory: `blocks` blocks, `stride_bytes` apart.
typedef struct OverlapackStrides {
  int64_t offset;
  int64_t block_bytes;
  int64_t stride_bytes;
  int64_t blocks;
} OverlapackStrides;

/// A kernel's work, as a simulated processor is charged for it.
typedef struct OverlapackWork {
  const char* kind;
  int64_t kind_bytes;
  double flops;
  double bytes;
  int64_t m, n, k;  ///< 0 where there is no shape
} OverlapackWork;

/// When a long message sets out, simulated: by itself; in calls of both sides; at once if its receive is posted, else in a call
/// of its sender.
enum { overlapack_progress_always, overlapack_progress_calls, overlapack_progress_sender };

/// What a simulated run asks of the engine. -1: nothing.
typedef struct OverlapackSimulation {
  int64_t eager_bytes;           ///< short protocol up to here, unless the team says otherwise
  int64_t head_bytes;            ///< least size of a posted receive buffer
  int64_t columns_per_exchange;  ///< phantom: columns of a dense panel whose pivots are found in one exchange
  int32_t rank;                  ///< of this process in MPI_COMM_WORLD
  int32_t is_phantom;            ///< shapes only: no numbers are computed, bodies have no storage
  int32_t progress;              ///< one of overlapack_progress_...
  int32_t threads_of_rank;       ///< processors of its node that a rank has for itself and its workers
} OverlapackSimulation;

typedef struct OverlapackMpiTable {
  uint32_t version;
  uint32_t table_bytes;
  const char* flavour;  ///< "Open MPI", "MPICH", "SMPI"

  // The library
  /// Start MPI unless it runs already, in which case `*started` is 0; `*level` tells who may call it.
  int (*initialise)(int want_serialized, int* started, int* level);
  /// Is the caller's the thread that started MPI?
  int (*is_main_thread)(int* is_main);
  /// How many processes MPI_COMM_WORLD has.
  int (*world_size)(int* size);
  int (*finalise)(void);
  /// Has somebody ended MPI? Then nothing else here may be called.
  int (*has_ended)(int* ended);
  /// Call once, with MPI still at work, when somebody ends it; what was asked last is called first.
  int (*call_before_end)(void (*call)(void* with), void* with);
  int (*library_version)(char* text);
  void (*error_text)(int code, char* text);
  double (*clock)(void);
  /// Let the simulated processor work, or only simulated time pass; null where time is real.
  void (*compute)(const OverlapackWork* work);
  void (*idle)(double seconds);
  /// Let another processor of my node begin to do this work so many times; it works beside me. Then: until all of
  /// these are done. Null where time is real.
  void (*start_helper)(const OverlapackWork* work, int64_t times);
  void (*wait_for_helpers)(void);
  /// What the simulated run asks for; null where time is real.
  void (*simulation)(OverlapackSimulation* asked);

  // Communicators
  /// A duplicate of a communicator of the caller's; its errors return.
  int (*duplicate_user_comm)(const OverlapackUserComm* from, OverlapackComm* comm);
  /// Let all of its processes meet before the first duplicate, which blocks.
  int (*barrier_of_user_comm)(const OverlapackUserComm* comm, OverlapackRequest* request);
  /// Keep this with a communicator of the caller's until it is freed: then `forget` is called with it. Its duplicates do not get it.
  int (*keep_with)(const OverlapackUserComm* comm, void* what, void (*forget)(void* what));
  /// What is kept with it; null: nothing.
  int (*kept_with)(const OverlapackUserComm* comm, void** what);
  int (*split)(OverlapackComm from, int color, int key, OverlapackComm* comm);
  int (*split_node)(OverlapackComm from, OverlapackComm* comm);
  int (*free_comm)(OverlapackComm comm);
  int (*rank_and_size)(OverlapackComm comm, int* rank, int* size);
  /// How many processes a communicator has and, where there is room for all, their ranks in MPI_COMM_WORLD (-1: not in
  /// it). It is given by its Fortran handle.
  int (*world_ranks)(int handle, int room, int* size, int* ranks);
  int (*largest_tag)(int* tag);
  /// Make room for so many more of each: they then take no memory of the plugin's, but that of a short message in two pieces.
  int (*reserve)(int requests, int communicators, int windows);

  // Messages; `from` -1 is any source
  /// Start to send `first` and `second` as one message without joining them in memory. `synchronous` ends only
  /// when the receive has been found. Both stay until the request completes. Simulated: with no `second`, as many bytes
  /// as it says travel that are nowhere in memory.
  int (*send)(OverlapackComm comm, const void* first, int64_t first_bytes, const void* second,
              int64_t second_bytes, int to, int tag, int synchronous, OverlapackRequest* request);
  int (*receive)(OverlapackComm comm, void* buffer, int64_t bytes, int from, int tag,
                 OverlapackRequest* request);
  int (*probe)(OverlapackComm comm, int from, int tag, int* found, int* source);
  /// Only of a receive: the simulator loses a message that is on its way to it, so not before all have come.
  int (*cancel)(OverlapackRequest request);

  // Collectives that do not block
  int (*barrier)(OverlapackComm comm, OverlapackRequest* request);
  int (*allgather)(OverlapackComm comm, const void* from, int64_t bytes, void* to,
                   OverlapackRequest* request);
  int (*alltoall)(OverlapackComm comm, const void* from, int64_t bytes, void* to, OverlapackRequest* request);
  int (*broadcast)(OverlapackComm comm, void* data, int64_t bytes, int root, OverlapackRequest* request);

  // Progress over every request there is
  int (*test_some)(OverlapackCompletion* done, int capacity, int* count);
  /// The same, but return only when something is done; null where a caller has to test and yield.
  int (*wait_some)(OverlapackCompletion* done, int capacity, int* count);

  // Windows: opened for access by everybody until they are freed
  int (*allocate_window)(OverlapackComm comm, int64_t bytes, int shared, void** memory,
                         OverlapackWindow* window);
  /// Simulated: null stands for memory that is nowhere.
  int (*attach_window)(OverlapackComm comm, void* memory, int64_t bytes, OverlapackWindow* window);
  int (*free_window)(OverlapackWindow window);
  /// Null in `*memory` where the target's memory cannot be reached by loads and stores.
  int (*shared_memory)(OverlapackWindow window, int target, void** memory);
  int (*put)(OverlapackWindow window, int target, const OverlapackStrides* at, const void* from);
  int (*get)(OverlapackWindow window, int target, const OverlapackStrides* at, void* to);
  /// Complete everything to this target, or to all for -1.
  int (*flush)(OverlapackWindow window, int target);
  /// Start to add; `*before` holds the value before once it is flushed.
  int (*fetch_add)(OverlapackWindow window, int target, int64_t offset, const int64_t* add, int64_t* before);
  /// Start to replace `words` words of 4 or 8 bytes, each of them whole.
  int (*store_words)(OverlapackWindow window, int target, int64_t offset, int64_t words, int word_bytes,
                     const void* from);
  /// Make what others have put visible to my loads, and what I stored to the gets of others.
  int (*synchronise)(OverlapackWindow window);
  /// Add 1 to the target's 8-byte integer of my number in this window, and end its wait_some, once all that I put to it in the
  /// window `after` (-1: none) is there: simulated only, null where a waiting rank has to look.
  int (*signal)(OverlapackWindow window, int target, OverlapackWindow after);
  /// Put `bytes` to `offset` in the window `data`, and add 1 to the target's 8-byte integer of my number in the window `control`
  /// after that and all that I put there before; null where this is no single operation. `from` is read now.
  int (*put_signal)(OverlapackWindow control, OverlapackWindow data, int target, int64_t offset,
                    int64_t bytes, const void* from);
} OverlapackMpiTable;

/// The one symbol that a plugin exports.
typedef const OverlapackMpiTable* (*OverlapackMpiTableFunction)(void);
#define OVERLAPACK_MPI_TABLE_SYMBOL "overlapack_mpi_table"

#ifdef __cplusplus
}
#endif
#endif
