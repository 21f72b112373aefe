#include "comm/engine/mpi/watch.hpp"

#include "comm/engine/mpi/text_field.hpp"

#include <memory>

namespace overlapack::comm::mpi {

namespace {

constexpr int watch_tag = 1;  // 0 is the alarm's

}  // namespace

Watch::Watch(const Library& library, Transfers& transfers, OverlapackComm comm, int rank, int size,
             double silence_s)
    : library_(library),
      transfers_(transfers),
      comm_(comm),
      rank_(rank),
      silence_s_(silence_s),
      sent_(static_cast<std::size_t>(size)),
      told_(rank == 0 && silence_s > 0 ? static_cast<std::size_t>(size) : 0) {
  report_.reserve(sizeof Note::text);  // to hear takes no memory
  if (silence_s_ > 0) post();
}

void Watch::post() {
  request_ = transfers_.start(
      "MPI_Irecv",
      [this](const OverlapackCompletion& done) {
        request_ = -1;
        ++ended_;
        if (done.cancelled) return;
        ++received_;
        hear(done.source);
        post();
      },
      [this](OverlapackRequest* request) {
        return library_.table().receive(comm_, &incoming_, sizeof incoming_, any_rank, watch_tag, request);
      });
}

void Watch::hear(int source) {
  if (incoming_.what != What::sentence)
    told_[static_cast<std::size_t>(source)] = incoming_;
  else
    sentence_ = incoming_, report_ = incoming_.text;
}

void Watch::send(int to, const Note& note) {
  const auto kept = std::make_shared<const Note>(note);
  transfers_.start(
      "MPI_Isend", [this, kept](const OverlapackCompletion&) { ++ended_; },
      [&](OverlapackRequest* request) {
        return library_.table().send(comm_, kept.get(), sizeof *kept, nullptr, 0, to, watch_tag, 0, request);
      });
  ++sent_[static_cast<std::size_t>(to)];
}

void Watch::tell(const std::string& waits_for) {
  Note note{.run = run_, .silence = ++silence_, .what = waits_for.empty() ? What::has_finished : What::waits};
  copy_text(note.text, waits_for);
  if (rank_ == 0)
    told_[0] = note;
  else
    send(0, note);
  has_told_ = true;
}

void Watch::take_back() {
  if (!has_told_) return;
  has_told_ = false;
  const Note note{.run = run_, .silence = silence_, .what = What::goes_on};
  if (rank_ == 0)
    told_[0] = note;
  else
    send(0, note);
}

bool Watch::has_told(int rank) const {
  const Note& note = told_[static_cast<std::size_t>(rank)];
  return note.run == run_ && note.what != What::goes_on;
}

int Watch::first_waiting() const {
  return static_cast<int>(std::ranges::find_if(told_, [](const Note& n) { return n.what == What::waits; }) -
                          told_.begin());
}

std::optional<std::string> Watch::verdict() const {
  constexpr std::size_t most = 800;
  const int size = static_cast<int>(told_.size());
  for (int r = 0; r < size; ++r)
    if (!has_told(r)) return std::nullopt;
  if (first_waiting() == size) return std::nullopt;
  std::string report = "nothing has happened for " + std::to_string(silence_s_) + " s:";
  for (int r = 0; r < size; ++r) {
    if (report.size() > most) return report + "; and " + std::to_string(size - r) + " ranks more";
    const Note& note = told_[static_cast<std::size_t>(r)];
    report += (r ? "; rank " : " rank ") + std::to_string(r) +
              (note.what == What::waits ? " waits for " + std::string(note.text) : " has finished");
  }
  return report;
}

void Watch::sentence(int rank, const std::string& report) {
  Note note{.run = run_, .silence = told_[static_cast<std::size_t>(rank)].silence, .what = What::sentence};
  copy_text(note.text, report);
  told_[static_cast<std::size_t>(rank)].what = What::goes_on;  // once
  if (rank == 0)
    sentence_ = note, report_ = note.text;
  else
    send(rank, note);
}

const std::string* Watch::my_sentence() const {
  const bool is_mine =
      has_told_ && sentence_.what == What::sentence && sentence_.run == run_ && sentence_.silence == silence_;
  return is_mine ? &report_ : nullptr;
}

void Watch::withdraw() {
  if (request_ >= 0) library_.check(library_.table().cancel(request_), "MPI_Cancel");
}

}  // namespace overlapack::comm::mpi
