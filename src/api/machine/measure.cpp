#include "api/machine/bsp_parameters.hpp"
#include "api/machine/kernel_models.hpp"
#include "api/machine/kernels.hpp"
#include "api/machine/messages.hpp"
#include "api/machine/opposite_phases.hpp"
#include "api/machine/transfer_times.hpp"
#include "base/public_call.hpp"
#include "overlapack/environment.hpp"
#include "overlapack/option_text.hpp"

namespace overlapack::probe {
namespace {

/// Do the ranks fill whole nodes of two or more, as opposite phases need it?
bool has_node_mates(const Plan& plan, int ranks) {
  return plan.ranks_per_node >= 2 && ranks % plan.ranks_per_node == 0;
}

void measure_phases(const Plan& plan, api::Session& session, Findings& found) {
  session.run([&](comm::Rank& rank, int position) {
    const PhaseSpeedups speedups =
        opposite_phase_speedups(rank, plan.ranks_per_node, {plan.panel_rows, plan.panel_columns});
    if (position == 0) found.phases = speedups;
  });
  for (const Index n : {plan.n / 4, plan.n / 2, plan.n})
    if (n > 0)
      found.savings.push_back(
          measure_saving(session, n, plan.panel_columns, plan.ranks_per_node, *found.phases, 3));
}

}  // namespace

Findings measure(const Plan& plan) {
  return public_call(call::probe, [&]() -> Findings {
    Findings found;
    Options options;
    set_option(options, "engine", plan.engine);
    found.engine = engine_name(options);
    api::Session session(options, found.engine == "thread" ? plan.ranks : 0);
    found.ranks = session.ranks();
    if (plan.bsp_only) {
      session.run([&](comm::Rank& rank, int position) {
        const BspParameters bsp = measure_bsp_parameters(rank);
        if (position == 0) found.bsp = bsp;
      });
      return found;
    }
    if (plan.onesided_only) {
      session.run([&](comm::Rank& rank, int position) {
        std::vector<TransferTime> transfers = measure_transfer_times(rank);
        if (position == 0) found.transfers = std::move(transfers);
      });
      return found;
    }
    if (!plan.kernels_only && (plan.phases_only || has_node_mates(plan, session.ranks())))
      measure_phases(plan, session, found);
    if (plan.phases_only) return found;
    if (is_first_process() && !simulated_time())
      found.models = kernel_models();  // of the computer that is here
    session.run([&](comm::Rank& rank, int) {
      if (rank.rank() == 0) {
        found.kernels = measure_kernel_rates();
        found.triad_bytes_per_s = triad_bytes_per_s();
      }
      if (plan.kernels_only || rank.size() < 2) return;
      std::vector<MessageRate> messages = ping_pong(rank, plan.largest_bytes);
      std::vector<NapTest> naps = nap_tests(rank, plan.nap_s);
      if (rank.rank() != 0) return;
      found.messages = std::move(messages);
      found.naps = std::move(naps);
    });
    return found;
  });
}

}  // namespace overlapack::probe
