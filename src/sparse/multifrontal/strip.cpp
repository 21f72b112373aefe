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
#include "sparse/multifrontal/packing.hpp"
#include "sparse/multifrontal/slices.hpp"
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
  header.kind = panel_part;
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
  const MatrixView<T> L21 = strip_.lower(), C = strip_.contribution();
  const MatrixView<T> L = L21.block(0, k, rows, e);
  const kernels::Cost solve = kernels::triangular_cost<T>(e, rows) + kernels::gemm_cost<T>(rows, rest, e);
  rank.compute({"strip_trsm", solve.flops, solve.bytes, rows, rest, e}, [&] {
    for (Index p = 0; p < e; ++p)
      if (exchanged[p] != k + p) kernels::swap_columns(L21, k + p, exchanged[p]);
    // L21(:, k:k+e) <- L21(:, k:k+e) U11^{-1};  L21(:, k+e:S) -= L21(:, k:k+e) U(k:k+e, k+e:S)
    kernels::solve_right_lower_trans<T>(Lp.block(0, 0, e, e), true, false, L);
    kernels::gemm<T>(kernels::Op::none, kernels::Op::trans, T(-1), L, Lp.block(e, 0, rest, e), T(1),
                     L21.block(0, k + e, rows, rest));
  });
  // C -= L21 U12
  const MatrixView<const T> U12 = Lp.block(e + rest, 0, strip_.width, e);
  const kernels::Cost cost = kernels::gemm_cost<T>(rows, strip_.width, e);
  const comm::Work work{"strip_gemm", cost.flops, cost.bytes, rows, strip_.width, e};
  const auto update = [&](Index i) { kernels::full_update_tile<T>(i, L, U12, is_started_, C); };
  const Index tiles = kernels::full_update_tiles(rows, strip_.width);
  if (is_sliced(cost.flops))
    for_each_slice(rank, true, work, tiles, update);
  else
    rank.compute(work, [&] { for_each_slice(rank, false, work, tiles, update); });
  flops_ += solve.flops + cost.flops;
}

template <class T>
void StripWork<T>::apply_symmetric(comm::Rank& rank, const comm::Message& panel) {
  const Index e = panel.header.id[4], m = structure_.tree.border(strip_.front), rows = strip_.rows();
  Unpacking unpacking(panel.body);
  unpacking.next<int>();
  const MatrixView<const T> L21{unpacking.next<T>().data(), m, e, m};
  const MatrixView<T> C = strip_.contribution();
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
  const kernels::Op op = conjugated ? kernels::Op::conj_trans : kernels::Op::trans;
  const Index tile = plan_.slice_rows;
  const auto update = [&](Index i) {
    const Index j = i * tile, width = std::min(tile, strip_.width - j);
    const Index top = std::max<Index>(0, j - strip_.first);
    kernels::gemm<T>(kernels::Op::none, op, T(-1), W.block(top, 0, rows - top, e), L21.block(j, 0, width, e),
                     is_started_ ? T(1) : T(0), C.block(top, j, rows - top, width));
  };
  const kernels::Cost cost = kernels::gemm_cost<T>(rows, (strip_.first + strip_.end) / 2, e);
  const comm::Work work{"strip_gemm", cost.flops, cost.bytes, rows, strip_.width, e};
  const Index tiles = (strip_.width + tile - 1) / tile;
  if (is_sliced(cost.flops))
    for_each_slice(rank, true, work, tiles, update);
  else
    rank.compute(work, [&] { for_each_slice(rank, false, work, tiles, update); });
  flops_ += cost.flops;
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
