// Reads Python bytes objects in place and creates new ones. The caller holds the GIL.
#pragma once

#include "basics.h"

using Object = const char*;

// Offsets of the type, size and data in an object; the bytes type; Python functions that create a bytes object and that
// increment and decrement a reference count.
struct Bytes {
  Index type, size, data;
  Object kind;
  Object (*make)(const char* bytes, Index size);
  void (*keep)(Object object);
  void (*drop)(Object object);
};

// Reads the data pointer and the size of an object; returns false for an object of another type.
inline bool read(Object object, const Bytes& bytes, const char** begin, Index* size) {
  if (object == nullptr) return false;
  Object type;
  std::memcpy(&type, object + bytes.type, sizeof type);
  std::memcpy(size, object + bytes.size, sizeof *size);
  *begin = object + bytes.data;
  return type == bytes.kind;
}

// Calls make(data, length, index) for each object until it returns false. Returns 0 at an object of another type.
template <class Make>
inline int for_each_string(const Object* objects, Index count, const Bytes& bytes, Make make) {
  constexpr Index PREFETCH_DISTANCE = 16;
  for (Index i = 0; i < count; ++i) {
    if (i + PREFETCH_DISTANCE < count) __builtin_prefetch(objects[i + PREFETCH_DISTANCE]);
    const char* begin;
    Index size;
    if (!read(objects[i], bytes, &begin, &size) || !make(begin, size, i)) return 0;
  }
  return 1;
}

// Stores an object in an array slot and releases the previous one; returns false if the object is null because its
// creation failed.
inline bool store_object(Object* slot, Object object, const Bytes& bytes) {
  if (object == nullptr) return false;
  const Object previous = *slot;
  *slot = object;
  bytes.drop(previous);
  return true;
}
