// The small kernels of one level of the instruction set. Compiled once for each level (CMakeLists.txt), with
// OVERLAPACK_SMALL_TABLES naming the table that it defines.
#include "kernels/small/table.hpp"
#include "kernels/small/vector.hpp"
//
#include "kernels/small/columns.inl"
#include "kernels/small/gemm.inl"
#include "kernels/small/transpose.inl"
//
#include "kernels/small/moves.inl"
#include "kernels/small/stencil.inl"
#include "kernels/small/systems.inl"

namespace overlapack::kernels::small {

extern const Tables OVERLAPACK_SMALL_TABLES;
extern const Residuals OVERLAPACK_SMALL_RESIDUALS;

#define OVERLAPACK_SMALL_TABLE(T, R, is_complex)                                               \
  {                                                                                            \
    gemm<T, R, is_complex, Operand::cached>, gemm<T, R, is_complex, Operand::read_once>,       \
        gemm_strips_of<T, R, is_complex>(), solve_rows<T, R, is_complex>,                      \
        subtract_columns<T, R, is_complex>, dots<T, R, is_complex>, largest<T, R, is_complex>, \
        scale<T, R, is_complex>, add_runs<T, R, is_complex>, adjoint<T, R, is_complex>,        \
        systems_eliminate<T, R, is_complex>, systems_forward<T, R, is_complex>,                \
        systems_backward<T, R, is_complex>                                                     \
  }

constinit const Tables OVERLAPACK_SMALL_TABLES = {OVERLAPACK_SMALL_TABLE(float, float, false),
                                                  OVERLAPACK_SMALL_TABLE(double, double, false),
                                                  OVERLAPACK_SMALL_TABLE(std::complex<float>, float, true),
                                                  OVERLAPACK_SMALL_TABLE(std::complex<double>, double, true),
                                                  stencil_row,
                                                  &OVERLAPACK_SMALL_RESIDUALS,
                                                  vector_bytes,
                                                  tile_columns<false>};

}  // namespace overlapack::kernels::small
