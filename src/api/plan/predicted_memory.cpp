#include "api/plan/predicted_memory.hpp"

#include "base/staircase_view.hpp"
#include "sparse/factors/low_rank_plan.hpp"
#include "sparse/multifrontal/front/front.hpp"
#include "sparse/multifrontal/front/low_rank_blocks.hpp"

#include <algorithm>
#include <vector>

namespace overlapack::api {

namespace {

/// The predicted bytes of a block triangular form: the factors of columns with their row numbers, and the prediction of each block that has
/// another method.
double predicted_bytes_by_blocks(const sparse::Analysis& analysis, std::size_t scalar_bytes) {
  double by_columns = static_cast<double>(analysis.factor_nnz), by_others = 0;
  for (const sparse::Analysis& inner : analysis.inner_analysis) {
    by_columns -= static_cast<double>(inner.factor_nnz);
    by_others += predicted_bytes(inner, scalar_bytes);
  }
  const double entry = static_cast<double>(scalar_bytes + sizeof(std::int32_t));
  const double column = static_cast<double>(scalar_bytes + 2 * sizeof(Index) + sizeof(std::int32_t));
  return by_columns * entry + static_cast<double>(analysis.row_perm.size()) * column + by_others;
}

/// The bytes that a rank holds for a front besides contribution blocks.
struct FrontBytes {
  double at_update = 0;       ///< while the front's contribution block is there, too
  double at_elimination = 0;  ///< before that; 0: no more than at_update
  double waiting_block =
      -1;  ///< bytes of the contribution block while it waits for the parent; -1: its full size
};

/// The peak over the postorder of the waiting contribution blocks, the front's own contribution block, and bytes_of(f), a FrontBytes.
template <class BytesOf>
double peak_of_postorder(const sparse::Analysis& analysis, std::size_t scalar_bytes, Index grid_root,
                         BytesOf&& bytes_of) {
  const sparse::AssemblyTree& tree = analysis.tree;
  const bool is_lu = analysis.kind == sparse::FactorKind::lu;
  std::vector<double> waiting_below(
      static_cast<std::size_t>(tree.fronts()));  // children's blocks of each front
  double waiting = 0, peak = 0;
  for (Index f = 0; f < tree.fronts(); ++f) {
    const bool is_whole = is_lu || (grid_root >= 0 && tree.parent[f] == grid_root);
    const Index border = tree.border(f), width = is_whole ? border : staircase_width(border);
    const double block =
        static_cast<double>(staircase_entries(border, width)) * static_cast<double>(scalar_bytes);
    const double copies = f == grid_root ? waiting_below[f] : 0;
    const FrontBytes held = bytes_of(f);
    peak = std::max({peak, held.at_update + waiting + block + copies, held.at_elimination + waiting});
    waiting -= waiting_below[f];
    double waits = block;
    if (held.waiting_block >= 0) {
      waits = held.waiting_block;
      peak = std::max(peak, held.at_update + waiting + block + waits);  // it is compressed into a copy
    }
    waiting += waits;
    if (tree.parent[f] >= 0) waiting_below[tree.parent[f]] += waits;
  }
  return peak;
}

/// The bytes on disk of panel, L21 and D of a front.
double bytes_in_file(const sparse::Analysis& analysis, Index f, std::size_t scalar_bytes) {
  const Index pivots = analysis.tree.pivots(f);
  return static_cast<double>(
      sparse::multifrontal::front_bytes(analysis.kind, analysis.tree.order(f), pivots, scalar_bytes, true) -
      sparse::multifrontal::name_bytes(analysis.kind, pivots));
}

}  // namespace

double predicted_bytes(const sparse::Analysis& analysis, std::size_t scalar_bytes, Index grid_root) {
  if (analysis.method == Method::block_triangular) return predicted_bytes_by_blocks(analysis, scalar_bytes);
  if (analysis.method == Method::supernodal)
    return static_cast<double>(analysis.factor_nnz) * static_cast<double>(scalar_bytes);
  double factors = 0;
  return peak_of_postorder(analysis, scalar_bytes, grid_root, [&](Index f) {
    const auto bytes = static_cast<double>(sparse::multifrontal::front_bytes(
        analysis.kind, analysis.tree.order(f), analysis.tree.pivots(f), scalar_bytes, true));
    factors += bytes;
    const bool is_mirrored = f == grid_root && analysis.kind == sparse::FactorKind::ldlt;  // from a copy
    return FrontBytes{factors + (is_mirrored ? bytes : 0)};
  });
}

double predicted_low_rank_bytes(const sparse::Analysis& analysis, std::size_t scalar_bytes,
                                const sparse::LowRankPlan& plan, double share) {
  const sparse::AssemblyTree& tree = analysis.tree;
  const Index least_border = sparse::multifrontal::least_tiled_border(plan, tree);
  double factors = 0;
  return peak_of_postorder(analysis, scalar_bytes, -1, [&](Index f) {
    if (!sparse::multifrontal::is_large_enough(plan, tree, f)) {
      factors += static_cast<double>(sparse::multifrontal::front_bytes(analysis.kind, tree.order(f),
                                                                       tree.pivots(f), scalar_bytes, true));
      return FrontBytes{factors};
    }
    factors += sparse::multifrontal::low_rank_bytes(analysis.kind, tree, f, plan, scalar_bytes, share);
    FrontBytes bytes{factors, factors + bytes_in_file(analysis, f, scalar_bytes)};
    if (tree.border(f) >= least_border)
      bytes.waiting_block = sparse::multifrontal::low_rank_block_bytes(analysis.kind, tree.border(f), plan,
                                                                       scalar_bytes, share);
    return bytes;
  });
}

double predicted_scratch_bytes(const sparse::Analysis& analysis, std::size_t scalar_bytes, Index grid_root) {
  double bytes = 0;
  for (Index f = 0; f < analysis.tree.fronts(); ++f)
    if (f != grid_root) bytes += bytes_in_file(analysis, f, scalar_bytes);
  return bytes;
}

double predicted_disk_memory_bytes(const sparse::Analysis& analysis, std::size_t scalar_bytes,
                                   double buffer_bytes, Index grid_root) {
  double names = 0, written = 0, last = 0, largest = 0;
  const double peak = peak_of_postorder(analysis, scalar_bytes, grid_root, [&](Index f) {
    names += static_cast<double>(sparse::multifrontal::name_bytes(analysis.kind, analysis.tree.pivots(f)));
    const double waiting = std::min(written, std::max(buffer_bytes, last));
    last = bytes_in_file(analysis, f, scalar_bytes);
    if (f != grid_root) written += last;  // the shared root stays in memory
    largest = std::max(largest, last);
    return FrontBytes{names + last + waiting};
  });
  return std::max(peak, names + std::max(buffer_bytes, largest));
}

}  // namespace overlapack::api
