// Reads Python bytes objects in place and creates new ones. The caller holds the GIL.
#pragma once

#include "basics.h"

using Object = const char*;

// Offsets of an object's type, size and data; the bytes type; Python functions that create a bytes object and that
// increment and decrement a reference count.
struct Bytes {
  Index type, size, data;
  Object kind;
  Object (*make)(const char* bytes, Index size);
  void (*keep)(Object object);
  void (*drop)(Object object);
};

// Reads an object's data pointer and size; false for an object of another type.
inline bool read(Object object, const Bytes& bytes, const char** begin, Index* size) {
  if (object == nullptr) return false;
  Object own;
  std::memcpy(&own, object + bytes.type, sizeof own);
  std::memcpy(size, object + bytes.size, sizeof *size);
  *begin = object + bytes.data;
  return own == bytes.kind;
}

// Calls make(data, length, index) for each object until it returns false. Stops and returns 0 at an object of another
// type.
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

// Stores an object in an array slot, unless its creation failed.
inline bool put(Object* place, Object made, const Bytes& bytes) {
  if (made == nullptr) return false;
  const Object before = *place;
  *place = made;
  bytes.drop(before);
  return true;
}
