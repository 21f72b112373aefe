#pragma once
#include "iterative/multisplitting/block_group.hpp"
#include "overlapack/options.hpp"
#include "overlapack/sparse_figures.hpp"

namespace overlapack::sparse {
struct FactorPlan;
}

namespace overlapack::api {

/// Factorises a group's block by the multifrontal method, as `options` say (factorization, ordering, matching), and solves
/// with the factors.
/// Shapes  figures: of the block, filled on its leader when it is factorised
/// Sync    the factory is collective over all groups, since the memory of all blocks of a node is checked together
/// Errors  Singular, with the ranks whose block it is; OutOfMemory
template <class T>
iterative::SharedFactory<T> make_direct_inner_factory(const Options& options, const sparse::FactorPlan& plan,
                                                      SparseFigures& figures);
/// The plan for it: in the precision of the block, in memory, not compressed.
template <class T>
sparse::FactorPlan inner_plan(const Options& options);

/// Conjugate gradients, the rows of a block distributed to the ranks of its group by METIS.
template <class T>
iterative::SharedFactory<T> make_gradient_inner_factory(const Options& options);

/// Incomplete LU without fill, of groups of one rank.
/// Shapes  figures: as for make_direct_inner_factory; raised: counts blocks whose diagonal was raised
/// Errors  Singular, with the ranks whose block it is
template <class T>
iterative::SharedFactory<T> make_incomplete_inner_factory(SparseFigures& figures, Index& raised);

}  // namespace overlapack::api
