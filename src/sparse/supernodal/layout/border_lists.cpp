#include "sparse/supernodal/layout/border_lists.hpp"

#include <utility>

namespace overlapack::sparse::supernodal {
namespace {

using Lists = std::vector<std::vector<BorderPiece>>;

/// Concatenates the lists of all ranks.
template <class T>
void join(std::vector<std::vector<T>> lists, std::vector<Index>& start, std::vector<T>& all) {
  for (const std::vector<T>& list : lists) {
    all.insert(all.end(), list.begin(), list.end());
    start.push_back(static_cast<Index>(all.size()));
  }
}

class BorderDistributor {
 public:
  BorderDistributor(const NodeGrid& top, std::span<const std::int32_t> top_number, int me)
      : top_(top),
        top_number_(top_number),
        me_(me),
        sent_(static_cast<std::size_t>(ranks())),
        received_(sent_),
        sent_variable_(sent_.size()),
        received_variable_(sent_.size()) {}

  int ranks() const { return top_.grid().size(); }

  /// Adds the pieces that the subtrees of `rank` send: to sent_ if that is this rank, to received_ those that
  /// go to this rank.
  void distribute(int rank, const NodeSelection& of) {
    const std::vector<std::int32_t> node_of = node_of_variable(of.structure);
    const NodeParts rows(of.structure, of.structure.rows, node_of, 0, 1, true);
    const NodeParts columns(of.structure, of.structure.columns, node_of, 0, 1, false);
    for (Index b = of.selected; b < of.structure.nodes(); ++b) {
      const std::int32_t first = of.structure.first[b];
      Numbers narrow;
      for (std::int32_t v = first; v < first + of.structure.width[b]; ++v)
        narrow.push_back(top_number_[of.variable[v]]);
      distribute_square(rank, first, narrow);
      for (const bool is_lower : {true, false}) {
        const NodePart part = (is_lower ? rows : columns)(b);
        for (const Segment& segment : part.segments) {
          Numbers tall;
          for (const std::int32_t v : part.variables_in(segment)) tall.push_back(top_number_[of.variable[v]]);
          distribute_piece(rank, b, is_lower, segment.begin, tall, narrow);
        }
      }
    }
  }

  BorderLists take() {
    BorderLists lists;
    join(std::move(sent_), lists.sent.piece_start, lists.sent.piece);
    join(std::move(received_), lists.received.piece_start, lists.received.piece);
    join(std::move(sent_variable_), lists.sent.variable_start, lists.sent.variable);
    join(std::move(received_variable_), lists.received.variable_start, lists.received.variable);
    lists.position = std::move(position_);
    return lists;
  }

 private:
  using Numbers = std::vector<std::int32_t>;

  void distribute_square(int rank, std::int32_t first, const Numbers& numbers) {
    const int to = top_.owner(top_.node_of(numbers.front()));
    if (rank == me_)
      for (std::size_t i = 0; i < numbers.size(); ++i)
        sent_variable_[to].push_back(first + static_cast<std::int32_t>(i));
    if (to == me_)
      received_variable_[rank].insert(received_variable_[rank].end(), numbers.begin(), numbers.end());
  }

  void distribute_piece(int rank, Index border_node, bool is_lower, std::int32_t begin, const Numbers& tall,
                        const Numbers& narrow) {
    const std::int32_t I = top_.node_of(tall.front()), J = top_.node_of(narrow.front());
    const int to = is_lower ? top_.owner(I, J) : top_.owner(J, I);
    BorderPiece piece{static_cast<std::int32_t>(border_node), is_lower,
                      static_cast<std::int32_t>(tall.size()), static_cast<std::int32_t>(narrow.size()),
                      begin};
    if (rank == me_) sent_[to].push_back(piece);
    if (to != me_) return;
    piece.node = J;
    piece.begin = static_cast<Index>(position_.size());
    position_.resize(position_.size() + tall.size());
    find_positions(is_lower ? top_.rows(J) : top_.columns(J), I, tall, position_.data() + piece.begin);
    for (const std::int32_t v : narrow) position_.push_back(v - static_cast<std::int32_t>(top_.first(J)));
    received_[rank].push_back(piece);
  }

  const NodeGrid& top_;
  std::span<const std::int32_t> top_number_;
  int me_;
  Lists sent_, received_;
  std::vector<Numbers> sent_variable_, received_variable_;
  Numbers position_;
};

}  // namespace

Index entries_of(std::span<const BorderPiece> pieces) {
  Index entries = 0;
  for (const BorderPiece& piece : pieces) entries += Index{piece.rows} * piece.columns;
  return entries;
}

BorderLists border_lists(const NodeStructure& structure, std::span<const std::int32_t> owner,
                         const NodeSelection& mine, const NodeGrid& top,
                         std::span<const std::int32_t> top_number, int me) {
  BorderDistributor distributor(top, top_number, me);
  if (top.nodes() > 0)
    for (int rank = 0; rank < distributor.ranks(); ++rank)
      distributor.distribute(rank, rank == me ? mine : select_nodes(structure, owner, rank));
  return distributor.take();
}

}  // namespace overlapack::sparse::supernodal
