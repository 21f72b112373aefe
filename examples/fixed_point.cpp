// A rod that loses heat by radiation between two hot ends, by an asynchronous iteration:  fixed_point_cpp [POINTS [RANKS [racy]]]
//
//   u'' = 100 u^4, u(0) = u(1) = 1:  F_i(u) = 2 u_i - u_(i-1) - u_(i+1) + 100 h^2 u_i^4 = 0 at points i h
//
// Each rank has some points beside each other. It goes on with its neighbours' ends as it happens to know them, and waits for nobody;
// the detector knows the residual of one vector all the same.
#include <overlapack/channels.hpp>

#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <vector>

namespace channels = overlapack::channels;

/// The points of one rank. A state has one value more at each end: the neighbour's, or the hot end's.
class Rod final : public channels::Part<double> {
 public:
  Rod(int points, int rank, int ranks) : rank_(rank), h_(1.0 / (points + 1)) {
    first_ = points * rank / ranks + 1;
    count_ = static_cast<std::size_t>(points * (rank + 1) / ranks + 1 - first_);
    if (rank > 0) neighbours_.push_back({rank - 1, 1, 1});
    if (rank + 1 < ranks) neighbours_.push_back({rank + 1, 1, 1});
  }

  std::size_t state_size() const override { return count_ + 2; }
  std::span<const channels::Neighbour> neighbours() const override { return neighbours_; }
  void start(std::span<double> u) const override {
    for (double& value : u) value = 1;
  }
  void pack(std::span<const double> u, std::size_t k, std::span<double> message) const override {
    message[0] = is_left(k) ? u[1] : u[count_];
  }
  void unpack(std::span<const double> message, std::size_t k, std::span<double> u) const override {
    (is_left(k) ? u[0] : u[count_ + 1]) = message[0];
  }
  double residual(std::span<const double> u) const override {
    double sum = 0;
    for (std::size_t i = 1; i <= count_; ++i) sum += std::pow(f(u, i), 2);
    return sum;
  }
  double source() const override { return neighbours_.empty() ? 2 : neighbours_.size() == 1 ? 1 : 0; }

  /// Newton's step for one point after the other.
  void sweep(std::span<double> u) const {
    for (std::size_t i = 1; i <= count_; ++i) u[i] -= f(u, i) / (2 + 400 * h_ * h_ * std::pow(u[i], 3));
  }
  /// u(i h), where this rank has that point; else null.
  const double* at(int i, const std::vector<double>& u) const {
    return first_ <= i && i < first_ + static_cast<int>(count_) ? &u[static_cast<std::size_t>(i - first_) + 1]
                                                                : nullptr;
  }

 private:
  bool is_left(std::size_t k) const { return neighbours_[k].rank < rank_; }
  double f(std::span<const double> u, std::size_t i) const {
    return 2 * u[i] - u[i - 1] - u[i + 1] + 100 * h_ * h_ * std::pow(u[i], 4);
  }

  int rank_, first_;
  std::size_t count_;
  double h_;
  std::vector<channels::Neighbour> neighbours_;
};

void solve(channels::Process& process, int points, channels::Mode mode) {
  Rod rod(points, process.rank(), process.ranks());
  std::vector<double> u(rod.state_size()), message(1);
  rod.start(u);

  const std::size_t neighbours = rod.neighbours().size();
  if (mode == channels::Mode::racy) process.make_racy_room(neighbours * sizeof(double));
  const channels::ChannelOptions options{.message_bytes = sizeof(double), .mode = mode};
  std::vector<channels::Channel> ends;
  for (const channels::Neighbour& n : rod.neighbours())
    ends.push_back(process.start_create(n.rank, options, std::as_bytes(std::span(u).first(1))));
  for (const channels::Channel& end : ends) process.finish_create(end);

  channels::Detector<double> detector(process, rod);
  for (int k = 0; !detector.is_over(k, u); ++k) {
    for (std::size_t n = 0; n < neighbours; ++n) {
      if (ends[n].can_send()) {
        rod.pack(u, n, message);
        ends[n].send<double>(message);
      }
      if (ends[n].recv<double>(message)) rod.unpack(message, n, u);
    }
    for (int sweeps = 0; sweeps < 10; ++sweeps) rod.sweep(u);
  }
  const channels::Outcome<double> found = detector.take();
  for (channels::Channel& end : ends) end.start_destroy();
  for (channels::Channel& end : ends) end.destroy();

  if (const double* middle = rod.at((points + 1) / 2, found.x))
    std::printf("%d ranks, %s: residual %.1e, u(1/2) = %.3f\n", process.ranks(), to_string(found.end).data(),
                found.residual, *middle);
}

int main(int argc, char** argv) try {
  const int points = argc > 1 ? std::atoi(argv[1]) : 99, ranks = argc > 2 ? std::atoi(argv[2]) : 0;
  const bool is_racy = argc > 3 && std::strcmp(argv[3], "racy") == 0;
  const overlapack::Options options{.ranks = ranks, .iteration = {.residual_period = 10}};
  channels::run(options, [&](channels::Process& process) {
    solve(process, points, is_racy ? channels::Mode::racy : channels::Mode::async);
  });
} catch (const overlapack::Error& error) {
  std::fprintf(stderr, "%s\n", error.what());
  return 1;
}
