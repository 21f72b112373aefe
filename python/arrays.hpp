#pragma once
#include <nanobind/nanobind.h>
#include <nanobind/ndarray.h>

#include <cstddef>
#include <memory>
#include <vector>

namespace overlapack::python {

/// A vector as a NumPy array of one dimension that owns it; nothing is copied.
template <class T>
nanobind::object as_numpy(std::vector<T> values) {
  auto owned = std::make_unique<std::vector<T>>(std::move(values));
  T* data = owned->data();
  const std::size_t size = owned->size();
  nanobind::capsule owner(owned.get(), [](void* p) noexcept { delete static_cast<std::vector<T>*>(p); });
  owned.release();
  return nanobind::cast(nanobind::ndarray<nanobind::numpy, T, nanobind::ndim<1>>(data, {size}, owner));
}

}  // namespace overlapack::python
