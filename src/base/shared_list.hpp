#pragma once
#include <algorithm>
#include <cstddef>
#include <initializer_list>
#include <iterator>
#include <memory>
#include <span>
#include <utility>
#include <vector>

namespace overlapack {

/// Immutable list whose copies share one memory: the ranks of a process store data that all of them need only once.
template <class T>
class SharedList {
 public:
  using value_type = T;

  SharedList() = default;
  SharedList(std::initializer_list<T> values) : SharedList(std::vector<T>(values)) {}
  SharedList(std::vector<T> values) {
    const auto list = std::make_shared<const std::vector<T>>(std::move(values));
    values_ = *list;
    owner_ = list;
  }
  template <std::input_iterator Iterator>
  SharedList(Iterator first, Iterator last) : SharedList(std::vector<T>(first, last)) {}
  /// A list of `values`, which `owner` keeps alive.
  SharedList(std::shared_ptr<const void> owner, std::span<const T> values)
      : owner_(std::move(owner)), values_(values) {}

  const std::shared_ptr<const void>& owner() const { return owner_; }
  const T* data() const { return values_.data(); }
  std::size_t size() const { return values_.size(); }
  bool empty() const { return values_.empty(); }
  auto begin() const { return values_.begin(); }
  auto end() const { return values_.end(); }
  const T& operator[](std::size_t i) const { return values_[i]; }
  const T& front() const { return values_.front(); }
  const T& back() const { return values_.back(); }
  bool operator==(const SharedList& other) const { return std::ranges::equal(values_, other.values_); }

 private:
  std::shared_ptr<const void> owner_;
  std::span<const T> values_;
};

}  // namespace overlapack
