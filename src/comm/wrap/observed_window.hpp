#pragma once
#include "comm/rank.hpp"

namespace overlapack::comm {

/// A window that calls an observer before it forwards each access: returned by wrappers from make_window and attach.
class ObservedWindow final : public Window {
 public:
  enum class Access : std::uint8_t {
    put,
    get,
    store,
    load,
    flush,
    signal,
    put_signal,
    expect,
  };
  using Observer = std::function<void(Access access, std::size_t bytes)>;

  ObservedWindow(std::unique_ptr<Window> inner, Observer observer)
      : inner_(std::move(inner)), observer_(std::move(observer)) {}

  std::span<std::byte> local() override { return inner_->local(); }
  std::size_t size_at(int target) const override { return inner_->size_at(target); }
  std::byte* direct(int target) override { return inner_->direct(target); }

  void put(int target, std::size_t offset, std::span<const std::byte> from) override {
    observer_(Access::put, from.size());
    inner_->put(target, offset, from);
  }
  void get(int target, std::size_t offset, std::span<std::byte> to) override {
    observer_(Access::get, to.size());
    inner_->get(target, offset, to);
  }
  void put_strided(int target, std::size_t offset, std::size_t block_bytes, std::size_t stride_bytes,
                   std::size_t blocks, const std::byte* from) override {
    observer_(Access::put, blocks * block_bytes);
    inner_->put_strided(target, offset, block_bytes, stride_bytes, blocks, from);
  }
  void get_strided(int target, std::size_t offset, std::size_t block_bytes, std::size_t stride_bytes,
                   std::size_t blocks, std::byte* to) override {
    observer_(Access::get, blocks * block_bytes);
    inner_->get_strided(target, offset, block_bytes, stride_bytes, blocks, to);
  }
  void flush(int target) override {
    observer_(Access::flush, 0);
    inner_->flush(target);
  }
  void signal(int target) override {
    observer_(Access::signal, 0);
    inner_->signal(target);
  }
  void put_signal(int target, std::size_t offset, std::span<const std::byte> from) override {
    observer_(Access::put_signal, from.size());
    inner_->put_signal(target, offset, from);
  }
  Request expect_signals(int from, std::int64_t count) override {
    observer_(Access::expect, 0);
    return inner_->expect_signals(from, count);
  }
  void put_flag(int target, std::size_t offset, std::span<const std::byte> from, std::size_t flag,
                std::int64_t value) override {
    observer_(Access::put_signal, from.size());
    inner_->put_flag(target, offset, from, flag, value);
  }
  std::int64_t flag(std::size_t at) override { return inner_->flag(at); }
  Request expect_flag(std::size_t at, std::int64_t value) override {
    observer_(Access::expect, 0);
    return inner_->expect_flag(at, value);
  }
  void store_words(int target, std::size_t offset, std::size_t word_bytes,
                   std::span<const std::byte> from) override {
    observer_(Access::store, from.size());
    inner_->store_words(target, offset, word_bytes, from);
  }
  void load_words(std::size_t offset, std::size_t word_bytes, std::span<std::byte> to) override {
    observer_(Access::load, to.size());
    inner_->load_words(offset, word_bytes, to);
  }

 private:
  std::unique_ptr<Window> inner_;
  Observer observer_;
};

}  // namespace overlapack::comm
