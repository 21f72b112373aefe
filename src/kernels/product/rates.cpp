#include "kernels/product/rates.hpp"

#include "kernels/product/blas_library.hpp"
#include "kernels/small/dispatch.hpp"
#include "overlapack/error.hpp"

#include <algorithm>
#include <string>

namespace overlapack::kernels {
namespace {

/// Measured by bench/kernels/rates, which prints rows in this form, on one core of a Sapphire Rapids at 2.3 GHz with OpenBLAS
/// 0.3.21: its kernels Prescott, Haswell and SkylakeX, each with the small kernels of its level. A rate is the largest of three
/// runs.
constexpr Rates sse{.level = "x86-64",
                    .update_full{{6.1, 11, 15.7, 17.5, 17.5, 17.5, 17.5, 17.5, 17.5, 17.5, 17.5}, 11.5},
                    .update_lower{{3.8, 7, 11, 14.6, 14.6, 14.6, 14.6, 14.6, 14.6, 14.7, 14.7}, 20},
                    .panel_lu{0.13, 0.57, 2.06, 3.75, 6.8, 9.7, 11.8, 13, 14.2, 15, 15.3},
                    .panel_ldlt{0.175, 0.58, 1.6, 3.2, 6, 9, 11, 12.6, 13.4, 14.2, 14.5},
                    .panel_cholesky{0.28, 0.78, 2.2, 4.2, 7.5, 10.2, 12, 13.2, 13.8, 14.5, 14.8}};
constexpr Rates avx2{.level = "x86-64-v3",
                     .update_full{{7.9, 15, 27, 41, 45, 45, 45, 45, 45, 45, 45}, 17},
                     .update_lower{{5.3, 10, 17.3, 27.4, 36, 36, 36, 36, 36, 36, 36}, 29},
                     .panel_lu{0.13, 0.58, 2.3, 4.65, 10.5, 18.5, 26, 31, 34, 35.5, 36},
                     .panel_ldlt{0.18, 0.61, 1.8, 3.55, 7.3, 14.5, 22, 28, 29.5, 29.5, 30},
                     .panel_cholesky{0.28, 0.82, 2.6, 6.2, 13.9, 23, 32.5, 35, 35, 35, 35}};
constexpr Rates avx512{.level = "x86-64-v4",
                       .update_full{{11.5, 20, 35.5, 58, 76, 76, 76, 76, 76, 76, 76}, 23},
                       .update_lower{{6.2, 12, 22, 37, 59, 60, 60, 60, 60, 60, 60}, 34},
                       .panel_lu{0.12, 0.53, 2.1, 4.3, 11.6, 24.5, 40.5, 53.5, 58, 61, 64},
                       .panel_ldlt{0.18, 0.58, 1.7, 3.6, 7.1, 17.5, 30.5, 42.5, 47.5, 48, 49},
                       .panel_cholesky{0.28, 0.8, 2.6, 6.5, 16.5, 34, 56, 62, 62, 62, 62}};

constexpr Rates rates_of_level(Rates rates, std::string_view level) {
  rates.level = level;
  return rates;
}

/// aarch64 has not been measured: it has the rates of AVX2.
constexpr std::array rate_rows{sse, avx2, avx512, rates_of_level(avx2, "aarch64")};

}  // namespace

std::span<const Rates> all_rates() { return rate_rows; }

const Rates& rates_of(std::string_view level) {
  const auto* const row = std::ranges::find(rate_rows, level, &Rates::level);
  if (row == rate_rows.end())
    throw Error(Status::internal, "kernels of level " + std::string(level) + " have no rates");
  return *row;
}

const Rates& rates_in_use() {
  const std::string& level = blas_library().level;
  return rates_of(level.empty() ? small_kernel_level() : level);
}

}  // namespace overlapack::kernels
