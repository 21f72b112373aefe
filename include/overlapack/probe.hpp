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

/// The rates of this process's BLAS on one core in double precision, beside the rate that the core can reach.
struct BlasRates {
  /// The rate of the fastest product that was measured, close to a core's peak. It is usually a product by our own kernels for this
  /// processor, whose operands stay in the caches.
  double core_flops_per_s = 0;
  /// Products by the BLAS: a panel of 64 columns, a block of 256 x 256, and a square of 1000, in this order.
  std::vector<MeasuredKernel> products;
  /// The types ("float32, complex64") whose product differs from that of plain loops; empty if all are right.
  std::string wrong_types;

  /// Rate of the last product, the square.
  double flops_per_s() const { return products.back().flops / products.back().seconds; }
};

/// Measure the rates of the BLAS. Later calls of a process return the figures of the first one.
/// Cost    some tens of milliseconds; three of the largest product
OVERLAPACK_API const BlasRates& blas_rates();

/// Measure the flop/s of a product of 256 x 256 matrices on each core that this thread may run on, at most on 64 cores.
OVERLAPACK_API std::vector<double> rates_of_cores();

/// One timed call of a kernel with the dimensions m, n and k.
struct KernelSample {
  double m = 0, n = 0, k = 0;
  double seconds = 0;
};

/// A fitted cost model of a kernel: a call takes c0 m n k + c1 m n + c2 m k + c3 n k + c4 seconds, or flops / flops_per_s.
struct KernelModel {
  std::string kernel;  ///< as in traces
  bool has_coefficients = false;
  std::array<double, 5> coefficients{};
  double flops_per_s = 0;
  double mean_deviation = 0;  ///< mean relative deviation of the samples from the polynomial
  std::string source;         ///< what was measured
};

/// Messages of one size between ranks 0 and 1.
struct MessageRate {
  std::size_t bytes = 0;
  double latency_s = 0;  ///< half a round trip, the median of several
  double bytes_per_s() const { return latency_s > 0 ? static_cast<double>(bytes) / latency_s : 0; }
};

/// Shows whether a transfer makes progress while its ranks do not call the engine. Many MPIs make none then. There are three tests:
///   sender away:    the receiver waits, the sender naps after start_send
///   receiver away:  the sender waits for its send, the receiver naps after post_receive
///   both away:      both nap, then wait
/// `hidden` is the share of the transfer's time that the naps hide in the test "both away".
struct NapTest {
  std::size_t bytes = 0;
  bool arrives_with_sender_away = false;
  bool leaves_with_receiver_away = false;
  double hidden = 0;
};

/// The gain of opposite phases on a node: one rank communicates while the others compute. Each speedup compares with the time when all
/// ranks of the node do the same.
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
  double empty_sync_s = 0;       ///< seconds of a sync without transfers
  /// Seconds that each message adds to an empty sync. A superstep of m messages has l = empty_sync_s + m message_s; a full exchange has
  /// m = p - 1.
  double message_s = 0;
  double largest_deviation_s = 0;  ///< largest deviation of a measured superstep from h g + l
  /// False if the best fit has g, l or message_s below 0, since the machine was busy: measure again. The values are then the best ones
  /// that are not below 0.
  bool is_steady = true;

  double g() const { return word_s * flops_per_s; }             ///< g in flops, as paper 4 has it
  double l() const { return synchronisation_s * flops_per_s; }  ///< l in flops, as paper 4 has it
};

/// The time of one transfer, in one of several forms, and the number of its messages and accesses over all ranks. The transfers are:
///   broadcast   of a body from rank 0 to all ranks. Forms: binary_tree, ring (messages), direct (gets)
///   transpose   of a matrix of which each process of the squarest grid has a block. Forms: messages, generic, native
///   memory      rank 1 gets a vector of rank 0, with signals that it is final and that it was read. Forms: user, copy, attach
/// Source  paper 3, Figures 3, 8 and 9
struct TransferTime {
  std::string transfer, form;
  std::size_t bytes = 0;  ///< size of the body, of a process's block, or of the vector
  double seconds = 0;     ///< until the last rank is ready, the least of several
  double signals = 0, puts = 0, gets = 0, messages = 0;
};

/// A row of paper 2's Table 3: the time that opposite phases save in dense LU of order n by the model, beside the measured saving.
struct SavingRow {
  Index n = 0;
  double communication_s = 0;  ///< T_m of the flat schedule: all time without computation
  double computation_s = 0;    ///< T_p of the flat schedule, the mean over the ranks
  double overlap_s = 0;        ///< T_overlap: the time in opposite phases, by the model
  double model_saved_s = 0;    ///< dT = T_flat - T_async of the model
  double model_speedup = 1;    ///< S = T_flat / T_async
  double measured_s = 0;       ///< dT_a = T_flat - T_parity
};

/// What to measure, and with which parameters. At most one of the `_only` members is set.
struct Plan {
  std::string engine = "auto";
  bool kernels_only = false;
  bool phases_only = false;
  bool bsp_only = false;
  bool onesided_only = false;
  int ranks = 2;  ///< number of ranks with engine thread
  int ranks_per_node = 2;
  Index panel_rows = 3000, panel_columns = 112;  ///< shape of the panels of the tasks in opposite phases
  Index n = 0;  ///< order of the dense systems that the model of phases is compared with; 0: no comparison
  double nap_s = 0.12;                               ///< length of the naps of NapTest
  std::size_t largest_bytes = std::size_t{1} << 22;  ///< size of the largest message
};

/// The results of measure. What was not measured is empty.
struct Findings {
  std::string engine;
  int ranks = 1;
  std::vector<MessageRate> messages;  ///< empty for one rank
  std::vector<NapTest> naps;
  std::vector<MeasuredKernel> kernels;
  std::vector<KernelModel> models;
  double triad_bytes_per_s = 0;  ///< memory bandwidth of one core, by STREAM's triad
  std::optional<PhaseSpeedups> phases;
  std::vector<SavingRow> savings;
  std::optional<BspParameters> bsp;     ///< with Plan::bsp_only
  std::vector<TransferTime> transfers;  ///< with Plan::onesided_only
};

/// Measure this computer as the plan says.
/// Sync    collective over the processes of an MPI run; the findings are on the first one
/// Cost    about 10 s
OVERLAPACK_API Findings measure(const Plan& plan);

/// Describe this computer as a machine file for `overlapack simulate`, with one node and the given name. Beside each number the file
/// says how it was measured, or that it was not measured.
OVERLAPACK_API std::string machine_json(const Findings& found, const std::string& name);

}  // namespace overlapack::probe
