#include "sparse/multifrontal/factors/factor_file.hpp"

#include <algorithm>
#include <cstring>

namespace overlapack::sparse::multifrontal {

namespace {

constexpr std::size_t line_bytes = 64, page_bytes = 4096;
constexpr std::size_t whole_units(std::size_t bytes, std::size_t unit) {
  return (bytes + unit - 1) / unit * unit;
}
/// A rank that waits for its file polls at least as often.
constexpr double most_sleep_s = 1e-3;

}  // namespace

// ---- While the factors are made

std::byte* FactorFile::allocate(std::size_t bytes, FilePosition& position, bool is_zeroed) {
  const std::size_t need = whole_units(bytes, line_bytes);
  const bool is_alone = need >= plan_.segment_bytes;
  if (!is_alone && open_ >= 0 && segment(open_).bytes + need > open_room_) close(std::exchange(open_, -1));
  if (is_alone || open_ < 0) {
    const std::size_t room = std::max(need, plan_.segment_bytes);
    segments_.emplace_back().block = HeldBlock(ledger_, room);
    open_room_ = is_alone ? open_room_ : room;
    if (!is_alone) open_ = static_cast<std::int32_t>(segments_.size() - 1);
  }
  position.segment = is_alone ? static_cast<std::int32_t>(segments_.size() - 1) : open_;
  Segment& its = segment(position.segment);
  position.offset = its.bytes;
  its.bytes += need;
  ++its.unfinished;
  if (is_zeroed) std::memset(at(position), 0, need);
  return at(position);
}

void FactorFile::finish(const FilePosition& position) {
  Segment& its = segment(position.segment);
  if (--its.unfinished == 0 && position.segment != open_) finished_.push_back(position.segment);
}

/// Nothing is added to this segment any more.
void FactorFile::close(std::int32_t s) {
  if (segment(s).unfinished == 0) finished_.push_back(s);
}

void FactorFile::write_finished(comm::Rank& rank) {
  if (finished_.empty()) return;
  collect(rank);
  for (const std::int32_t s : std::exchange(finished_, {})) {
    Segment& its = segment(s);
    const auto has_room = [&] {
      return under_way_bytes_ == 0 || under_way_bytes_ + its.bytes <= plan_.budget_bytes;
    };
    if (!has_room()) {
      ++times_full_;
      wait(rank, "write", has_room);
    }
    its.offset = end_;
    end_ += whole_units(its.bytes, page_bytes);
    under_way_bytes_ += its.bytes;
    under_way_.push_back({file_.start_write(its.offset, its.block.as<std::byte>(), its.bytes), s});
  }
}

void FactorFile::write_all(comm::Rank& rank) {
  if (open_ >= 0) close(std::exchange(open_, -1));
  write_finished(rank);
  wait(rank, "write", [this] { return under_way_.empty(); });
  stop_thread();
}

void FactorFile::clear() {
  file_.stop_thread();
  file_.collect();
  under_way_.clear();
  segments_.clear();
  finished_.clear();
  order_.clear();
  last_use_.clear();
  pinned_.clear();
  held_.clear();
  open_ = -1;
  under_way_bytes_ = held_bytes_ = 0;
  end_ = 0;
  written_bytes_ = read_bytes_ = wait_s_ = 0;
  times_full_ = segments_ahead_ = 0;
}

// ---- Both

void FactorFile::collect(comm::Rank& rank) {
  std::shared_ptr<comm::Transfer> failed;
  for (const auto& transfer : file_.collect()) {
    const UnderWay of = std::move(under_way_.front());  // the file ends them in the order of their starts
    under_way_.pop_front();
    const double since_s = rank.now() - file_.now();
    rank.note({.begin_s = since_s + transfer->begin_s,
               .end_s = since_s + transfer->end_s,
               .what = trace::What::disk,
               .kind = transfer->is_read ? "read" : "write",
               .bytes = transfer->bytes});
    ended(of);
    if (transfer->error != 0 && !failed) failed = transfer;
  }
  if (failed) throw disk_error(file_, *failed);
}

void FactorFile::ended(const UnderWay& of) {
  Segment& its = segment(of.segment);
  const bool is_read = of.transfer->is_read, is_good = of.transfer->error == 0;
  if (!is_read) under_way_bytes_ -= its.bytes;
  if (is_good) (is_read ? read_bytes_ : written_bytes_) += static_cast<double>(its.bytes);
  its.is_here = is_read && is_good;
  if (its.is_here) return;
  its.block.give_back();
  if (std::erase(held_, of.segment) > 0) held_bytes_ -= its.bytes;
}

void FactorFile::wait(comm::Rank& rank, std::string_view kind, comm::FunctionRef<bool()> is_over) {
  collect(rank);
  if (is_over()) return;
  const double begin_s = rank.now();
  while (!is_over()) {
    file_.wait(most_sleep_s);
    rank.poll();
    collect(rank);
  }
  const double end_s = rank.now();
  wait_s_ += end_s - begin_s;
  rank.note({.begin_s = begin_s, .end_s = end_s, .what = trace::What::wait, .kind = kind});
}

// ---- Afterwards

void FactorFile::set_read_order(std::vector<std::int32_t> order) {
  order_ = std::move(order);
  position_ = 0;
  last_use_.assign(segments_.size(), -1);
  for (std::size_t i = 0; i < order_.size(); ++i)
    last_use_[static_cast<std::size_t>(order_[i])] = static_cast<std::int32_t>(i);
}

void FactorFile::read_segments(comm::Rank& rank, std::span<const std::int32_t> needed) {
  collect(rank);
  pinned_.assign(needed.begin(), needed.end());
  if (needed.empty()) return;
  const auto next =
      std::find(order_.begin() + static_cast<std::ptrdiff_t>(position_), order_.end(), needed.front());
  if (next != order_.end()) position_ = static_cast<std::size_t>(next - order_.begin());
  for (const std::int32_t s : pinned_) {
    if (std::ranges::find(held_, s) != held_.end()) continue;
    make_room(segment(s).bytes, true);
    start_read(s);
  }
  read_ahead();
  wait(rank, "read", [this] {
    return std::ranges::all_of(pinned_, [this](std::int32_t s) { return segment(s).is_here; });
  });
}

bool FactorFile::is_pinned(std::int32_t s) const { return std::ranges::find(pinned_, s) != pinned_.end(); }

/// Is this segment not needed again, as far as the read order says?
bool FactorFile::is_passed(std::int32_t s) const {
  return last_use_.empty() || last_use_[static_cast<std::size_t>(s)] < static_cast<std::int32_t>(position_);
}

/// Gives up segments in memory until `bytes` more fit into the window: those that are passed, and with
/// for_now also others, first those that are needed last. Returns whether the bytes fit; the caller reads
/// what is needed now in any case.
bool FactorFile::make_room(std::size_t bytes, bool for_now) {
  const auto use_of = [this](std::int32_t s) {
    return is_passed(s) ? std::numeric_limits<std::int32_t>::max() : last_use_[static_cast<std::size_t>(s)];
  };
  while (held_bytes_ + bytes > plan_.window_bytes) {
    auto victim = held_.end();
    for (auto h = held_.begin(); h != held_.end(); ++h)
      if (segment(*h).is_here && !is_pinned(*h) && (for_now || is_passed(*h)) &&
          (victim == held_.end() || use_of(*h) > use_of(*victim)))
        victim = h;
    if (victim == held_.end()) return false;
    Segment& its = segment(*victim);
    held_bytes_ -= its.bytes;
    its.is_here = false;
    its.block.give_back();
    held_.erase(victim);
  }
  return true;
}

void FactorFile::start_read(std::int32_t s) {
  Segment& its = segment(s);
  its.block = HeldBlock(ledger_, std::max<std::size_t>(its.bytes, 1));
  held_.push_back(s);
  held_bytes_ += its.bytes;
  under_way_.push_back({file_.start_read(its.offset, its.block.as<std::byte>(), its.bytes), s});
}

void FactorFile::read_ahead() {
  for (std::size_t i = position_; i < order_.size(); ++i) {
    const std::int32_t s = order_[i];
    if (std::ranges::find(held_, s) != held_.end()) continue;
    if (!make_room(segment(s).bytes, false)) return;
    start_read(s);
    ++segments_ahead_;
  }
}

}  // namespace overlapack::sparse::multifrontal
