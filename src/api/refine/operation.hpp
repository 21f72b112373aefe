#pragma once
#include "kernels/product/gemm.hpp"
#include "overlapack/overlapack.hpp"

namespace overlapack::api {

inline kernels::Op op_of(Transpose transpose) {
  constexpr kernels::Op ops[] = {kernels::Op::none, kernels::Op::trans, kernels::Op::conj_trans};
  return ops[static_cast<std::size_t>(transpose)];
}

}  // namespace overlapack::api
