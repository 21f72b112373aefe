#include "dist/moves/move_times.hpp"

#include "base/larger.hpp"
#include "comm/collective/collective.hpp"
#include "comm/failure.hpp"
#include "comm/onesided/signals.hpp"
#include "comm/values.hpp"
#include "kernels/product/blas_threads.hpp"
#include "kernels/product/gemm.hpp"

#include <algorithm>
#include <array>
#include <limits>
#include <optional>

namespace overlapack::dist {
namespace {

constexpr std::size_t short_bytes = 64, long_bytes = std::size_t{1} << 21;
constexpr int in_a_row = 8;
constexpr Index order = 256;  ///< of the product computed while messages are under way

bool may_open_windows(comm::Rank& rank) {
  const bool is_elsewhere = rank.capabilities().engine == "mpi" && rank.node() != 0;
  return comm::collective::all_reduce(rank, is_elsewhere ? 1.0 : 0.0, Larger()) == 0;
}

/// The rank half of the group away from this one. In a group of one, and for the last rank of an odd number, this rank itself.
int partner_in(const comm::collective::Group& group) {
  const int half = group.size() / 2,
            position = group.me >= 2 * half ? group.me : (group.me + half) % (2 * half);
  return group.ranks[static_cast<std::size_t>(position)];
}

std::unique_ptr<comm::Window> window_of(comm::Rank& rank, std::size_t bytes) {
  return rank.capabilities().is_phantom ? rank.make_phantom_window(bytes) : rank.make_window(bytes);
}

/// Measures one figure at a time on all ranks; a rank without a partner takes part in the collectives only.
class Measurement {
 public:
  Measurement(comm::Rank& rank, bool has_windows)
      : rank_(rank),
        is_virtual_(rank.capabilities().virtual_time),
        body_(rank.capabilities().is_phantom ? comm::Body::phantom(long_bytes)
                                             : comm::Body::adopt(std::vector<std::byte>(long_bytes))),
        numbers_(rank.capabilities().is_phantom ? 0 : long_bytes),
        operands_(rank.capabilities().is_phantom ? 0 : 3 * order * order, 1.0),
        window_(has_windows ? window_of(rank, long_bytes) : nullptr) {
    if (window_) signals_.emplace(rank, *window_);
  }

  /// Rate of a matrix product in double.
  double flops_per_s() {
    const double seconds = slowest(3, [&] { return timed([&] { multiply(); }); });
    return kernels::gemm_cost<double>(order, order, order).flops / seconds;
  }

  /// first: the first rank of my process row or column
  TransferCost cost_with(int partner, int first, bool is_of_one_column) {
    partner_ = partner;
    TransferCost cost;
    cost.message_s = slowest(20, [&] { return ping_pong(short_bytes); });
    cost.next_s =
        std::max(0.0, slowest(20, [&] { return several_messages(); }) - cost.message_s) / (in_a_row - 1);
    if (!rank_.capabilities().shared_memory) cost.hidden = hidden_share();
    if (window_) {
      cost.signal_s = slowest(20, [&] { return signal_and_back(); });
      cost.next_signal_s =
          std::max(0.0, slowest(20, [&] { return several_signals(); }) - cost.signal_s) / (in_a_row - 1);
      cost.get_s = slowest(20, [&] { return get(short_bytes, partner_); });
    }
    cost.byte = cost_of_byte(cost);
    if (window_)
      cost.get_byte_of_first_s =
          seconds_a_byte(slowest(4, [&] { return get(long_bytes, first); }), cost.get_s);
    if (!is_of_one_column) partner_ = rank_.rank();
    cost.byte_of_one_column = cost_of_byte(cost);
    return cost;
  }

  bool is_within_reach() {
    int missing = window_ && !is_virtual_ ? 0 : 1;
    for (int r = 0; missing == 0 && r < rank_.size(); ++r) missing += window_->direct(r) == nullptr;
    return comm::collective::all_reduce(rank_, missing, std::plus<>()) == 0;
  }

 private:
  static double seconds_a_byte(double long_s, double short_s) {
    return std::max(0.0, long_s - short_s) / (long_bytes - short_bytes);
  }
  /// Costs for each byte, with the costs of short transfers subtracted.
  ByteCost cost_of_byte(const TransferCost& cost) {
    ByteCost byte;
    byte.message_s = seconds_a_byte(slowest(4, [&] { return ping_pong(long_bytes); }), cost.message_s);
    if (window_)
      byte.get_s = seconds_a_byte(slowest(4, [&] { return get(long_bytes, partner_); }), cost.get_s);
    return byte;
  }

  bool has_partner() const { return partner_ != rank_.rank(); }
  bool is_first() const { return rank_.rank() < partner_; }

  template <class F>
  double timed(F&& f) {
    const double begin = rank_.now();
    f();
    return rank_.now() - begin;
  }

  /// The minimum of seconds() over repetitions on this rank, then the maximum over all ranks. In simulated time one repetition.
  template <class F>
  double slowest(int repetitions, F&& seconds) {
    double least = std::numeric_limits<double>::infinity();
    for (int i = 0; i < (is_virtual_ ? 1 : repetitions); ++i) {
      comm::collective::barrier(rank_);
      least = std::min(least, seconds());
    }
    return comm::collective::all_reduce(rank_, least, Larger());
  }

