#include "dense/lu/plan/discipline_times.hpp"

#include <algorithm>
#include <bit>
#include <cmath>

namespace overlapack::dense {
namespace {

using dist::TransferCost;

/// Rates of what is no product, as shares of a product's.
constexpr double panel_rate = 0.2, solve_rate = 0.6;

double rounds_among(int processes) {
  return processes > 1 ? std::bit_width(static_cast<unsigned>(processes - 1)) : 0;
}

/// Who moves data beside a move: all processes, or those of one process column alone.
enum class Beside : std::uint8_t { all, column };

/// What one discipline takes for a move, until who waits for it has it.
class MoveSeconds {
 public:
  MoveSeconds(const LuPlan& plan, const LuShape& shape, const dist::MoveTimes& times)
      : plan_(plan), shape_(shape), row_(times.in_row), column_(times.in_column), times_(times) {}
  virtual ~MoveSeconds() = default;

  /// All pivots of a panel of so many columns, found in its process column.
  virtual double search(double width) const = 0;
  /// A panel with so many rows below it, to the next process column.
  virtual double panel(double width, double rows) const = 0;
  /// The rows that a panel exchanged, in so many columns of a process, and its block row.
  virtual double rows(double width, double columns, Beside beside) const = 0;

 protected:
  bool is_tournament() const { return plan_.pivot_search == PivotSearch::tournament; }
  double bytes(double entries) const { return entries * shape_.entry_bytes; }
  static const dist::ByteCost& byte(const TransferCost& cost, Beside beside) {
    return beside == Beside::all ? cost.byte : cost.byte_of_one_column;
  }
  double message(const TransferCost& cost, double size) const {
    return cost.message_s + size * cost.byte_of_one_column.message_s;
  }
  /// A candidate for a pivot brings its row and the displaced one; an offer of a tournament its rows.
  double candidate(double width) const { return bytes(is_tournament() ? width * width : 2 * width); }
  double searches(double width) const { return is_tournament() ? 1 : width; }

