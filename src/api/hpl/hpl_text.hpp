#pragma once
#include "api/hpl/hpl_cases.hpp"
#include "dense/check/residual_norms.hpp"
#include "overlapack/benchmark.hpp"

#include <ctime>
#include <string>

/// The output of HPL 2.3, piece by piece, so that programs which read HPL's output can read ours. Each row ends with the name of its
/// schedule.
namespace overlapack::api {

/// The title, the explanations, and the values in the file.
std::string hpl_head(const HplFile& file);
std::string hpl_table_head();
/// HPL's code of a run, such as "WR01R2R16": process order, depth, broadcast, RFACT, NDIV, PFACT, NBMIN.
std::string hpl_variant(const HplCase& run);
double hpl_gflops(Index n, double seconds);
std::string hpl_row(const HplCase& run, double seconds, std::time_t start, std::time_t end);
bool hpl_passes(const dense::ResidualNorms& norms, Index n, double threshold);
/// The line with the scaled residual, and all norms if it fails.
std::string hpl_check(const dense::ResidualNorms& norms, Index n, double threshold);
/// An error that ends one run, in HPL's form.
std::string hpl_warning(const std::string& text);
std::string hpl_tail(const benchmark::HplCounts& counts, double threshold);

}  // namespace overlapack::api
