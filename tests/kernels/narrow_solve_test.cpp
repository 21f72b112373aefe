#include "kernels/product/narrow_solve.hpp"

#include "kernels/product/sizes.hpp"
#include "kernels/product/triangular.hpp"
#include "kernels/reference/gemm.hpp"
#include "random_matrix.hpp"

namespace overlapack::kernels {
namespace {

template <class T>
struct NarrowSolveTest : ::testing::Test {
  Random random{41};

  /// Well conditioned triangles: a large diagonal.
  Matrix<T> panel(Index rows, Index cols) {
    auto A = Matrix<T>::random(rows, cols, random);
    for (Index k = 0; k < std::min(rows, cols); ++k) A(k, k) += T(4);
    return A;
  }
};
TYPED_TEST_SUITE(NarrowSolveTest, AllScalars);

TYPED_TEST(NarrowSolveTest, AgreesWithTheGeneralKernels) {
  using T = TypeParam;
  for (Index e = 0; e <= sizes::narrow_solve; ++e)
    for (Index rest : {0, 1, 3, 8, 37})
      for (bool flag : {false, true}) {
        const Index m = e + rest;
        const Matrix<T> L = this->panel(m, e), U = this->panel(e, m);
        const Matrix<T> w = Matrix<T>::random(m, 1, this->random);
        const double tolerance = 400 * (m + 1.0) * (flag ? 1e3 : 1) * eps<T>;  // a unit triangle amplifies

        Matrix<T> forward = w, expected = w;
        solve_vector_forward<T>(L.view(), flag, forward.view().data);
        const MatrixView<T> x = expected.view(), x1 = x.block(0, 0, e, 1), x2 = x.block(e, 0, rest, 1);
        solve_left_lower<T>(L.view().block(0, 0, e, e), flag, x1);
        reference::gemm<T>(Op::none, Op::none, T(-1), L.view().block(e, 0, rest, e), x1, T(1), x2);
        EXPECT_TRUE(all_near<T>(forward, expected, tolerance)) << e << ' ' << rest;

        forward = expected = w;
        solve_vector_forward_upper<T>(U.view(), forward.view().data);
        solve_left_upper_trans<T>(U.view().block(0, 0, e, e), false, false, x1);
        reference::gemm<T>(Op::trans, Op::none, T(-1), U.view().block(0, e, e, rest), x1, T(1), x2);
        EXPECT_TRUE(all_near<T>(forward, expected, tolerance)) << e << ' ' << rest;

        Matrix<T> below = w;
        expected = w;
        const Matrix<T> c = Matrix<T>::random(e, 1, this->random);
        subtract_from_vector<T>(L.view(), c.view().data, below.view().data);
        reference::gemm<T>(Op::none, Op::none, T(-1), L.view(), c.view(), T(1), expected.view());
        EXPECT_TRUE(all_near<T>(below, expected, tolerance)) << e << ' ' << rest;

        for (bool conj : {false, true}) {
          Matrix<T> backward = w;
          expected = w;
          solve_vector_backward<T>(L.view(), flag, conj, backward.view().data);
          reference::gemm<T>(conj ? Op::conj_trans : Op::trans, Op::none, T(-1),
                             L.view().block(e, 0, rest, e), x2, T(1), x1);
          solve_left_lower_trans<T>(L.view().block(0, 0, e, e), flag, conj, x1);
          EXPECT_TRUE(all_near<T>(backward, expected, tolerance)) << e << ' ' << rest;
        }
      }
}

}  // namespace
}  // namespace overlapack::kernels