  const LuPlan& plan_;
  const LuShape& shape_;
  const TransferCost &row_, &column_;
  const dist::MoveTimes& times_;
};

class MessageSeconds final : public MoveSeconds {
 public:
  using MoveSeconds::MoveSeconds;
  double search(double width) const override {
    if (shape_.P == 1) return 0;
    return searches(width) * rounds_among(shape_.P) * message(column_, candidate(width));
  }
  double panel(double width, double rows) const override {
    return shape_.Q == 1 ? 0 : message(row_, bytes(width * (rows + width)));
  }
  /// Each row to its position, and the block row to all: in ceil(log2 P) rounds, or round a ring.
  double rows(double width, double columns, Beside beside) const override {
    if (shape_.P == 1) return 0;
    const double size = bytes(width * columns);
    const bool is_binary =
        plan_.messages.swap_of(static_cast<Index>(columns)) == dist::SwapKind::binary_exchange;
    const double hops = is_binary ? rounds_among(shape_.P) : shape_.P - 1;
    return (1 + hops) * column_.message_s + 2 * size * byte(column_, beside).message_s;
  }
};

class OnesidedSeconds final : public MoveSeconds {
 public:
  using MoveSeconds::MoveSeconds;
  /// Each puts to all others.
  double search(double width) const override {
    if (shape_.P == 1) return 0;
    if (is_tournament()) return rounds_among(shape_.P) * put(column_, candidate(width));
    return width * (put(column_, candidate(width)) + (shape_.P - 2) * column_.next_signal_s);
  }
  /// All get it from one, or its head alone, where the rest is read in place.
  double panel(double width, double rows) const override {
    if (shape_.Q == 1) return 0;
    const double size = bytes(width * (is_in_place() ? width : rows + width));
    return (shape_.Q - 2) * row_.next_signal_s + row_.signal_s + row_.get_s + size * row_.get_byte_of_first_s;
  }
  /// With each partner: my rows are final, a get of each of its rows, I have read; then the block row as a panel is.
  double rows(double width, double columns, Beside beside) const override {
    if (shape_.P == 1) return 0;
    const double size = bytes(width * columns);
    const double swap = 2 * column_.signal_s + 2 * (shape_.P - 1) * column_.next_signal_s + column_.get_s +
                        size * byte(column_, beside).get_s;
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
  /// Each sends to all others.
  double search(double width) const override {
    if (shape_.P == 1) return 0;
    const double size_s = candidate(width) * column_.byte_of_one_column.message_s;
    if (is_tournament()) return rounds_among(shape_.P) * (sync() + size_s);
    return width * (sync() + (shape_.P - 2) * column_.next_s + (shape_.P - 1) * size_s);
  }
  double panel(double width, double rows) const override {
    return broadcast(shape_.Q, row_, bytes(width * (rows + width)) * row_.byte_of_one_column.message_s);
  }
  double rows(double width, double columns, Beside beside) const override {
    if (shape_.P == 1) return 0;
    const double size_s = bytes(width * columns) * byte(column_, beside).message_s;
    const double to_others = sync() + (shape_.P - 2) * column_.next_s;
    if (plan_.swap == dist::SwapKind::shared) return to_others + 2 * size_s;
    return to_others + size_s + broadcast(shape_.P, column_, size_s);
  }

 private:
  /// Of the whole grid: a census, and what it tells of.
  double sync() const {
    const double most = std::max(row_.message_s, column_.message_s);
    return (1 + (plan_.sync == SyncKind::known ? 0 : rounds_among(shape_.P * shape_.Q))) * most;
  }
  /// In two phases among more than two (paper 4, section 2.2).
  double broadcast(int processes, const TransferCost& cost, double size_s) const {
    if (processes == 1) return 0;
    if (processes == 2) return sync() + size_s;
    return 2 * (sync() + (processes - 2) * cost.next_s + size_s * (processes - 1) / processes);
  }
};

/// One step, in seconds of the rank that has most to do.
struct StepSeconds {
  double width = 0, rows = 0, columns = 0;  ///< of the panel; behind it, on a process
  double search = 0, panel = 0, send = 0, next_rows = 0, next_update = 0, rows_all = 0, update = 0;

  /// What has to be done, one after the other, until the next process column can make its panel.
  double chain() const { return next_rows + next_update + panel + search + send; }
};

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
    s.search = move_.search(width);
    s.panel = compute((rows + width) * width * width / 2, panel_rate);
    s.send = move_.panel(width, rows);
    s.next_rows = move_.rows(width, next, Beside::column);
    s.next_update = compute(rows * next * width) + compute(width * width * next / 2, solve_rate);
    s.rows_all = move_.rows(width, columns, Beside::all);
    s.update = compute(rows * columns * width) + compute(width * width * columns / 2, solve_rate);
    return s;
  }

  double seconds(const StepSeconds& s) const {
    if (plan_.schedule == Schedule::flat || plan_.depth == 0)
      return s.panel + s.search + s.send + s.rows_all + s.update;
    if (plan_.discipline == Discipline::superstep) return ahead_in_lockstep(s);
    // what the owner of a panel does for it, each process column in its turn
    const double make = (s.next_rows + s.panel + s.search) / shape_.Q;
    const double rows =
        plan_.schedule == Schedule::split ? std::max(0.0, s.rows_all - s.update / 2) : s.rows_all;
    const double own = make + rows + s.update;
    return std::max(s.chain(), own) + late_messages(s);
  }

  /// What sets out before an update and moves in calls alone waits for the end of a tile.
  double late_messages(const StepSeconds& s) const {
    if (plan_.discipline != Discipline::messages) return 0;
    const auto side = static_cast<double>(plan_.tile);
    const double tile = compute(std::min(s.rows, side) * std::min(s.columns, side) * s.width);
    return (1 - times_.in_row.hidden) * std::min(s.chain(), tile);
  }

  /// All take part in each superstep; between the halves of those of the next panel the rest is updated, but for searches whose
  /// partners are known, which wait for each other.
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
