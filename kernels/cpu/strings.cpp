// Per-string hashes, lengths, parsed numbers and table positions; slicing, joining and splitting of strings.
//
// FarmHash's Fingerprint64 is Geoff Pike's algorithm (https://github.com/google/farmhash), which TensorFlow uses in
// string_to_hash_bucket_fast. tfmini/_src/devices/numpy/farmhash.py implements the same formulas, string_hashes.py
// those of the other hashes.

#include "key_places.h"
#include "strings.h"

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

// Hashes two words to one.
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

// Hashes 32 bytes and two seeds to two words.
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
  // Processes a block of 64 bytes; for the last block, `weight` is 9.
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

// The last, fewer than 8, bytes of a string, zero-extended to a word.
inline Long tail_of(const char* s, Long length) {
  const Long rest = length & 7;
  if (rest && length > 8) return word(s + length - 8) >> (64 - 8 * rest);
  Long tail = 0;
  std::memcpy(&tail, s + length - rest, rest);
  return tail;
}

// MurmurHash64A with TensorFlow's seed.
inline Long murmur_hash(const char* s, Long length) {
  constexpr Long FACTOR = 0xC6A4A7935BD1E995u;
  Long state = 0xDECAFCAFFEu ^ length * FACTOR;
  for (Long i = 0; i + 8 <= length; i += 8) state = (state ^ mixed(word(s + i) * FACTOR) * FACTOR) * FACTOR;
  if (length & 7) state = (state ^ tail_of(s, length)) * FACTOR;
  return mixed(mixed(state) * FACTOR);
}

// SipHash-2-4.
struct Sip {
  Long a, b, c, d;
  explicit Sip(const Long* key)
      : a(key[0] ^ 0x736F6D6570736575u), b(key[1] ^ 0x646F72616E646F6Du), c(key[0] ^ 0x6C7967656E657261u),
        d(key[1] ^ 0x7465646279746573u) {}
  void mix() {
    a += b, c += d;
    b = rotated(b, 51) ^ a, d = rotated(d, 48) ^ c;
    a = rotated(a, 32);
    c += b, a += d;
    b = rotated(b, 47) ^ c, d = rotated(d, 43) ^ a;
    c = rotated(c, 32);
  }
  void take(Long next) {
    d ^= next;
    mix(), mix();
    a ^= next;
  }
};

inline Long sip_hash(const char* s, Long length, const Long* key) {
  Sip state(key);
  for (Long i = 0; i + 8 <= length; i += 8) state.take(word(s + i));
  state.take(tail_of(s, length) | length << 56);
  state.c ^= 255;
  for (int i = 0; i < 4; ++i) state.mix();
  return state.a ^ state.b ^ state.c ^ state.d;
}

inline bool is_digit(char c) { return c >= '0' && c <= '9'; }

// Parses an integer of up to 18 digits; false for any other syntax.
inline bool integer_of(const char* s, Long length, Long* out) {
  const bool negative = length > 0 && *s == '-';
  const char *end = s + length, *at = s + negative;
  std::int64_t value = 0;
  if (at == end || end - at > 18) return false;
  for (; at < end; ++at) {
    if (!is_digit(*at)) return false;
    value = 10 * value + (*at - '0');
  }
  *out = Long(negative ? -value : value);
  return true;
}

// Parses a decimal number if a single rounding yields the nearest double: at most 15 digits, and powers of ten that are
// exact in doubles (W. Clinger, "How to Read Floating Point Numbers Accurately", 1990). False otherwise.
inline bool float_of(const char* s, Long length, Long* out) {
  static constexpr double POWERS[] = {1e0,  1e1,  1e2,  1e3,  1e4,  1e5,  1e6,  1e7,  1e8,  1e9,  1e10, 1e11,
                                      1e12, 1e13, 1e14, 1e15, 1e16, 1e17, 1e18, 1e19, 1e20, 1e21, 1e22};
  const char *end = s + length, *at = s;
  if (length == 0 || length >= 32) return false;
  const bool negative = *at == '-';
  at += *at == '-' || *at == '+';
  std::int64_t digits = 0, behind = 0, exponent = 0, count = 0;
  bool point = false, any = false;
  for (; at < end && (is_digit(*at) || (*at == '.' && !point)); ++at) {
    if (*at == '.') {
      point = true;
      continue;
    }
    digits = 10 * digits + (*at - '0');
    behind += point, any = true, count += digits != 0;
    if (count > 15) return false;
  }
  if (!any) return false;
  if (at < end && (*at == 'e' || *at == 'E')) {
    Long written;
    const bool plus = at + 1 < end && at[1] == '+' && !(at + 2 < end && at[2] == '-');
    at += 1 + plus;
    if (end - at > 4 || !integer_of(at, Long(end - at), &written)) return false;
    exponent = std::int64_t(written), at = end;
  }
  exponent -= behind;
  if (at != end || exponent < -22 || exponent > 22) return false;
  double value = double(digits);
  value = exponent < 0 ? value / POWERS[-exponent] : value * POWERS[exponent];
  value = negative ? -value : value;
  std::memcpy(out, &value, sizeof value);
  return true;
}

