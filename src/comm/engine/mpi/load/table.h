#ifndef OVERLAPACK_COMM_ENGINE_MPI_TABLE_H
#define OVERLAPACK_COMM_ENGINE_MPI_TABLE_H
#include <stddef.h>
#include <stdint.h>

/// Table of C functions through which the core uses an MPI library: filled by the plugin, passed to the core by the loader.
/// No C++ type and no exception crosses it. Every function returns 0 or an MPI error code (see `error_text`) unless it says
/// otherwise; communicators, requests and windows are small numbers, and -1 is none.

#ifdef __cplusplus
extern "C" {
#endif

enum { overlapack_mpi_table_version = 13, overlapack_mpi_text_bytes = 512 };

/// Codes besides MPI's own: the plugin had no memory; the caller's communicator is MPI_COMM_NULL or an inter-communicator; the node
/// has no room for a shared window (returned on all its ranks); the window has the model MPI_WIN_SEPARATE (returned on all ranks).
/// Nothing was started then.
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

/// Threads that may call MPI: the main thread of a process without others; the main thread; all threads, one at a time.
enum { overlapack_mpi_single, overlapack_mpi_funneled, overlapack_mpi_serialized };

typedef int32_t OverlapackComm;
typedef int32_t OverlapackRequest;
typedef int32_t OverlapackWindow;

/// A completed request; its number is free again.
typedef struct OverlapackCompletion {
  OverlapackRequest request;
  int32_t source;     ///< of a receive
  int32_t cancelled;  ///< nothing was received
  int32_t error;      ///< 0 or an MPI error code
  int64_t bytes;      ///< of a receive
} OverlapackCompletion;

/// Strided access to the target's memory of a window: `blocks` blocks, `stride_bytes` apart.
typedef struct OverlapackStrides {
  int64_t offset;
  int64_t block_bytes;
  int64_t stride_bytes;
  int64_t blocks;
} OverlapackStrides;

/// Work of a kernel, for which a simulated processor is charged.
typedef struct OverlapackWork {
  const char* kind;
  int64_t kind_bytes;
  double flops;
  double bytes;
  int64_t m, n, k;  ///< 0 where there is no shape
} OverlapackWork;

/// How a long message starts in simulations: without calls; in calls of both sides; at once if its receive is posted, else in a
/// call of its sender.
enum { overlapack_progress_always, overlapack_progress_calls, overlapack_progress_sender };

/// Settings of a simulated run for the engine. -1: none.
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
  /// Initialise MPI unless it is, in which case `*started` is 0; `*level`: threads that may call it.
  int (*initialise)(int want_serialized, int* started, int* level);
  /// Whether the caller is the thread that initialised MPI.
  int (*is_main_thread)(int* is_main);
  /// Number of processes in MPI_COMM_WORLD.
  int (*world_size)(int* size);
  int (*finalise)(void);
  /// Whether MPI was finalised: then no other function here may be called.
  int (*has_ended)(int* ended);
  /// Register a function to be called at the begin of MPI_Finalize; the last registered one is called first.
  int (*call_before_end)(void (*call)(void* with), void* with);
  int (*library_version)(char* text);
  void (*error_text)(int code, char* text);
  double (*clock)(void);
  /// Let the simulated processor do `work`, or only let simulated time pass; null where time is real.
  void (*compute)(const OverlapackWork* work);
  void (*idle)(double seconds);
  /// Let another processor of this node start to do `work` `times` times, concurrently; wait for all such helpers. Null where time
  /// is real.
  void (*start_helper)(const OverlapackWork* work, int64_t times);
  void (*wait_for_helpers)(void);
  /// Settings of the simulated run; null where time is real.
  void (*simulation)(OverlapackSimulation* asked);

  // Communicators
  /// Duplicate a communicator of the caller's; errors on the duplicate are returned.
  int (*duplicate_user_comm)(const OverlapackUserComm* from, OverlapackComm* comm);
  /// Non-blocking barrier of its processes, for use before the first duplicate, which blocks.
  int (*barrier_of_user_comm)(const OverlapackUserComm* comm, OverlapackRequest* request);
  /// Store `what` as an attribute of a communicator of the caller's; calls forget(what) when that is freed. Not copied to
  /// duplicates.
  int (*set_comm_attribute)(const OverlapackUserComm* comm, void* what, void (*forget)(void* what));
  /// The pointer stored by set_comm_attribute, or null.
  int (*get_comm_attribute)(const OverlapackUserComm* comm, void** what);
  int (*split)(OverlapackComm from, int color, int key, OverlapackComm* comm);
  int (*split_node)(OverlapackComm from, OverlapackComm* comm);
  int (*free_comm)(OverlapackComm comm);
  int (*rank_and_size)(OverlapackComm comm, int* rank, int* size);
  /// Size of a communicator, given by its Fortran handle, and, if it is at most `room`, its processes' ranks in MPI_COMM_WORLD
  /// (-1: not in it).
  int (*world_ranks)(int handle, int room, int* size, int* ranks);
  int (*largest_tag)(int* tag);
  /// Reserve memory for so many further ones: creating them then allocates nothing in the plugin, except to join the two buffers of
  /// a short message.
  int (*reserve)(int requests, int communicators, int windows);

  // Messages; `from` -1 is any source
  /// Start to send `first` and `second` as one message; neither may change until the request completes. `synchronous`: completes
  /// only once a receive has matched. Simulated: if `second` is null, its bytes are sent without content.
  int (*send)(OverlapackComm comm, const void* first, int64_t first_bytes, const void* second,
              int64_t second_bytes, int to, int tag, int synchronous, OverlapackRequest* request);
  int (*receive)(OverlapackComm comm, void* buffer, int64_t bytes, int from, int tag,
                 OverlapackRequest* request);
  /// Simulated ranks: a receive that stands for a rank which only probes. Senders of long messages do not see it. Null elsewhere.
  int (*stand)(OverlapackComm comm, void* buffer, int64_t bytes, int from, int tag,
               OverlapackRequest* request);
  int (*probe)(OverlapackComm comm, int from, int tag, int* found, int* source);
  /// Cancel a receive, only once all messages have arrived: the simulator loses one that is under way to it.
  int (*cancel)(OverlapackRequest request);

  // Collectives that do not block
  int (*barrier)(OverlapackComm comm, OverlapackRequest* request);
  int (*allgather)(OverlapackComm comm, const void* from, int64_t bytes, void* to,
                   OverlapackRequest* request);
  int (*alltoall)(OverlapackComm comm, const void* from, int64_t bytes, void* to, OverlapackRequest* request);
  int (*broadcast)(OverlapackComm comm, void* data, int64_t bytes, int root, OverlapackRequest* request);

  // Progress of all requests
  int (*test_some)(OverlapackCompletion* done, int capacity, int* count);
  /// The same, but blocks until a request completes; null where the caller must test and yield.
  int (*wait_some)(OverlapackCompletion* done, int capacity, int* count);

  // Windows: open for access by all ranks until they are freed
  int (*allocate_window)(OverlapackComm comm, int64_t bytes, int shared, void** memory,
                         OverlapackWindow* window);
  /// Simulated: memory may be null, for a window without content.
  int (*attach_window)(OverlapackComm comm, void* memory, int64_t bytes, OverlapackWindow* window);
  int (*free_window)(OverlapackWindow window);
  /// Address of the target's memory for loads and stores; null in `*memory` where it has none.
  int (*shared_memory)(OverlapackWindow window, int target, void** memory);
  int (*put)(OverlapackWindow window, int target, const OverlapackStrides* at, const void* from);
  int (*get)(OverlapackWindow window, int target, const OverlapackStrides* at, void* to);
  /// Complete all accesses to this target, or to all for -1.
  int (*flush)(OverlapackWindow window, int target);
  /// Start an atomic add; `*before` is the old value after a flush.
  int (*fetch_add)(OverlapackWindow window, int target, int64_t offset, const int64_t* add, int64_t* before);
  /// Start to replace `words` words of 4 or 8 bytes, none of them torn; `from` may not change before a flush.
  int (*store_words)(OverlapackWindow window, int target, int64_t offset, int64_t words, int word_bytes,
                     const void* from);
  /// Read words of this rank, `me`, in a window without shared memory, while others store theirs; null where plain loads see each
  /// word whole.
  int (*load_words)(OverlapackWindow window, int me, int64_t offset, int64_t words, int word_bytes, void* to);
  /// Make the puts of others visible to this rank's loads, and this rank's stores to the gets of others.
  int (*synchronise)(OverlapackWindow window);
  /// Add 1 to the target's 8-byte integer of this rank's index in this window, and end its wait_some, after this rank's puts to it
  /// in the window `after` (-1: none). Simulated only, null where a waiting rank must test.
  int (*signal)(OverlapackWindow window, int target, OverlapackWindow after);
  /// Put `bytes` to `offset` in the window `data`, then, after that and all earlier puts to it, add 1 to the target's 8-byte
  /// integer of this rank's index in the window `control`. Null where this is no single operation. `from` may be reused at once.
  int (*put_signal)(OverlapackWindow control, OverlapackWindow data, int target, int64_t offset,
                    int64_t bytes, const void* from);
  /// Put `bytes` to `offset`, then, after them and all earlier puts to the target, set its 8-byte word at `flag`. Null where the
  /// library does not keep the order of puts without a wait. `from` may be reused at once.
  int (*put_flag)(OverlapackWindow window, int target, int64_t offset, int64_t bytes, const void* from,
                  int64_t flag, int64_t value);
} OverlapackMpiTable;

/// The one symbol that a plugin exports.
typedef const OverlapackMpiTable* (*OverlapackMpiTableFunction)(void);
#define OVERLAPACK_MPI_TABLE_SYMBOL "overlapack_mpi_table"

#ifdef __cplusplus
}
#endif
#endif
