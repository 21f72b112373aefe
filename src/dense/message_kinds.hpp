#pragma once
#include "comm/kinds.hpp"

/// The messages of the dense algorithms on the lane bulk.
namespace overlapack::dense {

enum class LuMove : std::int32_t { pivots = 101, panel, lower, upper, interchange, left };
enum class SolveMove : std::int32_t { gather = 111, lower_sweep, upper_sweep, replicate };
enum class CholeskyMove : std::int32_t { diagonal = 121, panel, transpose, forward_sweep, backward_sweep };
enum class MultiplyMove : std::int32_t { left_panel = 131, right_panel };
enum class QrMove : std::int32_t {
  column_sum = 161,
  column_total,
  reflector,
  product_sum,
  product_total,
  sweep
};

inline constexpr std::string_view lu_move_names[] = {"pivot row", "dense panel",     "dense L",
                                                     "dense U",   "row interchange", "row interchange"};
inline constexpr std::string_view solve_move_names[] = {"right-hand side", "dense solve", "dense solve",
                                                        "right-hand side"};
inline constexpr std::string_view cholesky_move_names[] = {"diagonal block", "Cholesky panel",
                                                           "transposed panel", "dense solve", "dense solve"};
inline constexpr std::string_view multiply_move_names[] = {"panel of A", "panel of B"};

inline constexpr std::string_view qr_move_names[] = {"Householder column", "Householder column",
                                                     "block reflector",    "reflected columns",
                                                     "reflected columns",  "dense solve"};

inline constexpr comm::KindRange lu_moves{LuMove::pivots, LuMove::left, lu_move_names};
inline constexpr comm::KindRange solve_moves{SolveMove::gather, SolveMove::replicate, solve_move_names};
inline constexpr comm::KindRange cholesky_moves{CholeskyMove::diagonal, CholeskyMove::backward_sweep,
                                                cholesky_move_names};
inline constexpr comm::KindRange multiply_moves{MultiplyMove::left_panel, MultiplyMove::right_panel,
                                                multiply_move_names};
inline constexpr comm::KindRange qr_moves{QrMove::column_sum, QrMove::sweep, qr_move_names};

}  // namespace overlapack::dense
