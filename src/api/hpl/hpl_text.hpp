#pragma once
#include "api/hpl/hpl_cases.hpp"
#include "dense/check/residual_norms.hpp"
#include "overlapack/benchmark.hpp"

#include <ctime>
#include <string>

/// What HPL 2.3 prints, piece by piece, so that programs that read its output can read this one; each row ends in the name of
/// its schedule.
namespace overlapack::api {

/// Title, explanations, and the values that the file asks for.
std::string hpl_head(const HplFile& file);
std::string hpl_table_head();
/// "WR01R2R16": process order, depth, broadcast, RFACT, NDIV, PFACT, NBMIN.
std::string hpl_variant(const HplCase& run);
double hpl_gflops(Index n, double seconds);
std::string hpl_row(const HplCase& run, double seconds, std::time_t start, std::time_t end);
bool hpl_passes(const dense::ResidualNorms& norms, Index n, double threshold);
/// The scaled residual; all norms too where it fails.
std::string hpl_check(const dense::ResidualNorms& norms, Index n, double threshold);
/// HPL's form of an error that ends one run.
std::string hpl_warning(const std::string& text);
std::string hpl_tail(const benchmark::HplCounts& counts, double threshold);

}  // namespace overlapack::api
