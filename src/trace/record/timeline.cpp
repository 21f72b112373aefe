#include "overlapack/error.hpp"
#include "trace/record/recorder.hpp"

#include <algorithm>
#include <cstring>
#include <type_traits>

namespace overlapack::trace {
namespace {

template <class T>
void pack_value(std::vector<std::byte>& out, const T& value) {
  static_assert(std::is_trivially_copyable_v<T>);
  const auto* p = reinterpret_cast<const std::byte*>(&value);
  out.insert(out.end(), p, p + sizeof(T));
}

/// Reads back, in order, what pack_value() appended.
class ByteReader {
 public:
  explicit ByteReader(std::span<const std::byte> bytes) : left_(bytes) {}

  template <class T>
  T get() {
    T value;
    std::memcpy(&value, take_bytes(sizeof(T)).data(), sizeof(T));
    return value;
  }
  std::string_view get_name() {
    const auto length = get<std::size_t>();
    return {reinterpret_cast<const char*>(take_bytes(length).data()), length};
  }

 private:
  std::span<const std::byte> take_bytes(std::size_t count) {
    if (count > left_.size())
      throw Error(Status::internal, "a rank sent a damaged trace; report this as a defect");
    const auto front = left_.first(count);
    left_ = left_.subspan(count);
    return front;
  }
  std::span<const std::byte> left_;
};

bool comes_before(const Event& a, const Event& b) {
  return a.rank != b.rank ? a.rank < b.rank : a.begin_s < b.begin_s;
}

/// Write a list of structures whose member `kind` is text; unpack_named_values() reads it back.
template <class V>
void pack_named_values(std::vector<std::byte>& out, const std::vector<V>& values) {
  pack_value(out, values.size());
  for (V bare : values) {
    pack_value(out, bare.kind.size());
    for (char c : bare.kind) out.push_back(static_cast<std::byte>(c));
    bare.kind = {};
    pack_value(out, bare);
  }
}
template <class V>
std::vector<V> unpack_named_values(ByteReader& in) {
  const auto count = in.get<std::size_t>();
  std::vector<V> values;
  for (std::size_t i = 0; i < count; ++i) {
    const std::string_view kind = in.get_name();
    values.push_back(in.get<V>());
    values.back().kind = kind;
  }
  return values;
}

}  // namespace

std::vector<std::byte> packed(const Recorder& recorder) {
  std::vector<std::byte> out;
  pack_value(out, recorder.totals());
  pack_named_values(out, recorder.events());
  pack_named_values(out, recorder.kinds());
  return out;
}

void Timeline::add(const Recorder& recorder) { take(recorder.totals(), recorder.events(), recorder.kinds()); }

void Timeline::add(std::span<const std::byte> bytes) {
  ByteReader in(bytes);
  const auto totals = in.get<Totals>();
  auto events = unpack_named_values<Event>(in);
  take(totals, std::move(events), unpack_named_values<KindTotals>(in));
}

void Timeline::take(const Totals& totals, std::vector<Event> events, std::vector<KindTotals> kinds) {
  for (Event& e : events) e.kind = own(e.kind);
  for (KindTotals& k : kinds) k.kind = own(k.kind);
  std::stable_sort(events.begin(), events.end(), comes_before);
  const auto at = std::upper_bound(events_.begin(), events_.end(), totals.rank,
                                   [](int rank, const Event& e) { return rank < e.rank; });
  events_.insert(at, events.begin(), events.end());
  const auto position = std::upper_bound(totals_.begin(), totals_.end(), totals.rank,
                                         [](int rank, const Totals& t) { return rank < t.rank; });
  kinds_.insert(kinds_.begin() + (position - totals_.begin()), std::move(kinds));
  totals_.insert(position, totals);
}

double Timeline::begin_s() const {
  double first = 0;
  bool found = false;
  for (const Totals& t : totals_) {
    if (t.events == 0) continue;
    first = found ? std::min(first, t.first_s) : t.first_s;
    found = true;
  }
  return first;
}

double Timeline::end_s() const {
  double last = begin_s();
  for (const Totals& t : totals_)
    if (t.events > 0) last = std::max(last, t.last_s);
  return last;
}

}  // namespace overlapack::trace