  std::span<std::byte> mine(std::size_t bytes) {
    return {numbers_.empty() ? nullptr : numbers_.data(), bytes};
  }
  void send(std::size_t bytes) {
    comm::Send sent = rank_.start_send(comm::Lane::user, partner_, {}, body_.part(0, bytes));
    comm::wait(rank_, sent);
  }
  void receive() { comm::receive(rank_, comm::Lane::user, partner_); }

  /// Half the time of a round trip.
  template <class There, class Back>
  double half_round_trip(There there, Back back) {
    if (!has_partner()) return 0;
    return timed([&] {
             if (is_first()) there();
             back();
             if (!is_first()) there();
           }) /
           2;
  }
  double ping_pong(std::size_t bytes) {
    return half_round_trip([&] { send(bytes); }, [&] { receive(); });
  }

  /// Both ranks send in_a_row short messages to each other.
  double several_messages() {
    if (!has_partner()) return 0;
    std::array<comm::Send, in_a_row> sent;
    return timed([&] {
      for (comm::Send& one : sent)
        one = rank_.start_send(comm::Lane::user, partner_, {}, body_.part(0, short_bytes));
      for (int i = 0; i < in_a_row; ++i) receive();
      for (comm::Send& one : sent) comm::wait(rank_, one);
    });
  }

  void put_and_signal() { signals_->put_with_signal(partner_, 0, mine(short_bytes)); }
  double signal_and_back() {
    return half_round_trip([&] { put_and_signal(); }, [&] { signals_->wait_for_next(partner_); });
  }
  double several_signals() {
    if (!has_partner()) return 0;
    return timed([&] {
      for (int i = 0; i < in_a_row; ++i) put_and_signal();
      for (int i = 0; i < in_a_row; ++i) signals_->wait_for_next(partner_);
    });
  }
  double get(std::size_t bytes, int from) {
    if (from == rank_.rank()) return 0;
    return timed([&] {
      window_->get(from, 0, mine(bytes));
      window_->flush(from);
    });
  }

  void multiply() {
    const auto cost = kernels::gemm_cost<double>(order, order, order);
    double* const A = operands_.data();
    rank_.compute({"gemm", cost.flops, cost.bytes, order, order, order}, [&] {
      const MatrixView<double> a{A, order, order, order}, b{A + order * order, order, order, order},
          c{A + 2 * order * order, order, order, order};
      kernels::gemm<double>(kernels::Op::none, kernels::Op::none, 1, a, b, 0, c);
    });
  }
  /// Both ranks start a long send to each other, run work(), and then wait.
  template <class Work>
  double exchange_beside(Work work) {
    if (!has_partner()) return timed(work);
    comm::Recv theirs = rank_.post_receive(comm::Lane::user, partner_);
    return timed([&] {
      comm::Send sent = rank_.start_send(comm::Lane::user, partner_, {}, body_);
      work();
      comm::wait(rank_, sent);
      comm::wait(rank_, theirs);
      theirs.take();
    });
  }
  double hidden_share() {
    const double alone = slowest(4, [&] { return exchange_beside([] {}); }),
                 work = slowest(4, [&] { return timed([&] { multiply(); }); }),
                 both = slowest(4, [&] { return exchange_beside([&] { multiply(); }); });
    const double shorter = std::min(alone, work);
    return shorter > 0 ? std::clamp((alone + work - both) / shorter, 0.0, 1.0) : 1;
  }

  comm::Rank& rank_;
  bool is_virtual_;
  int partner_ = 0;
  comm::Body body_;                 ///< body of messages
  std::vector<std::byte> numbers_;  ///< source of puts and target of gets
  std::vector<double> operands_;
  std::unique_ptr<comm::Window> window_;
  std::optional<comm::onesided::Signals> signals_;
};

}  // namespace

MoveTimes measured_moves(comm::Rank& rank, const ProcessGrid& grid) {
  const kernels::SingleThreadedBlas one_thread_a_rank;
  MoveTimes times{.has_windows = may_open_windows(rank),
                  .reaches_attached = rank.capabilities().reaches_attached};
  comm::stop_all_on_failure(rank, [&] {
    Measurement measure(rank, times.has_windows);
    const bool is_member = grid.holds(rank.rank());
    const GridPosition me = is_member ? grid.position_of(rank.rank()) : GridPosition{};
    times.flops_per_s = measure.flops_per_s();
    const int self = rank.rank();
    const comm::collective::Group alone{.ranks = {self}}, row = is_member ? grid.row_group(me) : alone,
                                                          column = is_member ? grid.column_group(me) : alone;
    const auto is_of_first_column = [&](int r) { return is_member && grid.position_of(r).col == 0; };
    times.in_row = measure.cost_with(partner_in(row), row.ranks.front(),
                                     is_of_first_column(self) || is_of_first_column(partner_in(row)));
    times.in_column = measure.cost_with(partner_in(column), column.ranks.front(), is_of_first_column(self));
    times.is_within_reach = measure.is_within_reach();
    comm::collective::barrier(rank);  // afterwards no rank gets from this window any more
  });
  return times;
}

}  // namespace overlapack::dist
