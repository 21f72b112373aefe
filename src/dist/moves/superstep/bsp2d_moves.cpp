#include "dist/moves/superstep/bsp2d_moves.hpp"

#include "base/instantiate.hpp"

#include <functional>

namespace overlapack::dist {
namespace {

class Bsp2dBroadcast final : public comm::collective::Broadcast {
 public:
  Bsp2dBroadcast(Bsp2d& bsp, Scope scope, int root, EntryType type, std::vector<std::byte> values)
      : bsp_(bsp), values_(std::move(values)) {
    bsp_.start_broadcast(scope, root, type, 1, values_);
  }
  bool is_done() const override { return is_done_; }
  comm::Body finish() override {
    if (std::exchange(is_done_, true)) return body_;
    bsp_.finish_broadcast();
    return body_ = comm::Body::adopt(std::move(values_));
  }

 private:
  Bsp2d& bsp_;
  std::vector<std::byte> values_;
  comm::Body body_;
  bool is_done_ = false;
};

}  // namespace

template <class T>
std::unique_ptr<comm::collective::Broadcast> Bsp2dMoves<T>::start_broadcast(const Group& group, int root,
                                                                            const Key&, std::size_t bytes,
                                                                            comm::Body body) {
  std::vector<std::byte> values(bytes);
  if (group.me == root) std::ranges::copy(body.as<std::byte>(), values.begin());
  return std::make_unique<Bsp2dBroadcast>(bsp_, bsp_.grid().scope_of(group), root, entry_type<T>(),
                                          std::move(values));
}

/// Sums in the order of positions.
template <class T>
void Bsp2dMoves<T>::sum_to_root(const Group& group, int root, const Key&, std::vector<T>& x) {
  if (group.size() == 1) return;
  const auto count = static_cast<Index>(x.size());
  if (group.me != root) bsp_.send<T>(member(group, root), {x.data(), count, 1, count});
  bsp_.sync();
  if (group.me != root) return;
  std::vector<T> sum(x.size(), T(0));
  for (int position = 0; position < group.size(); ++position) {
    const T* const part =
        position == root ? x.data() : bsp_.next_block<T>(member(group, position), count, 1).data;
    std::transform(sum.begin(), sum.end(), part, sum.begin(), std::plus<>());
  }
  x = std::move(sum);
}

template <class T>
std::vector<comm::Body> Bsp2dMoves<T>::all_gather(const Group& group, const Key&,
                                                  std::span<const std::size_t> bytes, comm::Body mine) {
  std::vector<comm::Body> bodies(bytes.size());
  const auto for_others = [&](auto&& f) {
    for (int position = 0; position < group.size(); ++position)
      if (position != group.me) f(static_cast<std::size_t>(position), member(group, position));
  };
  if (!mine.empty())
    for_others([&](std::size_t, GridPosition to) { bsp_.send(to, entry_type<T>(), mine.as<std::byte>()); });
  if (group.size() > 1) bsp_.sync();
  for_others([&](std::size_t position, GridPosition from) {
    if (bytes[position] > 0)
      bodies[position] = comm::Body::copy_of(bsp_.receive(from, entry_type<T>(), bytes[position]));
  });
  bodies[static_cast<std::size_t>(group.me)] = std::move(mine);
  return bodies;
}

template <class T>
void Bsp2dMoves<T>::take_part_in_syncs(Verb verb, const Group& group, Index times) {
  const int each =
      verb == Verb::broadcast ? TwoPhase(group.size()).supersteps() : std::min(group.size() - 1, 1);
  for (Index i = 0; i < times * each; ++i) bsp_.sync();
}

OVERLAPACK_INSTANTIATE_CLASS(Bsp2dMoves);

}  // namespace overlapack::dist
