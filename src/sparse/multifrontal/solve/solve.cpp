#include "sparse/multifrontal/solve/solve.hpp"

#include "base/instantiate.hpp"
#include "base/large_memory.hpp"
#include "comm/collective/collective.hpp"
#include "comm/failure.hpp"
#include "kernels/product/operand.hpp"
#include "sparse/factors/vector_side.hpp"
#include "sparse/matrix/permute.hpp"
#include "sparse/multifrontal/factors/state.hpp"
#include "sparse/multifrontal/solve/backward_walk.hpp"
#include "sparse/multifrontal/solve/forward_walk.hpp"
#include "sparse/multifrontal/solve/root_solve.hpp"

#include <algorithm>
#include <memory>
#include <utility>
#include <vector>

/// L y = b up the tree, then U x = y down it. The right-hand side is indexed by the rows of B, the solution by its
/// columns; a pivot couples row_name[k] and col_name[k] of its front.
namespace overlapack::sparse::multifrontal {

namespace {

/// How op(A) x = b is solved with the factors of B = P Dr A Dc Q: by B or B^T, with conjugated vectors or as they are.
struct SolveForm {
  bool is_transposed = false;
  bool is_conjugated = false;
};

SolveForm solve_form(const Structure& structure, kernels::Op op) {
  using kernels::Op;
  if (!structure.is_symmetric()) return {op != Op::none, op == Op::conj_trans};
  // A^T = A or A^H = A, and the other one is the conjugate
  return {false, op == (structure.is_conjugated() ? Op::trans : Op::conj_trans)};
}

template <class T>
const MatrixSide& equations_of(const FactorState<T>& state, SolveForm form) {
  return form.is_transposed ? state.columns : state.rows;
}
template <class T>
const MatrixSide& unknowns_of(const FactorState<T>& state, SolveForm form) {
  return form.is_transposed ? state.rows : state.columns;
}
template <class T>
VectorSide<T, Index> vectors_of(const MatrixSide& side, SolveForm form) {
  return {side.perm, side.scale, form.is_conjugated};
}

constexpr Index range_length = 128;            ///< variables that are copied together
constexpr Index least_slice = Index{1} << 15;  ///< numbers of a slice that is worth sharing

/// Calls f(first, end) for ranges of 0 .. length - 1; other ranks of this process that wait may take some.
template <class F>
void for_ranges(comm::Rank& rank, const char* kind, Index length, Index count, F&& f) {
  const auto pass = [&](Index first, Index end) {
    for (Index i = first; i < end; i += range_length) f(i, std::min(i + range_length, end));
  };
  const SliceRunner runner = comm::slices_of(rank, {.kind = kind, .n = length});
  const Index slices = runner.slices(length * count, least_slice);
  runner.for_each(static_cast<std::size_t>(slices), [&](std::size_t s) {
    const auto slice = static_cast<Index>(s);
    pass(length * slice / slices, length * (slice + 1) / slices);
  });
}

/// Collective: rank 0 permutes and scales the right-hand sides, and puts those of each variable side by side;
/// every rank gets them.
template <class T>
comm::Body broadcast_rhs(comm::Rank& rank, const FactorState<T>& state, SolveForm form, const T* b,
                         Index nrhs) {
  comm::Body body;
  if (rank.rank() == 0) {
    const VectorSide<T, Index> side = vectors_of<T>(equations_of(state, form), form);
    const Index n = state.structure.tree.n;
    // in the caller's order vectors are read and written one after the other, and lines whole
    const std::vector<Index> position = inverse_permutation(side.number);
    UnsetVector<T> permuted(static_cast<std::size_t>(n * nrhs));
    for_ranges(rank, "permute", n, nrhs, [&](Index first, Index end) {
      for (Index j = 0; j < nrhs; ++j)
        for (Index i = first; i < end; ++i)
          permuted[static_cast<std::size_t>(position[static_cast<std::size_t>(i)] * nrhs + j)] =
              side.value_of(b + j * n, i);
    });
    body = comm::Body::adopt(std::move(permuted));
  }
  return comm::collective::broadcast(rank, 0, std::move(body));
}

/// Collective: brings x, unscaled and in the caller's order, from the ranks that have the pivots to rank 0.
template <class T>
void gather_solution(comm::Rank& rank, const FactorState<T>& state, SolveForm form, Vectors<T>& vectors,
                     T* x) {
  const MatrixSide& unknowns = unknowns_of(state, form);
  const VectorSide<T, Index> side = vectors_of<T>(unknowns, form);
  const Index count = vectors.count;
  if (vectors.is_shared && rank.rank() != 0) return;
  if (vectors.is_shared || rank.size() == 1) {
    // in the caller's order vectors are read and written one after the other, and lines whole
    const std::vector<Index> position = inverse_permutation(side.number);
    return for_ranges(rank, "permute", vectors.n, count, [&](Index first, Index end) {
      for (Index j = 0; j < count; ++j)
        for (Index i = first; i < end; ++i)
          side.set_of(
              x + j * vectors.n, i,
              vectors.unknowns[static_cast<std::size_t>(position[static_cast<std::size_t>(i)] * count + j)]);
    });
  }
  // all right-hand sides of `length` variables, the k-th of which has the number name(k)
  const auto put = [&](const T* values, Index length, auto&& name) {
    for_ranges(rank, "permute", length, count, [&](Index first, Index end) {
      for (Index j = 0; j < count; ++j)
        for (Index k = first; k < end; ++k) side.set(x + j * vectors.n, name(k), values[k * count + j]);
    });
  };
  Index pivots_of_rank = 0;
  for (const Front<T>& front : state.fronts) pivots_of_rank += front.eliminated;
  UnsetVector<T> mine(static_cast<std::size_t>(pivots_of_rank * count));
  auto next = mine.begin();
  for (const Front<T>& front : state.fronts) {
    const std::int32_t* names = form.is_transposed ? front.row_name : front.col_name;
    for (Index k = 0; k < front.eliminated; ++k)
      next = std::ranges::copy(vectors.values_of(vectors.unknowns, names[k]), next).out;
  }
  const std::vector<comm::Body> parts = comm::collective::gather(rank, 0, comm::Body::adopt(std::move(mine)));
  if (rank.rank() == 0)  // null pivots keep what they were given
    for (const std::int32_t name : unknowns.null)
      put(vectors.values_of(vectors.unknowns, name).data(), 1, [name](Index) { return name; });
  for (std::size_t r = 0; r < parts.size(); ++r) {
    const auto names = unknowns.pivots[r].template as<std::int32_t>();
    put(parts[r].template as<T>().data(), static_cast<Index>(names.size()),
        [&names](Index k) { return names[static_cast<std::size_t>(k)]; });
  }
}

template <class T>
Vectors<T> make_vectors(const FactorState<T>& state, SolveForm form, Index nrhs) {
  Vectors<T> vectors;
  vectors.n = state.structure.tree.n;
  vectors.count = nrhs;
  vectors.is_transposed = form.is_transposed;
  return vectors;
}

/// May y replace what its equations have got, in the same memory? A front that delays pivots of an unsymmetric matrix may eliminate an
/// unknown before the equation of its number.
template <class T>
bool may_share(const FactorState<T>& state) {
  return state.structure.is_symmetric() ||
         std::ranges::none_of(state.fronts, [](const Front<T>& front) { return front.delayed() > 0; });
}

/// Front -> is b zero in all of its subtree? Such a front subtracts nothing. A front in strips never counts
/// as such.
template <class T>
std::vector<char> fronts_without_rhs(const Structure& structure, const Vectors<T>& vectors) {
  const AssemblyTree& tree = structure.tree;
  std::vector<char> is_idle(static_cast<std::size_t>(tree.fronts()), 1);
  for (Index f = 0; f < tree.fronts(); ++f) {
    const bool is_busy = !is_idle[f] || structure.in_strips[f] ||
                         std::any_of(vectors.rhs + tree.first_pivot[f] * vectors.count,
                                     vectors.rhs + tree.first_pivot[f + 1] * vectors.count,
                                     [](const T& v) { return v != T(0); });
    if (!is_busy) continue;
    is_idle[f] = 0;
    if (tree.parent[f] >= 0) is_idle[tree.parent[f]] = 0;
  }
  return is_idle;
}

/// The vectors of a rank that is alone, or shares no memory with the others.
template <class T>
struct OwnVectors {
  OwnVectors(const FactorState<T>& state, Vectors<T>& vectors)
      : equations(static_cast<std::size_t>(vectors.n * vectors.count), T(0)) {
    if (!may_share(state)) unknowns.assign(equations.size(), T(0));
    vectors.equations = equations;
    vectors.unknowns = unknowns.empty() ? equations : unknowns;
  }
  LargeVector<T> equations, unknowns;
};

/// The ranks of a process share one vector of unknowns, rank 0's. Each has a vector of sums of its own.
template <class T>
struct SharedVectors {
  SharedVectors(comm::Rank& rank, FactorState<T>& state, SolveForm form, Vectors<T>& vectors) {
    const auto length = static_cast<std::size_t>(vectors.n * vectors.count);
    if (rank.rank() == 0) {
      unknowns.resize(length);
      const auto& null = unknowns_of(state, form).null;
      vectors.clear(unknowns, null.data(), static_cast<Index>(null.size()));
    }
    window = rank.attach(std::as_writable_bytes(std::span(unknowns)));
    vectors.is_shared = true;
    vectors.equations = state.sums.take(length);
    vectors.unknowns = {reinterpret_cast<T*>(window->direct(0)), length};
  }
  UnsetVector<T> unknowns;
  /// Destroyed before `unknowns`; after a failure, once all ranks stop.
  std::unique_ptr<comm::Window> window;
};

/// Clears the sums of rows without a pivot, the only ones that no front has taken.
template <class T>
void clear_sums(FactorState<T>& state, SolveForm form, const Vectors<T>& vectors) {
  const auto& null = equations_of(state, form).null;
  vectors.clear(vectors.equations, null.data(), static_cast<Index>(null.size()));
  state.sums.release();
}

/// Some right-hand sides: L y = b up the tree, the root on the grid, U x = y down the tree.
template <class T>
void walk_both_ways(comm::Rank& rank, FactorState<T>& state, SolveForm form, Vectors<T>& vectors, const T* b,
                    T* x) {
  const comm::Body rhs = broadcast_rhs(rank, state, form, b, vectors.count);
  vectors.rhs = rhs.as<T>().data();
  vectors.is_idle = fronts_without_rhs(state.structure, vectors);
  ForwardWalk<T>(rank, state, vectors).run_all();
  if (!vectors.is_shared) {
    const auto& null = unknowns_of(state, form).null;
    vectors.clear(vectors.unknowns, null.data(), static_cast<Index>(null.size()));
  }
  solve_root(rank, state, vectors);
  if (vectors.is_shared) clear_sums(state, form, vectors);
  vectors.is_idle.clear();
  BackwardWalk<T>(rank, state, vectors).run_all();
  gather_solution(rank, state, form, vectors, x);
}

template <class T>
void solve_block(comm::Rank& rank, FactorState<T>& state, SolveForm form, const T* b, T* x, Index nrhs) {
  Vectors<T> vectors = make_vectors(state, form, nrhs);
  if (rank.size() == 1 || !rank.capabilities().shared_memory) {
    const OwnVectors<T> own(state, vectors);
    return walk_both_ways(rank, state, form, vectors, b, x);
  }
  const SharedVectors<T> shared(rank, state, form, vectors);
  comm::stop_all_on_failure(rank, [&] { walk_both_ways(rank, state, form, vectors, b, x); });
}

}  // namespace

template <class T>
void solve(comm::Rank& rank, FactorState<T>& state, kernels::Op op, const T* b, T* x, Index nrhs) {
  const SolveForm form = solve_form(state.structure, op);
  const Index n = state.structure.tree.n;
  const bool has_vectors = rank.rank() == 0;
  for (Index j = 0, count; j < nrhs; j += count) {
    count = state.pass_width_at(j, nrhs);
    solve_block(rank, state, form, has_vectors ? b + j * n : nullptr, has_vectors ? x + j * n : nullptr,
                count);
  }
}

template <class T>
void null_space(comm::Rank& rank, FactorState<T>& state, kernels::Op op, T* Z) {
  const SolveForm form = solve_form(state.structure, op);
  const auto& names = unknowns_of(state, form).null;
  const auto count = static_cast<Index>(names.size());
  for (Index j = 0, pass; j < count; j += pass) {
    pass = state.pass_width_at(j, count);
    Vectors<T> vectors = make_vectors(state, form, pass);
    LargeVector<T> unknowns(static_cast<std::size_t>(vectors.n * pass), T(0));
    vectors.unknowns = unknowns;
    for (Index k = 0; k < vectors.count; ++k)  // U x = 0 with x = 1 at the null pivot
      vectors.values_of(vectors.unknowns,
                        names[static_cast<std::size_t>(j + k)])[static_cast<std::size_t>(k)] = T(1);
    BackwardWalk<T>(rank, state, vectors).run_all();
    gather_solution(rank, state, form, vectors, rank.rank() == 0 ? Z + j * vectors.n : nullptr);
  }
}

#define OVERLAPACK_INSTANTIATE(T)                                          \
  template void null_space(comm::Rank&, FactorState<T>&, kernels::Op, T*); \
  template void solve(comm::Rank&, FactorState<T>&, kernels::Op, const T*, T*, Index);
OVERLAPACK_FOR_EACH_SCALAR(OVERLAPACK_INSTANTIATE)
#undef OVERLAPACK_INSTANTIATE

}  // namespace overlapack::sparse::multifrontal
