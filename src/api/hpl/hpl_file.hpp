#pragma once
#include "dense/lu/plan/plan.hpp"
#include "dist/grid/process_grid.hpp"

#include <string>
#include <string_view>
#include <vector>

namespace overlapack::api {

/// The contents of HPL.dat, the input of the High-Performance Linpack benchmark. Each value of a list is run with each value of all other
/// lists.
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
  // These are read and printed without effect, since this library has its own storage.
  bool is_l1_transposed = true;
  bool is_u_transposed = true;
  bool equilibrates = true;
  int alignment = 8;
  /// An extension of this library: the schedules, from a line after HPL's 31 lines that begins with "schedules". Empty: by the depth.
  std::vector<dense::Schedule> schedules;
};

/// Parse the text of an HPL.dat as HPL 2.3 does. It has 31 lines. Each value is the beginning of a word; anything after the values is
/// ignored, and unknown choices become HPL's defaults. Further lines, as hpcc has them, are ignored except for one like
///   schedules: flat lookahead split parity hybrid
/// name: of the file, for messages
/// Errors  BadInput with the line, the value's name, what was read and what is allowed
HplFile parse_hpl_file(std::string_view text, const std::string& name);

/// Parse names of schedules, separated by commas or blanks.
/// Errors  BadPlan, naming a word that is no schedule
std::vector<dense::Schedule> parse_schedules(std::string_view text);

}  // namespace overlapack::api
