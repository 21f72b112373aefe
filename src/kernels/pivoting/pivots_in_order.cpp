#include "base/instantiate.hpp"
#include "kernels/pivoting/panel_steps.hpp"

#include <numeric>

namespace overlapack::kernels {

namespace {

template <class T>
class PivotsInOrder final : public PanelSteps<T> {
 public:
  PivotsInOrder(Index rows, Index cols, bool is_lower) : rows_(rows), cols_(cols), is_lower_(is_lower) {}

  Index eliminate_next(Index width) override {
    exchanged_.resize(static_cast<std::size_t>(std::min(width, cols_ - this->eliminated_)));
    std::iota(exchanged_.begin(), exchanged_.end(), static_cast<std::int32_t>(this->eliminated_));
    const auto gained = static_cast<Index>(exchanged_.size());
    this->eliminated_ += gained;
    return gained;
  }
  std::vector<Tile> tiles_to_update(double flops) const override {
    const Index rows = rows_ - this->eliminated_, cols = cols_ - this->eliminated_;
    const Index edge = tile_edge<T>(flops, static_cast<Index>(exchanged_.size()));
    return is_lower_ ? lower_tiles(rows, cols, edge) : full_tiles(rows, cols, edge);
  }
  void update(const Tile&) override {}
  std::span<const std::int32_t> exchanged() const override { return exchanged_; }

 private:
  Index rows_, cols_;
  bool is_lower_;
  std::vector<std::int32_t> exchanged_;  ///< pivot i is row i: no exchanges
};

}  // namespace

template <class T>
std::unique_ptr<PanelSteps<T>> pivots_in_order(Index rows, Index cols, bool is_lower) {
  return std::make_unique<PivotsInOrder<T>>(rows, cols, is_lower);
}

#define OVERLAPACK_INSTANTIATE(T) \
  template std::unique_ptr<PanelSteps<T>> pivots_in_order<T>(Index, Index, bool);
OVERLAPACK_FOR_EACH_SCALAR(OVERLAPACK_INSTANTIATE)
#undef OVERLAPACK_INSTANTIATE

}  // namespace overlapack::kernels