struct Text {
  const char* begin;
  Index length;
};

// The slot of a string in a hash table, or the free slot for inserting it.
inline Long place_of(const KeyPlaces& table, Text text, Long print, const Object* keys, const Long* prints,
                     const Bytes& bytes) {
  return table.place_of(print, [=](std::int32_t position) {
    const char* begin;
    Index size;
    return prints[position] == print && read(keys[position], bytes, &begin, &size) && size == text.length &&
           std::memcmp(begin, text.begin, std::size_t(size)) == 0;
  });
}

}  // namespace

// One number per bytes object. Stops and returns 0 at an object of another type, or at a number that numpy must parse.
// `key` is SipHash's key of two words.
#define NUMBERS_OF_STRINGS(name, made)                                                                           \
  EXPORT int name(const Object* objects, Index count, const Bytes* bytes, Long* out, const Long* key) {          \
    (void)key;                                                                                                   \
    return each_string(objects, count, *bytes, [=](const char* s, Long length, Index i) {                        \
      Long* number = out + i;                                                                                    \
      (void)s;                                                                                                   \
      return made;                                                                                               \
    });                                                                                                          \
  }

NUMBERS_OF_STRINGS(fingerprints, (*number = fingerprint(s, length), true))
NUMBERS_OF_STRINGS(murmur_hashes, (*number = murmur_hash(s, length), true))
NUMBERS_OF_STRINGS(sip_hashes, (*number = sip_hash(s, length, key), true))
NUMBERS_OF_STRINGS(lengths, (*number = length, true))
NUMBERS_OF_STRINGS(integers, integer_of(s, length, number))
NUMBERS_OF_STRINGS(floats, float_of(s, length, number))

// Writes the decimal digits of a number, at least `least`, so that they end at `end`; returns their start.
inline char* put_digits(Long number, Index least, char* end) {
  char* at = end;
  for (; number || least > 0; number /= 10, --least) *--at = char('0' + number % 10);
  return at;
}

// Formats integers as strings.
EXPORT int spelled_integers(const Index* numbers, Index count, const Bytes* bytes, Object* out) {
  char text[24], *const end = text + sizeof text;
  for (Index i = 0; i < count; ++i) {
    const Index number = numbers[i];
    char* at = put_digits(number < 0 ? 0 - Long(number) : Long(number), 1, end);
    if (number < 0) *--at = '-';
    if (!put(out + i, bytes->make(at, end - at), *bytes)) return 0;
  }
  return 1;
}

// Formats doubles with up to nine decimal `places`, rounding half to even. 0 for numbers with ten or more digits before
// the point, and for NaN and infinities.
EXPORT int spelled_floats(const double* numbers, Index count, const Bytes* bytes, Object* out, Index places) {
  __extension__ typedef unsigned __int128 Wide;
  constexpr Long HIDDEN = Long(1) << 52;
  char text[32], *const end = text + sizeof text;
  Long scale = 1;
  for (Index i = 0; i < places; ++i) scale *= 10;
  for (Index i = 0; i < count; ++i) {
    Long bits;
    std::memcpy(&bits, numbers + i, sizeof bits);
    if (!(magnitude(numbers[i]) < 1e9)) return 0;
    const Index exponent = Index(bits >> 52 & 2047), behind = 1075 - (exponent ? exponent : 1);
    const Wide scaled = Wide(bits % HIDDEN + (exponent ? HIDDEN : 0)) * scale;
    Long number = 0;
    if (behind < 100) {
      const Wide rest = scaled & ((Wide(1) << behind) - 1), half = Wide(1) << (behind - 1);
      number = Long(scaled >> behind);
      number += rest > half || (rest == half && number % 2);
    }
    char* at = put_digits(number % scale, places, end);
    if (places) *--at = '.';
    at = put_digits(number / scale, 1, at);
    if (bits >> 63) *--at = '-';
    if (!put(out + i, bytes->make(at, end - at), *bytes)) return 0;
  }
  return 1;
}

// Concatenates the bytes of objects; 0 if a size is not `size`.
EXPORT int joined_bytes(const Object* objects, Index count, const Bytes* bytes, char* out, Index size) {
  return each_string(objects, count, *bytes, [=](const char* s, Index length, Index i) {
    if (length != size) return false;
    std::memcpy(out + i * size, s, size);
    return true;
  });
}

// Slices each object: up to `size` bytes from `start` on; 0 if one is shorter than `start`.
EXPORT int slices(const Object* objects, Index count, const Bytes* bytes, Object* out, Index start, Index size) {
  return each_string(objects, count, *bytes, [=](const char* s, Index length, Index i) {
    const Index rest = length - start;
    return rest >= 0 && put(out + i, bytes->make(s + start, size < rest ? size : rest), *bytes);
  });
}

