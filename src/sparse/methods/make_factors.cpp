#include "sparse/methods/make_factors.hpp"

#include "base/instantiate.hpp"
#include "comm/team.hpp"
#include "kernels/product/operand.hpp"
#include "sparse/block_triangular/block_triangular.hpp"
#include "sparse/multifrontal/multifrontal.hpp"
#include "sparse/supernodal/supernodal.hpp"

#include <algorithm>
#include <iterator>
#include <string>

namespace overlapack::sparse {

namespace {

/// How factors of a method are made.
template <class T>
struct Maker {
  Method method;
  std::unique_ptr<SparseFactors<T>> (*make)();
  bool has_shapes;  ///< can be simulated by shapes alone
};

/// The table of methods: a row for each.
template <class T>
constexpr Maker<T> makers[] = {
    {Method::multifrontal,
     []() -> std::unique_ptr<SparseFactors<T>> { return std::make_unique<multifrontal::Multifrontal<T>>(); },
     true},
    {Method::block_triangular,
     []() -> std::unique_ptr<SparseFactors<T>> {
       return std::make_unique<block_triangular::BlockTriangular<T>>(make_factors<T>);
     },
     false},
    {Method::supernodal,
     []() -> std::unique_ptr<SparseFactors<T>> { return std::make_unique<supernodal::Supernodal<T>>(); },
     true},
};

}  // namespace

template <class T>
std::unique_ptr<SparseFactors<T>> make_factors(Method method) {
  const auto maker = std::ranges::find(makers<T>, method, &Maker<T>::method);
  if (maker == std::end(makers<T>))
    throw Error(Status::internal, "method " + std::string(to_string(method)) + " is none of sparse factors");
  if (!maker->has_shapes && comm::is_phantom())
    throw Error(Status::bad_plan,
                "method " + std::string(to_string(method)) +
                    " is not simulated by shapes alone; give --method multifrontal or supernodal, or leave "
                    "--phantom out");
  return maker->make();
}

#define OVERLAPACK_INSTANTIATE(T) template std::unique_ptr<SparseFactors<T>> make_factors(Method);
OVERLAPACK_FOR_EACH_SCALAR(OVERLAPACK_INSTANTIATE)
#undef OVERLAPACK_INSTANTIATE

}  // namespace overlapack::sparse
