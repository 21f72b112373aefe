#include "comm/superstep/traffic.hpp"

#include <algorithm>
#include <memory>
#include <utility>

namespace overlapack::comm::superstep {

void Traffic::append(std::span<const std::byte> bytes) {
  bytes_.insert(bytes_.end(), bytes.begin(), bytes.end());
  bytes_.resize(padded(bytes_.size()));
}

void Traffic::add(const Record& record, std::span<const std::byte> data, std::span<const std::byte> tag) {
  ++records_;
  append(std::as_bytes(std::span(&record, 1)));
  append(data);
  append(tag);
}

void Traffic::add_later(const Record& record, std::span<const std::byte> data,
                        std::span<const std::byte> tag) {
  add(record);
  later_.push_back({bytes_.size(), data});
  bytes_.resize(bytes_.size() + padded(data.size()));
  append(tag);
}

void Traffic::lend(const Record& record, Body memory) {
  if (record.loan) loans_.push_back(bytes_.size());
  add(record);
  lent_.push_back(std::move(memory));
}

std::size_t Traffic::end_loans() {
  std::size_t copied = 0;
  for (const std::size_t at : loans_) {
    Record& record = *reinterpret_cast<Record*>(bytes_.data() + at);
    record.loan = nullptr;
    if (record.is_get()) {
      record.what = Record::What::get;
      continue;
    }
    const std::span source(record.lent.source, static_cast<std::size_t>(record.bytes));
    lent_.push_back(Body::copy_of(source));
    record.lent.source = lent_.back().data();
    copied += source.size();
  }
  loans_.clear();
  return copied;
}

void Traffic::add_phantom(std::size_t bytes) {
  ++records_;
  phantom_bytes_ += bytes;
}

Body Traffic::take() {
  records_ = 0;
  if (bytes_.empty()) return Body::phantom(std::exchange(phantom_bytes_, 0));
  for (const Later& later : later_)
    std::ranges::copy(later.data, bytes_.begin() + static_cast<std::ptrdiff_t>(later.at));
  later_.clear();
  loans_.clear();
  if (lent_.empty()) return Body::adopt(std::exchange(bytes_, {}));
  struct Lending {
    std::vector<std::byte> bytes;
    std::vector<Body> lent;
  };
  auto owner = std::make_shared<Lending>(std::exchange(bytes_, {}), std::exchange(lent_, {}));
  const std::span<const std::byte> bytes(owner->bytes);
  return {std::move(owner), bytes.data(), bytes.size()};
}

}  // namespace overlapack::comm::superstep