// Joins rows of strings with a separator: the first column is `objects`, followed by `others` columns of the same
// length.
EXPORT int joined_rows(const Object* objects, Index count, const Bytes* bytes, Object* out, const Object* const* columns,
                       Index others, const char* separator, Index width) {
  return each_string(objects, count, *bytes, [=](const char* s, Index length, Index i) {
    const char* next;
    Index some, size = length;
    for (Index c = 0; c < others; ++c) {
      if (!read(columns[c][i], *bytes, &next, &some)) return false;
      size += width + some;
    }
    const Object made = bytes->make(nullptr, size);
    if (!put(out + i, made, *bytes)) return false;
    char* at = const_cast<char*>(made) + bytes->data;
    std::memcpy(at, s, std::size_t(length)), at += length;
    for (Index c = 0; c < others; ++c) {
      read(columns[c][i], *bytes, &next, &some);
      std::memcpy(at, separator, std::size_t(width)), at += width;
      std::memcpy(at, next, std::size_t(some)), at += some;
    }
    return true;
  });
}

enum Empty { KEPT, LEFT_OUT, KEPT_OF_OTHERS };

// Splits strings at separator bytes. Writes the parts and their indices [parts, 2] (string, position in it); `parts`
// has room for `most`, and may be null. `found` receives the number of parts and the maximum per string. `empty`
// selects whether empty parts are kept, dropped, or kept except for empty strings.
EXPORT int split_strings(const Object* objects, Index count, const Bytes* bytes, Index* found, const bool* separates,
                         Index empty, Object* parts, Index* places, Index most) {
  Index total = 0, longest = 0;
  const int done = each_string(objects, count, *bytes, [&](const char* s, Index length, Index i) {
    const char* const end = s + length;
    Index own = 0;
    if (length == 0 && empty == KEPT_OF_OTHERS) return true;
    for (const char* begin = s; begin <= end; ++begin) {
      const char* at = begin;
      while (at < end && !separates[(unsigned char)*at]) ++at;
      if (at > begin || empty != LEFT_OUT) {
        if (parts != nullptr) {
          if (total == most || !put(parts + total, bytes->make(begin, at - begin), *bytes)) return false;
          places[2 * total] = i, places[2 * total + 1] = own;
        }
        ++total, ++own;
      }
      begin = at;
    }
    longest = own > longest ? own : longest;
    return true;
  });
  found[0] = total, found[1] = longest;
  return done;
}

// Inserts the keys of a table of `count` slots into a larger one of `mask` + 1, by their fingerprints.
EXPORT void move_strings(const std::int32_t* others, Index count, const Long* prints, std::int32_t* places, Long mask) {
  KeyPlaces{places, mask}.take_from(others, count, [=](std::int32_t position) { return prints[position]; });
}

// The position of the key equal to each object, or -1.
EXPORT int find_strings(const Object* objects, Index count, const Bytes* bytes, Index* out, const Object* keys,
                        const Long* prints, std::int32_t* places, Long mask) {
  return each_string(objects, count, *bytes, [=](const char* s, Index length, Index i) {
    out[i] = places[place_of({places, mask}, {s, length}, fingerprint(s, length), keys, prints, *bytes)];
    return true;
  });
}

// The position of each object; adds missing keys, for which the caller has reserved space.
EXPORT int add_strings(const Object* objects, Index count, const Bytes* bytes, Index* out, Object* keys, Long* prints,
                       std::int32_t* places, Long mask, KeyCounts* counts, const std::int32_t* spares) {
  return each_string(objects, count, *bytes, [=](const char* s, Index length, Index i) {
    const Long print = fingerprint(s, length);
    const Long at = place_of({places, mask}, {s, length}, print, keys, prints, *bytes);
    if (places[at] < 0) {
      places[at] = counts->next(spares);
      prints[places[at]] = print;
      bytes->keep(objects[i]);
      put(keys + places[at], objects[i], *bytes);
    }
    out[i] = places[at];
    return true;
  });
}

// Removes the keys equal to objects; their positions become spare and are written to `out`, -1 for missing keys.
EXPORT int remove_strings(const Object* objects, Index count, const Bytes* bytes, Index* out, const Object* keys,
                          const Long* prints, std::int32_t* places, Long mask, KeyCounts* counts,
                          std::int32_t* spares) {
  const KeyPlaces table = {places, mask};
  return each_string(objects, count, *bytes, [=](const char* s, Index length, Index i) {
    const Long at = place_of(table, {s, length}, fingerprint(s, length), keys, prints, *bytes);
    out[i] = places[at];
    if (places[at] < 0) return true;
    spares[counts->spare++] = places[at];
    table.vacate(at, [=](std::int32_t position) { return prints[position]; });
    return true;
  });
}
