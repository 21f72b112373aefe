#include "api/io/scipy_npz.hpp"

#include "api/io/entry_sink.hpp"
#include "api/io/npy_array.hpp"
#include "api/io/refuse.hpp"
#include "api/io/zip_archive.hpp"
#include "overlapack/dispatch.hpp"

#include <cmath>
#include <limits>

namespace overlapack::io {
namespace {

bool is_subnormal(double x) { return x != 0 && std::fabs(x) < std::numeric_limits<double>::min(); }

/// Takes the entries from a NumPy file one by one, and checks their indices and values.
template <class T>
class CheckedSink {
 public:
  CheckedSink(Index rows, Index cols, const std::string& name)
      : sink_(rows, cols, Symmetry::general, name), rows_(rows), cols_(cols), name_(name) {}

  void add(Index i, Index j, const T& value) {
    if (i < 0 || i >= rows_ || j < 0 || j >= cols_)
      refuse(name_, "an entry at (" + std::to_string(i) + ", " + std::to_string(j) +
                        ") lies outside the matrix of " + std::to_string(rows_) + " x " +
                        std::to_string(cols_) + "; save the matrix again");
    if (!is_finite(value))
      refuse(name_, "the entry at row " + std::to_string(i) + ", column " + std::to_string(j) +
                        " (counted from 0) is not a finite number; replace it before saving");
    counts_.subnormals += is_subnormal(std::real(value)) || is_subnormal(std::imag(value));
    sink_.add(i, j, value);
  }
  MatrixFile finish(ReadFacts facts) {
    SparseMatrix<T> matrix = sink_.finish(facts, counts_);
    return to_matrix_file(std::move(matrix), std::move(facts));
  }

 private:
  EntrySink<T> sink_;
  NumberCounts counts_;
  Index rows_, cols_;
  std::string name_;
};

/// The arrays of one saved sparse matrix.
class SavedMatrix {
 public:
  SavedMatrix(std::string_view bytes, const std::string& name)
      : name_(name), archive_(bytes, name), data_(array("data")) {
    format_ = array("format").to_text();
    const std::vector<Index> shape = array("shape").to_indices();
    if (shape.size() != 2 || shape[0] < 0 || shape[1] < 0)
      refuse(name_, "the saved matrix does not have two dimensions; save a matrix");
    if (data_.shape().size() != 1)
      refuse(name_, "the saved values are not a plain list; save csr, csc or coo");
    if (!are_plausible_sizes(shape[0], shape[1], data_.size()))
      refuse(name_, "a matrix of " + std::to_string(shape[0]) + " x " + std::to_string(shape[1]) + " with " +
                        std::to_string(data_.size()) + " entries has mostly empty rows; check its shape");
    rows_ = shape[0];
    cols_ = shape[1];
  }

  ScalarType type() const { return data_.scalar_type(); }

  template <class T>
  MatrixFile read() const {
    const std::vector<T> values = data_.to_values<T>();
    CheckedSink<T> sink(rows_, cols_, name_);
    if (format_ == "csr")
      add_compressed(values, rows_, [&](Index i, Index j, const T& x) { sink.add(i, j, x); });
    else if (format_ == "csc")
      add_compressed(values, cols_, [&](Index j, Index i, const T& x) { sink.add(i, j, x); });
    else if (format_ == "coo")
      add_coordinates(values, sink);
    else
      refuse(name_, "the saved format \"" + format_.substr(0, 10) + "\" is not read; save A.tocsc() instead");
    ReadFacts facts;
    facts.format = "scipy npz";
    facts.field = data_.type_name();
    return sink.finish(std::move(facts));
  }

 private:
  NpyArray array(const std::string& member) const {
    return NpyArray(archive_.extract(member + ".npy"), name_ + ", array " + member);
  }

