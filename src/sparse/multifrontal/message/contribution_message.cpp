#include "sparse/multifrontal/message/contribution_message.hpp"

#include "sparse/multifrontal/message/copy_columns.hpp"
#include "sparse/multifrontal/message/front_header.hpp"

#include <algorithm>
#include <complex>
#include <cstring>

namespace overlapack::sparse::multifrontal {

namespace {

/// Bytes of the two name lists, rounded up so that numbers of any type may follow.
std::size_t name_bytes(Index d) {
  return (2 * static_cast<std::size_t>(d) * sizeof(std::int32_t) + 15) / 16 * 16;
}

/// The header of a part of a contribution.
struct PartHeader {
  Index front = -1, delayed = 0, border = 0;
  /// delayed_part: 1 if it has columns; block_part: the width of its panels, or packed_lower, or in_tiles.
  Index form = 0;

  comm::Header pack(MessageKind kind) const { return header_for(kind, front, delayed, border, form); }
  static PartHeader parse(const comm::Message& message) {
    const FrontHeader header(message);
    return {header.front, header.first, header.second, header.third};
  }
};

/// Forms of a block that is not in panels: its packed lower triangle; tiles.
constexpr Index packed_lower = 0, in_tiles = -1;

/// (i, j), i >= j, of the lower triangle by columns  ->  a block in panels.
template <class T>
comm::Body unpack_lower(const comm::Rank& rank, Ledger& ledger, const comm::Body& packed, Index m) {
  const Index width = staircase_width(m);
  BodyBuffer room(static_cast<std::size_t>(staircase_entries(m, width)) * sizeof(T));
  const Ledger::Entry both = ledger.make_entry(packed.size() + room.bytes());
  const StaircaseView<T> block{room.as<T>(), m, width};
  comm::run_unless_phantom(rank, [&] {
    const T* from = packed.as<T>().data();
    for (Index j = 0; j < m; ++j) {
      std::copy_n(from, m - j, block.column(j) + j);
      from += m - j;
    }
  });
  return std::move(room).body();
}

}  // namespace

template <class T>
std::pair<comm::Header, comm::Body> pack_delayed(const comm::Rank& rank, const Contribution<T>& c) {
  const Index d = c.delayed, m = c.border;
  const bool has_cols = c.cols.data != nullptr;
  const bool has_numbers = c.square.data != nullptr;
  const auto numbers = has_numbers ? static_cast<std::size_t>(d * d + m * d * (has_cols ? 2 : 1)) : 0;
  std::vector<std::byte> bytes(name_bytes(d) + numbers * sizeof(T));
  auto* names = reinterpret_cast<std::int32_t*>(bytes.data());
  std::copy_n(c.col_name, d, std::copy_n(c.row_name, d, names));
  T* to = reinterpret_cast<T*>(bytes.data() + name_bytes(d));
  to = append_columns(rank, c.square, to);
  to = append_columns(rank, c.rows, to);
  if (has_cols) append_columns(rank, c.cols, to);
  return {PartHeader{c.front, d, m, has_cols}.pack(MessageKind::delayed_part),
          comm::Body::adopt(std::move(bytes))};
}

template <class T>
std::pair<comm::Header, comm::Body> pack_block(const comm::Rank& rank, Front<T>& front, bool pack_lower) {
  const Contribution<T> all = contribution_of(front);
  const bool is_tiled = !all.tiles.empty();
  if (pack_lower && !is_tiled) {
    auto packed = copy_block(rank, all, true);
    front.block.take_out();
    return packed;
  }
  const Index m = front.border;
  const std::size_t bytes =
      is_tiled ? packed_bytes(all.tiles)
               : static_cast<std::size_t>(staircase_entries(m, front.block_width)) * sizeof(T);
  const PartHeader header{front.number, front.delayed(), m, is_tiled ? in_tiles : front.block_width};
  auto owner = std::make_shared<Block>(front.block.take_out());
  const void* data = owner->data.get();
  return {header.pack(MessageKind::block_part), comm::Body(std::move(owner), data, bytes)};
}

template <class T>
std::pair<comm::Header, comm::Body> copy_block(const comm::Rank& rank, const Contribution<T>& c,
                                               bool pack_lower) {
  const Index m = c.border, ld = padded_ld(m);
  if (!c.tiles.empty()) {
    BodyBuffer packed(packed_bytes(c.tiles));
    pack(c.tiles, packed.data());
    return {PartHeader{c.front, c.delayed, m, in_tiles}.pack(MessageKind::block_part),
            std::move(packed).body()};
  }
  BodyBuffer packed(static_cast<std::size_t>(pack_lower ? m * (m + 1) / 2 : ld * m) * sizeof(T));
  if (pack_lower)
    comm::run_unless_phantom(rank, [&] {
      T* to = packed.as<T>();
      for (Index j = 0; j < m; ++j) to = std::copy_n(c.block.column(j) + j, m - j, to);
    });
  else
    copy_columns(rank, c.block.whole(), MatrixView<T>{packed.as<T>(), m, m, ld});
  return {PartHeader{c.front, c.delayed, m, pack_lower ? packed_lower : m}.pack(MessageKind::block_part),
          std::move(packed).body()};
}

template <class T>
void RemoteContribution<T>::store_block_or_delayed(const comm::Rank& rank, Ledger& ledger,
                                                   comm::Message message) {
  const PartHeader header = PartHeader::parse(message);
  front_ = header.front;
  border_ = header.border;
  if (message.header.kind == MessageKind::block_part) {
    const bool is_packed = header.form == packed_lower;
    block_width_ = is_packed ? staircase_width(border_) : header.form;
    block_ = is_packed ? unpack_lower<T>(rank, ledger, message.body, border_) : std::move(message.body);
    tiles_ = header.form == in_tiles ? unpack_tiles<T>(block_.data()) : std::vector<ContributionTile<T>>();
    return;
  }
  const auto d = static_cast<std::size_t>(header.delayed);
  const auto names = message.body.template as<std::int32_t>();
  row_name_.assign(names.begin(), names.begin() + d);
  col_name_.assign(names.begin() + d, names.begin() + 2 * d);
  has_cols_ = header.form != 0;
  delayed_ = std::move(message.body);
}

template <class T>
Contribution<T> RemoteContribution<T>::contribution() const {
  const auto d = static_cast<Index>(row_name_.size());
  Contribution<T> c{front_, d, border_, row_name_.data(), col_name_.data(), {}, {}, {}, {}};
  if (tiles_.empty())
    c.block = {block_.as<T>().data(), border_, block_width_};
  else
    c.tiles = tiles_;
  if (delayed_.size() > name_bytes(d)) {
    const T* numbers = reinterpret_cast<const T*>(delayed_.data() + name_bytes(d));
    c.square = {numbers, d, d, d};
    c.rows = {numbers + d * d, border_, d, border_};
    if (has_cols_) c.cols = {numbers + d * d + border_ * d, border_, d, border_};
  }
  return c;
}

template <class T>
void RemoteContribution<T>::store_piece(const comm::Rank& rank, const Piece<T>& piece, Index border) {
  const auto position = [&](const MatrixView<const T>& from, BodyBuffer& to, Index cols, Index first_col) {
    const Index ld = padded_ld(border);
    if (to.bytes() == 0) to = BodyBuffer(static_cast<std::size_t>(ld * cols) * sizeof(T));
    const MatrixView<T> whole{to.as<T>(), border, cols, ld};
    copy_columns(rank, from, whole.block(piece.first_row, first_col, from.rows, from.cols));
  };
  position(piece.block, square_, border, piece.first_col);
  position(piece.delayed, cols_, piece.delayed.cols, 0);
}

template <class T>
void RemoteContribution<T>::add_rows_to(Contribution<T>& c) const {
  const Index m = c.border;
  c.block = {square_.as<T>(), m, m};
  if (cols_.bytes() > 0) c.cols = {cols_.as<T>(), m, c.delayed, padded_ld(m)};
}

template <class T>
void RemoteContribution<T>::release() {
  delayed_ = {};
  block_ = {};
  tiles_ = {};
  square_ = {};
  cols_ = {};
  entry_.release();
}

#define OVERLAPACK_INSTANTIATE(T)                                                                           \
  template std::pair<comm::Header, comm::Body> pack_delayed(const comm::Rank&, const Contribution<T>&);     \
  template std::pair<comm::Header, comm::Body> pack_block(const comm::Rank&, Front<T>&, bool);              \
  template std::pair<comm::Header, comm::Body> copy_block(const comm::Rank&, const Contribution<T>&, bool); \
  template class RemoteContribution<T>;
OVERLAPACK_INSTANTIATE(float)
OVERLAPACK_INSTANTIATE(double)
OVERLAPACK_INSTANTIATE(std::complex<float>)
OVERLAPACK_INSTANTIATE(std::complex<double>)
#undef OVERLAPACK_INSTANTIATE

}  // namespace overlapack::sparse::multifrontal
