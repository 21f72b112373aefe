#include "overlapack/multiply.hpp"

#include "api/run/session.hpp"
#include "base/instantiate.hpp"
#include "base/larger.hpp"
#include "base/public_call.hpp"
#include "kernels/sparse/spmv.hpp"
#include "overlapack/quiet_floats.hpp"

#include <algorithm>
#include <functional>
#include <string>

namespace overlapack {

template <class T>
std::vector<T> multiply(const SparseMatrix<T>& A, std::span<const T> x, Transpose op) {
  return public_call(call::multiply, [&]() -> std::vector<T> {
    const Index rows = op == Transpose::none ? A.rows : A.cols,
                cols = op == Transpose::none ? A.cols : A.rows;
    if (static_cast<Index>(x.size()) != cols)
      throw Error(Status::bad_input, "x has " + std::to_string(x.size()) + " entries; the product takes " +
                                         std::to_string(cols));
    std::vector<T> y(static_cast<std::size_t>(rows));
    if (op == Transpose::none)
      kernels::spmv(A, x, std::span<T>(y));
    else
      kernels::spmv_trans(A, op == Transpose::conj_trans, x, std::span<T>(y));
    return y;
  });
}

template <class T>
std::vector<T> row_sums(const std::vector<Triplets<T>>& parts, const Options& options, Transpose op) {
  return public_call(call::row_sums, [&]() -> std::vector<T> {
    std::vector<T> sums;
    api::Session session(options, options.ranks);
    session.run([&](comm::Rank& rank, int position) {
      const Triplets<T> none;
      const Triplets<T>& mine = static_cast<std::size_t>(position) < parts.size() ? parts[position] : none;
      const bool by_rows = op == Transpose::none;
      const std::vector<Index>& line = by_rows ? mine.row : mine.col;
      const Index lines = comm::collective::all_reduce(rank, by_rows ? mine.rows : mine.cols, Larger());
      std::vector<T> b(static_cast<std::size_t>(lines));
      for (std::size_t k = 0; k < line.size(); ++k) {
        if (line[k] < 0 || line[k] >= lines)
          throw Error(Status::bad_input, "rank " + std::to_string(rank.rank()) + " has an entry in " +
                                             (by_rows ? "row " : "column ") + std::to_string(line[k]) +
                                             " of " + std::to_string(lines) + "; they count from 0");
        b[static_cast<std::size_t>(line[k])] +=
            op == Transpose::conj_trans ? conjugate(mine.value[k]) : mine.value[k];
      }
      comm::collective::reduce(rank, 0, std::span<T>(b), std::plus<>());
      if (rank.rank() == 0) sums = std::move(b);
    });
    return sums;
  });
}

#define OVERLAPACK_INSTANTIATE(T)                                                          \
  template std::vector<T> multiply(const SparseMatrix<T>&, std::span<const T>, Transpose); \
  template std::vector<T> row_sums(const std::vector<Triplets<T>>&, const Options&, Transpose);
OVERLAPACK_FOR_EACH_SCALAR(OVERLAPACK_INSTANTIATE)
#undef OVERLAPACK_INSTANTIATE

}  // namespace overlapack
