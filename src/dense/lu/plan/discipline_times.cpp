#include "dense/lu/plan/discipline_times.hpp"

#include <algorithm>
#include <bit>
#include <cmath>

namespace overlapack::dense {
namespace {

using dist::TransferCost;

/// Flop rates of panels and of triangular solves, relative to that of a matrix product.
constexpr double panel_rate = 0.2, solve_rate = 0.6;

double rounds_among(int processes) {
  return processes > 1 ? std::bit_width(static_cast<unsigned>(processes - 1)) : 0;
}

/// Which processes move data at the same time and so share the network: all, or those of one process column.
enum class Beside : std::uint8_t { all, column };

/// Seconds that each move takes by one discipline, until the receiver has the data.
class MoveSeconds {
 public:
  MoveSeconds(const LuPlan& plan, const LuShape& shape, const dist::MoveTimes& times)
      : plan_(plan), shape_(shape), row_(times.in_row), column_(times.in_column), times_(times) {}
  virtual ~MoveSeconds() = default;

  /// Search for all pivots of a panel of `width` columns, in its process column.
  virtual double search_seconds(double width) const = 0;
  /// Sending a panel with `rows` rows below it to the next process column.
  virtual double panel_seconds(double width, double rows) const = 0;
  /// Interchanging a panel's rows in `columns` columns of a process, and sending its block row.
  virtual double interchange_seconds(double width, double columns, Beside beside) const = 0;

 protected:
  bool is_tournament() const { return plan_.pivot_search == PivotSearch::tournament; }
  double bytes(double entries) const { return entries * shape_.entry_bytes; }
  static const dist::ByteCost& cost_of_byte(const TransferCost& cost, Beside beside) {
    return beside == Beside::all ? cost.byte : cost.byte_of_one_column;
  }
  double message_seconds(const TransferCost& cost, double size) const {
    return cost.message_s + size * cost.byte_of_one_column.message_s;
  }
  /// Bytes of one message of a pivot search: a candidate row and the displaced row, or, in a tournament, the offered rows.
  double candidate_bytes(double width) const { return bytes(is_tournament() ? width * width : 2 * width); }
  double searches_of_panel(double width) const { return is_tournament() ? 1 : width; }

  const LuPlan& plan_;
  const LuShape& shape_;
  const TransferCost &row_, &column_;
  const dist::MoveTimes& times_;
};

class MessageSeconds final : public MoveSeconds {
 public:
  using MoveSeconds::MoveSeconds;
  double search_seconds(double width) const override {
    if (shape_.P == 1) return 0;
    return searches_of_panel(width) * rounds_among(shape_.P) *
           message_seconds(column_, candidate_bytes(width));
  }
  double panel_seconds(double width, double rows) const override {
    return shape_.Q == 1 ? 0 : message_seconds(row_, bytes(width * (rows + width)));
  }
  /// Each row travels to its position, and the block row to all processes of the column: in ceil(log2 P) rounds, or round a ring.
  double interchange_seconds(double width, double columns, Beside beside) const override {
    if (shape_.P == 1) return 0;
    const double size = bytes(width * columns);
    const bool is_binary =
        plan_.messages.swap_of(static_cast<Index>(columns)) == dist::SwapKind::binary_exchange;
    const double hops = is_binary ? rounds_among(shape_.P) : shape_.P - 1;
    return (1 + hops) * column_.message_s + 2 * size * cost_of_byte(column_, beside).message_s;
  }
};

class OnesidedSeconds final : public MoveSeconds {
 public:
  using MoveSeconds::MoveSeconds;
  /// Each process puts its candidate to all others.
  double search_seconds(double width) const override {
    if (shape_.P == 1) return 0;
    if (is_tournament()) return rounds_among(shape_.P) * put(column_, candidate_bytes(width));
    return width * (put(column_, candidate_bytes(width)) + (shape_.P - 2) * column_.next_signal_s);
  }
  /// All other process columns get the panel from its owner; only its head if they read the rest in place.
  double panel_seconds(double width, double rows) const override {
    if (shape_.Q == 1) return 0;
    const double size = bytes(width * (is_in_place() ? width : rows + width));
    const int told = std::min(shape_.Q - 1, plan_.told_by_one);
    int passed_on = 0;
    for (Index reached = told + 1; reached < shape_.Q; reached = reached * told + 1) ++passed_on;
    return (passed_on + 1) * ((told - 1) * row_.next_signal_s + row_.signal_s) + row_.get_s +
           size * row_.get_byte_of_first_s;
  }
  /// With each partner: signal that my rows are final, get its rows, signal that they are read. Then the block row is broadcast like a
  /// panel.
  double interchange_seconds(double width, double columns, Beside beside) const override {
    if (shape_.P == 1) return 0;
    const double size = bytes(width * columns);
    const double swap = 2 * column_.signal_s + 2 * (shape_.P - 1) * column_.next_signal_s + column_.get_s +
                        size * cost_of_byte(column_, beside).get_s;
    if (is_in_place()) return swap + column_.signal_s;
    return swap + column_.signal_s + column_.get_s + size * column_.get_byte_of_first_s;
  }

