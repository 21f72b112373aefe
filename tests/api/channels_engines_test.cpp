#include "api/programs/owner.hpp"
#include "base/random.hpp"
#include "comm/collective/collective.hpp"
#include "comm/wrap/checked.hpp"
#include "engine.hpp"
#include "web.hpp"

#include <array>
#include <memory>

// Fixed points of programs on every engine, with late and overtaking messages: what the detector returns is one vector, and its
// residual is that vector's.
namespace overlapack::comm::conformance {
namespace {

using channels::Channel;
using channels::Detector;
using channels::End;
using channels::Mode;
using channels::Outcome;
using channels::Process;

/// A program on one rank of the test's team.
void run_on(Rank& rank, const Options& options, const std::function<void(Process&)>& program,
            channels::Counts* counts = nullptr) {
  const auto owner = std::make_shared<Channel::Owner>(rank, options);
  Process process(owner);
  program(process);
  const channels::Counts mine = owner->end();
  owner->drop_channels();
  if (counts) *counts = mine;
}

/// Rank 0 puts together what all ranks have: every halo holds what its owner has, to the bit, and the residual is as told.
template <class T>
void check_vector(Rank& rank, std::uint64_t seed, const Outcome<T>& found) {
  const std::vector<Body> states = collective::gather(rank, 0, Body::copy_of(std::span<const T>(found.x)));
  if (rank.rank() != 0) return;
  double residual = 0, source = 0;
  for (int r = 0; r < rank.size(); ++r) {
    const Web<T> part(seed, r, rank.size());
    const std::span<const T> x = states[static_cast<std::size_t>(r)].as<T>();
    for (std::size_t k = 0; k < part.neighbours().size(); ++k) {
      const channels::Neighbour& n = part.neighbours()[k];
      const std::span<const T> theirs = states[static_cast<std::size_t>(n.rank)].as<T>();
      for (std::size_t i = 0; i < n.in; ++i) EXPECT_EQ(x[part.place(k) + i], theirs[i]) << "seed " << seed;
    }
    residual += part.residual(x);
    source += part.source();
  }
  const double norm = std::sqrt(residual / source);
  // The same terms in another order: the relative error of a sum of p positive numbers is below p eps, and there are two.
  EXPECT_NEAR(found.residual, norm, norm * (2 * rank.size() + 4) * 0x1p-52) << "seed " << seed;
}

/// What one run does; the same on every rank.
struct Plan {
  explicit Plan(std::uint64_t seed) : random(seed) {
    mode = below(2) == 0 ? Mode::async : Mode::racy;
    max_messages = std::array{1, 2, 8}[below(3)];
    options.iteration.tolerance = std::pow(10.0, -3 - static_cast<double>(below(7)));
    options.iteration.residual_period = static_cast<Index>(1 + below(20));
    options.iteration.residual_sum = below(2) == 0 ? SumForm::tree : SumForm::doubling;
    options.iteration.in_flight = static_cast<int>(below(3));
    options.iteration.halo_period = static_cast<Index>(below(3));
    options.iteration.variant = std::array{Variant::sync, Variant::async, Variant::racy}[below(3)];
    options.iteration.final_sweeps = static_cast<int>(below(3));
    checked = {.seed = seed + 1, .delay = static_cast<double>(below(9)) / 10};
  }
  std::uint64_t below(std::uint64_t n) { return random.below(n); }
  Random random;
  Mode mode;
  int max_messages;
  Options options;
  CheckedOptions checked;
};

/// The loop of a caller, with channels of its own.
Outcome<double> own_loop(Process& process, Rank& rank, Web<double>& web, const Plan& plan) {
  std::size_t room = 0;
  for (const channels::Neighbour& n : web.neighbours()) room += std::max(n.out, n.in) * sizeof(double);
  if (plan.mode == Mode::racy) process.make_racy_room(room);
  std::vector<Channel> ends;
  std::vector<std::vector<double>> messages;
  for (const channels::Neighbour& n : web.neighbours()) {
    messages.emplace_back(std::max(n.out, n.in), 0.25);  // the start vector
    ends.push_back(process.start_create(n.rank,
                                        {.message_bytes = messages.back().size() * sizeof(double),
                                         .max_messages = plan.max_messages,
                                         .mode = plan.mode},
                                        std::as_bytes(std::span(messages.back()))));
  }
  for (const Channel& end : ends) process.finish_create(end);
  std::vector<double> x(web.state_size(), 0.25), next = x;
  Detector<double> detector(process, web);
  for (std::int64_t k = 0; !detector.is_over(k, x); ++k) {
    for (std::size_t n = 0; n < ends.size(); ++n) {
      const channels::Neighbour& to = web.neighbours()[n];
      if (ends[n].can_send()) {
        web.pack(x, n, std::span(messages[n]).first(to.out));
        ends[n].send<double>(messages[n]);
      }
      if (ends[n].recv<double>(messages[n])) web.unpack(std::span(messages[n]).first(to.in), n, x);
    }
    next = x;
    web.map(x, next);
    x = next;
    if (rank.capabilities().virtual_time) pause(rank, 1e-6);
  }
  Outcome<double> found = detector.take();
  EXPECT_TRUE(detector.take().x.empty());
  for (Channel& end : ends) end.start_destroy();
  for (Channel& end : ends) end.destroy();
  return found;
}

TEST(ChannelPrograms, ALoopOfTheCallersEndsWithOneVector) {
  std::int64_t overwritten = 0, skipped = 0;
  for (std::uint64_t seed = 1; seed <= 12; ++seed)
    on_each_team([&](Rank& engine) {
      const Plan plan(seed);
      CheckedRank rank(engine, plan.checked);
      Web<double> web(seed, rank.rank(), rank.size());
      channels::Counts counts;
      run_on(
          rank, plan.options,
          [&](Process& process) {
            const Outcome<double> found = own_loop(process, rank, web, plan);
            EXPECT_EQ(found.end, End::converged) << "seed " << seed << to_string(found.end);
            EXPECT_LE(found.residual, plan.options.iteration.tolerance);
            EXPECT_GE(found.snapshots, 1);
            check_vector(rank, seed, found);
          },
          &counts);
      EXPECT_EQ(counts.ends, std::ssize(web.neighbours()));
      if (counts.ends > 0) {
        EXPECT_GT(counts.sent, 0);
      }
      std::array<std::int64_t, 2> sums{counts.overwritten, counts.skipped};
      collective::all_reduce(rank, std::span<std::int64_t>(sums), std::plus<>());
      if (rank.rank() == 0) overwritten += sums[0], skipped += sums[1];
      collective::barrier(rank);
    });
  if (setup().sizes == std::vector<int>{1}) return;
  on_each_team([&](Rank& rank) {
    if (rank.size() == 1 || rank.rank() > 0 || rank.capabilities().virtual_time) return;
    EXPECT_GT(overwritten, 0);
    EXPECT_GT(skipped, 0);
  });
}

template <class T>
void iterate_all(double tolerance, std::uint64_t runs) {
  for (std::uint64_t seed = 1; seed <= runs; ++seed)
    on_each_team([&](Rank& engine) {
      Plan plan(seed * 31);
      plan.options.iteration.tolerance = std::max(plan.options.iteration.tolerance, tolerance);
      if (ScalarTraits<T>::is_complex && plan.options.iteration.variant == Variant::racy)
        plan.options.iteration.variant = Variant::async;
      CheckedRank rank(engine, plan.checked);
      Web<T> web(seed, rank.rank(), rank.size());
      if (rank.capabilities().virtual_time) web.before_step = [&] { pause(rank, 1e-6); };
      run_on(rank, plan.options, [&](Process& process) {
        const Outcome<T> found = channels::iterate(process, web);
        EXPECT_EQ(found.end, End::converged) << "seed " << seed << to_string(found.end);
        EXPECT_LE(found.residual, plan.options.iteration.tolerance);
        EXPECT_GT(found.iterations, 0);
        check_vector(rank, seed, found);
        const bool has_halo = std::ranges::any_of(web.neighbours(), [](const auto& n) { return n.out > 0; });
        EXPECT_EQ(found.sent > 0, has_halo) << "seed " << seed;
      });
      collective::barrier(rank);
    });
}

TEST(ChannelPrograms, TheLibrarysLoopEndsWithOneVector) { iterate_all<double>(0, 12); }
TEST(ChannelPrograms, AlsoInSinglePrecision) { iterate_all<float>(1e-4, 3); }
TEST(ChannelPrograms, AlsoOfComplexNumbers) {
  iterate_all<std::complex<double>>(0, 3);
  iterate_all<std::complex<float>>(1e-4, 3);
}

// The lane is the library's while it iterates, and the program's before and after.
TEST(ChannelPrograms, ChannelsBeforeAndAfterIterate) {
  on_each_team([](Rank& rank) {
    run_on(rank, {}, [&](Process& process) {
      Web<double> web(1, rank.rank(), rank.size());
      if (rank.capabilities().virtual_time) web.before_step = [&] { pause(rank, 1e-6); };
      for (int round = 0; round < 3; ++round) {
        const int partner = rank.rank() ^ 1;
        if (partner < rank.size()) {
          Channel channel = process.create(partner, {.message_bytes = 4});
          const int mine = 10 * round + rank.rank();
          int theirs = -1;
          channel.send<int>({&mine, 1});
          channel.wait();
          EXPECT_TRUE(channel.can_recv());
          EXPECT_TRUE(channel.recv<int>({&theirs, 1}));
          EXPECT_EQ(theirs, 10 * round + partner);
          channel.destroy();
        }
        EXPECT_EQ(channels::iterate(process, web).end, End::converged);
      }
    });
  });
}

}  // namespace
}  // namespace overlapack::comm::conformance
