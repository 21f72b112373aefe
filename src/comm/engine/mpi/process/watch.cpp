#include "comm/engine/mpi/process/watch.hpp"

#include "comm/engine/mpi/load/text_field.hpp"

#include <algorithm>
#include <memory>

namespace overlapack::comm::mpi {

namespace {

constexpr std::size_t most_texts = 16;

}  // namespace

Watch::Watch(const MpiLibrary& library, Transfers& transfers, OverlapackComm comm, int tag, int rank,
             int size)
    : library_(library), transfers_(transfers), comm_(comm), tag_(tag), rank_(rank), size_(size) {
  report_.reserve(text_bytes);  // so that receiving a sentence allocates nothing
}

void Watch::begin_run(bool is_watched) {
  ++run_;
  has_reported_ = false;
  if (is_watched) receive_notes();
}

void Watch::prepare() {
  if (rank_ != 0 || !reports_.empty()) return;
  const auto size = static_cast<std::size_t>(size_);
  sentences_.resize(size);
  texts_.resize(std::min(size, most_texts));
  reports_.resize(size);
}

void Watch::receive_notes() {
  is_receiving_ = true;
  if (request_ < 0) post_note_receive();
}

void Watch::post_note_receive() {
  request_ = transfers_.start(
      "MPI_Irecv",
      [this](const OverlapackCompletion& done) {
        request_ = -1;
        ++ended_;
        if (done.cancelled) return;
        ++received_;
        handle_note(done.source);
        if (is_receiving_) post_note_receive();
      },
      [this](OverlapackRequest* request) {
        return library_.table().receive(comm_, &incoming_, sizeof incoming_, any_rank, tag_, request);
      });
}

void Watch::handle_note(int source) {
  if (incoming_.what != What::sentence) return store_note(source, incoming_);
  sentence_ = incoming_;
  report_ = incoming_.text;
}

void Watch::store_note(int rank, const Note& note) {
  const auto position = static_cast<std::size_t>(rank);
  reports_[position] = {note.run, note.silence, note.what};
  if (position < texts_.size())
    std::copy(std::begin(note.text), std::end(note.text), texts_[position].begin());
}

void Watch::send_note(int to, const Note& note) {
  const auto kept = std::make_shared<const Note>(note);
  transfers_.start(
      "MPI_Isend", [this, kept](const OverlapackCompletion&) { ++ended_; },
      [&](OverlapackRequest* request) {
        return library_.table().send(comm_, kept.get(), sizeof *kept, nullptr, 0, to, tag_, 0, request);
      });
  has_sent_notes_ = true;
}

void Watch::send_or_store_note(const Note& note) {
  if (rank_ == 0) return store_note(0, note);
  send_note(0, note);
  ++sent_to_first_;
}

void Watch::report_wait(const std::string& waits_for) {
  Note note{.run = run_, .silence = ++silence_, .what = waits_for.empty() ? What::has_finished : What::waits};
  copy_text(note.text, waits_for);
  send_or_store_note(note);
  has_reported_ = true;
}

void Watch::withdraw_report() {
  if (!has_reported_) return;
  has_reported_ = false;
  send_or_store_note({.run = run_, .silence = silence_, .what = What::goes_on});
}

bool Watch::has_reported(int rank) const {
  const LastReport& told = reports_[static_cast<std::size_t>(rank)];
  return told.run == run_ && told.what != What::goes_on;
}

int Watch::first_waiting() const {
  return static_cast<int>(
      std::ranges::find_if(reports_, [](const LastReport& t) { return t.what == What::waits; }) -
      reports_.begin());
}

std::optional<std::string> Watch::describe_deadlock(double silence_s) const {
  constexpr std::size_t most = 800;
  for (int r = 0; r < size_; ++r)
    if (!has_reported(r)) return std::nullopt;
  if (first_waiting() == size_) return std::nullopt;
  std::string report = "nothing has happened for " + std::to_string(silence_s) + " s:";
  for (int r = 0; r < size_; ++r) {
    const auto position = static_cast<std::size_t>(r);
    if (report.size() > most || position == texts_.size())
      return report + "; and " + std::to_string(size_ - r) + " ranks more";
    report += (r ? "; rank " : " rank ") + std::to_string(r) +
              (reports_[position].what == What::waits ? " waits for " + std::string(texts_[position].data())
                                                      : " has finished");
  }
  return report;
}

void Watch::send_deadlock_report(const std::string& report) {
  const int rank = first_waiting();
  const auto position = static_cast<std::size_t>(rank);
  Note note{.run = run_, .silence = reports_[position].silence, .what = What::sentence};
  copy_text(note.text, report);
  reports_[position].what = What::goes_on;  // so that it is sentenced once
  if (rank == 0) {
    sentence_ = note;
    report_ = note.text;
    return;
  }
  send_note(rank, note);
  ++sentences_[position];
}

const std::string* Watch::received_deadlock_report() const {
  const bool is_mine = has_reported_ && sentence_.what == What::sentence && sentence_.run == run_ &&
                       sentence_.silence == silence_;
  return is_mine ? &report_ : nullptr;
}

std::int64_t Watch::sent_to(int rank) const {
  const std::int64_t notes = rank == 0 ? sent_to_first_ : 0;
  return notes + (sentences_.empty() ? 0 : sentences_[static_cast<std::size_t>(rank)]);
}

void Watch::cancel_receive() {
  if (is_receive_cancelled()) return;
  is_receiving_ = false;  // a note that is here already cannot be cancelled, and another may follow it
  library_.check(library_.table().cancel(request_), "MPI_Cancel");
}

}  // namespace overlapack::comm::mpi