 private:
  bool is_in_place() const { return times_.is_within_reach && plan_.reads_in_place; }
  double put(const TransferCost& cost, double size) const {
    return cost.signal_s + size * cost.byte_of_one_column.get_s;
  }
};

class SuperstepSeconds final : public MoveSeconds {
 public:
  using MoveSeconds::MoveSeconds;
  /// Each process sends its candidate to all others.
  double search_seconds(double width) const override {
    if (shape_.P == 1) return 0;
    const double size_s = candidate_bytes(width) * column_.byte_of_one_column.message_s;
    if (is_tournament()) return rounds_among(shape_.P) * (sync() + size_s);
    return width * (sync() + (shape_.P - 2) * column_.next_s + (shape_.P - 1) * size_s);
  }
  double panel_seconds(double width, double rows) const override {
    return broadcast(shape_.Q, row_, bytes(width * (rows + width)) * row_.byte_of_one_column.message_s);
  }
  double interchange_seconds(double width, double columns, Beside beside) const override {
    if (shape_.P == 1) return 0;
    const double size_s = bytes(width * columns) * cost_of_byte(column_, beside).message_s;
    const double to_others = sync() + (shape_.P - 2) * column_.next_s;
    if (plan_.swap == dist::SwapKind::shared) return to_others + 2 * size_s;
    return to_others + size_s + broadcast(shape_.P, column_, size_s);
  }

 private:
  /// A sync of the whole grid: the messages, and the rounds of the census that announces them, unless the senders are known.
  double sync() const {
    const double most = std::max(row_.message_s, column_.message_s);
    return (1 + (plan_.sync == SyncKind::known ? 0 : rounds_among(shape_.P * shape_.Q))) * most;
  }
  /// A broadcast, in two phases if there are more than two processes (paper 4, section 2.2).
  double broadcast(int processes, const TransferCost& cost, double size_s) const {
    if (processes == 1) return 0;
    if (processes == 2) return sync() + size_s;
    return 2 * (sync() + (processes - 2) * cost.next_s + size_s * (processes - 1) / processes);
  }
};

/// Seconds of the parts of one step on the busiest rank.
struct StepSeconds {
  /// Of the panel; rows and columns behind the panel on a process
  double width = 0, rows = 0, columns = 0;
  double search = 0, panel = 0, send = 0, next_rows = 0, next_update = 0, rows_all = 0, update = 0;

  /// The critical path until the next process column has made and sent its panel.
  double chain_seconds() const { return next_rows + next_update + panel + search + send; }
};

/// Sum of the steps' times over all panels, as the schedule of the plan overlaps their parts.
class PanelSum {
 public:
  PanelSum(const LuPlan& plan, const LuShape& shape, const dist::MoveTimes& times, const MoveSeconds& move)
      : plan_(plan), shape_(shape), times_(times), move_(move) {}

  double seconds() const {
    double sum = 0;
    for (Index first = 0; first < shape_.n; first += shape_.block) sum += seconds(step(first));
    return sum;
  }

 private:
  double compute(double multiplications, double rate = 1) const {
    return multiplications * shape_.flops_of_multiply / (rate * times_.flops_per_s);
  }

  StepSeconds step(Index first) const {
    const auto width = static_cast<double>(std::min(shape_.block, shape_.n - first)),
               behind = static_cast<double>(shape_.n - first) - width, rows = behind / shape_.P,
               columns = behind / shape_.Q, next = std::min(width, behind);
    StepSeconds s;
    s.width = width, s.rows = rows, s.columns = columns;
    s.search = move_.search_seconds(width);
    s.panel = compute((rows + width) * width * width / 2, panel_rate);
    s.send = move_.panel_seconds(width, rows);
    s.next_rows = move_.interchange_seconds(width, next, Beside::column);
    s.next_update = compute(rows * next * width) + compute(width * width * next / 2, solve_rate);
    s.rows_all = move_.interchange_seconds(width, columns, Beside::all);
    s.update = compute(rows * columns * width) + compute(width * width * columns / 2, solve_rate);
    return s;
  }

  double seconds(const StepSeconds& s) const {
    if (plan_.schedule == Schedule::flat || plan_.depth == 0)
      return s.panel + s.search + s.send + s.rows_all + s.update;
    if (plan_.discipline == Discipline::superstep) return ahead_in_lockstep(s);
    // the owner's work for a panel; a process column owns one of Q panels
    const double make = (s.next_rows + s.panel + s.search) / shape_.Q;
    const double rows =
        plan_.schedule == Schedule::split ? std::max(0.0, s.rows_all - s.update / 2) : s.rows_all;
    const double own = make + rows + s.update;
    return std::max(s.chain_seconds(), own) + late_messages(s);
  }

  /// Delay of messages that were posted before an update and progress only inside MPI calls: they wait for the end of a tile.
  double late_messages(const StepSeconds& s) const {
    if (plan_.discipline != Discipline::messages) return 0;
    const auto side = static_cast<double>(plan_.tile);
    const double tile = compute(std::min(s.rows, side) * std::min(s.columns, side) * s.width);
    return (1 - times_.in_row.hidden) * std::min(s.chain_seconds(), tile);
  }

  /// All ranks take part in each superstep. The rest of the update runs between the halves of the next panel's supersteps, except those
  /// of searches with known partners, which wait for each other.
  double ahead_in_lockstep(const StepSeconds& s) const {
    const double rest = std::max(0.0, s.update - s.next_update);
    const bool is_known = plan_.sync == SyncKind::known;
    const double first = s.rows_all + s.next_update + s.panel + (is_known ? s.search : 0);
    return first + std::max(rest, s.send + (is_known ? 0 : s.search));
  }

  const LuPlan& plan_;
  const LuShape& shape_;
  const dist::MoveTimes& times_;
  const MoveSeconds& move_;
};

}  // namespace

double predicted_seconds(const LuPlan& plan, const LuShape& shape, const dist::MoveTimes& times) {
  const auto by = [&](const MoveSeconds& move) { return PanelSum(plan, shape, times, move).seconds(); };
  switch (plan.discipline) {
    case Discipline::onesided:
      return by(OnesidedSeconds(plan, shape, times));
    case Discipline::superstep:
      return by(SuperstepSeconds(plan, shape, times));
    case Discipline::messages:
      break;
  }
  return by(MessageSeconds(plan, shape, times));
}

}  // namespace overlapack::dense
