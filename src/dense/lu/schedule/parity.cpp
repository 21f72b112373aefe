#include "base/instantiate.hpp"
#include "dense/lu/schedule/steps.hpp"
#include "dense/message_kinds.hpp"
#include "dense/packed.hpp"
#include "dist/moves/messages/message_moves.hpp"
#include "kernels/product/operand.hpp"
#include "kernels/product/triangular.hpp"

#include <algorithm>
#include <memory>
#include <utility>

namespace overlapack::dense {
namespace {

using comm::collective::RearrangedBroadcast;

/// First column of range c if `columns` columns are divided into `parts` nearly equal ranges.
Index part_begin(Index columns, int parts, int c) { return columns * c / parts; }

template <class T>
std::vector<std::size_t> part_bytes(Index rows, Index columns, int parts) {
  std::vector<std::size_t> bytes;
  for (int c = 0; c < parts; ++c)
    bytes.push_back(
        static_cast<std::size_t>(rows * (part_begin(columns, parts, c + 1) - part_begin(columns, parts, c))) *
        sizeof(T));
  return bytes;
}

/// The columns of part c of M.
template <class T>
MatrixView<T> part_of(MatrixView<T> M, int parts, int c) {
  const Index begin = part_begin(M.cols, parts, c);
  return M.block(0, begin, M.rows, part_begin(M.cols, parts, c + 1) - begin);
}

template <class T>
void unpack_parts(const RearrangedBroadcast& travelled, int parts, MatrixView<T> M) {
  for (int c = 0; c < parts; ++c) {
    const MatrixView<T> to = part_of(M, parts, c);
    copy_into<T>(packed_matrix<T>(travelled.part(c), to.rows, to.cols), to);
  }
}

/// L21 and U of a panel. In the asynchronous section the update uses those of the previous panel.
template <class T>
struct Factors {
  Index end = 0;  ///< the panel's last column + 1; 0: no panel yet
  std::vector<T> l, u;
  MatrixView<T> L;        ///< in l: all my rows of A x width; only rows behind the panel are set
  MatrixView<const T> U;  ///< width x my columns behind the panel; in A on the panel's process row, else in u

  void resize(Index rows, Index width, bool has_storage) {
    if (has_storage) l.resize(static_cast<std::size_t>(padded_ld(rows) * width));
    L = {l.data(), rows, width, padded_ld(rows)};
  }
};

/// The parity schedule of paper 2: the ranks of a node (mates) communicate one after the other, each in its phase, while the other
/// mates update the trailing matrix. So panel k's messages travel while panel k - 1 is applied.
template <class T>
class ParityRun {
 public:
  ParityRun(Steps<T>& steps, dist::MessageMoves<T>& moves, const dist::NodeLayout& nodes)
      : steps_(steps),
        moves_(moves),
        A_(steps.A()),
        is_phantom_(steps.rank().capabilities().is_phantom),
        row_(A_.grid->row_group(A_.me)),
        column_(A_.grid->column_group(A_.me)),
        phases_(nodes.phases),
        l_parts_(nodes.axis == dist::NodeAxis::row ? phases_ : 1),
        u_parts_(nodes.axis == dist::NodeAxis::column ? phases_ : 1),
        is_column_in_phase_(nodes.axis == dist::NodeAxis::row),
        mate_((nodes.axis == dist::NodeAxis::row ? row_.me : column_.me) % phases_) {}

