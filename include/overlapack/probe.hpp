#pragma once
/// Measures this computer: kernels, memory, messages, and the overlap of messages with computing.
#include "overlapack/export.hpp"
#include "overlapack/scalar.hpp"

#include <array>
#include <cstddef>
#include <optional>
#include <string>
#include <vector>

namespace overlapack::probe {

/// One kernel at one shape on one core.
struct MeasuredKernel {
  std::string kernel;
  std::string shape;
  double seconds = 0;  ///< of one call, the least of several
  double flops = 0;
  double bytes = 0;
};

/// Rates of this process's BLAS on one core, beside what the core can do, in double precision.
struct BlasRates {
  /// The fastest product here, close to a core's peak. It is usually one by our own kernels for this processor, whose operands
  /// stay in the caches.
  double core_flops_per_s = 0;
  /// Products by the BLAS: a panel of 64 columns, a block of 256 x 256, and a square of 1000, in this order.
  std::vector<MeasuredKernel> products;
  /// The types ("float32, complex64") whose product differs from that of plain loops; empty if all are right.
  std::string wrong_types;

  /// Rate of the last product, the square.
  double flops_per_s() const { return products.back().flops / products.back().seconds; }
};

/// Measured once a process, on the first call.
/// Cost  some tens of milliseconds; three of the largest product
OVERLAPACK_API const BlasRates& blas_rates();

/// Flop/s of a product of 256 x 256 on each core that this thread may run on, at most on 64 of them.
OVERLAPACK_API std::vector<double> rates_of_cores();

/// One call that was timed.
struct KernelSample {
  double m = 0, n = 0, k = 0;
  double seconds = 0;
};

/// Seconds of a kernel as c0 m n k + c1 m n + c2 m k + c3 n k + c4, or by its flops alone.
struct KernelModel {
  std::string kernel;  ///< as in traces
  bool has_coefficients = false;
  std::array<double, 5> coefficients{};
  double flops_per_s = 0;
  double mean_deviation = 0;  ///< of the samples from the polynomial, as a share of them
  std::string source;         ///< what was measured
};

/// Messages of one size between ranks 0 and 1.
struct MessageRate {
  std::size_t bytes = 0;
  double latency_s = 0;  ///< half a round trip, the median of several
  double bytes_per_s() const { return latency_s > 0 ? static_cast<double>(bytes) / latency_s : 0; }
};

/// Does a transfer make progress while its ranks do not call the engine (MPI does not progress by itself)?
///   sender away:    the receiver waits, the sender naps after start_send
///   receiver away:  the sender waits for its send, the receiver naps after post_receive
///   both away:      both nap, then wait
/// `hidden` is the share of the transfer's time that the naps of the last one have hidden.
struct NapTest {
  std::size_t bytes = 0;
  bool arrives_with_sender_away = false;
  bool leaves_with_receiver_away = false;
  double hidden = 0;
};

/// The gain of opposite phases on a node. One rank communicates while the others compute, and the times are compared with those
/// when all ranks do the same.
/// Source  paper 2, Fig. 8
struct PhaseSpeedups {
  double communication = 1;  ///< S_m
  double computation = 1;    ///< S_p
};

/// The machine as bulk-synchronous programs see it. A superstep of w flops, in which a process sends or receives up to h words
/// of 8 bytes, takes w / s + h g + l.
/// Source  paper 4, section 1
struct BspParameters {
  int processes = 1;             ///< p
  double flops_per_s = 0;        ///< s
  double word_s = 0;             ///< g
  double synchronisation_s = 0;  ///< l, with the messages of a full exchange
  double empty_sync_s = 0;       ///< of a sync without transfers
  /// For each message of a superstep beside the empty sync; a full exchange has p - 1. A superstep of m messages has
  /// l = empty_sync_s + m message_s.
  double message_s = 0;
  double largest_deviation_s = 0;  ///< of a measured superstep from h g + l
  /// False if the times would give g, l or message_s below 0. The machine was busy: measure again. The values are then the best
  /// ones that are not below 0.
  bool is_steady = true;

  double g() const { return word_s * flops_per_s; }             ///< in flops, as paper 4 has it
  double l() const { return synchronisation_s * flops_per_s; }  ///< the same
};

/// A transfer in one of its forms; its messages and accesses, summed over the ranks.
///   broadcast   binary_tree, ring (messages), direct (gets): a body from rank 0 to all
///   transpose   messages, generic, native: of a matrix of which each process of the squarest grid has a block
///   memory      user, copy, attach: a vector of rank 0 that rank 1 gets, with signals that it is final and that it was read
/// Source  paper 3, Figures 3, 8 and 9
struct TransferTime {
  std::string transfer, form;
  std::size_t bytes = 0;  ///< of the body; of a process's block; of the vector
  double seconds = 0;     ///< until the last rank is ready, the least of several
  double signals = 0, puts = 0, gets = 0, messages = 0;
};

/// A row of paper 2's Table 3, with the measured times beside it.
struct SavingRow {
  Index n = 0;
  double communication_s = 0;  ///< T_m of the flat schedule: all that is not computing
  double computation_s = 0;    ///< T_p: the mean of the ranks
  double overlap_s = 0;        ///< T_overlap: the time that the model has in opposite phases
  double model_saved_s = 0;    ///< dT = T_flat - T_async of the model
  double model_speedup = 1;    ///< S = T_flat / T_async
  double measured_s = 0;       ///< dT_a = T_flat - T_parity
};

/// The choice of measurements, and their parameters.
struct Plan {
  std::string engine = "auto";
  bool kernels_only = false;
  bool phases_only = false;
  bool bsp_only = false;
  bool onesided_only = false;
  int ranks = 2;  ///< thread
  int ranks_per_node = 2;
  Index panel_rows = 3000, panel_columns = 112;  ///< of the tasks in opposite phases
  Index n = 0;  ///< of the dense systems that the model of phases is compared with; 0: none
  double nap_s = 0.12;
  std::size_t largest_bytes = std::size_t{1} << 22;
};

struct Findings {
  std::string engine;
  int ranks = 1;
  std::vector<MessageRate> messages;  ///< none: one rank alone
  std::vector<NapTest> naps;
  std::vector<MeasuredKernel> kernels;
  std::vector<KernelModel> models;
  double triad_bytes_per_s = 0;  ///< STREAM, one core
  std::optional<PhaseSpeedups> phases;
  std::vector<SavingRow> savings;
  std::optional<BspParameters> bsp;     ///< where nothing else was asked for
  std::vector<TransferTime> transfers;  ///< the same
};

/// Sync    collective over the processes of an MPI run; the findings are on the first one
/// Cost    about 10 s
OVERLAPACK_API Findings measure(const Plan& plan);

/// The computer as a file for `overlapack simulate`: one node, with a name of its own. Each number has its way of measurement
/// beside it, or that it was not measured.
OVERLAPACK_API std::string machine_json(const Findings& found, const std::string& name);

}  // namespace overlapack::probe
