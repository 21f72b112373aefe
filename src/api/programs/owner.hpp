#pragma once
#include "comm/channel/channel.hpp"
#include "overlapack/channels.hpp"

#include <functional>
#include <memory>
#include <optional>
#include <vector>

namespace overlapack::channels {

/// The counts of the ends in a and in b together.
Counts sum_of_counts(const Counts& a, const Counts& b);

/// The state of one rank in a program: its ends of channels, by number, and whether it has a detector. Channel objects and detectors share
/// it, and may outlive the program. A call on them then is an error.
struct Channel::Owner : std::enable_shared_from_this<Channel::Owner> {
  Owner(comm::Rank& rank, const Options& options) : rank(rank), options(options) {}
  Owner(const Owner&) = delete;
  Owner& operator=(const Owner&) = delete;

  comm::Rank& rank;
  const Options& options;

  /// Begin to create an end of a channel; returns its number.
  int start(int peer, const ChannelOptions& channel_options, std::span<const std::byte> initial);
  void finish(int number);
  /// The end with this number, if it is in use.
  /// Errors  BadInput if it is not
  comm::Channel& require_usable_channel(int number);
  void destroy(int number);
  void start_destroy(int number);
  void count_skipped(int number) { ++ends_[static_cast<std::size_t>(number)].skipped; }
  Counts counts(int number) const;
  void make_racy_room(std::size_t bytes);

  /// Free the lane of channels for other uses, until this rank creates a channel. No channel may be open.  Collective
  /// Errors  BadInput, naming `for_what`, if there is a channel or a detector
  void release_lane(std::string_view for_what);
  /// Take the lane of channels again, with the room for racy messages that this rank had.  Collective
  void reclaim_lane();
  /// Begin a detector, which uses the lane of collectives until its iteration is over. `leave` is called at the end of the program, unless
  /// the detector is gone by then.
  /// Errors  BadInput, as release_lane
  void begin_detector(std::function<void()> leave);
  void end_detector(bool was_over);

  /// End the program after it returned normally; returns the counts of this rank.  Collective
  Counts end();
  /// Drop all channels at the end of the program, also after an error.
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
