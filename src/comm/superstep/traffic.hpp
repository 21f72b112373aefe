#pragma once
#include "comm/loan.hpp"
#include "comm/message.hpp"

#include <cstdint>
#include <cstring>
#include <span>
#include <vector>

namespace overlapack::comm::superstep {

/// One request of a process to another in a superstep, as it stands in a message; its data follow it.
struct Record {
  enum class What : std::int64_t {
    put,  ///< `bytes` of data into `slot` from `offset` on
    /// A put whose data are at `lent.source` in the sender's memory, where the receiver reads them
    put_direct,
    get,         ///< `bytes` of `slot` from `offset` on
    get_direct,  ///< a get whose answer the receiver writes to `lent.target` in the sender's memory
    message,     ///< `bytes` of payload, then a tag of `slot` bytes
  };
  What what = What::put;
  std::int64_t slot = 0;
  std::int64_t offset = 0;
  std::int64_t bytes = 0;
  union {
    const std::byte* source = nullptr;
    std::byte* target;
  } lent = {};
  Loan* loan = nullptr;  ///< for lent memory that nothing keeps alive for the copying process; else null

  bool is_get() const { return what == What::get || what == What::get_direct; }
};

/// Words that a get costs in addition to its values: offset and size.
inline constexpr std::int64_t request_words = 2;

inline void copy_bytes(const std::byte* from, std::span<std::byte> to) {
  if (!to.empty()) std::memmove(to.data(), from, to.size());
}

/// All records from one process to another in a superstep, sent as one message.
class Traffic {
 public:
  /// Add a record; its data are copied now.
  void add(const Record& record, std::span<const std::byte> data = {}, std::span<const std::byte> tag = {});
  /// Add a record; its data are copied in take().
  void add_later(const Record& record, std::span<const std::byte> data, std::span<const std::byte> tag = {});
  /// Add a put_direct or get_direct; the message keeps `memory` alive.
  void lend(const Record& record, Body memory);
  /// For records with a loan: copy the source of a put_direct, and turn a get_direct into a get. Returns the bytes copied.
  std::size_t end_loans();
  /// Add a record of phantom data; only the data count towards the message's size.
  void add_phantom(std::size_t bytes);

  bool empty() const { return records_ == 0; }
  std::int64_t records() const { return records_; }
  /// The message; afterwards this is empty.
  Body take();

 private:
  struct Later {
    std::size_t at;
    std::span<const std::byte> data;
  };
  void append(std::span<const std::byte> bytes);

  std::vector<std::byte> bytes_;
  std::vector<Later> later_;
  std::vector<Body> lent_;
  std::vector<std::size_t> loans_;  ///< offsets of the records with a loan
  std::size_t phantom_bytes_ = 0;
  std::int64_t records_ = 0;
};

/// Bytes rounded up to 8: each record, its data and its tag begin at a multiple of 8 bytes in a message.
constexpr std::size_t padded(std::size_t bytes) { return (bytes + 7) / 8 * 8; }
/// Number of words of 8 bytes, the unit of BSP costs.
constexpr std::int64_t words_of(std::size_t bytes) { return static_cast<std::int64_t>((bytes + 7) / 8); }

/// Call visit(record, its data) for each record of a message, in the order of the sender's calls. A phantom message has no records.
template <class Visit>
void for_each_record(const Body& body, Visit&& visit) {
  if (body.is_phantom()) return;
  for (std::size_t at = 0; at < body.size();) {
    const Record& record = *reinterpret_cast<const Record*>(body.data() + at);
    at += sizeof record;
    const std::byte* const data = body.data() + at;
    if (record.what == Record::What::put || record.what == Record::What::message)
      at += padded(static_cast<std::size_t>(record.bytes));
    if (record.what == Record::What::message) at += padded(static_cast<std::size_t>(record.slot));
    visit(record, data);
  }
}

}  // namespace overlapack::comm::superstep
