#include "dist/tree/load_board.hpp"

#include "comm/collective/collective.hpp"
#include "dist/tree/tree_walk.hpp"

#include <cmath>
#include <functional>
#include <limits>
#include <utility>

namespace overlapack::dist {

namespace {
constexpr std::size_t last_news_slot = 3;  // of Header::id
}

LoadBoard::OwnLane::OwnLane(comm::Rank& rank)
    : inbox(rank, comm::Lane::load, {.posted = 2}),
      outbox(rank, comm::Lane::load,  // room for news to all
             {.budget_bytes = static_cast<std::size_t>(rank.size()) * sizeof(Load), .inbox = &inbox}) {}

LoadBoard::LoadBoard(comm::Rank& rank, std::vector<Load> loads, Load threshold, std::vector<int> readers,
                     NewsBy by, TreeWalk* walk, comm::Kind news_kind)
    : rank_(rank),
      by_(by),
      walk_(walk),
      news_kind_(news_kind),
      loads_(std::move(loads)),
      threshold_(threshold),
      readers_(std::move(readers)),
      is_reader_(std::erase(readers_, rank.rank()) > 0) {
  if (by_ == NewsBy::own_lane) lane_ = std::make_unique<OwnLane>(rank);
  if (by_ != NewsBy::put) return;
  words_ = rank.make_window(loads_.size() * sizeof(Load));
  seen_.resize(2 * loads_.size());
}

LoadBoard::~LoadBoard() = default;

void LoadBoard::add_mine(double flops, double bytes) {
  Load& mine = loads_[static_cast<std::size_t>(rank_.rank())];
  mine.flops += flops;
  mine.bytes = bytes;
  unannounced_flops_ += flops;
  const bool is_news = std::abs(unannounced_flops_) > threshold_.flops ||
                       std::abs(bytes - announced_bytes_) > threshold_.bytes;
  if (threshold_.flops < 0 || !is_news) return;
  if (by_ != NewsBy::shared_lane) return announce(false);
  if (std::exchange(will_announce_, true)) return;
  walk_->add_urgent_job([this] {  // this may run in a handler, which must not send on the walk's lane
    will_announce_ = false;
    announce(false);
  });
}

void LoadBoard::add(int rank, Load more) {
  Load& load = loads_[static_cast<std::size_t>(rank)];
  load.flops += more.flops;
  load.bytes += more.bytes;
}

void LoadBoard::announce(bool is_last) {
  announced_ += !is_last;
  by_ == NewsBy::put ? announce_by_put() : announce_by_message(is_last);
  unannounced_flops_ = 0;
  announced_bytes_ = loads_[static_cast<std::size_t>(rank_.rank())].bytes;
}

void LoadBoard::announce_by_message(bool is_last) {
  const Load mine = loads_[static_cast<std::size_t>(rank_.rank())];
  comm::Header header;
  header.kind = news_kind_;
  header.id[last_news_slot] = is_last;
  for (const int to : readers_) {
    comm::Body body = comm::Body::copy_of(std::span<const Load>(&mine, 1));
    if (by_ == NewsBy::shared_lane)
      walk_->post(to, header, std::move(body));
    else
      lane_->outbox.send(to, header, std::move(body), [this] { receive_loads(); });
  }
}

void LoadBoard::announce_by_put() {
  Load mine = loads_[static_cast<std::size_t>(rank_.rank())];
  if (mine.flops == 0)
    mine.flops = std::numeric_limits<double>::denorm_min();  // 0 means that the word was never put
  const auto words = std::as_bytes(std::span<const Load>(&mine, 1));
  for (const int to : readers_)
    words_->store_words(to, static_cast<std::size_t>(rank_.rank()) * sizeof mine, sizeof(double), words);
}

std::span<const Load> LoadBoard::loads() {
  if (by_ == NewsBy::shared_lane)
    walk_->handle_arrived();
  else if (by_ == NewsBy::put)
    read_loads_put_here();
  else
    receive_loads();
  return loads_;
}

void LoadBoard::receive_loads() {
  while (const auto message = lane_->inbox.receive_if_any()) handle_load_message(*message);
}

/// Copy to loads_ the words that have changed since they were read last; the others keep this rank's own estimate (add()).
void LoadBoard::read_loads_put_here() {
  std::vector<double> words(seen_.size());
  words_->load_words(0, sizeof(double), std::as_writable_bytes(std::span<double>(words)));
  for (std::size_t w = 0; w < words.size(); ++w)
    if (words[w] != seen_[w]) (w % 2 == 0 ? loads_[w / 2].flops : loads_[w / 2].bytes) = seen_[w] = words[w];
}

void LoadBoard::handle_load_message(const comm::Message& message) {
  loads_[static_cast<std::size_t>(message.source)] = message.body.as<Load>()[0];
  ++taken_;
  finished_ += message.header.id[last_news_slot] != 0;
}

void LoadBoard::close() {
  if (by_ == NewsBy::shared_lane) announce(true);
}

void LoadBoard::finish() {
  if (by_ == NewsBy::own_lane) {
    const std::int64_t all = comm::collective::all_reduce(rank_, announced_, std::plus<>());
    while (is_reader_ && taken_ < all - announced_) handle_load_message(lane_->inbox.wait());
    lane_->outbox.drain([this] { receive_loads(); });
    lane_->inbox.close();
  }
  comm::collective::barrier(rank_);
}

}  // namespace overlapack::dist