  /// The numbers are the tasks of the paper's Table 2; L' and U' are those of the previous panel. update_early is not in the paper.
  /// Source  paper 2, Fig. 7, with partial pivoting (docs/decisions/0009) and any number of phases instead of two: mate c of
  ///         a node communicates in phase phases - 1 - c, so that with two phases the even ranks compute first
  void run() {
    const int my_phase = phases_ - 1 - mate_;
    for (Index k = 0; k < steps_.panels(); ++k) {
      steps_.factor_panel(k);  // 1, 6  P_k A(k:m, k) = [D; L]; 2: the pivot search leaves D on the column
      broadcast_head(k);       // 3     Bcast([D, pivots], row_comm)
      if (!is_column_in_phase_) compute_U(k, 0);  // U is shared with the mates, too
      share_parts_with_mates();                   // 7_1   Share(parts of L, co_proc)
      // Asynchronous section
      for (int phase = 0; phase < phases_; ++phase) {
        if (phase == my_phase) {
          if (is_column_in_phase_) compute_U(k, my_phase);  // 8_4, 4
          upper_->broadcast();                              // 5    Bcast(U, col_comm)
          lower_->broadcast();                              // 7_2  Bcast(part of L, row_parity_comm)
        } else {
          update_share(k, phase < my_phase ? phase : phase - 1, phase < my_phase);  // 8_8  T -= L' U'
        }
      }
      // End of asynchronous section
      exchange_parts_with_mates(k);  // 7_3       Exchange(parts of L, co_proc)
      update_next_panel(k);          // 8_1, 8_6  D1 -= L U, L1 -= L U: the columns of panel k + 1
    }
    finish();
  }

 private:
  void broadcast_head(Index k) {
    const Index first = steps_.first_of(k), end = steps_.end_of(k);
    steps_.start_head(k);
    copy_previous_L();  // of the previous panel; after D is sent, which others wait for
    update_early(k);
    panel_ = steps_.finish_head(k);
    const MatrixView<T> L = A_.part({end}, {A_.m()}, {first}, {end});
    lower_ = moves_.rearranged_broadcast(row_, A_.cols.owner({first}), {LuMove::lower, k},
                                         part_bytes<T>(rows_behind(k), end - first, l_parts_),
                                         packed_parts(A_.owns_col({first}), L, l_parts_));
  }

  /// Look-ahead: begin the update by the previous panel while another process column factorises panel k and its D is on its way. The
  /// phases update the remaining columns. All ranks of a process column update the same columns early, because the interchange moves
  /// rows between them. Panel k's block row is included, as any of these rows may become a row of U.
  void update_early(Index k) {
    early_ = 0;
    if (previous_.end == 0 || steps_.plan().depth == 0 || A_.owns_col({steps_.first_of(k)})) return;
    const Index behind = steps_.end_of(k), width = behind - steps_.first_of(k);
    const MatrixView<T> rows = A_.part({steps_.first_of(k)}, {A_.m()}, {behind}, {A_.n()});
    early_ = std::min(rows.cols, steps_.plan().early_panels * width);
    update_columns(rows, behind, 0, early_);
    steps_.result().early_columns += early_;
  }

  /// Compute the block row of U behind panel k, when `updated_shares` shares of the trailing matrix T have been updated by the previous
  /// panel.
  void compute_U(Index k, int updated_shares) {
    const bool is_updated = updated_shares == phases_ - 1;
    steps_.interchange(panel_, steps_.columns_behind(k),
                       is_updated ? MatrixView<T>{} : previous_.L);  // P_k on T, and on L'
    update_upper(k, updated_shares);                                 // 8_4   U -= L' U'
    solve_upper(k);                                                  // 4     Solve(D U = U0)
  }

  void update_upper(Index k, int updated_shares) {
    if (previous_.end == 0 || !owns_row(k)) return;
    const MatrixView<T> all = block_row(k);
    const Index i = A_.first_row({steps_.first_of(k)}),
                begin = early_ + part_begin(all.cols - early_, phases_ - 1, updated_shares);
    const auto behind = [&](auto M) { return M.block(0, begin, M.rows, M.cols - begin); };
    steps_.subtract(previous_.L.block(i, 0, all.rows, previous_.L.cols),
                    behind(previous_behind(steps_.end_of(k))), behind(all));
  }

