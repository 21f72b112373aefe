#include "api/iterative/iteration_plan.hpp"
#include "api/programs/owner.hpp"
#include "api/programs/part_block.hpp"
#include "base/instantiate.hpp"
#include "iterative/driver/convergence.hpp"
#include "iterative/driver/iterate.hpp"

#include <array>
#include <utility>

namespace overlapack::channels {
namespace {

/// How the iteration ended, by the driver's outcome or its result.
template <class Found>
End require_end(const Found& found) {
  return found.has_converged   ? End::converged
         : found.has_diverged  ? End::diverged
         : found.has_stagnated ? End::stagnated
                               : End::max_iterations;
}

template <class T, class Found>
Outcome<T> outcome_of(const Found& found, std::int64_t iterations) {
  return {.x = {found.x.begin(), found.x.end()},
          .residual = found.residual,
          .end = require_end(found),
          .iterations = iterations,
          .looks = found.looks,
          .snapshots = found.snapshots};
}

}  // namespace

std::string_view to_string(End end) {
  static constexpr std::array<std::string_view, 4> names{"converged", "diverged", "stagnated",
                                                         "max_iterations"};
  return names.at(static_cast<std::size_t>(end));
}

template <class T>
struct Detector<T>::Implementation {
  Implementation(Channel::Owner& owner, const Part<T>& part)
      : turn(owner, [this] { work.reset(); }), work(std::make_unique<Work>(owner, part)) {}

  /// Marks this detector as the rank's only one, as long as it lives.
  struct Turn {
    Turn(Channel::Owner& of, std::function<void()> leave) : owner(of.shared_from_this()) {
      owner->begin_detector(std::move(leave));
    }
    ~Turn() { owner->end_detector(is_over); }
    Turn(const Turn&) = delete;
    Turn& operator=(const Turn&) = delete;
    const std::shared_ptr<Channel::Owner> owner;
    bool is_over = false;
  };
  /// The parts of a detector that need the rank, and so must not outlive the program.
  struct Work {
    Work(Channel::Owner& owner, const Part<T>& part)
        : block(owner.rank, part, nullptr),
          plan(api::iteration_plan(owner.options, ScalarTraits<T>::type)),
          convergence(iterative::async_convergence<T>(owner.rank, block, plan)) {}
    const PartBlock<T> block;
    const iterative::IterationPlan plan;
    const std::unique_ptr<iterative::Convergence<T>> convergence;
  };

  Work& at_work() {
    if (!work)
      throw Error(Status::bad_input,
                  "the program of this detector has ended; make a detector inside of the next one");
    return *work;
  }

  Turn turn;
  std::unique_ptr<Work> work;  ///< until the end of the program
  std::int64_t iteration = 0;
};

template <class T>
Detector<T>::Detector(Process& process, Part<T>& part)
    : implementation_(std::make_unique<Implementation>(process.owner(), part)) {}

template <class T>
Detector<T>::~Detector() = default;

template <class T>
bool Detector<T>::is_over(std::int64_t iteration, std::span<const T> x) {
  Implementation& self = *implementation_;
  auto& work = self.at_work();
  if (x.size() != work.block.state_size())
    throw Error(Status::bad_input, "x has " + std::to_string(x.size()) + " numbers, a state has " +
                                       std::to_string(work.block.state_size()) + "; give a whole state");
  if (self.turn.is_over) return true;
  self.turn.owner->rank.poll();
  self.iteration = iteration;
  self.turn.is_over = work.convergence->is_over(iteration, x);
  return self.turn.is_over;
}

template <class T>
Outcome<T> Detector<T>::take() {
  Implementation& self = *implementation_;
  if (!self.turn.is_over)
    throw Error(Status::bad_input,
                "the outcome is not known yet; call is_over before each step until it is true");
  return outcome_of<T>(self.at_work().convergence->take_outcome(), self.iteration);
}

template <class T>
Outcome<T> iterate(Process& process, FixedPoint<T>& point) {
  Channel::Owner& owner = process.owner();
  owner.release_lane("iterate");
  const PartBlock<T> block(owner.rank, point, &point);
  const auto result =
      iterative::iterate<T>(owner.rank, block, api::iteration_plan(owner.options, ScalarTraits<T>::type));
  Outcome<T> outcome = outcome_of<T>(result, result.iterations);
  outcome.sent = result.sends;
  outcome.skipped = result.skipped_sends;
  owner.reclaim_lane();
  return outcome;
}

#define OVERLAPACK_INSTANTIATE(T) \
  template class Detector<T>;     \
  template OVERLAPACK_API Outcome<T> iterate(Process&, FixedPoint<T>&);
OVERLAPACK_FOR_EACH_SCALAR(OVERLAPACK_INSTANTIATE)
#undef OVERLAPACK_INSTANTIATE

}  // namespace overlapack::channels
