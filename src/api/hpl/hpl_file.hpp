#pragma once
#include "dense/lu/plan/plan.hpp"
#include "dist/grid/process_grid.hpp"

#include <string>
#include <string_view>
#include <vector>

namespace overlapack::api {

/// The input of the High-Performance Linpack benchmark, HPL.dat, as data: every list is run with every other.
struct HplFile {
  std::string output_file = "HPL.out";
  int device = 6;  ///< 6: standard output, 7: standard error, any other: the output file
  std::vector<Index> n;
  std::vector<Index> block;
  dist::GridOrder order = dist::GridOrder::row_major;
  std::vector<int> grid_rows;  ///< P, and at the same position Q
  std::vector<int> grid_cols;
  double threshold = 16;                     ///< a scaled residual below it passes; <= 0: nothing is checked
  std::vector<dense::PanelOrder> base;       ///< PFACT
  std::vector<Index> smallest;               ///< NBMIN
  std::vector<Index> parts;                  ///< NDIV
  std::vector<dense::PanelOrder> recursion;  ///< RFACT
  std::vector<comm::collective::BroadcastKind> broadcast;
  std::vector<int> depth;
  dist::SwapKind swap = dist::SwapKind::mix;
  Index mix_columns = 64;
  // Read and printed, without effect: the storage is our own.
  bool is_l1_transposed = true;
  bool is_u_transposed = true;
  bool equilibrates = true;
  int alignment = 8;
  /// Our extension: from a line after HPL's 31 that begins with "schedules"; empty: by the depth.
  std::vector<dense::Schedule> schedules;
};

/// Read the text of an HPL.dat as HPL 2.3 does: 31 lines, each value is the beginning of a word, what follows the values is
/// ignored, unknown choices become HPL's defaults. Further lines (hpcc has them) are ignored but for one like
///   schedules: flat lookahead split parity hybrid
/// name: of the file, for messages
/// Errors  BadInput with the line, the value's name, what was read and what is allowed
HplFile parse_hpl_file(std::string_view text, const std::string& name);

/// Schedules by their names, separated by commas or blanks.
/// Errors  BadPlan, naming what is not one
std::vector<dense::Schedule> parse_schedules(std::string_view text);

}  // namespace overlapack::api
