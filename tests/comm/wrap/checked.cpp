#include "comm/wrap/checked.hpp"

#include "comm/wrap/observed_window.hpp"

#include <algorithm>

namespace overlapack::comm {

namespace {

constexpr std::size_t bodies_watched = 16;

[[noreturn]] void misuse(const std::string& message) { throw Error(Status::internal, message); }

/// FNV-1a over the bytes.
std::uint64_t checksum(const Body& body) {
  std::uint64_t sum = 0xcbf29ce484222325ull;
  for (std::size_t i = 0; i < body.size(); ++i)
    sum = (sum ^ static_cast<std::uint64_t>(body.data()[i])) * 0x100000001b3ull;
  return sum;
}

}  // namespace

CheckedRank::CheckedRank(Rank& inner, const CheckedOptions& options)
    : ForwardingRank(inner),
      options_(options),
      random_(options.seed * 1000003 + static_cast<std::uint64_t>(inner.rank())) {
  lanes_[static_cast<std::size_t>(Lane::bulk)].held_back = options.last_on_bulk;
}

CheckedRank::CheckedRank(std::unique_ptr<Rank> inner, const CheckedOptions& options)
    : ForwardingRank(std::move(inner)), options_(options), random_(options.seed) {}

void CheckedRank::count_call() {
  if ((*calls_)++ == options_.throw_at_call)
    throw Error(Status::internal, "a fault was injected at call " + std::to_string(*calls_ - 1));
}

void CheckedRank::check_peer(int peer) const {
  if (peer < 0 || peer >= size()) misuse("rank " + std::to_string(peer) + " does not exist");
}

CheckedRank::LaneState& CheckedRank::lane_state(Lane lane) {
  if (lane == Lane::control) misuse("the control lane belongs to the engine");
  LaneState& state = lanes_[static_cast<std::size_t>(lane)];
  if (!state.next) state.next = inner_.post_receive(lane);
  return state;
}

/// The receive behind a request that was posted here; null for sends and signals.
CheckedRank::Receive* CheckedRank::mine(const Request& request) const {
  auto* const receive = dynamic_cast<Receive*>(request.operation().get());
  if (receive && receive->owner != this) misuse("a receive was waited for on a rank that did not post it");
  return receive;
}

std::unique_ptr<Rank> CheckedRank::split(int color, int key) {
  count_call();
  CheckedOptions options = options_;
  options.seed = random_.next();
  auto part = std::make_unique<CheckedRank>(inner_.split(color, key), options);
  part->calls_ = calls_;
  return part;
}

Send CheckedRank::start_send(Lane lane, int to, const Header& header, Body body) {
  count_call();
  check_peer(to);
  if (lane == Lane::control) misuse("the control lane belongs to the engine");
  check_sent();
  return inner_.start_send(lane, to, header, watched(std::move(body)));
}

/// The same bytes, with an owner of their own, so that it can be seen whether anybody else holds them.
Body CheckedRank::watched(Body body) {
  if (!body.data()) return body;
  const auto shared = std::make_shared<const Body>(std::move(body));
  sent_.push_back({shared, checksum(*shared)});
  if (sent_.size() > bodies_watched) sent_.pop_front();
  return {shared, shared->data(), shared->size()};
}

/// The bytes of a body stay what they were as long as the engine or a receiver holds it.
void CheckedRank::check_sent() {
  std::erase_if(sent_, [](const Sent& s) { return s.body.use_count() == 1; });
  for (const Sent& s : sent_)
    if (checksum(*s.body) != s.sum) misuse("a body was changed after it had been sent");
}

Recv CheckedRank::post_receive(Lane lane, int from) {
  auto operation = std::make_shared<Receive>();
  operation->from = from;
  return post(lane, std::move(operation));
}

Recv CheckedRank::post(Lane lane, std::shared_ptr<Receive> operation) {
  count_call();
  if (operation->from != any_rank) check_peer(operation->from);
  operation->owner = this;
  lane_state(lane).posted.push_back(operation);
  return Recv(*this, std::move(operation));
}

void CheckedRank::cancel(Recv& receive) {
  if (!receive.pending()) return;
  for (LaneState& lane : lanes_) {
    finish(lane, false);  // what has found its receive can no longer be refused
    std::erase_if(lane.posted, [&](const auto& r) { return r == receive.operation(); });
  }
  if (receive.pending()) receive.release();
}

bool CheckedRank::test(Request& request) {
  count_call();
  pump();
  deliver(true);
  if (!request || mine(request)) return !request.pending();
  return inner_.test(request);
}

const Message* CheckedRank::first_held(const LaneState& lane, int from) {
  for (const auto& [source, queue] : lane.held)
    if (!queue.empty() && source != lane.held_back && (from == any_rank || from == source))
      return &queue.front().message;
  return nullptr;
}

std::optional<int> CheckedRank::probe(Lane lane, int from) {
  count_call();
  LaneState& state = lane_state(lane);
  pump();
  deliver(false);  // what a posted receive accepts is not there for a probe
  if (may_refuse_probes_ && random_.uniform() < options_.delay / 2) return std::nullopt;
  const Message* const m = first_held(state, from);
  if (!m) return std::nullopt;
  return m->source;
}

void CheckedRank::poll() {
  count_call();
  inner_.poll();
  pump();
  deliver(true);
  hooks_.run();
}

std::unique_ptr<Window> CheckedRank::make_window(std::size_t bytes) {
  count_call();
  return observe(inner_.make_window(bytes));
}

std::unique_ptr<Window> CheckedRank::attach(std::span<std::byte> memory) {
  count_call();
  return observe(inner_.attach(memory));
}

std::unique_ptr<Window> CheckedRank::make_phantom_window(std::size_t bytes) {
  count_call();
  return observe(inner_.make_phantom_window(bytes));
}

/// Each access to the window is a contract call too.
std::unique_ptr<Window> CheckedRank::observe(std::unique_ptr<Window> window) {
  return std::make_unique<ObservedWindow>(std::move(window),
                                          [this](const ObservedWindow::Access&, FunctionRef<void()> run) {
                                            count_call();
                                            run();
                                          });
}

void CheckedRank::run_slices(const Work& total, std::size_t count, FunctionRef<void(std::size_t)> slice) {
  count_call();
  std::vector<std::size_t> order(count);  // the last first: slices are independent
  for (std::size_t i = 0; i < count; ++i) order[i] = count - 1 - i;
  inner_.run_slices(total, count, [&](std::size_t i) { slice(order[i]); });
  poll();
}

void CheckedRank::run_tasks(const Work& total, TaskSource& source) {
  count_call();
  inner_.run_tasks(total, source);
  poll();
}

void CheckedRank::run_compute(const Work& work, FunctionRef<void()> f) {
  count_call();
  inner_.compute(work, f);
}

/// Take what the engine has, on every lane that is used.
void CheckedRank::pump() {
  inner_.poll();
  for (int l = 0; l < lane_count; ++l) {
    LaneState& lane = lanes_[static_cast<std::size_t>(l)];
    while (lane.next && !lane.next.pending()) {
      Message message = lane.next.take();
      lane.next = inner_.post_receive(static_cast<Lane>(l));
      auto& queue = lane.held[message.source];
      queue.push_back({std::move(message), lane.arrivals++});
    }
  }
}

/// Give the oldest message of a random source to the first receive that accepts it; false if none can be given. With may_delay
/// it may stay under way.
bool CheckedRank::deliver_one(LaneState& lane, bool may_delay) {
  struct Choice {
    std::deque<Arrival>* queue;
    std::deque<std::shared_ptr<Receive>>::iterator receive;
  };
  std::vector<Choice> choices;
  for (auto& [source, queue] : lane.held) {
    if (queue.empty() || source == lane.held_back) continue;
    const auto receive = std::find_if(lane.posted.begin(), lane.posted.end(), [from = source](const auto& r) {
      return r->from == any_rank || r->from == from;
    });
    if (receive != lane.posted.end()) choices.push_back({&queue, receive});
  }
  if (choices.empty()) return false;
  const Choice chosen = choices[random_.below(choices.size())];
  Arrival arrival = std::move(chosen.queue->front());
  chosen.queue->pop_front();
  overtaken_ += std::any_of(choices.begin(), choices.end(), [&](const Choice& c) {
    return !c.queue->empty() && c.queue->front().number < arrival.number;
  });
  lane.held_back = any_rank;
  const std::shared_ptr<Receive> receive = std::move(*chosen.receive);
  lane.posted.erase(chosen.receive);
  if (may_delay && arrival.message.body.size() > 0 && random_.uniform() < options_.delay / 2) {
    lane.under_way.push_back({receive, std::move(arrival.message)});
    return true;
  }
  outrun_ += std::any_of(lane.under_way.begin(), lane.under_way.end(),
                         [&](const UnderWay& u) { return u.message.source == arrival.message.source; });
  complete(*receive, std::move(arrival.message));
  return true;
}

/// What is under way gets whole, with may_delay only some of it; true if something did.
bool CheckedRank::finish(LaneState& lane, bool may_delay) {
  bool has_finished = false;
  for (auto u = lane.under_way.begin(); u != lane.under_way.end();) {
    if (may_delay && random_.uniform() < options_.delay) {
      ++u;
      continue;
    }
    complete(*u->receive, std::move(u->message));
    u = lane.under_way.erase(u);
    has_finished = true;
  }
  return has_finished;
}

void CheckedRank::complete(Receive& receive, Message&& message) {
  receive.message = std::move(message);
  receive.done = true;
}

/// Deliver on all lanes, in random order; with may_delay some of it only at a later call. True if something was.
bool CheckedRank::deliver(bool may_delay) {
  bool has_delivered = false;
  const std::size_t first = random_.below(lane_count);
  for (std::size_t l = 0; l < lanes_.size(); ++l) {
    LaneState& lane = lanes_[(first + l) % lanes_.size()];
    has_delivered = finish(lane, may_delay) || has_delivered;
    for (;;) {
      if (may_delay && random_.uniform() < options_.delay) {
        delayed_ += first_held(lane, any_rank) != nullptr;
        break;
      }
      if (!deliver_one(lane, may_delay)) break;
      has_delivered = true;
    }
  }
  return has_delivered;
}

/// What of all that is waited for has happened; one of several at random.
std::optional<Woken> CheckedRank::look(std::span<Request* const> requests, LaneSet probes) {
  std::vector<Woken> happened;
  for (std::size_t i = 0; i < requests.size(); ++i) {
    if (!requests[i] || !*requests[i]) continue;
    mine(*requests[i]);
    if (!requests[i]->pending()) happened.push_back({Woken::By::request, i, Lane::user});
  }
  for (int l = 0; l < lane_count; ++l) {
    const auto lane = static_cast<Lane>(l);
    if (probes.has(lane) && first_held(lane_state(lane), any_rank))
      happened.push_back({Woken::By::probe, 0, lane});
  }
  if (happened.empty()) return std::nullopt;
  return happened[random_.below(happened.size())];
}

std::int64_t CheckedRank::arrivals() const {
  std::int64_t sum = 0;
  for (const LaneState& lane : lanes_) sum += lane.arrivals;
  return sum;
}

/// Hooks see what there is for certain where no other call would follow that lets them see it.
void CheckedRank::run_hooks(bool may_refuse_probes) {
  struct Restore {
    bool& flag;
    bool before;
    ~Restore() { flag = before; }
  } const restore{may_refuse_probes_, std::exchange(may_refuse_probes_, may_refuse_probes)};
  hooks_.run();
}

Woken CheckedRank::wait_any(std::span<Request* const> requests, LaneSet probes) {
  count_call();
  check_sent();
  for (bool may_delay = true;; may_delay = false) {
    pump();
    deliver(may_delay);
    const std::int64_t seen = arrivals();
    run_hooks(may_delay);
    if (const auto woken = look(requests, probes)) return *woken;
    // what was held back comes in the second round, what hooks have posted or let in in the next ones
    if (may_delay || deliver(false) || arrivals() != seen) continue;
    std::vector<Request*> inner;
    for (Request* r : requests)
      if (r && *r && !mine(*r)) inner.push_back(r);
    bool can_end = !inner.empty() || !probes.empty();
    for (Request* r : requests) can_end = can_end || (r && *r);
    if (!can_end) misuse("a wait without requests or probes would never end");
    for (LaneState& lane : lanes_)
      if (lane.next) inner.push_back(&lane.next);
    inner_.wait_any(inner);
  }
}

}  // namespace overlapack::comm