  /// Add the lines of csr (rows) or csc (columns): line k holds indices[start[k] .. start[k + 1]). Items behind the last line are spare room
  /// of SciPy's, and ignored.
  template <class T, class Add>
  void add_compressed(const std::vector<T>& values, Index lines, Add add) const {
    const std::vector<Index> start = array("indptr").to_indices();
    const std::vector<Index> index = array("indices").to_indices();
    const auto room = static_cast<Index>(values.size());
    if (static_cast<Index>(start.size()) != lines + 1 || index.size() != values.size() ||
        start.front() != 0 || start.back() > room)
      refuse(name_,
             "the arrays indptr, indices, data and shape do not belong together; save the matrix again");
    for (Index k = 0; k < lines; ++k) {
      if (start[k] > start[k + 1] || start[k + 1] > room)
        refuse(name_, "indptr does not ascend at " + std::to_string(k) + "; save the matrix again");
      for (Index p = start[k]; p < start[k + 1]; ++p) add(k, index[p], values[p]);
    }
  }

  template <class T>
  void add_coordinates(const std::vector<T>& values, CheckedSink<T>& sink) const {
    const std::vector<Index> row = array("row").to_indices(), col = array("col").to_indices();
    if (row.size() != values.size() || col.size() != values.size())
      refuse(name_, "the arrays row, col and data differ in length; save the matrix again");
    for (std::size_t k = 0; k < values.size(); ++k) sink.add(row[k], col[k], values[k]);
  }

  std::string name_;
  ZipArchive archive_;
  NpyArray data_;
  std::string format_;
  Index rows_ = 0, cols_ = 0;
};

/// The shape of a saved array, and where its entries are: (i, j) is item i * row_step + j * col_step.
struct DenseLayout {
  Index rows = 0, cols = 1, row_step = 1, col_step = 1;
};

DenseLayout layout_of(const NpyArray& array, const std::string& name) {
  const auto& shape = array.shape();
  if (shape.empty() || shape.size() > 2)
    refuse(name, "the array has " + std::to_string(shape.size()) + " dimensions; save one of one or two");
  if (array.size() == 0) refuse(name, "the array is empty; save one with at least one item");
  DenseLayout layout;
  layout.rows = shape[0];
  layout.cols = shape.size() == 2 ? shape[1] : 1;
  layout.row_step = array.is_fortran_order() ? 1 : layout.cols;
  layout.col_step = array.is_fortran_order() ? layout.rows : 1;
  return layout;
}

ReadFacts npy_facts(const NpyArray& array) {
  ReadFacts facts;
  facts.format = "numpy npy";
  facts.field = array.type_name();
  facts.entries = array.size();
  return facts;
}

template <class T>
DenseFile dense_of_array(const NpyArray& array, const std::string& name) {
  const std::vector<T> items = array.to_values<T>();
  const DenseLayout layout = layout_of(array, name);
  DenseArray<T> dense{layout.rows, layout.cols, std::vector<T>(items.size())};
  for (Index j = 0; j < layout.cols; ++j)
    for (Index i = 0; i < layout.rows; ++i) {
      const T x = items[i * layout.row_step + j * layout.col_step];
      if (!is_finite(x))
        refuse(name, "the item at row " + std::to_string(i) + ", column " + std::to_string(j) +
                         " (counted from 0) is not a finite number; replace it before saving");
      dense.value[i + j * layout.rows] = x;
    }
  return to_dense_file(std::move(dense), npy_facts(array));
}

template <class T>
MatrixFile to_matrix(const NpyArray& array, const std::string& name) {
  const std::vector<T> items = array.to_values<T>();
  const DenseLayout layout = layout_of(array, name);
  CheckedSink<T> sink(layout.rows, layout.cols, name);
  for (Index j = 0; j < layout.cols; ++j)
    for (Index i = 0; i < layout.rows; ++i) {
      const T x = items[i * layout.row_step + j * layout.col_step];
      if (x != T(0)) sink.add(i, j, x);
    }
  return sink.finish(npy_facts(array));
}

}  // namespace

MatrixFile read_scipy_npz(std::string_view bytes, const std::string& name) {
  const SavedMatrix saved(bytes, name);
  return dispatch(saved.type(), [&]<class T>() { return saved.read<T>(); });
}

DenseFile read_dense_npy(std::string_view bytes, const std::string& name) {
  const NpyArray array(std::string(bytes), name);
  return dispatch(array.scalar_type(), [&]<class T>() { return dense_of_array<T>(array, name); });
}

MatrixFile read_npy_matrix(std::string_view bytes, const std::string& name) {
  const NpyArray array(std::string(bytes), name);
  return dispatch(array.scalar_type(), [&]<class T>() { return to_matrix<T>(array, name); });
}

}  // namespace overlapack::io
