#pragma once
#include "comm/channel/channel.hpp"
#include "overlapack/channels.hpp"

#include <functional>
#include <memory>
#include <optional>
#include <vector>

namespace overlapack::channels {

/// Of the ends of both.
Counts sum_of_counts(const Counts& a, const Counts& b);

/// What one rank has in a program: its ends of channels, by number, and whether a detector is at work. Names of channels and
/// detectors may outlive the program: then they say so.
struct Channel::Owner : std::enable_shared_from_this<Channel::Owner> {
  Owner(comm::Rank& rank, const Options& options) : rank(rank), options(options) {}
  Owner(const Owner&) = delete;
  Owner& operator=(const Owner&) = delete;

  comm::Rank& rank;
  const Options& options;

  /// Returns its number.
  int start(int peer, const ChannelOptions& channel_options, std::span<const std::byte> initial);
  void finish(int number);
  /// An end that is in use.
  /// Errors  BadInput for another one
  comm::Channel& require_usable_channel(int number);
  void destroy(int number);
  void start_destroy(int number);
  void count_skipped(int number) { ++ends_[static_cast<std::size_t>(number)].skipped; }
  Counts counts(int number) const;
  void make_racy_room(std::size_t bytes);

  /// No channel is open, and the lane of channels is free for others, until this rank creates one.  Collective
  /// Errors  BadInput, and names `for_what`, where there is a channel or a detector
  void release_lane(std::string_view for_what);
  /// The lane of channels is mine again, with the room for racy messages that I had.  Collective
  void reclaim_lane();
  /// A detector begins, which uses the lane of collectives until it is over; `leave` is called at the end of the program, unless it
  /// was gone before.
  /// Errors  BadInput, as release_lane
  void begin_detector(std::function<void()> leave);
  void end_detector(bool was_over);

  /// The end of the program, in order: returns the counts of this rank.  Collective
  Counts end();
  /// The end of the program, in order or not.
  void drop_channels() noexcept;

 private:
  enum class State : std::uint8_t { started, open, ending, destroyed };
  struct Held {
    comm::Channel channel;
    int peer = 0;
    State state = State::started;
    std::int64_t skipped = 0;
    comm::ChannelCounts last = {};  ///< once it is destroyed
  };
  comm::Channels& all_channels();
  Held& require_end(int number);
  void require_no_detector(std::string_view for_what) const;
  bool has_racy() const;

  std::vector<Held> ends_;
  std::optional<comm::Channels> channels_;  ///< from the first use of the lane on
  bool is_over_ = false;
  std::optional<std::size_t> racy_room_;  ///< as it was made last
  bool has_detector_ = false;
  std::function<void()> leave_detector_;
  bool was_detector_left_ = false;  ///< before it was over: its sums are under way
};

}  // namespace overlapack::channels
