// FarmHash's Fingerprint64 of many strings: Geoff Pike's algorithm (https://github.com/google/farmhash), of which
// TensorFlow takes the fingerprint for string_to_hash_bucket_fast. tfmini/_src/devices/numpy/farmhash.py has the same formulas.

#include "basics.h"

namespace {

using Long = std::uint64_t;

constexpr Long K0 = 0xC3A5C85C97CB3127u, K1 = 0xB492B66FBE98F273u, K2 = 0x9AE16A3B2F90404Fu;

inline Long word(const char* at) {
  Long value;
  std::memcpy(&value, at, sizeof value);
  return value;
}

inline Long half_word(const char* at) {
  std::uint32_t value;
  std::memcpy(&value, at, sizeof value);
  return value;
}

inline Long rotated(Long x, int bits) { return x >> bits | x << (64 - bits); }
inline Long mixed(Long x) { return x ^ x >> 47; }

// Two words hashed to one.
inline Long two_to_one(Long u, Long v, Long factor) {
  return mixed((v ^ mixed((u ^ v) * factor)) * factor) * factor;
}

inline Long up_to_16(const char* s, Long length) {
  if (length == 0) return K2;
  if (length < 4) {
    Long first = (unsigned char)s[0], middle = (unsigned char)s[length >> 1], last = (unsigned char)s[length - 1];
    return mixed((first + (middle << 8)) * K2 ^ (length + (last << 2)) * K0) * K2;
  }
  Long factor = K2 + 2 * length;
  if (length < 8) return two_to_one(length + (half_word(s) << 3), half_word(s + length - 4), factor);
  Long a = word(s) + K2, b = word(s + length - 8);
  return two_to_one(rotated(b, 37) * factor + a, (rotated(a, 25) + b) * factor, factor);
}

inline Long up_to_64(const char* s, Long length) {
  const char* end = s + length;
  Long factor = K2 + 2 * length;
  Long a = word(s) * (length <= 32 ? K1 : K2), b = word(s + 8), c = word(end - 8) * factor, d = word(end - 16) * K2;
  Long y = rotated(a + b, 43) + rotated(c, 30) + d;
  Long z = two_to_one(y, a + rotated(b + K2, 18) + c, factor);
  if (length <= 32) return z;
  Long e = word(s + 16) * factor, f = word(s + 24);
  Long g = (y + word(end - 32)) * factor, h = (z + word(end - 24)) * factor;
  return two_to_one(rotated(e + f, 43) + rotated(g, 30) + h, e + rotated(f + a, 18) + g, factor);
}

struct Pair {
  Long first, second;
};

// 32 bytes and two seeds hashed to two words.
inline Pair weak(const char* s, Long a, Long b) {
  a += word(s);
  Long z = word(s + 24);
  b = rotated(b + a + z, 21);
  Long total = a + word(s + 8) + word(s + 16);
  return {total + z, b + rotated(total, 44) + a};
}

struct State {
  Long x, y, z;
  Pair v, w;
  // One block of 64 bytes; the last one weighs its state by 9.
  void take(const char* s, Long factor, Long weight) {
    x = rotated(x + y + v.first + word(s + 8), 37) * factor;
    y = rotated(y + v.second + word(s + 48), 42) * factor;
    x ^= w.second * weight;
    y += v.first * weight + word(s + 40);
    z = rotated(z + w.first, 33) * factor;
    v = weak(s, v.second * factor, x + w.first);
    w = weak(s + 32, z + w.second, y + word(s + 16));
    Long other = z;
    z = x;
    x = other;
  }
};

Long longer(const char* s, Long length) {
  const Long y = 81 * K1 + 113;
  State state = {81 * K2 + word(s), y, mixed(y * K2 + 113) * K2, {0, 0}, {0, 0}};
  const char* last = s + length - 64;
  for (const char* block = s; block < last; block += 64) state.take(block, K1, 1);
  Long factor = K1 + ((state.z & 255) << 1);
  state.w.first += (length - 1) & 63;
  state.v.first += state.w.first;
  state.w.first += state.v.first;
  state.take(last, factor, 9);
  return two_to_one(two_to_one(state.v.first, state.w.first, factor) + mixed(state.y) * K0 + state.z,
                    two_to_one(state.v.second, state.w.second, factor) + state.x, factor);
}

inline Long fingerprint(const char* s, Long length) {
  return length <= 16 ? up_to_16(s, length) : length <= 64 ? up_to_64(s, length) : longer(s, length);
}

// Where in an object are its type, its number of bytes and the first of them.
struct Fields {
  Index type, size, data;
};

}  // namespace

// The fingerprints of objects of one type, Python's bytes; 0, and no more is done, at an object of another type. The
// caller holds Python's lock.
EXPORT int fingerprints(const char* const* objects, Index count, const Fields* fields, const char* type, Long* out) {
  constexpr Index AHEAD = 16;
  for (Index i = 0; i < count; ++i) {
    if (i + AHEAD < count) __builtin_prefetch(objects[i + AHEAD]);
    if (objects[i] == nullptr) return 0;
    const char* own;
    std::memcpy(&own, objects[i] + fields->type, sizeof own);
    if (own != type) return 0;
    out[i] = fingerprint(objects[i] + fields->data, word(objects[i] + fields->size));
  }
  return 1;
}
