#include "dist/moves/superstep/superstep_moves.hpp"

#include "base/instantiate.hpp"
#include "comm/values.hpp"
#include "dist/moves/superstep/cycle_interchange.hpp"
#include "dist/moves/superstep/two_phase_broadcast.hpp"

#include <algorithm>

namespace overlapack::dist {
namespace {

std::size_t most_entries(const BlockCyclic& dealt) {
  return static_cast<std::size_t>((dealt.blocks() + dealt.processes - 1) / dealt.processes * dealt.block);
}

}  // namespace

std::vector<int> world_ranks(const ProcessGrid& grid) { return grid.everyone({0, 0}).ranks; }

/// A panel with its pivots and its top; a block row; what exchanges bring at once into a block row and away from it, or
/// those of all panels into a block column.
template <class T>
typename SuperstepMoves<T>::Room SuperstepMoves<T>::room_for(const DistributedMatrix<T>& A) {
  const std::size_t rows = most_entries(A.rows), cols = most_entries(A.cols);
  const auto width = static_cast<std::size_t>(A.cols.block);
  const std::size_t panel =
      (width + 1) * sizeof(Index) +
      width * (width + static_cast<std::size_t>(padded_ld(static_cast<Index>(rows)))) * sizeof(T);
  return {.broadcast = std::max(panel, width * cols * sizeof(T)),
          .rows = std::max(2 * width * cols, rows * width) * sizeof(T),
          .candidates = static_cast<std::size_t>(A.grid->rows()) * sizeof(PivotCandidate<T>)};
}

template <class T>
SuperstepMoves<T>::SuperstepMoves(comm::superstep::World& world, const DistributedMatrix<T>& A, bool is_known)
    : Moves<T>(world.rank()),
      step_{world, is_known},
      grid_(*A.grid),
      me_(A.me),
      room_(room_for(A)),
      buffers_(world, {room_.broadcast, room_.broadcast, room_.rows, room_.candidates}) {}

template <class T>
std::unique_ptr<comm::collective::Broadcast> SuperstepMoves<T>::start_broadcast(const Group& group, int root,
                                                                                const Key&, std::size_t bytes,
                                                                                comm::Body body) {
  std::vector<int> processes;
  for (const int rank : group.ranks) processes.push_back(step_.world.process_of(rank));
  return std::make_unique<TwoPhaseBroadcast>(step_, std::move(processes), group.me, root, bytes,
                                             std::move(body), buffers_.take(room_.broadcast));
}

/// The P candidates go to all p processes.
/// Cost    p - 1 candidates out of each of the column, P into each process: one superstep
/// Source  paper 4, section 2.1: scalar output parameters are returned to all processes
template <class T>
void SuperstepMoves<T>::find_pivot(int process_column, const Key&, PivotCandidate<T>& best) {
  const auto buffer = buffers_.take(room_.candidates);
  const auto bytes = std::as_bytes(std::span(&best, 1));
  if (me_.col == process_column)
    for (int process = 0; process < step_.world.processes(); ++process)
      step_.world.put(process, bytes, buffer->slot, static_cast<std::size_t>(me_.row) * bytes.size());
  std::vector<int> senders;
  for (int row = 0; row < grid_.rows(); ++row)
    if (const int process = step_.world.process_of(grid_.rank_at(row, process_column));
        process != step_.world.process())
      senders.push_back(process);
  step_.sync(std::move(senders));
  comm::on_values(this->rank(), [&] {
    const auto* const candidates = reinterpret_cast<const PivotCandidate<T>*>(buffer->memory.data());
    for (int row = 0; row < grid_.rows(); ++row)
      if (candidates[row].is_better_than(best)) best = candidates[row];
  });
}

/// Each process sends what it has to all others of the column.
/// Cost    2 (P - 1) rows and l
template <class T>
void SuperstepMoves<T>::combine_pivots(const Group& column, const Key&, PivotRow<T>& best) {
  if (column.size() == 1) return;
  const comm::Body mine = packed_pivot(best);
  for (const int process : others(column)) step_.world.send(process, {}, {mine.data(), mine.size()});
  step_.sync(others(column));
  while (step_.world.front() != nullptr) {
    const auto [tag, offer] = step_.world.hpmove();
    take_better(best, comm::Body(nullptr, offer.data(), offer.size()));
  }
}

template <class T>
void SuperstepMoves<T>::charge_pivots(const Group& column, const Key&, Index columns, std::size_t bytes) {
  if (column.size() == 1) return;
  const auto buffer = buffers_.take(room_.broadcast);
  for (const int process : others(column))
    step_.world.hpput(process, {static_cast<const std::byte*>(nullptr), bytes}, buffer->slot, 0);
  step_.sync(others(column));
  step_.world.charge_syncs(columns - 1, step_.is_known);
}

template <class T>
std::vector<int> SuperstepMoves<T>::others(const Group& group) const {
  std::vector<int> processes;
  for (const int rank : group.ranks)
    if (const int process = step_.world.process_of(rank); process != step_.world.process())
      processes.push_back(process);
  return processes;
}

template <class T>
std::unique_ptr<RowInterchange<T>> SuperstepMoves<T>::start_interchange(const MovedRows<T>& rows,
                                                                        const Key&) {
  return std::make_unique<CycleInterchange<T>>(step_, rows, buffers_.take(room_.rows));
}

template <class T>
std::unique_ptr<RowInterchange<T>> SuperstepMoves<T>::start_direct_interchange(const MovedRows<T>& rows,
                                                                               MatrixView<T> also,
                                                                               const Key& key) {
  if (also.rows > 0) refuse("interchanges in two matrices at once");
  return start_interchange(rows, key);
}

template <class T>
void SuperstepMoves<T>::stand_by(Verb verb, const Group& group, Index times) {
  if (group.size() == 1) return;
  const comm::Capabilities can = this->rank().capabilities();
  const Index together = can.is_phantom ? std::max<Index>(1, can.columns_per_exchange) : 1;
  for (Index done = 0; done < times; done += verb == Verb::pivots ? together : 1) {
    const int supersteps = verb == Verb::broadcast ? TwoPhaseBroadcast::supersteps(group.size()) : 1;
    for (int i = 0; i < supersteps; ++i) step_.sync();
    if (verb == Verb::pivots) step_.world.charge_syncs(std::min(together, times - done) - 1, step_.is_known);
  }
}

template <class T>
void SuperstepMoves<T>::refuse(const char* what) {
  throw Error(ErrorKind::bad_plan, "moves",
              std::string("supersteps carry no ") + what + "; choose the discipline messages");
}

#define OVERLAPACK_INSTANTIATE(T) template class SuperstepMoves<T>;
OVERLAPACK_FOR_EACH_SCALAR(OVERLAPACK_INSTANTIATE)
#undef OVERLAPACK_INSTANTIATE

}  // namespace overlapack::dist
