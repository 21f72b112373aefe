#include "sparse/methods/make_factors.hpp"

#include "comm/team.hpp"
#include "kernels/operand.hpp"
#include "sparse/block_triangular/block_triangular.hpp"
#include "sparse/multifrontal/multifrontal.hpp"

#include <complex>
#include <string>

namespace overlapack::sparse {

namespace {

/// What there is for a method.
template <class T>
struct Maker {
  std::unique_ptr<SparseFactors<T>> (*make)();
  bool has_shapes;  ///< can be simulated by shapes alone
};

/// By the number of the method.
template <class T>
constexpr Maker<T> makers[] = {
    {[]() -> std::unique_ptr<SparseFactors<T>> { return std::make_unique<Multifrontal<T>>(); }, true},
    {[]() -> std::unique_ptr<SparseFactors<T>> {
       return std::make_unique<BlockTriangular<T>>(make_factors<T>);
     },
     false},
};
static_assert(std::size(makers<double>) == method_names.size(), "a method without its maker");

}  // namespace

template <class T>
std::unique_ptr<SparseFactors<T>> make_factors(Method method) {
  const Maker<T>& maker = makers<T>[static_cast<std::size_t>(method)];
  if (!maker.has_shapes && comm::is_phantom())
    throw Error(ErrorKind::bad_plan, "factorize",
                "method " + std::string(name(method)) +
                    " is not simulated by shapes alone; give --method multifrontal, or leave --phantom out");
  return maker.make();
}

#define OVERLAPACK_INSTANTIATE(T) template std::unique_ptr<SparseFactors<T>> make_factors(Method);
OVERLAPACK_FOR_EACH_SCALAR(OVERLAPACK_INSTANTIATE)
#undef OVERLAPACK_INSTANTIATE

}  // namespace overlapack::sparse
