#pragma once
#include <memory>

namespace overlapack::comm {

/// Threads that call one object, one after the other: each takes a turn for the time of its call. A thread that has the turn may take it
/// again, as a callback of the call does.
class Turns {
 public:
  Turns();
  ~Turns();
  Turns(const Turns&) = delete;
  Turns& operator=(const Turns&) = delete;

 private:
  friend class Turn;
  struct Lock;
  std::unique_ptr<Lock> lock_;
};

class Turn {
 public:
  explicit Turn(Turns& turns);
  ~Turn();
  Turn(const Turn&) = delete;
  Turn& operator=(const Turn&) = delete;

 private:
  Turns& turns_;
};

}  // namespace overlapack::comm
