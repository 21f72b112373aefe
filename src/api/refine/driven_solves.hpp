#pragma once
#include "api/run/session.hpp"
#include "kernels/product/gemm.hpp"

#include <functional>

namespace overlapack::api {

/// A function that rank 0 calls for x <- op(A)^{-1} x, without refinement.  Shapes  x: n x columns
template <class T>
using DrivenSolve = std::function<void(kernels::Op op, T* x, Index columns)>;

/// drive(solve) on rank 0, which decides as it goes how many solves there are; the other ranks take part in them until it
/// returns.
/// substitute: the collective solve on this rank, as Multifrontal::solve
/// Sync    collective, inside of a run
template <class T, class Substitute, class Drive>
void drive_solves(comm::Rank& rank, Substitute&& substitute, Drive&& drive) {
  struct Request {
    kernels::Op op = kernels::Op::none;
    Index columns = -1;  ///< -1: no more
  };
  if (rank.rank() == 0) {
    const DrivenSolve<T> solve = [&](kernels::Op op, T* x, Index columns) {
      broadcast_from_root(rank, Request{op, columns});
      substitute(op, x, x, columns);
    };
    drive(solve);
    broadcast_from_root(rank, Request{});
    return;
  }
  for (Request request; (request = broadcast_from_root(rank, Request{})).columns >= 0;)
    substitute(request.op, static_cast<const T*>(nullptr), static_cast<T*>(nullptr), request.columns);
}

}  // namespace overlapack::api
