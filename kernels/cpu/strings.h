// Python's bytes objects, read where they lie, and made. The caller holds Python's lock.
#pragma once

#include "basics.h"

using Object = const char*;

// Where in an object are its type, its number of bytes and the first of them; the type of bytes; Python's functions that
// make an object of bytes, and that drop one.
struct Bytes {
  Index type, size, data;
  Object kind;
  Object (*make)(const char* bytes, Index size);
  void (*drop)(Object object);
};

// make(string, length, its number): false ends it. 0, and no more is done, at an object of another type.
template <class Make>
inline int each_string(const Object* objects, Index count, const Bytes& bytes, Make make) {
  constexpr Index AHEAD = 16;
  for (Index i = 0; i < count; ++i) {
    if (i + AHEAD < count) __builtin_prefetch(objects[i + AHEAD]);
    if (objects[i] == nullptr) return 0;
    Object own;
    Index size;
    std::memcpy(&own, objects[i] + bytes.type, sizeof own);
    std::memcpy(&size, objects[i] + bytes.size, sizeof size);
    if (own != bytes.kind || !make(objects[i] + bytes.data, size, i)) return 0;
  }
  return 1;
}

// Puts a new object of some bytes in a place of an array; false where there is no memory for it.
inline bool put(Object* place, const char* begin, Index size, const Bytes& bytes) {
  Object made = bytes.make(begin, size), before = *place;
  if (made == nullptr) return false;
  *place = made;
  bytes.drop(before);
  return true;
}
