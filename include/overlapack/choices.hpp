#pragma once
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>
#include <type_traits>

/// What callers choose by name: each enumeration is here once, with the names that the command line, Python,
/// plan files and reports have for it, and the plans of the layers below hold the same enumerations. An empty
/// std::optional of one is "auto": the library chooses.
namespace overlapack {

/// The names of an enumeration, in its order.
template <class E>
inline constexpr std::nullptr_t choice_names = nullptr;

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

/// Which factorisation; LDL^T and Cholesky keep lower triangles only; QR is for dense matrices. quasidefinite is LDL^T with pivots
/// of known signs (SparseOptions::signs), in any order and without a search.
enum class FactorKind : std::uint8_t { lu, ldlt, cholesky, qr, quasidefinite };
template <>
inline constexpr std::string_view choice_names<FactorKind>[] = {"lu", "ldlt", "cholesky", "qr",
                                                                "quasidefinite"};

/// Precision of the factors: that of the matrix; or single, with refinement in double.
enum class Precision : std::uint8_t { working, mixed };
template <>
inline constexpr std::string_view choice_names<Precision>[] = {"working", "mixed"};

/// Fill-reducing orders of sparse matrices.
enum class Ordering : std::uint8_t {
  dissection,  ///< nested dissection of this library, on all threads
  metis,
  amd,
  scotch,
  natural,
  user
};
template <>
inline constexpr std::string_view choice_names<Ordering>[] = {"dissection", "metis",   "amd",
                                                              "scotch",     "natural", "user"};

/// What is done for an order by dissection.
enum class OrderingEffort : std::uint8_t {
  low,     ///< one separator of each part, in less time
  normal,  ///< the best of a few
  high  ///< three orders by other rules of balance, of which the one that predicts the fastest factorisation is taken
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

/// What to do with a matrix that is proved to be singular to working precision: Report::null_vector.
enum class SingularMatrix : std::uint8_t {
  answer,  ///< right-hand sides that have a solution get one, with a warning; others are errors
  always,  ///< all of them get an x, with a warning: inverse iteration, and callers that correct the matrix themselves
  refuse,  ///< its factorisation is an error
};
template <>
inline constexpr std::string_view choice_names<SingularMatrix>[] = {"answer", "always", "refuse"};

/// Where the factors of the fronts are, once they are final.
enum class FactorsIn : std::uint8_t { memory, disk };
template <>
inline constexpr std::string_view choice_names<FactorsIn>[] = {"memory", "disk"};

/// Compression of the blocks of large fronts.
enum class Compression : std::uint8_t {
  none,
  blr,  ///< block low-rank: those that are nearly of low rank are kept as products
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

/// How panels reach the strips of a front.
enum class Multicast : std::uint8_t { tree, flat };
template <>
inline constexpr std::string_view choice_names<Multicast>[] = {"tree", "flat"};

/// Sizes of strips: larger on ranks with less work left, or as if there were no other work.
enum class StripChoice : std::uint8_t { by_load, fixed };
template <>
inline constexpr std::string_view choice_names<StripChoice>[] = {"load", "static"};

/// How ranks send news of their loads.
enum class NewsBy : std::uint8_t {
  own_lane,     ///< messages on the lane load, with receives of their own
  shared_lane,  ///< messages of the walk, which receives all that have arrived before loads are read (paper 1)
  put,          ///< words put into the other rank's memory, which it reads (what paper 1's messages model)
};
template <>
inline constexpr std::string_view choice_names<NewsBy>[] = {"lane", "shared", "put"};

/// What to do with a message that arrives before one that it depends on, which has been sent already.
enum class EarlyMessages : std::uint8_t {
  park,  ///< store it until its turn; no rank waits for a certain message
  wait,  ///< the other one is received first, blocking, through one receive buffer (paper 1, Algorithms 3 and 4)
};
template <>
inline constexpr std::string_view choice_names<EarlyMessages>[] = {"park", "wait"};

/// Receives posted ahead of their messages, or what a probe finds.
enum class ReceiveMode : std::uint8_t { immediate, probe };
template <>
inline constexpr std::string_view choice_names<ReceiveMode>[] = {"immediate", "probe"};

/// What moves messages while kernels compute: the rank, between slices, or a thread of its own.
enum class ProgressBy : std::uint8_t { poll, thread };
template <>
inline constexpr std::string_view choice_names<ProgressBy>[] = {"poll", "thread"};

/// What carries messages.
enum class Engine : std::uint8_t { thread, mpi, shmem };
template <>
inline constexpr std::string_view choice_names<Engine>[] = {"thread", "mpi", "shmem"};

/// In which order the tasks of an LU step run.
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

/// In which order supernodal LU eliminates its nodes.
enum class NodeOrder : std::uint8_t {
  postorder,  ///< that of the tree: few entries are in use at a time
  levels,     ///< first all nodes that wait for none, then those that wait for these alone, and so on
};
template <>
inline constexpr std::string_view choice_names<NodeOrder>[] = {"postorder", "levels"};

/// Mapping of supernodal LU's nodes to ranks.
enum class NodeMap : std::uint8_t {
  cyclic,    ///< distributed to the grid in turn (paper 1, Figure 4)
  subtrees,  ///< those of a leaf subtree on one rank, without messages; the others distributed to the grid
};
template <>
inline constexpr std::string_view choice_names<NodeMap>[] = {"cyclic", "subtrees"};

/// How the data of a dense LU move.
enum class Discipline : std::uint8_t {
  messages,   ///< two-sided, without waiting before the result is needed (paper 2)
  onesided,   ///< puts and gets into the memory of others (paper 3)
  superstep,  ///< all communicate and synchronise at the same time (paper 4)
};
template <>
inline constexpr std::string_view choice_names<Discipline>[] = {"messages", "onesided", "superstep"};

/// In which order ranks fill a grid (HPL.dat's PMAP; BLACS's order): row by row, or column by column.
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
  spread_roll,      ///< the owner spreads, U's rows then roll round a ring; longer, less per message
  mix,              ///< binary exchange up to a number of columns, spread-roll above
  direct,  ///< each row once, straight to where it belongs: cycles (paper 4, section 2.3); U stays with its owner
  pairwise,  ///< row after row, as ScaLAPACK's PxLASWP: what papers 3 and 4 improve on
  shared,    ///< supersteps: each row to all who need it, in one; every process ends with all of U
};
template <>
inline constexpr std::string_view choice_names<SwapKind>[] = {"binary_exchange", "spread_roll", "mix",
                                                              "direct",          "pairwise",    "shared"};

/// How two ranks exchange rows by one-sided communication.
enum class RowSwap : std::uint8_t {
  native,   ///< each gets the other's rows in place: 2 synchronisations a panel (paper 3's xVecswap)
  generic,  ///< packed, as two general transfers that are safe by themselves: 3
};
template <>
inline constexpr std::string_view choice_names<RowSwap>[] = {"native", "generic"};

/// The memory that holds a matrix while other ranks access it.
enum class LentMemory : std::uint8_t {
  user,    ///< the caller's, which is a window already: paper 3's symmetric arrays
  copy,    ///< a window, into which it is copied first and from which it is copied back at the end
  attach,  ///< the caller's own, whose address is sent to the others: paper 3's pointer method
};
template <>
inline constexpr std::string_view choice_names<LentMemory>[] = {"user", "copy", "attach"};

/// How a superstep ends.
enum class SyncKind : std::uint8_t {
  full,   ///< processes first learn who sends to them, and wait for all
  known,  ///< senders are known in advance; waits for those alone
};
template <>
inline constexpr std::string_view choice_names<SyncKind>[] = {"full", "known"};

/// How a broadcast travels. The first six are HPL's BCAST 0..5.
enum class BroadcastKind : std::uint8_t {
  ring,                  ///< 1rg: each to the next
  modified_ring,         ///< 1rM: the next gets it first and keeps it, the ring goes on behind it
  two_ring,              ///< 2rg: two half rings
  two_ring_modified,     ///< 2rM: as 2rg, behind a next one that gets it first
  spread_roll,           ///< Lng: scattered in pieces, which then go round in a ring
  modified_spread_roll,  ///< LnM: as Lng, behind a next one that gets all of it first
  binary_tree,
  two_phase,  ///< scattered in pieces, which every rank then sends to all (paper 4's two-phase broadcast)
  direct,     ///< from the root to each (paper 3, Fig. 3 c, where each gets it by itself)
};
template <>
inline constexpr std::string_view choice_names<BroadcastKind>[] = {
    "ring",        "modified_ring", "two_ring", "two_ring_modified", "spread_roll", "modified_spread_roll",
    "binary_tree", "two_phase",     "direct"};

/// sync: all ranks in step. async: no rank waits, a halo is always one that its sender had at some time. racy:
/// no rank waits, each number of a halo is one that its sender had at some time.
/// Source  paper 5, section 3.1
enum class Variant : std::uint8_t { sync, async, racy };
template <>
inline constexpr std::string_view choice_names<Variant>[] = {"sync", "async", "racy"};

/// How a sum that no rank waits for is formed. tree: up a binary tree and down again, a step in each look; doubling:
/// exchanges with ranks 1, 2, 4, ... away, which go on in every poll and wait, as a non-blocking reduction does
/// inside an MPI library.
enum class SumForm : std::uint8_t { tree, doubling };
template <>
inline constexpr std::string_view choice_names<SumForm>[] = {"tree", "doubling"};

/// What an async channel's messages are: messages, or puts into buffers of the far end with a count beside them. engine: puts on
/// OpenSHMEM, else messages.
/// Source  paper 5, sections 3.1.2 and 3.2.2
enum class HaloForm : std::uint8_t { engine, messages, puts };
template <>
inline constexpr std::string_view choice_names<HaloForm>[] = {"engine", "messages", "puts"};

/// Which boxes of a grid a node's ranks have: the next ones, x fastest, or a box of boxes.
enum class BoxMapping : std::uint8_t { ranks, nodes };
template <>
inline constexpr std::string_view choice_names<BoxMapping>[] = {"ranks", "nodes"};

/// How a rank of a multisplitting solves with its block: factors, conjugate gradients, or an incomplete LU without fill.
enum class InnerSolve : std::uint8_t { direct, conjugate_gradients, incomplete };
template <>
inline constexpr std::string_view choice_names<InnerSolve>[] = {"direct", "cg", "ilu"};

/// How blocks share the rows that several have, where they precondition. owner: each row's owner gives its correction
/// (restricted Schwarz); both: the root of one over the number of blocks, before the solve and behind it; none: all are added.
enum class OverlapWeights : std::uint8_t { owner, both, none };
template <>
inline constexpr std::string_view choice_names<OverlapWeights>[] = {"owner", "both", "none"};

/// What an iteration is to a Krylov method: nothing, or its preconditioner.
enum class Accelerator : std::uint8_t { none, gmres, cg };
template <>
inline constexpr std::string_view choice_names<Accelerator>[] = {"none", "gmres", "cg"};

/// The coarse level of blocks that precondition: none, or the near null space (ones by strongly coupled parts, or the
/// caller's vectors) cut by blocks.
enum class Coarse : std::uint8_t { none, near_null_space };
template <>
inline constexpr std::string_view choice_names<Coarse>[] = {"none", "near_null_space"};

/// When the transfer of a long message, one above eager_bytes, begins on a simulated network.
enum class NetworkProgress : std::uint8_t {
  always,  ///< when its receive is posted, whatever the two ranks do
  calls,   ///< in calls of both sides, as with most MPIs of today
  sender,  ///< at once if its receive was posted when it was sent, else in its sender's first call after the answer (paper 1)
};
template <>
inline constexpr std::string_view choice_names<NetworkProgress>[] = {"always", "calls", "sender"};

/// Its name; "?" for a number that is none of them.
template <Choice E>
constexpr std::string_view to_string(E choice) {
  const auto position = static_cast<std::size_t>(choice);
  return position < std::size(choice_names<E>) ? choice_names<E>[position] : "?";
}
template <Choice E>
constexpr std::string_view to_string(std::optional<E> choice) {
  return choice ? to_string(*choice) : "auto";
}

/// The one of that name, if there is one.
template <Choice E>
constexpr std::optional<E> choice_named(std::string_view name) {
  for (std::size_t position = 0; position < std::size(choice_names<E>); ++position)
    if (choice_names<E>[position] == name) return static_cast<E>(position);
  return std::nullopt;
}

}  // namespace overlapack
