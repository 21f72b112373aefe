#include "sparse/factors/analysis_packing.hpp"

#include "overlapack/error.hpp"

#include <span>

namespace overlapack::sparse {
namespace {

/// Visits each array once, for packing and unpacking: first those of all methods, then those of the
/// analysis's own method.
template <class AnyAnalysis, class Visit>
void for_each_array(AnyAnalysis& analysis, Visit&& visit) {
  visit(analysis.row_perm);
  visit(analysis.col_perm);
  visit(analysis.row_scale);
  visit(analysis.col_scale);
  visit(analysis.ordering);
  visit(analysis.matching);
  visit(analysis.scaling);
  visit(analysis.choice);
  visit(analysis.order_choice);
  visit(analysis.signs);
  switch (analysis.method) {
    case Method::multifrontal:
      visit(analysis.tree.first_pivot);
      visit(analysis.tree.parent);
      visit(analysis.tree.row_start);
      visit(analysis.tree.row);
      break;
    case Method::block_triangular:
      visit(analysis.block_start);
      visit(analysis.inner_block);
      break;
    case Method::supernodal:
      visit(analysis.nodes.first);
      visit(analysis.nodes.width);
      visit(analysis.nodes.rows.start);
      visit(analysis.nodes.rows.variable);
      visit(analysis.nodes.columns.start);
      visit(analysis.nodes.columns.variable);
      break;
    default:
      throw Error(Status::internal, "no sparse factors are made by this method");
  }
}

/// The numbers to be packed with the arrays.
struct PackedFigures {
  Index n = 0, factor_nnz = 0, structural_rank = -1;
  double flops = 0, predicted_s = 0;
  Method method = Method::multifrontal;
  FactorKind kind = FactorKind::lu;
  bool is_hermitian = false;
};

template <class AnyAnalysis, class Visit>
void for_each_array_of_new_factors(AnyAnalysis& analysis, Visit&& visit) {
  visit(analysis.matched_row);
  visit(analysis.columns.lower_start);
  visit(analysis.columns.upper_start);
  visit(analysis.columns.lower_row);
  visit(analysis.columns.upper_row);
  visit(analysis.columns.node_end);
}

struct FiguresOfNewFactors {
  Index variable_block = 1;
  ScalarCost scalar = {};
};

}  // namespace

void add(Packing& packing, const Analysis& analysis) {
  packing.add_value(PackedFigures{analysis.tree.n, analysis.factor_nnz, analysis.structural_rank,
                                  analysis.flops, analysis.predicted_s, analysis.method, analysis.kind,
                                  analysis.hermitian});
  for_each_array(analysis, [&]<class Array>(const Array& values) {
    packing.add(std::span<const typename Array::value_type>(values.data(), values.size()));
  });
  for (const Analysis& inner : analysis.inner_analysis) add(packing, inner);
}

Analysis unpack_analysis(Unpacking& unpacking) {
  const auto numbers = unpacking.next_value<PackedFigures>();
  Analysis analysis;
  analysis.method = numbers.method;
  analysis.kind = numbers.kind;
  analysis.hermitian = numbers.is_hermitian;
  analysis.tree.n = analysis.nodes.n = numbers.n;
  analysis.factor_nnz = numbers.factor_nnz;
  analysis.structural_rank = numbers.structural_rank;
  analysis.flops = numbers.flops;
  analysis.predicted_s = numbers.predicted_s;
  for_each_array(analysis, [&]<class Array>(Array& values) {
    const auto next = unpacking.next<typename Array::value_type>();
    values = Array(next.begin(), next.end());
  });
  for (std::size_t b = 0; b < analysis.inner_block.size(); ++b)
    analysis.inner_analysis.push_back(unpack_analysis(unpacking));
  return analysis;
}

void pack_analysis_for_factors(Packing& packing, const Analysis& analysis) {
  add(packing, analysis);
  packing.add_value(FiguresOfNewFactors{analysis.variable_block, analysis.cost.scalar});
  for_each_array_of_new_factors(analysis, [&](const auto& values) { packing.add(values); });
}

Analysis unpack_analysis_for_factors(Unpacking& unpacking) {
  Analysis analysis = unpack_analysis(unpacking);
  const auto figures = unpacking.next_value<FiguresOfNewFactors>();
  analysis.variable_block = figures.variable_block;
  analysis.cost.scalar = figures.scalar;
  for (Analysis& inner : analysis.inner_analysis) inner.cost = analysis.cost;
  for_each_array_of_new_factors(analysis, [&](auto& values) { unpacking.read_into(values); });
  return analysis;
}

}  // namespace overlapack::sparse