  void solve_upper(Index k) {
    const Index columns = A_.local.cols - A_.first_col({steps_.end_of(k)}), width = panel_.width;
    if (owns_row(k)) {
      const auto cost = kernels::triangular_cost<T>(width, columns);
      steps_.rank().compute({"trsm", cost.flops, cost.bytes, width, columns, width},
                            [&] { kernels::solve_left_lower<T>(panel_.top, true, block_row(k)); });
    }
    // on a single process row there is nobody to send to
    const MatrixView<T> U = column_.size() > 1 ? block_row(k) : MatrixView<T>{};
    upper_ = moves_.rearranged_broadcast(column_, A_.rows.owner({panel_.first}), {LuMove::upper, k},
                                         part_bytes<T>(width, column_.size() > 1 ? columns : 0, u_parts_),
                                         packed_parts(owns_row(k), U, u_parts_));
  }

  std::vector<comm::Body> packed_parts(bool is_mine, MatrixView<const T> M, int parts) {
    std::vector<comm::Body> bodies;
    if (is_mine)
      pack(M.rows * M.cols, [&] {
        for (int c = 0; c < parts; ++c) bodies.push_back(packed_body<T>(part_of(M, parts, c)));
      });
    if (is_mine && is_phantom_)
      for (const std::size_t bytes : part_bytes<T>(M.rows, M.cols, parts))
        bodies.push_back(comm::Body::phantom(bytes));
    return bodies;
  }

  void share_parts_with_mates() {
    lower_->share_parts_of_root();
    if (l_parts_ > 1) ++steps_.result().rearranged_lower;
    if (u_parts_ == 1) return;  // U does not exist yet, or is not sent in parts
    upper_->share_parts_of_root();
    ++steps_.result().rearranged_upper;
  }

  /// Update one of phases - 1 equal shares of the columns by the previous panel. Before panel k's interchange this includes its block
  /// row, as any of these rows may become a row of U.
  void update_share(Index k, int share, bool is_before_exchange) {
    if (previous_.end == 0) return;
    const Index behind = steps_.end_of(k), columns = A_.local.cols - A_.first_col({behind});
    const Index begin = early_ + part_begin(columns - early_, phases_ - 1, share),
                end = early_ + part_begin(columns - early_, phases_ - 1, share + 1);
    const MatrixView<T> rows =
        A_.part({is_before_exchange && is_column_in_phase_ ? steps_.first_of(k) : behind}, {A_.m()}, {behind},
                {A_.n()});
    update_columns(rows, behind, begin, end);
    if (share == 0) ++steps_.result().opposite_phases;
  }

  /// Update columns begin .. end - 1 of `rows` by the previous panel. rows: the last of my rows, in the columns from global column
  /// `behind` on.
  void update_columns(MatrixView<T> rows, Index behind, Index begin, Index end) {
    steps_.subtract(previous_.L.block(A_.local.rows - rows.rows, 0, rows.rows, previous_.L.cols),
                    previous_behind(behind).block(0, begin, previous_.U.rows, end - begin),
                    rows.block(0, begin, rows.rows, end - begin));
  }

  void exchange_parts_with_mates(Index k) {
    lower_->exchange();
    upper_->exchange();
    previous_.end = steps_.end_of(k);
    if (owns_row(k)) {
      previous_.U = block_row(k);  // final
      return;
    }
    const Index columns = A_.local.cols - A_.first_col({steps_.end_of(k)});
    if (!is_phantom_) previous_.u.resize(static_cast<std::size_t>(panel_.width * columns));
    const MatrixView<T> U{previous_.u.data(), panel_.width, columns, panel_.width};
    pack(U.rows * U.cols, [&] { unpack_parts<T>(*upper_, u_parts_, U); });
    previous_.U = U;
  }

  void copy_previous_L() {
    if (previous_.end == 0) return;
    const Index width = previous_.U.rows, behind = A_.local.rows - A_.first_row({previous_.end});
    previous_.resize(A_.local.rows, width, !is_phantom_);
    const MatrixView<T> L = previous_.L.block(A_.local.rows - behind, 0, behind, width);
    pack(behind * width, [&] { unpack_parts<T>(*lower_, l_parts_, L); });
  }

