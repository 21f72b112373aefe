#pragma once
#include "comm/rank.hpp"

namespace overlapack::comm {

/// A window that passes each access through an observer, which times or counts it. The wrappers of ranks return it from make_window
/// and attach. Accesses through the address that direct() returns, and reads of this rank's own flags, are not observed.
class ObservedWindow final : public Window {
 public:
  enum class What : std::uint8_t { put, get, store, load, flush, signal, put_signal, expect };
  static constexpr std::array<std::string_view, 8> what_names{"put",   "get",    "store",      "load",
                                                              "flush", "signal", "put_signal", "expect"};
  struct Access {
    What what;
    int peer;  ///< rank whose memory is accessed, or that will signal; -1: this rank's own memory
    std::size_t bytes = 0;
    std::string_view name() const { return what_names[static_cast<std::size_t>(what)]; }
  };
  /// The observer must call `run` exactly once; it performs the access.
  using Observer = std::function<void(const Access& access, FunctionRef<void()> run)>;

  ObservedWindow(std::unique_ptr<Window> inner, Observer observer)
      : inner_(std::move(inner)), observer_(std::move(observer)) {}

  std::span<std::byte> local() override { return inner_->local(); }
  std::size_t size_at(int target) const override { return inner_->size_at(target); }
  std::byte* direct(int target) override { return inner_->direct(target); }

  void put(int target, std::size_t offset, std::span<const std::byte> from) override {
    observer_({What::put, target, from.size()}, [&] { inner_->put(target, offset, from); });
  }
  void get(int target, std::size_t offset, std::span<std::byte> to) override {
    observer_({What::get, target, to.size()}, [&] { inner_->get(target, offset, to); });
  }
  void put_strided(int target, std::size_t offset, std::size_t block_bytes, std::size_t stride_bytes,
                   std::size_t blocks, const std::byte* from) override {
    observer_({What::put, target, blocks * block_bytes},
              [&] { inner_->put_strided(target, offset, block_bytes, stride_bytes, blocks, from); });
  }
  void get_strided(int target, std::size_t offset, std::size_t block_bytes, std::size_t stride_bytes,
                   std::size_t blocks, std::byte* to) override {
    observer_({What::get, target, blocks * block_bytes},
              [&] { inner_->get_strided(target, offset, block_bytes, stride_bytes, blocks, to); });
  }
  void flush(int target) override {
    observer_({What::flush, target}, [&] { inner_->flush(target); });
  }
  void signal(int target) override {
    observer_({What::signal, target}, [&] { inner_->signal(target); });
  }
  void put_signal(int target, std::size_t offset, std::span<const std::byte> from) override {
    observer_({What::put_signal, target, from.size()}, [&] { inner_->put_signal(target, offset, from); });
  }
  Request expect_signals(int from, std::int64_t count) override {
    Request request;
    observer_({What::expect, from}, [&] { request = inner_->expect_signals(from, count); });
    return request;
  }
  void put_flag(int target, std::size_t offset, std::span<const std::byte> from, std::size_t flag,
                std::int64_t value) override {
    observer_({What::put_signal, target, from.size()},
              [&] { inner_->put_flag(target, offset, from, flag, value); });
  }
  std::int64_t flag(std::size_t at) override { return inner_->flag(at); }
  Request expect_flag(std::size_t at, std::int64_t value) override {
    Request request;
    observer_({What::expect, -1}, [&] { request = inner_->expect_flag(at, value); });
    return request;
  }
  void store_words(int target, std::size_t offset, std::size_t word_bytes,
                   std::span<const std::byte> from) override {
    observer_({What::store, target, from.size()},
              [&] { inner_->store_words(target, offset, word_bytes, from); });
  }
  void load_words(std::size_t offset, std::size_t word_bytes, std::span<std::byte> to) override {
    observer_({What::load, -1, to.size()}, [&] { inner_->load_words(offset, word_bytes, to); });
  }

 private:
  std::unique_ptr<Window> inner_;
  Observer observer_;
};

}  // namespace overlapack::comm
