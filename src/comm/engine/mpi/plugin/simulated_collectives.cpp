#include "comm/engine/mpi/plugin/calls.hpp"
#include "comm/engine/mpi/plugin/state.hpp"

#include <algorithm>
#include <memory>
#include <utility>
#include <vector>

namespace overlapack::comm::mpi::plugin {

// Testany does not see SMPI's own non-blocking collectives, and Waitany completes nothing else before them: an abort could not
// wake a rank that waits in a collective. Here they are messages up a tree to rank 0 and back. They are used to open and close
// teams and to end runs; the collectives of algorithms are in comm/collective.

namespace {

template <class Call>
int start_part(OverlapackRequest whole, Call call) {
  OverlapackRequest part = -1;
  const auto begin = [&](MPI_Request* request) {
    state().whole_of[part] = whole;
    ++state().parts_left[whole];
    return call(request);
  };
  return start(&part, begin, true);
}

int start_part_send(OverlapackRequest whole, OverlapackComm comm, const void* data, std::int64_t bytes,
                    int to, int tag) {
  return start_part(whole, [&](MPI_Request* request) {
    return MPI_Isend(data, static_cast<int>(bytes), MPI_BYTE, to, tag, state().comms[comm], request);
  });
}

int start_part_receive(OverlapackRequest whole, OverlapackComm comm, void* position, std::int64_t bytes,
                       int from, int tag) {
  return start_part(whole, [&](MPI_Request* request) {
    return MPI_Irecv(position, static_cast<int>(bytes), MPI_BYTE, from, tag, state().comms[comm], request);
  });
}

/// A tag for the next collective, counted down from the largest tag, which no other message uses. All ranks call the collectives of
/// a communicator in the same order, so its number identifies it.
int next_tag(OverlapackComm comm) {
  constexpr int most_under_way = 1024;
  int largest = 0;
  largest_tag(&largest);
  return largest - state().collectives[comm]++ % most_under_way;
}

/// A tree over ranks 0 to size - 1 in which a rank's subtree is a range of consecutive ranks that begins with it.
struct Tree {
  int rank, size;

  int parent() const { return rank & (rank - 1); }
  int below(int r) const { return r == 0 ? size : std::min(r & -r, size - r); }  ///< subtree, with r
  int below() const { return below(rank); }
  std::vector<int> children() const {
    std::vector<int> all;
    for (int step = 1; rank + step < size && (rank == 0 || step < (rank & -rank)); step *= 2)
      all.push_back(rank + step);
    return all;
  }
};

/// Gather to rank 0 up a tree and broadcast down again. All ranks share one memory: each contribution stays in place, messages
/// carry addresses, and each rank copies what it needs.
using Bytes = std::vector<char>;
using Brought = std::vector<std::unique_ptr<Bytes>>;  ///< by rank
struct ThroughRoot {
  OverlapackComm comm;
  Tree tree;
  int tag;
  std::function<void(const Brought&)> take;
  OverlapackRequest whole;

  int start(const void* from, std::int64_t bytes) const {
    const auto addresses = std::make_shared<std::vector<Bytes*>>(static_cast<std::size_t>(tree.below()));
    const auto* first = static_cast<const char*>(from);
    addresses->front() = new Bytes(first, first + bytes);  // owned by rank 0 once it has arrived there
    int code = MPI_SUCCESS;
    for (const int child : tree.children())
      if (code == MPI_SUCCESS)
        code = start_part_receive(whole, comm, addresses->data() + (child - tree.rank),
                                  tree.below(child) * bytes_of_address, child, tag);
    state().next_stage[whole] = [self = *this, addresses] {
      if (self.tree.rank > 0) return self.exchange_with_parent(addresses);
      auto brought = std::make_shared<Brought>();
      for (Bytes* one : *addresses) brought->emplace_back(one);
      return self.send_result_to_children(brought);
    };
    return code;
  }

 private:
  using Shared = std::shared_ptr<Brought>;
  static constexpr std::int64_t bytes_of_address = sizeof(void*);

  int exchange_with_parent(const std::shared_ptr<std::vector<Bytes*>>& addresses) const {
    const auto answer = std::make_shared<Shared*>();
    state().next_stage[whole] = [self = *this, addresses, answer] {
      const std::unique_ptr<Shared> mine(*answer);
      return self.send_result_to_children(*mine);
    };
    const int code = start_part_receive(whole, comm, answer.get(), bytes_of_address, tree.parent(), tag);
    return code != MPI_SUCCESS ? code
                               : start_part_send(whole, comm, addresses->data(),
                                                 tree.below() * bytes_of_address, tree.parent(), tag);
  }

  int send_result_to_children(const Shared& brought) const {
    take(*brought);
    const auto answers = std::make_shared<std::vector<Shared*>>();
    for (std::size_t i = 0; i < tree.children().size(); ++i) answers->push_back(new Shared(brought));
    state().kept_answers[whole] = answers;
    int code = MPI_SUCCESS;
    for (std::size_t i = 0; i < answers->size() && code == MPI_SUCCESS; ++i)
      code = start_part_send(whole, comm, &(*answers)[i], bytes_of_address, tree.children()[i], tag);
    return code;
  }
};

int exchange_through_root(OverlapackComm comm, const void* from, std::int64_t bytes,
                          std::function<void(const Brought&)> take, OverlapackRequest* whole) {
  int rank = 0, size = 1;
  int code = rank_and_size(comm, &rank, &size);
  new_request(whole, RequestUse::other);
  state().parts_left[*whole] = 1;  // until all parts are started
  if (code == MPI_SUCCESS)
    code = ThroughRoot{comm, {rank, size}, next_tag(comm), std::move(take), *whole}.start(from, bytes);
  finish_part(*whole);
  return code;
}

}  // namespace

int allgather(OverlapackComm comm, const void* from, std::int64_t bytes, void* to,
              OverlapackRequest* number) {
  const auto take = [=](const Brought& all) {
    auto* position = static_cast<char*>(to);
    for (const auto& one : all) position = std::copy(one->begin(), one->end(), position);
  };
  return exchange_through_root(comm, from, bytes, take, number);
}

int barrier(OverlapackComm comm, OverlapackRequest* number) {
  return allgather(comm, nullptr, 0, nullptr, number);
}

int alltoall(OverlapackComm comm, const void* from, std::int64_t bytes, void* to, OverlapackRequest* number) {
  int rank = 0, size = 1;
  const int code = rank_and_size(comm, &rank, &size);
  if (code != MPI_SUCCESS) return code;
  const auto take = [=](const Brought& all) {
    auto* position = static_cast<char*>(to);
    for (const auto& one : all) position = std::copy_n(one->begin() + rank * bytes, bytes, position);
  };
  return exchange_through_root(comm, from, size * bytes, take, number);
}

int broadcast(OverlapackComm comm, void* data, std::int64_t bytes, int root, OverlapackRequest* whole) {
  int rank = 0, size = 1;
  int code = rank_and_size(comm, &rank, &size);
  const int tag = next_tag(comm);
  new_request(whole, RequestUse::other);
  state().parts_left[*whole] = 1;  // until all parts are started
  if (code == MPI_SUCCESS && rank != root) code = start_part_receive(*whole, comm, data, bytes, root, tag);
  for (int r = 0; rank == root && r < size && code == MPI_SUCCESS; ++r)
    if (r != root) code = start_part_send(*whole, comm, data, bytes, r, tag);
  finish_part(*whole);
  return code;
}

}  // namespace overlapack::comm::mpi::plugin
