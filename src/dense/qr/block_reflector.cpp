#include "dense/qr/block_reflector.hpp"

#include "base/instantiate.hpp"
#include "dense/message_kinds.hpp"
#include "dense/packed.hpp"

#include <algorithm>
#include <complex>
#include <memory>
#include <optional>

namespace overlapack::dense {
namespace {

using kernels::Op;

template <class T>
class Reflection {
 public:
  Reflection(dist::Moves<T>& moves, const ReflectionPlace& place, const BlockReflector<T>& H, Op op,
             MatrixView<T> C)
      : moves_(moves), place_(place), H_(H), op_(op), C_(C), width_(strip_width()) {}

  void run() {
    if (C_.cols == 0) return;
    const Index strips = (C_.cols + width_ - 1) / width_;
    if (place_.column.size() == 1) return alone(strips);
    std::optional<Strip> before;
    for (Index s = 0; s < strips; ++s) {
      Strip next = started(s);
      if (before) finish(*before);
      before = std::move(next);
    }
    finish(*before);
  }

 private:
  /// Some columns, and W = V^H C of them on its way.
  struct Strip {
    MatrixView<T> C;
    std::unique_ptr<comm::collective::Broadcast> W;
  };

  Index reflections() const { return H_.V.cols; }
  /// Alike on all processes of the column, whose rows differ in number.
  Index strip_width() const {
    if (place_.tile == 0) return C_.cols;
    const Index rows = std::max<Index>(1, place_.rows_in_all / place_.column.size());
    return std::max(reflections(), place_.tile * place_.tile / rows);
  }
  MatrixView<T> strip(Index s) const {
    return C_.block(0, s * width_, C_.rows, std::min(width_, C_.cols - s * width_));
  }

  void alone(Index strips) {
    const auto cost = 2.0 * kernels::gemm_cost<T>(C_.rows, C_.cols, reflections()).flops;
    moves_.rank().run_slices({"reflect", cost, 2 * bytes(C_), C_.rows, C_.cols, reflections()},
                             static_cast<std::size_t>(strips), [&](std::size_t s) {
                               const MatrixView<T> C = strip(static_cast<Index>(s));
                               std::vector<T> w(static_cast<std::size_t>(reflections() * C.cols));
                               const MatrixView<T> W{w.data(), reflections(), C.cols, reflections()};
                               project(C, W);
                               subtract(W, C);
                             });
  }

  Strip started(Index s) {
    const MatrixView<T> C = strip(s);
    std::vector<T> w(static_cast<std::size_t>(reflections() * C.cols));
    const auto cost = kernels::gemm_cost<T>(reflections(), C.cols, C.rows);
    moves_.rank().compute({"gemm", cost.flops, cost.bytes, reflections(), C.cols, C.rows}, [&] {
      project(C, {w.data(), reflections(), C.cols, reflections()});
    });
    const int root = static_cast<int>(s % place_.column.size());
    const Index part = place_.first_column + s * width_;
    moves_.add_up(place_.column, root, {QrMove::product_sum, H_.number, part}, w);
    const std::size_t size = w.size() * sizeof(T);
    const bool is_phantom = moves_.rank().capabilities().is_phantom;
    comm::Body sum;
    if (place_.column.me == root)
      sum = is_phantom ? comm::Body::phantom(size) : comm::Body::adopt(std::move(w));
    return {C, moves_.start_broadcast(place_.column, root, {QrMove::product_total, H_.number, part}, size,
                                      std::move(sum))};
  }

  void finish(Strip& strip) {
    const comm::Body body = strip.W->finish();
    const MatrixView<const T> W = packed_matrix<T>(body, reflections(), strip.C.cols);
    const auto cost = kernels::gemm_cost<T>(strip.C.rows, strip.C.cols, reflections());
    moves_.rank().compute({"gemm", cost.flops, cost.bytes, strip.C.rows, strip.C.cols, reflections()},
                          [&] { subtract(W, strip.C); });
  }

  /// W = V^H C
  void project(MatrixView<const T> C, MatrixView<T> W) const {
    kernels::gemm<T>(Op::conj_trans, Op::none, T(1), H_.V, C, T(0), W);
  }
  /// C -= V op(S) W
  void subtract(MatrixView<const T> W, MatrixView<T> C) const {
    std::vector<T> values(static_cast<std::size_t>(W.rows * W.cols));
    const MatrixView<T> SW{values.data(), W.rows, W.cols, W.rows};
    kernels::gemm<T>(op_, Op::none, T(1), H_.S, W, T(0), SW);
    kernels::gemm<T>(Op::none, Op::none, T(-1), H_.V, SW, T(1), C);
  }
  static double bytes(MatrixView<const T> M) {
    return static_cast<double>(M.rows) * static_cast<double>(M.cols) * sizeof(T);
  }

  dist::Moves<T>& moves_;
  const ReflectionPlace& place_;
  const BlockReflector<T>& H_;
  Op op_;
  MatrixView<T> C_;
  Index width_;  ///< of a strip
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
BlockReflector<T> reflector_in(Index number, Index first, Index width, Index rows, comm::Body body) {
  const T* values = body.as<T>().data();
  const T* V = values == nullptr ? nullptr : values + width * width;
  return {number, first, {values, width, width, width}, {V, rows, width, padded_ld(rows)}, std::move(body)};
}

template <class T>
void reflect(dist::Moves<T>& moves, const ReflectionPlace& place, const BlockReflector<T>& H, Op op,
             MatrixView<T> C) {
  Reflection<T>(moves, place, H, op, C).run();
}

#define OVERLAPACK_INSTANTIATE(T)                                                  \
  template class ReflectorMemory<T>;                                               \
  template BlockReflector<T> reflector_in(Index, Index, Index, Index, comm::Body); \
  template void reflect(dist::Moves<T>&, const ReflectionPlace&, const BlockReflector<T>&, Op, MatrixView<T>);
OVERLAPACK_FOR_EACH_SCALAR(OVERLAPACK_INSTANTIATE)
#undef OVERLAPACK_INSTANTIATE

}  // namespace overlapack::dense
