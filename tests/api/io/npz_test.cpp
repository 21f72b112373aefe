#include "api/io/expectations.hpp"
#include "overlapack/io.hpp"

#include <gtest/gtest.h>

#include <cstdint>
#include <map>
#include <string>

/// Archives made here byte by byte: what save_npz never writes, and the sizes of 64 bits that it writes of large matrices.
namespace overlapack::io {
namespace {

using test::entry;
using test::expect_bad_input;
using test::matrix_of;

std::string little_endian(std::uint64_t value, int bytes) {
  std::string text;
  for (int k = 0; k < bytes; ++k, value >>= 8) text += static_cast<char>(value & 0xff);
  return text;
}

/// CRC-32, bit by bit.
std::uint32_t checksum(const std::string& bytes) {
  std::uint32_t crc = ~0u;
  for (const char c : bytes) {
    crc ^= static_cast<unsigned char>(c);
    for (int k = 0; k < 8; ++k) crc = crc >> 1 ^ (crc & 1 ? 0xedb88320u : 0);
  }
  return ~crc;
}

/// An .npy of this type and shape.
std::string saved_array(const std::string& type, const std::string& shape, const std::string& items) {
  std::string header = "{'descr': '" + type + "', 'fortran_order': False, 'shape': " + shape + ", }";
  header += std::string(63 - (header.size() + 10) % 64, ' ') + "\n";
  return std::string("\x93NUMPY\1\0", 8) + little_endian(header.size(), 2) + header + items;
}

std::string indices(std::initializer_list<std::int64_t> values) {
  std::string items;
  for (const std::int64_t value : values) items += little_endian(static_cast<std::uint64_t>(value), 8);
  return saved_array("<i8", "(" + std::to_string(values.size()) + ",)", items);
}

using Members = std::map<std::string, std::string>;

/// The members, stored. is_wide: all sizes and offsets in fields of 64 bits, as in archives above 4 GiB
std::string zip(const Members& members, bool is_wide = false, unsigned method = 0) {
  std::string bytes, directory;
  const auto narrow = [&](std::uint64_t value) { return little_endian(is_wide ? 0xffffffff : value, 4); };
  for (const auto& [name, content] : members) {
    const std::string sizes = little_endian(content.size(), 8);
    const std::string other = little_endian(0xcafe, 2) + little_endian(2, 2) + "..";  // to be passed over
    const std::string wide =
        other + little_endian(1, 2) + little_endian(24, 2) + sizes + sizes + little_endian(bytes.size(), 8);
    const std::string extra = is_wide ? wide : "";
    const std::string shared = little_endian(0, 4) + little_endian(method, 2) + little_endian(0, 4) +
                               little_endian(checksum(content), 4) + narrow(content.size()) +
                               narrow(content.size()) + little_endian(name.size(), 2);
    directory += "PK\1\2" + little_endian(0, 2) + shared + little_endian(extra.size(), 2) +
                 little_endian(0, 10) + narrow(bytes.size()) + name + extra;
    bytes += "PK\3\4" + shared + little_endian(0, 2) + name + content;
  }
  const std::uint64_t at = bytes.size(), record = at + directory.size(), count = members.size();
  bytes += directory;
  if (is_wide)
    bytes += "PK\6\6" + little_endian(44, 8) + little_endian(0, 12) + little_endian(count, 8) +
             little_endian(count, 8) + little_endian(directory.size(), 8) + little_endian(at, 8) + "PK\6\7" +
             little_endian(0, 4) + little_endian(record, 8) + little_endian(1, 4);
  return bytes + "PK\5\6" + little_endian(0, 4) + little_endian(is_wide ? 0xffff : count, 2) +
         little_endian(is_wide ? 0xffff : count, 2) + narrow(directory.size()) + narrow(at) +
         little_endian(0, 2);
}

/// [1 2; 0 3] by rows.
Members matrix() {
  return {{"format.npy", saved_array("|S3", "()", "csr")},
          {"shape.npy", indices({2, 2})},
          {"indptr.npy", indices({0, 2, 3})},
          {"indices.npy", indices({0, 1, 1})},
          {"data.npy",
           saved_array("<i8", "(3,)", little_endian(1, 8) + little_endian(2, 8) + little_endian(3, 8))}};
}

void expect_entries(const std::string& bytes) {
  const MatrixFile file = read_matrix_bytes(bytes, "m.npz");
  const auto& A = matrix_of<double>(file);
  EXPECT_EQ(A.nnz(), 3);
  EXPECT_EQ(entry(A, 0, 0), 1);
  EXPECT_EQ(entry(A, 0, 1), 2);
  EXPECT_EQ(entry(A, 1, 1), 3);
}

TEST(NpzArchive, SizesMayHave64Bits) {
  expect_entries(zip(matrix()));
  const std::string wide = zip(matrix(), true);
  expect_entries(wide);
  const std::string end = wide.substr(wide.size() - 22);
  for (std::size_t size = 0; size + end.size() < wide.size(); ++size)  // some of it is missing before its end
    expect_bad_input([&] { read_matrix_bytes(wide.substr(0, size) + end, "m.npz"); }, {});
}

TEST(NpzArchive, OneFileThatIsNoArrayIsReadAsItself) {
  const std::string text = "%%MatrixMarket matrix coordinate real general\n1 1 1\n1 1 8\n";
  EXPECT_EQ(entry(matrix_of<double>(read_matrix_bytes(zip({{"a.mtx", text}}), "a.zip")), 0, 0), 8);
  EXPECT_EQ(read_dense_bytes(zip({{"folder/b.mtx", text}}), "b.zip").rows, 1);
  expect_bad_input([&] { read_matrix_bytes(zip({{"a.txt", "hello"}}), "a.zip"); }, {"a.zip", "none of"});
  expect_bad_input(
      [&] {
        read_matrix_bytes(zip({{"a.mtx", text}, {"b.mtx", text}}), "a.zip");
      },
      {"a.zip", "unpack it and give one file"});
}

TEST(NpzArchive, UnsignedValuesMayTakeAllBits) {
  Members members = matrix();
  members["data.npy"] = saved_array(
      "<u8", "(3,)", little_endian(std::uint64_t{1} << 63, 8) + little_endian(2, 8) + little_endian(3, 8));
  const MatrixFile file = read_matrix_bytes(zip(members), "m.npz");
  EXPECT_EQ(entry(matrix_of<double>(file), 0, 0), 0x1p63);
}

/// SciPy leaves it behind the last entry of matrices that have lost some.
TEST(NpzArchive, SpareRoomIsNotRead) {
  Members members = matrix();
  members["indices.npy"] = indices({0, 1, 1, 77});
  members["data.npy"] = saved_array(
      "<i8", "(4,)", little_endian(1, 8) + little_endian(2, 8) + little_endian(3, 8) + little_endian(4, 8));
  expect_entries(zip(members));
}

TEST(NpzArchive, AnyByteMayBeWrong) {
  for (const bool is_wide : {false, true}) {
    const std::string bytes = zip(matrix(), is_wide);
    for (std::size_t at = 0; at < bytes.size(); ++at)
      for (const char wrong : {'\0', '\x7f', '\xff'}) {
        std::string changed = bytes;
        changed[at] = wrong;
        try {
          read_matrix_bytes(changed, "m.npz");
        } catch (const Error& error) {
          EXPECT_EQ(error.status(), Status::bad_input) << at << ": " << error.what();
        }
      }
  }
}

TEST(NpzArchive, ArraysThatAreNoMatrixAreRefused) {
  const auto with = [](const std::string& member, const std::string& content) {
    Members members = matrix();
    members[member] = content;
    return [members] { read_matrix_bytes(zip(members), "m.npz"); };
  };
  const auto without = [](const std::string& member) {
    Members members = matrix();
    members.erase(member);
    return [members] { read_matrix_bytes(zip(members), "m.npz"); };
  };
  expect_bad_input(without("shape.npy"), {"m.npz", "holds no shape.npy"});
  expect_bad_input(with("shape.npy", indices({2, 2, 1})), {"two dimensions"});
  expect_bad_input(with("shape.npy", indices({-2, 2})), {"two dimensions"});
  expect_bad_input(with("shape.npy", indices({1000000000000, 1000000000000})), {"mostly empty"});
  expect_bad_input(with("shape.npy", saved_array("<f8", "(2,)", std::string(16, '\0'))),
                   {"float64", "integers"});
  expect_bad_input(with("format.npy", indices({1})), {"int64", "string"});
  expect_bad_input(with("format.npy", saved_array("|S3", "()", "dia")), {"\"dia\"", "tocsc"});
  expect_bad_input(with("data.npy", saved_array("<f8", "(1, 3)", std::string(24, '\0'))), {"plain list"});
  expect_bad_input(with("indptr.npy", indices({0, 3})), {"do not belong together"});
  expect_bad_input(with("indptr.npy", indices({0, -1, 3})), {"does not ascend"});
  expect_bad_input(with("indptr.npy", indices({0, 4, 3})), {"does not ascend"});
  expect_bad_input(with("indices.npy", indices({0, 2, 1})), {"(0, 2)", "outside"});
  expect_bad_input(with("indices.npy", indices({0, -1, 1})), {"(0, -1)", "outside"});
  expect_bad_input(with("data.npy", saved_array("<f8", "(3,)", std::string(22, '\0') + "\xf0\x7f")),
                   {"row 1", "finite"});
  expect_bad_input([] { read_matrix_bytes(zip(matrix(), false, 12), "m.npz"); }, {"stored or deflated"});
  Members coordinates = matrix();
  coordinates["format.npy"] = saved_array("|S3", "()", "coo");
  coordinates["row.npy"] = indices({0, 0});
  coordinates["col.npy"] = indices({0, 1, 1});
  expect_bad_input([&] { read_matrix_bytes(zip(coordinates), "m.npz"); }, {"differ in length"});
  coordinates["row.npy"] = indices({0, 0, 1});
  expect_entries(zip(coordinates));
}

}  // namespace
}  // namespace overlapack::io
