#pragma once
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>
#include <type_traits>

/// The enumerations that callers choose from. Each has its names for the command line, Python, plan files and reports beside it
/// (choice_names). The plans of the layers below hold the same enumerations. An empty std::optional of one is "auto": the library
/// chooses.
namespace overlapack {

/// The names of the values of E, as an array in the order of the enumerators; nullptr for an enumeration without names.
template <class E>
inline constexpr std::nullptr_t choice_names = nullptr;

/// An enumeration that has choice_names.
template <class E>
concept Choice = std::is_array_v<std::remove_cvref_t<decltype(choice_names<E>)>>;

/// The families of solvers.
enum class Method : std::uint8_t {
  multifrontal,
  block_triangular,
  dense,
  jacobi,
  multisplitting,
  supernodal
};
template <>
inline constexpr std::string_view choice_names<Method>[] = {"multifrontal", "block_triangular", "dense",
                                                            "jacobi",       "multisplitting",   "supernodal"};

/// The kind of factorisation. ldlt and cholesky keep lower triangles only; qr is for dense matrices. quasidefinite is LDL^T with pivots
/// of known signs (SparseOptions::signs), which needs no search for pivots and is stable in any order.
enum class FactorKind : std::uint8_t { lu, ldlt, cholesky, qr, quasidefinite };
template <>
inline constexpr std::string_view choice_names<FactorKind>[] = {"lu", "ldlt", "cholesky", "qr",
                                                                "quasidefinite"};

/// Precision of the factors. working: that of the matrix. mixed: single precision, with refinement in double.
enum class Precision : std::uint8_t { working, mixed };
template <>
inline constexpr std::string_view choice_names<Precision>[] = {"working", "mixed"};

/// Fill-reducing orders of sparse matrices.
enum class Ordering : std::uint8_t {
  dissection,  ///< nested dissection of this library, on all threads
  metis,
  amd,
  scotch,
  natural,  ///< the order of the matrix
  user      ///< SparseOptions::user_order
};
template <>
inline constexpr std::string_view choice_names<Ordering>[] = {"dissection", "metis",   "amd",
                                                              "scotch",     "natural", "user"};

/// The effort of Ordering::dissection.
enum class OrderingEffort : std::uint8_t {
  low,     ///< one separator for each part, in less time
  normal,  ///< the best of a few separators
  high  ///< three orders with different rules of balance; the one with the shortest predicted factorisation is taken
};
template <>
inline constexpr std::string_view choice_names<OrderingEffort>[] = {"low", "normal", "high"};

enum class Switch : std::uint8_t { on, off };
template <>
inline constexpr std::string_view choice_names<Switch>[] = {"on", "off"};

/// Scaling of rows and columns of a sparse matrix; ruiz: equilibration in the maximum norm.
enum class ScalingKind : std::uint8_t { ruiz, off };
template <>
inline constexpr std::string_view choice_names<ScalingKind>[] = {"ruiz", "off"};

/// What to do with a matrix that is proved to be singular to working precision (Report::null_vector).
enum class SingularMatrix : std::uint8_t {
  answer,  ///< a right-hand side that has a solution gets one, with a warning; any other is an error
  always,  ///< every right-hand side gets an x, with a warning: for inverse iteration, and for callers that correct the matrix themselves
  refuse,  ///< the factorisation is an error
};
template <>
inline constexpr std::string_view choice_names<SingularMatrix>[] = {"answer", "always", "refuse"};

/// Where the final factors of fronts are kept.
enum class FactorsIn : std::uint8_t { memory, disk };
template <>
inline constexpr std::string_view choice_names<FactorsIn>[] = {"memory", "disk"};

/// Compression of the blocks of large fronts.
enum class Compression : std::uint8_t {
  none,
  blr,  ///< block low-rank: blocks of nearly low rank are kept as products
};
template <>
inline constexpr std::string_view choice_names<Compression>[] = {"none", "blr"};

/// How several ranks work on one front.
enum class NodeParallelism : std::uint8_t {
  slices,  ///< fronts stay whole; ranks of the same process take slices of their updates
  strips,  ///< the border rows of large fronts are distributed to ranks (type 2 of paper 1)
};
template <>
inline constexpr std::string_view choice_names<NodeParallelism>[] = {"slices", "strips"};

/// How the largest root of the tree is factorised.
enum class RootParallelism : std::uint8_t {
  sequential,  ///< on its owner (ranks of the same process take slices)
  grid,        ///< in blocks over all ranks (type 3 of paper 1)
};
template <>
inline constexpr std::string_view choice_names<RootParallelism>[] = {"sequential", "grid"};

/// How panels reach the strips of a front: along a binary tree of ranks, or from the owner to each strip (flat).
enum class Multicast : std::uint8_t { tree, flat };
template <>
inline constexpr std::string_view choice_names<Multicast>[] = {"tree", "flat"};

/// The sizes of strips. by_load: larger on ranks with less work left. fixed: as if no rank had other work, which makes results
/// reproducible.
enum class StripChoice : std::uint8_t { by_load, fixed };
template <>
inline constexpr std::string_view choice_names<StripChoice>[] = {"load", "static"};

/// How ranks send each other news of their loads.
enum class NewsBy : std::uint8_t {
  own_lane,  ///< messages on the lane load, with receives of their own
  shared_lane,  ///< messages on the lane of all others; a rank receives all that have arrived before it reads loads (paper 1)
  put,  ///< words that are put into the other rank's memory, where it reads them (the ideal that paper 1 approaches by messages)
};
template <>
inline constexpr std::string_view choice_names<NewsBy>[] = {"lane", "shared", "put"};

/// What a rank does with a message that arrives before another one that it depends on. The other one has been sent already.
enum class EarlyMessages : std::uint8_t {
  park,  ///< store the early message until its turn; no rank waits for a certain message
  wait,  ///< receive the other one first, blocking, through one receive buffer (paper 1, Algorithms 3 and 4)
};
template <>
inline constexpr std::string_view choice_names<EarlyMessages>[] = {"park", "wait"};

/// How a rank receives messages. immediate: by receives that are posted ahead. probe: it receives the message that a probe finds.
enum class ReceiveMode : std::uint8_t { immediate, probe };
template <>
inline constexpr std::string_view choice_names<ReceiveMode>[] = {"immediate", "probe"};

/// Who moves messages while kernels compute. poll: the rank itself, between slices. thread: a separate thread.
enum class ProgressBy : std::uint8_t { poll, thread };
template <>
inline constexpr std::string_view choice_names<ProgressBy>[] = {"poll", "thread"};

/// The layer that carries messages. thread: ranks are threads of one process. mpi: ranks are processes of MPI. shmem: OpenSHMEM.
enum class Engine : std::uint8_t { thread, mpi, shmem };
template <>
inline constexpr std::string_view choice_names<Engine>[] = {"thread", "mpi", "shmem"};

/// The order in which the tasks of a step of LU run.
enum class Schedule : std::uint8_t {
  flat,  ///< paper 2, Table 1: factor, broadcast, interchange, solve, update; all ranks in the same phase. Sparse: paper 1, Fig. 5
  look_ahead,  ///< `depth` panels are factorised and on their way before the trailing matrix is updated
  split,  ///< look-ahead, and the update in two halves: the rows of one are interchanged while the other computes
  parity,     ///< paper 2, Fig. 7: the ranks of a node in opposite phases
  hybrid,     ///< one rank a node: helper threads compute while the rank itself moves messages
  pipelined,  ///< sparse, paper 1, Fig. 6: the next column is made early, but sends wait for their receives
};
template <>
inline constexpr std::string_view choice_names<Schedule>[] = {"flat",   "lookahead", "split",
                                                              "parity", "hybrid",    "pipelined"};

/// The order in which supernodal LU eliminates its nodes.
enum class NodeOrder : std::uint8_t {
  postorder,  ///< the postorder of the tree, in which few entries are in use at a time
  levels,  ///< first all nodes that depend on no other node, then those that depend on these alone, and so on
};
template <>
inline constexpr std::string_view choice_names<NodeOrder>[] = {"postorder", "levels"};

/// Mapping of supernodal LU's nodes to ranks.
enum class NodeMap : std::uint8_t {
  cyclic,  ///< distributed to the grid in turn (paper 1, Figure 4)
  subtrees,  ///< all nodes of a leaf subtree are on one rank and need no messages; the others are distributed to the grid
};
template <>
inline constexpr std::string_view choice_names<NodeMap>[] = {"cyclic", "subtrees"};

/// How the data of a dense LU move.
enum class Discipline : std::uint8_t {
  messages,   ///< two-sided messages; a rank waits only when it needs the result (paper 2)
  onesided,   ///< puts and gets into the memory of others (paper 3)
  superstep,  ///< all communicate and synchronise at the same time (paper 4)
};
template <>
inline constexpr std::string_view choice_names<Discipline>[] = {"messages", "onesided", "superstep"};

/// The order in which ranks fill a process grid: row by row, or column by column (HPL.dat's PMAP, BLACS's order).
enum class GridOrder : std::uint8_t { row_major, column_major };
template <>
inline constexpr std::string_view choice_names<GridOrder>[] = {"rows", "columns"};

/// How the pivots of a panel are found.
enum class PivotSearch : std::uint8_t {
  combined,    ///< candidates carry their rows along, so that search and exchange are one (HPL)
  columns,     ///< search, exchange and update a column, one after the other (paper 4, Fig. 1)
  tournament,  ///< one search a panel, between the best rows of each rank; less stable than the others
};
template <>
inline constexpr std::string_view choice_names<PivotSearch>[] = {"combined", "columns", "tournament"};

/// How the rows that a panel exchanges travel among the processes of a column (HPL.dat's SWAP 0, 1, 2, and two more).
enum class SwapKind : std::uint8_t {
  binary_exchange,  ///< log2 P rounds with partners at distance 1, 2, 4, ...; every process ends with all of U
  spread_roll,  ///< the owner scatters U's rows, which then travel round a ring; more rounds, with less data in each message
  mix,  ///< binary exchange up to a number of columns, spread-roll above
  direct,  ///< each row travels once, straight to its place: cycles (paper 4, section 2.3); U stays with its owner
  pairwise,  ///< one row after the other, as ScaLAPACK's PxLASWP; papers 3 and 4 improve on this
  shared,  ///< discipline superstep: each row goes to all who need it, in one superstep; every process ends with all of U
};
template <>
inline constexpr std::string_view choice_names<SwapKind>[] = {"binary_exchange", "spread_roll", "mix",
                                                              "direct",          "pairwise",    "shared"};

/// How two ranks exchange rows by one-sided communication.
enum class RowSwap : std::uint8_t {
  native,  ///< each rank gets the other's rows from their place: 2 synchronisations for each panel (paper 3's xVecswap)
  generic,  ///< both pack their rows for two general transfers, each of which is safe by itself: 3 synchronisations
};
template <>
inline constexpr std::string_view choice_names<RowSwap>[] = {"native", "generic"};

/// The memory that holds a matrix while other ranks access it.
enum class LentMemory : std::uint8_t {
  user,    ///< the caller's memory, which is a window already (paper 3's symmetric arrays)
  copy,    ///< a window: the matrix is copied into it first, and back at the end
  attach,  ///< the caller's memory, whose address is sent to the other ranks (paper 3's pointer method)
};
template <>
inline constexpr std::string_view choice_names<LentMemory>[] = {"user", "copy", "attach"};

/// How a superstep ends.
enum class SyncKind : std::uint8_t {
  full,   ///< each process first asks who sends to it, and waits for all
  known,  ///< each process knows its senders in advance, and waits for those alone
};
template <>
inline constexpr std::string_view choice_names<SyncKind>[] = {"full", "known"};

/// How a broadcast travels. The first six are HPL's BCAST 0 to 5, with HPL's names.
enum class BroadcastKind : std::uint8_t {
  ring,  ///< 1rg: each rank sends to the next one
  modified_ring,  ///< 1rM: the next rank gets the message first and does not forward it; the ring begins behind that rank
  two_ring,              ///< 2rg: two half rings
  two_ring_modified,     ///< 2rM: as 2rg, but the next rank gets the message first, as in 1rM
  spread_roll,           ///< Lng: the root scatters pieces, which then travel round a ring
  modified_spread_roll,  ///< LnM: as Lng, but the next rank gets the whole message first, as in 1rM
  binary_tree,
  two_phase,  ///< the root scatters pieces, and every rank sends its piece to all (paper 4's two-phase broadcast)
  direct,  ///< from the root to each rank (paper 3, Fig. 3 c, where each rank gets the data by itself)
};
template <>
inline constexpr std::string_view choice_names<BroadcastKind>[] = {
    "ring",        "modified_ring", "two_ring", "two_ring_modified", "spread_roll", "modified_spread_roll",
    "binary_tree", "two_phase",     "direct"};

/// How ranks iterate. sync: all ranks in step. async: no rank waits, and each halo is whole: all its numbers are of one iteration of the
/// sender. racy: no rank waits, and the numbers of one halo may be of different iterations of the sender.
/// Source  paper 5, section 3.1
enum class Variant : std::uint8_t { sync, async, racy };
template <>
inline constexpr std::string_view choice_names<Variant>[] = {"sync", "async", "racy"};

/// How ranks form a global sum without waiting. tree: up a binary tree and down again, one step in each iteration. doubling: exchanges
/// with the ranks 1, 2, 4, ... away, which proceed in every poll and wait, as a non-blocking reduction does inside an MPI library.
enum class SumForm : std::uint8_t { tree, doubling };
template <>
inline constexpr std::string_view choice_names<SumForm>[] = {"tree", "doubling"};

/// How an async channel carries a halo: as a message, or by a put into a buffer of the receiver with a count beside it. engine: puts on
/// OpenSHMEM, otherwise messages.
/// Source  paper 5, sections 3.1.2 and 3.2.2
enum class HaloForm : std::uint8_t { engine, messages, puts };
template <>
inline constexpr std::string_view choice_names<HaloForm>[] = {"engine", "messages", "puts"};

/// Which boxes of a grid the ranks of a node have. ranks: consecutive boxes, x fastest. nodes: a box of boxes.
enum class BoxMapping : std::uint8_t { ranks, nodes };
template <>
inline constexpr std::string_view choice_names<BoxMapping>[] = {"ranks", "nodes"};

/// How a rank of a multisplitting solves with its block: by factors, by conjugate gradients, or by an incomplete LU without fill.
enum class InnerSolve : std::uint8_t { direct, conjugate_gradients, incomplete };
template <>
inline constexpr std::string_view choice_names<InnerSolve>[] = {"direct", "cg", "ilu"};

/// How overlapping blocks of a preconditioner weight the rows that several blocks have. owner: the owner of a row gives its correction
/// (restricted Schwarz). both: the weight is 1 / sqrt(number of blocks that have the row), before and after the solve. none: all
/// corrections are added.
enum class OverlapWeights : std::uint8_t { owner, both, none };
template <>
inline constexpr std::string_view choice_names<OverlapWeights>[] = {"owner", "both", "none"};

/// The Krylov method that an iteration preconditions; none: the iteration solves by itself.
enum class Accelerator : std::uint8_t { none, gmres, cg };
template <>
inline constexpr std::string_view choice_names<Accelerator>[] = {"none", "gmres", "cg"};

/// The coarse level of a preconditioner by blocks. near_null_space: its basis is the near null space, restricted to each block. These
/// vectors are ones on each strongly coupled part of a block, or the vectors that the caller gives.
enum class Coarse : std::uint8_t { none, near_null_space };
template <>
inline constexpr std::string_view choice_names<Coarse>[] = {"none", "near_null_space"};

/// When the transfer of a long message (more than eager_bytes) begins on a simulated network.
enum class NetworkProgress : std::uint8_t {
  always,  ///< when its receive is posted, whatever the two ranks do
  calls,   ///< only while both ranks are in calls of the engine, as with most MPIs of today
  sender,  ///< at once if the receive was posted before the send, else in the sender's first call after the answer (paper 1)
};
template <>
inline constexpr std::string_view choice_names<NetworkProgress>[] = {"always", "calls", "sender"};

/// The name of a choice; "?" for a number that is not an enumerator. An empty optional is "auto".
template <Choice E>
constexpr std::string_view to_string(E choice) {
  const auto position = static_cast<std::size_t>(choice);
  return position < std::size(choice_names<E>) ? choice_names<E>[position] : "?";
}
template <Choice E>
constexpr std::string_view to_string(std::optional<E> choice) {
  return choice ? to_string(*choice) : "auto";
}

/// The enumerator of E with this name, if there is one.
template <Choice E>
constexpr std::optional<E> choice_named(std::string_view name) {
  for (std::size_t position = 0; position < std::size(choice_names<E>); ++position)
    if (choice_names<E>[position] == name) return static_cast<E>(position);
  return std::nullopt;
}

}  // namespace overlapack
