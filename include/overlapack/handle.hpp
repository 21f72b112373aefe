#pragma once
#include <memory>
#include <utility>

namespace overlapack {

/// Owns an object whose type only the library knows: the implementation behind a public class. The handle moves and frees the object
/// without the complete type, so that a public class needs no move operations and no destructor of its own.
template <class T>
using Handle = std::unique_ptr<T, void (*)(T*)>;

/// Make a Handle<T> that owns a new object of type Made, which is T or derived from T. The object is destroyed as a T.
template <class T, class Made = T, class... Arguments>
Handle<T> make_handle(Arguments&&... arguments) {
  return {new Made(std::forward<Arguments>(arguments)...), [](T* object) { delete object; }};
}

}  // namespace overlapack
