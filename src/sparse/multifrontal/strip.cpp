#include "sparse/multifrontal/strip.hpp"

#include "kernels/extend_add.hpp"
#include "kernels/gemm.hpp"
#include "kernels/ldlt_panel.hpp"
#include "kernels/operand.hpp"
#include "kernels/swap.hpp"
#include "kernels/triangular.hpp"
#include "kernels/update.hpp"
#include "sparse/multifrontal/contribution_message.hpp"
#include "sparse/multifrontal/copy_columns.hpp"
#include "sparse/multifrontal/lower_rows.hpp"
#include "sparse/multifrontal/packing.hpp"
#include "sparse/multifrontal/strips.hpp"

#include <algorithm>
#include <complex>
#include <numeric>

namespace overlapack::sparse {

namespace {

/// places + shift, as the maps of extend_add.
std::vector<std::int32_t> shifted(const std::vector<std::int32_t>& places, Index shift) {
  std::vector<std::int32_t> map(places.size());
  std::ranges::transform(places, map.begin(),
                         [&](std::int32_t p) { return static_cast<std::int32_t>(p + shift); });
  return map;
}

}  // namespace

std::vector<std::int32_t> delayed_places(const Structure& structure, std::span<const Index> delayed,
                                         Index child, Index count) {
  Index offset = 0;
  std::size_t i = 0;
  for (Index c = structure.first_child[structure.tree.parent[child]]; c != child;
       c = structure.next_sibling[c])
    offset += delayed[i++];
  std::vector<std::int32_t> places(static_cast<std::size_t>(count));
  std::iota(places.begin(), places.end(), static_cast<std::int32_t>(offset));
  return places;
}

template <class T>
std::pair<comm::Header, comm::Body> pack_panel(const comm::Rank& rank, const Structure& structure,
                                               const Front<T>& front, const kernels::PanelSteps<T>& steps,
                                               Index first, Index count, bool is_last,
                                               const std::vector<int>& tree) {
  comm::Header header;
  header.kind = MessageKind::panel_part;
  header.id = {0, 0, front.number, first, count, is_last};
  const Index top = structure.is_symmetric() ? front.summed : first, rows = front.order() - top;
  const auto pivots = static_cast<std::size_t>(count), entries = static_cast<std::size_t>(rows * count);
  Packing packing(Packing::bytes_of<int>(tree.size()) + Packing::bytes_of<std::int32_t>(pivots) +
                  Packing::bytes_of<T>(entries) + 2 * Packing::bytes_of<T>(pivots));
  packing.add(tree);
  if (!structure.is_symmetric()) packing.add(steps.exchanged());
  append_columns(rank, front.panel().block(top, first, rows, count), packing.room_for<T>(entries));
  if (structure.kind == FactorKind::ldlt) {
    packing.add(std::span<const T>(front.d + first, static_cast<std::size_t>(count)));
    packing.add(std::span<const T>(front.d_off + first, static_cast<std::size_t>(count)));
  }
  return {header, std::move(packing).body()};
}

template <class T>
StripWork<T>::StripWork(const Structure& structure, const MultifrontalPlan& plan, Strip<T>& strip,
                        std::vector<Index> delayed)
    : structure_(structure), plan_(plan), strip_(strip), delayed_(std::move(delayed)) {}

template <class T>
void StripWork<T>::assemble(const StripEntries<T>& entries, std::span<const Piece<T>> pieces) {
  if (structure_.is_symmetric()) return;
  const MatrixView<T> L21 = strip_.lower();
  const Index delayed = std::accumulate(delayed_.begin(), delayed_.end(), Index{0});
  for (std::size_t k = 0; k < entries.value.size(); ++k)
    L21(entries.row[k] - strip_.first, entries.pivot[k] + delayed) += entries.value[k];
  for (const Piece<T>& piece : pieces) {
    const PlacesInParent places = places_in_parent(structure_.tree, piece.front);
    const auto rows = shifted(places.place, -strip_.first), columns = shifted(places.place, delayed);
    Piece<T> summed = piece;
    summed.block.cols = std::min(piece.end_col(), places.summed) - piece.first_col;
    add_piece(summed, false, rows.data(), columns.data(), L21);
    const auto late = delayed_places(structure_, delayed_, piece.front, piece.delayed.cols);
    kernels::extend_add<T>(piece.delayed, rows.data() + piece.first_row, late.data(), L21);
  }
}

template <class T>
void StripWork<T>::apply(comm::Rank& rank, const comm::Message& panel) {
  if (panel.header.id[4] == 0) return;
  if (structure_.is_symmetric())
    apply_symmetric(rank, panel);
  else
    apply_lu(rank, panel);
  strip_.eliminated += panel.header.id[4];
  is_started_ = true;
}

template <class T>
void StripWork<T>::apply_lu(comm::Rank& rank, const comm::Message& panel) {
  const Index k = panel.header.id[3], e = panel.header.id[4], rest = strip_.summed - k - e,
              rows = strip_.rows();
  Unpacking unpacking(panel.body);
  unpacking.next<int>();
  const auto exchanged = unpacking.next<std::int32_t>();
  const Index height = strip_.summed - k + strip_.width;
  const MatrixView<const T> Lp{unpacking.next<T>().data(), height, e, height};
  const MatrixView<T> L21 = strip_.lower();
  flops_ += apply_panel<T>(rank, plan_, k, exchanged, Lp, L21);
  // C -= L21 U12
  const kernels::Cost cost = kernels::gemm_cost<T>(rows, strip_.width, e);
  subtract_product(rank, {"strip_gemm", cost.flops, cost.bytes, rows, strip_.width, e},
                   L21.block(0, k, rows, e), Lp.block(e + rest, 0, strip_.width, e), false);
}

template <class T>
void StripWork<T>::apply_symmetric(comm::Rank& rank, const comm::Message& panel) {
  const Index e = panel.header.id[4], m = structure_.tree.border(strip_.front), rows = strip_.rows();
  Unpacking unpacking(panel.body);
  unpacking.next<int>();
  const MatrixView<const T> L21{unpacking.next<T>().data(), m, e, m};
  MatrixView<const T> W = L21.block(strip_.first, 0, rows, e);
  if (structure_.kind == FactorKind::ldlt) {
    const auto d = unpacking.next<T>(), d_off = unpacking.next<T>();
    comm::on_values(rank, [&] {
      work_.resize(static_cast<std::size_t>(padded_ld(rows) * e));
      const MatrixView<T> scaled{work_.data(), rows, e, padded_ld(rows)};
      kernels::scale_by_d<T>(W, structure_.hermitian, d, d_off, scaled);
      W = scaled;
    });
  }
  // C -= W L21^T down to the diagonal
  const bool conjugated = structure_.hermitian || structure_.kind == FactorKind::cholesky;
  const kernels::Cost cost = kernels::gemm_cost<T>(rows, (strip_.first + strip_.end) / 2, e);
  subtract_product(rank, {"strip_gemm", cost.flops, cost.bytes, rows, strip_.width, e}, W,
                   L21.block(0, 0, strip_.width, e), conjugated);
}

/// C <- C - A B^T, or -A B^T at first; of symmetric fronts down to the diagonal.
template <class T>
void StripWork<T>::subtract_product(comm::Rank& rank, const comm::Work& work, MatrixView<const T> A,
                                    MatrixView<const T> B, bool conjugated) {
  const MatrixView<T> C = strip_.contribution();
  const auto tiles = tiles_of_c(kernels::tile_edge<T>(plan_.slice_flops, A.cols));
  const auto update = [&](std::size_t i) {
    kernels::update_tile<T>(tiles[i], A, B, conjugated, is_started_, C);
  };
  if (work.flops > plan_.slice_flops) {
    rank.run_slices(work, tiles.size(), update);
  } else {
    rank.compute(work, [&] {
      for (std::size_t i = 0; i < tiles.size(); ++i) update(i);
    });
    rank.poll();
  }
  flops_ += work.flops;
}

template <class T>
std::vector<kernels::Tile> StripWork<T>::tiles_of_c(Index edge) const {
  const Index rows = strip_.rows();
  if (!structure_.is_symmetric()) return kernels::full_tiles(rows, strip_.width, edge);
  // the strip's diagonal begins at column `first`
  std::vector<kernels::Tile> tiles = kernels::full_tiles(rows, strip_.first, edge);
  for (kernels::Tile tile : kernels::lower_tiles(rows, rows, edge)) {
    tile.left += strip_.first;
    tiles.push_back(tile);
  }
  return tiles;
}

template <class T>
void StripWork<T>::add_border(std::span<const Piece<T>> pieces) {
  const MatrixView<T> C = strip_.contribution();
  if (!is_started_) std::fill_n(C.data, C.ld * C.cols, T(0));
  is_started_ = true;
  for (const Piece<T>& piece : pieces) {
    const PlacesInParent places = places_in_parent(structure_.tree, piece.front);
    const auto rows = shifted(places.place, -strip_.first);
    Piece<T> rest = piece;
    rest.first_col = std::max(piece.first_col, places.summed);
    const Index left = rest.first_col - piece.first_col;
    rest.block = piece.block.block(0, left, piece.block.rows, piece.block.cols - left);
    add_piece(rest, structure_.is_symmetric(), rows.data(), places.place.data(), C);
  }
}

#define OVERLAPACK_INSTANTIATE(T)                                                                         \
  template std::pair<comm::Header, comm::Body> pack_panel(const comm::Rank&, const Structure&,            \
                                                          const Front<T>&, const kernels::PanelSteps<T>&, \
                                                          Index, Index, bool, const std::vector<int>&);   \
  template class StripWork<T>;
OVERLAPACK_FOR_EACH_SCALAR(OVERLAPACK_INSTANTIATE)
#undef OVERLAPACK_INSTANTIATE

}  // namespace overlapack::sparse
