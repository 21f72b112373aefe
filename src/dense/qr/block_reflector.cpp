#include "dense/qr/block_reflector.hpp"

#include "base/instantiate.hpp"
#include "comm/values.hpp"
#include "dense/message_kinds.hpp"
#include "dense/packed.hpp"
#include "kernels/update/adjoint.hpp"

#include <algorithm>
#include <memory>
#include <optional>

namespace overlapack::dense {
namespace {

using kernels::Op;

template <class T>
class BlockReflection {
 public:
  BlockReflection(dist::Moves<T>& moves, const ReflectionPosition& position, const BlockReflector<T>& H,
                  Op op, MatrixView<T> C)
      : moves_(moves), position_(position), H_(H), op_(op), C_(C), width_(tile_width()) {}

  void run() {
    if (C_.cols == 0) return;
    if (position_.column.size() == 1) return reflect_alone();
    std::optional<Strip> before;
    const Index width = width_ * position_.tiles;
    for (Index j = 0; j < C_.cols; j += width) {
      Strip next = project_strip(j, C_.block(0, j, C_.rows, std::min(width, C_.cols - j)));
      if (before) finish(*before);
      before = std::move(next);
    }
    finish(*before);
  }

 private:
  /// Some columns C, and the broadcast of their W = -V^H C, which is under way.
  struct Strip {
    MatrixView<T> C;
    std::unique_ptr<comm::collective::Broadcast> W;
  };

  Index reflections() const { return H_.V.cols; }
  /// Columns of a tile: the same on all processes of the column, though their numbers of rows differ.
  Index tile_width() const {
    if (position_.tile == 0) return C_.cols;
    const Index rows = std::max<Index>(1, position_.rows_in_all / position_.column.size());
    return std::max(reflections(), position_.tile * position_.tile / rows);
  }

  /// Call f(first column, number of columns) for the tiles of M, with polls between them.
  template <class F>
  void for_tiles(MatrixView<const T> M, kernels::Cost cost, F&& f) {
    const Index tiles = (M.cols + width_ - 1) / width_;
    moves_.rank().run_slices({"reflect", cost.flops, cost.bytes, M.rows, M.cols, reflections()},
                             static_cast<std::size_t>(tiles), [&](std::size_t s) {
                               const Index j = static_cast<Index>(s) * width_;
                               f(j, std::min(width_, M.cols - j));
                             });
  }

  void reflect_alone() {
    const kernels::Cost once = kernels::gemm_cost<T>(C_.rows, C_.cols, reflections());
    for_tiles(C_, once + once, [&](Index j, Index columns) {
      const MatrixView<T> C = C_.block(0, j, C_.rows, columns);
      std::vector<T> w(static_cast<std::size_t>(reflections() * columns));
      const MatrixView<T> W{w.data(), reflections(), columns, reflections()};
      project(C, W);
      subtract(W, C);
    });
  }

  Strip project_strip(Index first, MatrixView<T> C) {
    std::vector<T> w(static_cast<std::size_t>(reflections() * C.cols));
    const MatrixView<T> W{w.data(), reflections(), C.cols, reflections()};
    for_tiles(C, kernels::gemm_cost<T>(reflections(), C.cols, C.rows), [&](Index j, Index columns) {
      project(C.block(0, j, C.rows, columns), W.block(0, j, W.rows, columns));
    });
    const int root = static_cast<int>(first / (width_ * position_.tiles) % position_.column.size());
    const Index part = position_.first_column + first;
    moves_.sum_to_root(position_.column, root, {QrMove::product_sum, H_.number, part}, w);
    const std::size_t size = w.size() * sizeof(T);
    comm::Body sum;
    if (position_.column.me == root)
      sum = comm::pack_body(moves_.rank(), size, [&] { return comm::Body::adopt(std::move(w)); });
    return {C, moves_.start_broadcast(position_.column, root, {QrMove::product_total, H_.number, part}, size,
                                      std::move(sum))};
  }

