#include "dist/rows/gather.hpp"

namespace overlapack::dist {
namespace {

class Direct final : public Gather {
 public:
  Direct(int owner, GatherGroup group)
      : owner_(owner), group_(std::move(group)), pieces_(group_.bytes.size()) {
    if (group_.group.me != owner_) return;
    for (int from = 0; from < group_.group.size(); ++from)
      if (from != owner_ && group_.bytes[static_cast<std::size_t>(from)] > 0) expect(from);
  }

  void start(comm::Body mine) override {
    const auto me = static_cast<std::size_t>(group_.group.me);
    pieces_[me] = mine;
    is_started_ = true;
    if (group_.group.me != owner_ && !mine.empty())
      group_.exchange->send(rank(owner_), group_.key, std::move(mine));
  }
  bool is_done() const override { return is_started_ && missing_ == 0; }
  comm::Body piece(int of) const override { return pieces_[static_cast<std::size_t>(of)]; }

 private:
  int rank(int place) const { return group_.group.ranks[static_cast<std::size_t>(place)]; }

  void expect(int from) {
    ++missing_;
    group_.exchange->when_arrived(rank(from), group_.key, [this, from](comm::Message&& message) {
      pieces_[static_cast<std::size_t>(from)] = std::move(message.body);
      --missing_;
    });
  }

  int owner_;
  GatherGroup group_;
  std::vector<comm::Body> pieces_;
  int missing_ = 0;
  bool is_started_ = false;
};

}  // namespace

std::unique_ptr<Gather> gather_at(int owner, GatherGroup group) {
  return std::make_unique<Direct>(owner, std::move(group));
}

}  // namespace overlapack::dist
