#pragma once
#include <cstdint>
#include <string_view>

/// The messages of the dense algorithms on the lane bulk. Each algorithm has a range of its own, and none that of the sparse
/// ones (below 100), so that what a rank records has a name whatever ran on it.
namespace overlapack::dense {

/// Of an LU.
enum Move : std::int32_t {
  pivot_move = 101,
  panel_move,
  lower_move,
  upper_move,
  interchange_move,
  left_move
};
/// Of solves with it.
enum SolveMove : std::int32_t { gather_move = 111, lower_sweep, upper_sweep, replicate_move };
enum CholeskyMove : std::int32_t {
  diagonal_move = 121,
  cholesky_panel_move,
  transpose_move,
  forward_sweep,
  backward_sweep
};
enum MultiplyMove : std::int32_t { left_panel = 131, right_panel };

/// "" for a number that is none of these.
constexpr std::string_view message_name(std::int32_t kind) {
  switch (kind) {
    case pivot_move:
      return "pivot row";
    case panel_move:
      return "dense panel";
    case lower_move:
      return "dense L";
    case upper_move:
      return "dense U";
    case interchange_move:
    case left_move:
      return "row interchange";
    case gather_move:
    case replicate_move:
      return "right-hand side";
    case lower_sweep:
    case upper_sweep:
    case forward_sweep:
    case backward_sweep:
      return "dense solve";
    case diagonal_move:
      return "diagonal block";
    case cholesky_panel_move:
      return "Cholesky panel";
    case transpose_move:
      return "transposed panel";
    case left_panel:
      return "panel of A";
    case right_panel:
      return "panel of B";
    default:
      return "";
  }
}

}  // namespace overlapack::dense
