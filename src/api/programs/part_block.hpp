#pragma once
#include "comm/receive.hpp"
#include "iterative/driver/block.hpp"
#include "overlapack/channels.hpp"

#include <string>
#include <vector>

namespace overlapack::channels {

/// Adapts a caller's Part to the iterative driver's Block. The constructor exchanges the start vectors between neighbours, which shows sizes
/// that do not fit and fills the halo of the start vector.
template <class T>
class PartBlock final : public iterative::Block<T> {
 public:
  /// stepped: the same part as a FixedPoint, or null if there is no step
  /// Sync    with the neighbours
  /// Errors  BadInput: a neighbour does not list this rank as its neighbour, or sends another size than expected
  PartBlock(comm::Rank& rank, const Part<T>& part, FixedPoint<T>* stepped)
      : part_(part), stepped_(stepped), start_(part.state_size()) {
    for (const Neighbour& n : part.neighbours()) {
      if (n.rank < 0 || n.rank >= rank.size() || n.rank == rank.rank())
        refuse("rank " + std::to_string(rank.rank()) + " of " + std::to_string(rank.size()) +
               " has a neighbour " + std::to_string(n.rank) + "; name other ranks that exist");
      neighbours_.push_back({n.rank, n.out, n.in});
    }
    part_.start(start_);
    exchange_starts(rank);
  }

  Index unknowns() const override { return static_cast<Index>(start_.size()); }
  std::size_t state_size() const override { return start_.size(); }
  void start(T* x) const override { std::ranges::copy(start_, x); }
  std::span<const iterative::Neighbour> neighbours() const override { return neighbours_; }
  void pack(const T* x, std::size_t k, T* message) const override {
    part_.pack({x, start_.size()}, k, {message, neighbours_[k].out});
  }
  void unpack(const T* message, std::size_t k, T* x) const override {
    part_.unpack({message, neighbours_[k].in}, k, {x, start_.size()});
  }
  /// Called for the start vector only.
  void read_halo(const T*, std::size_t k, T* message) const override {
    std::ranges::copy(told_[k].body.template as<T>(), message);
  }
  void step(comm::Rank& rank, const T* x, T* next) const override {
    rank.compute({.kind = "sweep"}, [&] { stepped_->step({x, start_.size()}, {next, start_.size()}); });
    rank.poll();
  }
  double residual(const T* x) const override { return part_.residual({x, start_.size()}); }
  kernels::Cost residual_cost() const override { return {}; }
  double source() const override { return part_.source(); }

 private:
  [[noreturn]] static void refuse(const std::string& message) { throw Error(Status::bad_input, message); }

  void exchange_starts(comm::Rank& rank) {
    std::vector<comm::Recv> receives;
    for (const iterative::Neighbour& n : neighbours_)
      receives.push_back(rank.post_receive(comm::Lane::bulk, n.rank));
    for (std::size_t k = 0; k < neighbours_.size(); ++k) {
      std::vector<T> message(neighbours_[k].out);
      pack(start_.data(), k, message.data());
      rank.start_send(comm::Lane::bulk, neighbours_[k].rank, {}, comm::Body::adopt(std::move(message)));
    }
    for (std::size_t k = 0; k < neighbours_.size(); ++k) {
      comm::wait(rank, receives[k]);
      told_.push_back(receives[k].take());
      const std::span<const T> message = told_[k].body.template as<T>();
      if (message.size() != neighbours_[k].in)
        refuse("rank " + std::to_string(neighbours_[k].rank) + " sends " + std::to_string(message.size()) +
               " numbers to rank " + std::to_string(rank.rank()) + ", which expects " +
               std::to_string(neighbours_[k].in) + "; give the same number on both ranks");
      unpack(message.data(), k, start_.data());
    }
  }

  const Part<T>& part_;
  FixedPoint<T>* stepped_;
  std::vector<iterative::Neighbour> neighbours_;
  std::vector<T> start_;
  std::vector<comm::Message> told_;  ///< by the neighbours, of their start vectors
};

}  // namespace overlapack::channels
