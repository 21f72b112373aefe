#include "comm/superstep/registered_buffers.hpp"

#include <algorithm>
#include <functional>

namespace overlapack::comm::superstep {

RegisteredBuffers::RegisteredBuffers(World& world, std::vector<std::size_t> bytes) {
  std::ranges::sort(bytes);
  const bool has_storage = !world.rank().capabilities().is_phantom;
  for (const std::size_t size : bytes) {
    std::byte* const begin = has_storage ? memory_->zeros<std::byte>(size) : nullptr;
    const std::span<std::byte> memory(begin, size);
    positions_.push_back({{world.push_reg(memory), memory, memory_}, {}});
  }
  world.sync();
}

std::shared_ptr<const RegisteredBuffers::Buffer> RegisteredBuffers::take(std::size_t bytes) {
  const auto position = std::ranges::find_if(positions_, [bytes](const Position& p) {
    return p.buffer.memory.size() >= bytes && p.holder.expired();
  });
  if (position == positions_.end())
    throw Error(Status::bad_plan,
                "no registered buffer of " + std::to_string(bytes) + " bytes is free; register more of them");
  auto buffer = std::make_shared<const Buffer>(position->buffer);
  position->holder = buffer;
  return buffer;
}

Body RegisteredBuffers::lent(const Body& body) const {
  const std::less<const std::byte*> before;
  const auto holds = [&](const Position& position) {
    const std::span<std::byte> memory = position.buffer.memory;
    return !before(body.data(), memory.data()) && before(body.data(), memory.data() + memory.size());
  };
  if (body.data() == nullptr || std::ranges::none_of(positions_, holds)) return body;
  return {memory_, body.data(), body.size()};
}

}  // namespace overlapack::comm::superstep