  /// Run f, which copies `words` scalars between matrices and messages, as an event of the trace.
  template <class F>
  void pack(Index words, F&& f) {
    steps_.rank().compute({.kind = "pack", .bytes = 2.0 * static_cast<double>(words) * sizeof(T)}, f);
  }

  void update_next_panel(Index k) {
    if (k + 1 >= steps_.panels()) return;
    const Index first = steps_.end_of(k), end = steps_.end_of(k + 1);
    const MatrixView<T> next = A_.part({first}, {A_.m()}, {first}, {end});
    const MatrixView<const T> U = previous_.U.block(0, 0, previous_.U.rows, next.cols);
    for (int c = 0; c < l_parts_; ++c) {  // part by part, as L was received
      const Index begin = part_begin(U.rows, l_parts_, c),
                  width = part_begin(U.rows, l_parts_, c + 1) - begin;
      steps_.subtract(packed_matrix<T>(lower_->part(c), next.rows, width), U.block(begin, 0, width, U.cols),
                      next);
    }
  }

  /// Apply the last panel to the rows and columns behind all panels (there are some if A is not square).
  void finish() {
    if (previous_.end == 0) return;
    copy_previous_L();
    const dist::Global end{previous_.end};
    const MatrixView<T> rest = A_.part(end, {A_.m()}, end, {A_.n()});
    steps_.subtract(previous_.L.block(A_.local.rows - rest.rows, 0, rest.rows, previous_.L.cols), previous_.U,
                    rest);
  }

  bool owns_row(Index k) const { return A_.owns_row({steps_.first_of(k)}); }
  Index rows_behind(Index k) const { return A_.local.rows - A_.first_row({steps_.end_of(k)}); }
  /// My part of panel k's block row behind the panel.
  MatrixView<T> block_row(Index k) const {
    return A_.part({steps_.first_of(k)}, {steps_.end_of(k)}, {steps_.end_of(k)}, {A_.n()});
  }
  /// The previous U's columns from global column `from` on.
  MatrixView<const T> previous_behind(Index from) const {
    const Index skipped = A_.first_col({from}) - A_.first_col({previous_.end});
    return previous_.U.block(0, skipped, previous_.U.rows, previous_.U.cols - skipped);
  }

  Steps<T>& steps_;
  dist::MessageMoves<T>& moves_;
  const dist::DistributedMatrix<T>& A_;
  bool is_phantom_;
  comm::collective::Group row_, column_;
  int phases_, l_parts_, u_parts_;
  bool is_column_in_phase_;  ///< the ranks of my process column communicate in one phase
  int mate_;                 ///< my number among the ranks of my node
  Index early_ = 0;          ///< number of columns behind the panel that update_early has updated
  Panel<T> panel_;
  std::unique_ptr<RearrangedBroadcast> lower_, upper_;
  Factors<T> previous_;  ///< those of the present panel are still messages during the asynchronous section
};

}  // namespace

template <class T>
void run_parity(Steps<T>& steps, dist::MessageMoves<T>& moves, const dist::NodeLayout& nodes) {
  if (nodes.phases < 2)
    throw Error(Status::bad_plan,
                "the parity schedule needs at least two ranks a node, side by side in the grid; start more "
                "ranks a node, or choose schedule lookahead");
  ParityRun<T>(steps, moves, nodes).run();
}

#define OVERLAPACK_INSTANTIATE(T) \
  template void run_parity(Steps<T>&, dist::MessageMoves<T>&, const dist::NodeLayout&);
OVERLAPACK_FOR_EACH_SCALAR(OVERLAPACK_INSTANTIATE)
#undef OVERLAPACK_INSTANTIATE

}  // namespace overlapack::dense
