// Reads Python's bytes objects in place, and creates them. The caller holds the GIL.
#pragma once

#include "basics.h"

using Object = const char*;

// Where in an object are its type, its number of bytes and the first of them; the type of bytes; Python's functions that
// make an object of bytes, and that add and drop a reference to one.
struct Bytes {
  Index type, size, data;
  Object kind;
  Object (*make)(const char* bytes, Index size);
  void (*keep)(Object object);
  void (*drop)(Object object);
};

// The bytes of an object and their number; false for an object of another type.
inline bool read(Object object, const Bytes& bytes, const char** begin, Index* size) {
  if (object == nullptr) return false;
  Object own;
  std::memcpy(&own, object + bytes.type, sizeof own);
  std::memcpy(size, object + bytes.size, sizeof *size);
  *begin = object + bytes.data;
  return own == bytes.kind;
}

// make(string, length, its number): false ends it. 0, and no more is done, at an object of another type.
template <class Make>
inline int each_string(const Object* objects, Index count, const Bytes& bytes, Make make) {
  constexpr Index PREFETCH_DISTANCE = 16;
  for (Index i = 0; i < count; ++i) {
    if (i + PREFETCH_DISTANCE < count) __builtin_prefetch(objects[i + PREFETCH_DISTANCE]);
    const char* begin;
    Index size;
    if (!read(objects[i], bytes, &begin, &size) || !make(begin, size, i)) return 0;
  }
  return 1;
}

// Puts an object, if it was made, in a place of an array.
inline bool put(Object* place, Object made, const Bytes& bytes) {
  if (made == nullptr) return false;
  const Object before = *place;
  *place = made;
  bytes.drop(before);
  return true;
}
