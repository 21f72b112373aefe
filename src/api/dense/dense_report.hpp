#pragma once
#include "api/dense/dense_plan.hpp"
#include "dense/lu/lu.hpp"
#include "overlapack/report.hpp"
#include "overlapack/trace.hpp"

#include <span>

namespace overlapack::api {

/// The real operations of an LU factorisation and one solve by HPL's count: 2/3 n^3 + 3/2 n^2, four times as many if complex.
double lu_flops(Index n, bool is_complex);

/// Write the plan of a dense LU into the report, before it runs.
void write_plan(Report& report, Index n, ScalarType type, const DensePlan& plan);

/// Sum the counters over the ranks (info: their largest). Collective.
void sum_counters_over_ranks(comm::Rank& rank, dense::FactorResult& counters);

/// The share of the ranks' computing time in which a rank of the same node computes, too; unknown without events.
double computing_with_mate(const trace::Timeline& timeline, std::span<const int> node_of);

/// Check that no pivot was exactly zero.
/// Errors  Singular
void require_pivots(const dense::FactorResult& counters);

}  // namespace overlapack::api
