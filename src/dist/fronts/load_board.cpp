#include "dist/fronts/load_board.hpp"

#include "comm/collective/collective.hpp"

#include <cmath>
#include <utility>

namespace overlapack::dist {

namespace {
enum LoadKind : std::int32_t { news = 1, last_news };
}

LoadBoard::LoadBoard(comm::Rank& rank, std::vector<double> loads, double threshold)
    : rank_(rank),
      inbox_(rank, comm::Lane::load, {.posted = 2}),
      outbox_(rank, comm::Lane::load, {.inbox = &inbox_}),
      loads_(std::move(loads)),
      threshold_(threshold) {}

void LoadBoard::add_mine(double flops) {
  loads_[static_cast<std::size_t>(rank_.rank())] += flops;
  untold_ += flops;
  if (threshold_ < 0 || std::abs(untold_) <= threshold_) return;
  tell(news);
  news_sent_ += rank_.size() - 1;
}

void LoadBoard::tell(std::int32_t kind) {
  const double mine = loads_[static_cast<std::size_t>(rank_.rank())];
  for (int to = 0; to < rank_.size(); ++to)
    if (to != rank_.rank())
      outbox_.send(to, {.kind = kind}, comm::Body::copy_of(std::span<const double>(&mine, 1)), [this] { take_news(); });
  untold_ = 0;
}

std::span<const double> LoadBoard::loads() {
  take_news();
  return loads_;
}

void LoadBoard::take_news() {
  while (const auto message = inbox_.try_receive()) take(*message);
}

void LoadBoard::take(const comm::Message& message) {
  loads_[static_cast<std::size_t>(message.source)] = message.body.as<double>()[0];
  finished_ += message.header.kind == last_news;
}

void LoadBoard::finish() {
  tell(last_news);
  outbox_.drain([this] { take_news(); });
  while (finished_ < rank_.size() - 1) take(inbox_.wait());
  inbox_.close();
  comm::collective::barrier(rank_);
}

}  // namespace overlapack::dist