  void finish(Strip& strip) {
    const comm::Body body = strip.W->finish();
    const MatrixView<const T> W = packed_matrix<T>(body, reflections(), strip.C.cols);
    const MatrixView<T> C = strip.C;
    for_tiles(C, kernels::gemm_cost<T>(C.rows, C.cols, reflections()), [&](Index j, Index columns) {
      subtract(W.block(0, j, W.rows, columns), C.block(0, j, C.rows, columns));
    });
  }

  /// W = -V^H C
  void project(MatrixView<const T> C, MatrixView<T> W) const {
    if (H_.VH.empty())
      kernels::gemm<T>(Op::conj_trans, Op::none, T(-1), H_.V, C, T(0), W);
    else
      kernels::gemm<T>(Op::none, Op::none, T(-1), H_.VH, C, T(0), W);
  }
  /// C -= V op(S) V^H C; W holds -V^H C
  void subtract(MatrixView<const T> W, MatrixView<T> C) const {
    std::vector<T> values(static_cast<std::size_t>(W.rows * W.cols));
    const MatrixView<T> SW{values.data(), W.rows, W.cols, W.rows};
    kernels::gemm<T>(op_, Op::none, T(-1), H_.S, W, T(0), SW);
    kernels::gemm<T>(Op::none, Op::none, T(-1), H_.V, SW, T(1), C);
  }
  dist::Moves<T>& moves_;
  const ReflectionPosition& position_;
  const BlockReflector<T>& H_;
  Op op_;
  MatrixView<T> C_;
  Index width_;  ///< of a tile
};

}  // namespace

template <class T>
ReflectorMemory<T>::ReflectorMemory(Index width, Index rows)
    : width_(width), rows_(rows), values_(bytes(width, rows) / sizeof(T)) {}

template <class T>
std::size_t ReflectorMemory<T>::bytes(Index width, Index rows) {
  return static_cast<std::size_t>(width * (width + padded_ld(rows))) * sizeof(T);
}

template <class T>
BlockReflector<T> view_reflector(Index number, Index first, Index width, Index rows, comm::Body body) {
  const T* values = body.as<T>().data();
  const T* V = values == nullptr ? nullptr : values + width * width;
  return {number, first, {values, width, width, width}, {V, rows, width, padded_ld(rows)}, std::move(body)};
}

template <class T>
void form_adjoint(comm::Rank& rank, BlockReflector<T>& H, Index columns) {
  constexpr Index many = 32;  // a product saves about 1/20 of the time of forming VH with each column
  if (columns < many) return;
  const Index rows = H.V.rows, width = H.V.cols;
  std::vector<T> values(rank.capabilities().is_phantom ? 0 : static_cast<std::size_t>(width * rows));
  const MatrixView<T> VH{values.data(), width, rows, width};
  rank.compute({"pack", 0, 2.0 * static_cast<double>(width * rows) * sizeof(T), rows, width},
               [&] { kernels::adjoint<T>(H.V, VH); });
  H.VH = VH;
  H.adjoined = comm::Body::adopt(std::move(values));
}

template <class T>
void reflect(dist::Moves<T>& moves, const ReflectionPosition& position, const BlockReflector<T>& H, Op op,
             MatrixView<T> C) {
  BlockReflection<T>(moves, position, H, op, C).run();
}

#define OVERLAPACK_INSTANTIATE(T)                                                                 \
  template class ReflectorMemory<T>;                                                              \
  template void form_adjoint(comm::Rank&, BlockReflector<T>&, Index);                             \
  template BlockReflector<T> view_reflector(Index, Index, Index, Index, comm::Body);              \
  template void reflect(dist::Moves<T>&, const ReflectionPosition&, const BlockReflector<T>&, Op, \
                        MatrixView<T>);
OVERLAPACK_FOR_EACH_SCALAR(OVERLAPACK_INSTANTIATE)
#undef OVERLAPACK_INSTANTIATE

}  // namespace overlapack::dense
