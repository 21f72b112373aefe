#pragma once
#include "iterative/multisplitting/block_group.hpp"
#include "overlapack/options.hpp"
#include "overlapack/sparse_figures.hpp"

namespace overlapack::sparse {
struct FactorPlan;
}

namespace overlapack::api {

/// Make a factory of inner solvers that factorise a group's block by the multifrontal method, as `options` say (factorization, ordering,
/// matching), and solve with the factors.
/// figures: filled on the block's leader when the block is factorised
/// Sync    the factory is collective over all groups, since the memory of all blocks of a node is checked together
/// Errors  Singular, with the ranks whose block it is; OutOfMemory
template <class T>
iterative::SharedFactory<T> make_direct_inner_factory(const Options& options, const sparse::FactorPlan& plan,
                                                      SparseFigures& figures);
/// The plan of these factors: in the precision of the block, in memory, not compressed.
template <class T>
sparse::FactorPlan inner_plan(const Options& options);

/// Make a factory of inner solvers by conjugate gradients. METIS distributes the rows of a block to the ranks of its group.
template <class T>
iterative::SharedFactory<T> make_gradient_inner_factory(const Options& options);

/// Make a factory of inner solvers by incomplete LU without fill, for groups of one rank.
/// figures: as for make_direct_inner_factory; raised: counts the blocks whose diagonal was raised
/// Errors  Singular, with the ranks whose block it is
template <class T>
iterative::SharedFactory<T> make_incomplete_inner_factory(SparseFigures& figures, Index& raised);

}  // namespace overlapack::api
