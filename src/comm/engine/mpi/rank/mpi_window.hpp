#pragma once
#include "comm/engine/mpi/rank/mpi_rank.hpp"

namespace overlapack::comm::mpi {

/// Window on MPI's one-sided calls. Its MPI windows are freed at the end of the run.
class MpiWindow final : public Window {
 public:
  MpiWindow(MpiRank& rank, std::shared_ptr<Endpoint> endpoint, std::shared_ptr<WindowPair> pair);
  /// If the window is on attached memory and the run was aborted, waits until no rank accesses that memory any more.
  ~MpiWindow() override;

  std::span<std::byte> local() override;
  std::size_t size_at(int target) const override;
  void put(int target, std::size_t offset, std::span<const std::byte> from) override;
  void get(int target, std::size_t offset, std::span<std::byte> to) override;
  void put_strided(int target, std::size_t offset, std::size_t block_bytes, std::size_t stride_bytes,
                   std::size_t blocks, const std::byte* from) override;
  void get_strided(int target, std::size_t offset, std::size_t block_bytes, std::size_t stride_bytes,
                   std::size_t blocks, std::byte* to) override;
  void flush(int target) override;
  void signal(int target) override;
  void put_signal(int target, std::size_t offset, std::span<const std::byte> from) override;
  Request expect_signals(int from, std::int64_t count) override;
  void put_flag(int target, std::size_t offset, std::span<const std::byte> from, std::size_t flag,
                std::int64_t value) override;
  std::int64_t flag(std::size_t at) override;
  Request expect_flag(std::size_t at, std::int64_t value) override;
  void store_words(int target, std::size_t offset, std::size_t word_bytes,
                   std::span<const std::byte> from) override;
  void load_words(std::size_t offset, std::size_t word_bytes, std::span<std::byte> to) override;
  std::byte* direct(int target) override;

 private:
  OverlapackStrides strides(int target, std::size_t offset, std::size_t block_bytes, std::size_t stride_bytes,
                            std::size_t blocks) const;
  /// Whether the target is this rank: its memory is accessed without MPI.
  bool is_own_rank(int target) const { return target == rank_.rank(); }
  void complete_data(int target);
  /// Complete the words stored at the target, if some are under way.
  void complete_words(int target);
  std::byte* reachable_memory(int target) const;
  std::int64_t* my_word(std::size_t at) const;
  void mark_attached_unused();

  MpiRank& rank_;
  Engine& engine_;
  std::shared_ptr<Endpoint> endpoint_;
  std::shared_ptr<WindowPair> pair_;
};

}  // namespace overlapack::comm::mpi
