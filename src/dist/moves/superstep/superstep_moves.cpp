#include "dist/moves/superstep/superstep_moves.hpp"

#include "base/instantiate.hpp"
#include "comm/values.hpp"
#include "dist/moves/butterfly.hpp"
#include "dist/moves/superstep/cycle_interchange.hpp"
#include "dist/moves/superstep/shared_rows.hpp"
#include "dist/moves/superstep/two_phase_broadcast.hpp"

#include <algorithm>
#include <numeric>

namespace overlapack::dist {

namespace {

std::vector<std::size_t> buffer_sizes(const MoveRoom& room, int bodies, std::size_t candidates_bytes) {
  std::vector<std::size_t> bytes(static_cast<std::size_t>(bodies), room.body);
  bytes.push_back(room.rows);
  bytes.push_back(candidates_bytes);
  return bytes;
}

}  // namespace

std::vector<int> world_ranks(const ProcessGrid& grid) { return grid.everyone({0, 0}).ranks; }

template <class T>
SuperstepMoves<T>::SuperstepMoves(comm::superstep::World& world, const DistributedMatrix<T>& A, bool is_known,
                                  SwapKind swap, Index panel_width, int bodies)
    : Moves<T>(world.rank(), Discipline::superstep),
      step_{world, is_known},
      grid_(*A.grid),
      me_(A.me),
      room_(room_for(A, panel_width)),
      candidates_bytes_(static_cast<std::size_t>(A.grid->rows()) * sizeof(PivotCandidate<T>)),
      swap_(swap),
      bodies_(static_cast<std::size_t>(bodies)),
      buffers_(world, buffer_sizes(room_, bodies, candidates_bytes_)) {}

template <class T>
std::unique_ptr<comm::collective::Broadcast> SuperstepMoves<T>::start_broadcast(const Group& group, int root,
                                                                                const Key&, std::size_t bytes,
                                                                                comm::Body body) {
  std::vector<int> processes;
  for (const int rank : group.ranks) processes.push_back(step_.world.process_of(rank));
  return std::make_unique<TwoPhaseBroadcast>(step_, std::move(processes), group.me, root, bytes,
                                             std::move(body), body_buffer());
}

template <class T>
auto SuperstepMoves<T>::body_buffer() -> std::shared_ptr<const Buffer> {
  make_room();
  return held_.emplace_back(buffers_.take(room_.body));
}

template <class T>
void SuperstepMoves<T>::make_room() {
  if (held_.size() == bodies_) held_.pop_front();
}

/// Each process puts its body to all others; a receiver's buffer has the bodies in the order of positions.
/// Cost    one superstep; each process sends (q - 1) bytes[me], and receives the bytes of the others
template <class T>
std::vector<comm::Body> SuperstepMoves<T>::all_gather(const Group& group, const Key&,
                                                      std::span<const std::size_t> bytes, comm::Body mine) {
  std::vector<comm::Body> bodies(bytes.size());
  const auto me = static_cast<std::size_t>(group.me);
  if (group.size() > 1) {
    const auto buffer = body_buffer();
    std::vector<std::size_t> before(bytes.size());
    std::exclusive_scan(bytes.begin(), bytes.end(), before.begin(), std::size_t{0});
    std::vector<int> senders;
    for (std::size_t position = 0; position < bytes.size(); ++position) {
      if (position == me) continue;
      const int process = step_.world.process_of(group.ranks[position]);
      if (!mine.empty()) step_.world.hpput(process, buffers_.lent(mine), buffer->slot, before[me]);
      if (bytes[position] > 0) senders.push_back(process);
      bodies[position] = buffer->memory.data() == nullptr
                             ? comm::Body::phantom(bytes[position])
                             : comm::Body(buffer, buffer->memory.data() + before[position], bytes[position]);
    }
    step_.sync(std::move(senders));
  }
  bodies[me] = std::move(mine);
  return bodies;
}

/// Each of the P processes of the process column puts its candidate to all p processes.
/// Cost    one superstep; each process of the column sends p - 1 candidates, each process receives P
/// Source  paper 4, section 2.1: scalar output parameters are returned to all processes
template <class T>
void SuperstepMoves<T>::find_pivot(const Group&, int process_column, const Key&, PivotCandidate<T>& best) {
  const auto buffer = buffers_.take(candidates_bytes_);
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
  comm::run_unless_phantom(this->rank(), [&] {
    const auto* const candidates = reinterpret_cast<const PivotCandidate<T>*>(buffer->memory.data());
    for (int row = 0; row < grid_.rows(); ++row)
      if (candidates[row].is_better_than(best)) best = candidates[row];
  });
}

/// Each process sends its candidate to all others of the column.
/// Cost    2 (P - 1) rows and l
template <class T>
void SuperstepMoves<T>::reduce_to_best_pivot(const Group& column, const Key&, PivotRow<T>& best) {
  if (column.size() == 1) return;
  const comm::Body mine = packed_pivot(best);
  for (const int process : others(column)) step_.world.send(process, {}, {mine.data(), mine.size()});
  step_.sync(others(column));
  while (step_.world.front() != nullptr) {
    const auto [tag, offer] = step_.world.hpmove();
    keep_better_pivot_row(best, comm::Body(nullptr, offer.data(), offer.size()));
  }
}

/// Bodies must fit into a broadcast's buffer.
template <class T>
comm::Body SuperstepMoves<T>::all_reduce(const Group& group, const Key&, comm::Body mine,
                                         typename Moves<T>::Merge merge) {
  const auto process_of = [&](int position) {
    return step_.world.process_of(group.ranks[static_cast<std::size_t>(position)]);
  };
  const bool is_phantom = this->rank().capabilities().is_phantom;
  make_room();
  const auto exchange = [&](int, int to, int from, const comm::Body& body) {
    const auto buffer = buffers_.take(room_.body);
    if (to >= 0) step_.world.hpput(process_of(to), buffers_.lent(body), buffer->slot, 0);
    step_.sync(from >= 0 ? std::vector<int>{process_of(from)} : std::vector<int>{});
    if (from < 0) return comm::Body();
    return is_phantom ? comm::Body::phantom(body.size())
                      : comm::Body(buffer, buffer->memory.data(), buffer->memory.size());
  };
  const comm::Body result = Butterfly(group.size()).run(group.me, std::move(mine), merge, exchange);
  // on positions beyond the largest power of two, the result is in a buffer, which all processes must release now
  return is_phantom ? result : comm::Body::copy_of(std::span(result.data(), result.size()));
}

template <class T>
void SuperstepMoves<T>::charge_pivot_search(const Group& column, const Key&, Index columns,
                                            std::size_t bytes) {
  if (column.size() == 1) return;
  make_room();
  repeat_verbs(columns, [&] {
    const auto buffer = buffers_.take(room_.body);
    const comm::Body row = comm::Body::phantom(bytes / static_cast<std::size_t>(columns));
    for (const int process : others(column)) step_.world.hpput(process, row, buffer->slot, 0);
    step_.sync(others(column));
  });
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
                                                                        const Key& key) {
  if (swap_ == SwapKind::pairwise) return std::make_unique<PairwiseInterchange<T>>(*this, rows, key);
  if (swap_ == SwapKind::shared && grid_.rows() > 1)
    return std::make_unique<SharedRows<T>>(step_, rows, buffers_.take(room_.rows));
  return start_direct_interchange(rows, {}, key);
}

template <class T>
std::unique_ptr<RowInterchange<T>> SuperstepMoves<T>::start_direct_interchange(const MovedRows<T>& rows,
                                                                               MatrixView<T> also,
                                                                               const Key&) {
  if (also.rows > 0) this->refuse("interchanges in two matrices at once");
  return std::make_unique<CycleInterchange<T>>(step_, rows, buffers_.take(room_.rows));
}

template <class T>
void SuperstepMoves<T>::take_part_in_syncs(Verb verb, const Group& group, Index times) {
  if (group.size() == 1) return;
  if (verb == Verb::broadcast)
    for (Index i = 0; i < times; ++i) body_buffer();
  else
    make_room();
  int supersteps = 1;
  if (verb == Verb::broadcast) supersteps = TwoPhase(group.size()).supersteps();
  if (verb == Verb::all_reduce) supersteps = Butterfly(group.size()).rounds();
  const Index together = verb == Verb::pivots ? columns_charged_together() : 1;
  for (Index done = 0; done < times; done += together)
    repeat_verbs(std::min(together, times - done), [&] {
      for (int i = 0; i < supersteps; ++i) step_.sync();
    });
}

template <class T>
Index SuperstepMoves<T>::columns_charged_together() const {
  const comm::Capabilities can = this->rank().capabilities();
  const bool is_bundled = can.is_phantom && !step_.is_known;  // is_known: no census, so few messages a column
  return is_bundled ? std::max<Index>(1, can.columns_per_exchange) : 1;
}

template <class T>
void SuperstepMoves<T>::repeat_verbs(Index times, comm::FunctionRef<void()> verbs) {
  if (columns_charged_together() == 1) return Moves<T>::repeat_verbs(times, verbs);
  // the work is done once, so it must not be in the span
  WorkBetween* const work = std::exchange(step_.work, nullptr);
  step_.world.begin_span();
  verbs();
  step_.world.end_span(times - 1);
  step_.work = work;
}

OVERLAPACK_INSTANTIATE_CLASS(SuperstepMoves);

}  // namespace overlapack::dist
