#pragma once
#include <memory>
#include <utility>

namespace overlapack {

/// Owns an object of a type that only the library knows, as the classes do that callers hold. It moves and frees the object without
/// knowing the type, so that such a class needs no moves and no destructor of its own.
template <class T>
using Handle = std::unique_ptr<T, void (*)(T*)>;

/// A Handle<T> of a new object of T, or of a class derived from it that is destroyed as T.
template <class T, class Made = T, class... Arguments>
Handle<T> make_handle(Arguments&&... arguments) {
  return {new Made(std::forward<Arguments>(arguments)...), [](T* object) { delete object; }};
}

}  // namespace overlapack
