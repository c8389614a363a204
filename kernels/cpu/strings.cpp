// Hashes, lengths, parsed numbers and table positions of strings; slicing, joining and splitting of strings.
//
// FarmHash's Fingerprint64 is Geoff Pike's algorithm (https://github.com/google/farmhash), which TensorFlow uses in
// string_to_hash_bucket_fast. tfmini/_src/devices/numpy/farmhash.py implements the same formulas; string_hashes.py
// implements the other hashes.

#include "key_index.h"
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
inline Long hash_pair(Long u, Long v, Long factor) { return mixed((v ^ mixed((u ^ v) * factor)) * factor) * factor; }

inline Long hash_up_to_16(const char* s, Long length) {
  if (length == 0) return K2;
  if (length < 4) {
    Long first = (unsigned char)s[0], middle = (unsigned char)s[length >> 1], last = (unsigned char)s[length - 1];
    return mixed((first + (middle << 8)) * K2 ^ (length + (last << 2)) * K0) * K2;
  }
  Long factor = K2 + 2 * length;
  if (length < 8) return hash_pair(length + (half_word(s) << 3), half_word(s + length - 4), factor);
  Long a = word(s) + K2, b = word(s + length - 8);
  return hash_pair(rotated(b, 37) * factor + a, (rotated(a, 25) + b) * factor, factor);
}

inline Long hash_up_to_64(const char* s, Long length) {
  const char* end = s + length;
  Long factor = K2 + 2 * length;
  Long a = word(s) * (length <= 32 ? K1 : K2), b = word(s + 8), c = word(end - 8) * factor, d = word(end - 16) * K2;
  Long y = rotated(a + b, 43) + rotated(c, 30) + d;
  Long z = hash_pair(y, a + rotated(b + K2, 18) + c, factor);
  if (length <= 32) return z;
  Long e = word(s + 16) * factor, f = word(s + 24);
  Long g = (y + word(end - 32)) * factor, h = (z + word(end - 24)) * factor;
  return hash_pair(rotated(e + f, 43) + rotated(g, 30) + h, e + rotated(f + a, 18) + g, factor);
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

Long hash_long(const char* s, Long length) {
  const Long y = 81 * K1 + 113;
  State state = {81 * K2 + word(s), y, mixed(y * K2 + 113) * K2, {0, 0}, {0, 0}};
  const char* last = s + length - 64;
  for (const char* block = s; block < last; block += 64) state.take(block, K1, 1);
  Long factor = K1 + ((state.z & 255) << 1);
  state.w.first += (length - 1) & 63;
  state.v.first += state.w.first;
  state.w.first += state.v.first;
  state.take(last, factor, 9);
  return hash_pair(hash_pair(state.v.first, state.w.first, factor) + mixed(state.y) * K0 + state.z,
                   hash_pair(state.v.second, state.w.second, factor) + state.x, factor);
}

inline Long fingerprint(const char* s, Long length) {
  return length <= 16 ? hash_up_to_16(s, length) : length <= 64 ? hash_up_to_64(s, length) : hash_long(s, length);
}

// Returns the trailing bytes after the last full word of a string, zero-extended to a word.
inline Long load_tail(const char* s, Long length) {
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
  if (length & 7) state = (state ^ load_tail(s, length)) * FACTOR;
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
  state.take(load_tail(s, length) | length << 56);
  state.c ^= 255;
  for (int i = 0; i < 4; ++i) state.mix();
  return state.a ^ state.b ^ state.c ^ state.d;
}

inline bool is_digit(char c) { return c >= '0' && c <= '9'; }

// Parses an integer of up to 18 digits; returns false for any other syntax.
inline bool parse_integer(const char* s, Long length, Long* out) {
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
// exact in doubles (W. Clinger, "How to Read Floating Point Numbers Accurately", 1990). Returns false otherwise.
inline bool parse_float(const char* s, Long length, Long* out) {
  static constexpr double POWERS[] = {1e0,  1e1,  1e2,  1e3,  1e4,  1e5,  1e6,  1e7,  1e8,  1e9,  1e10, 1e11,
                                      1e12, 1e13, 1e14, 1e15, 1e16, 1e17, 1e18, 1e19, 1e20, 1e21, 1e22};
  const char *end = s + length, *at = s;
  if (length == 0 || length >= 32) return false;
  const bool negative = *at == '-';
  at += *at == '-' || *at == '+';
  std::int64_t digits = 0, fraction_digits = 0, exponent = 0, count = 0;
  bool has_point = false, has_digits = false;
  for (; at < end && (is_digit(*at) || (*at == '.' && !has_point)); ++at) {
    if (*at == '.') {
      has_point = true;
      continue;
    }
    digits = 10 * digits + (*at - '0');
    fraction_digits += has_point, has_digits = true, count += digits != 0;
    if (count > 15) return false;
  }
  if (!has_digits) return false;
  if (at < end && (*at == 'e' || *at == 'E')) {
    Long exponent_value;
    const bool plus = at + 1 < end && at[1] == '+' && !(at + 2 < end && at[2] == '-');
    at += 1 + plus;
    if (end - at > 4 || !parse_integer(at, Long(end - at), &exponent_value)) return false;
    exponent = std::int64_t(exponent_value), at = end;
  }
  exponent -= fraction_digits;
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

// Returns the slot of a string in a hash table, or the free slot in which to insert it.
inline Long find_slot(const KeyIndex& table, Text text, Long hash, const Object* keys, const Long* hashes,
                      const Bytes& bytes) {
  return table.find_slot(hash, [=](std::int32_t position) {
    const char* begin;
    Index size;
    return hashes[position] == hash && read(keys[position], bytes, &begin, &size) && size == text.length &&
           std::memcmp(begin, text.begin, std::size_t(size)) == 0;
  });
}

}  // namespace

// Computes one number per bytes object. Returns 0 at an object of another type, or at a number that NumPy must parse.
// `key` is the two-word key of SipHash.
#define NUMBERS_OF_STRINGS(name, result)                                                                               \
  EXPORT int name(const Object* objects, Index count, const Bytes* bytes, Long* out, const Long* key) {                \
    (void)key;                                                                                                         \
    return for_each_string(objects, count, *bytes, [=](const char* s, Long length, Index i) {                          \
      Long* number = out + i;                                                                                          \
      (void)s;                                                                                                         \
      return result;                                                                                                   \
    });                                                                                                                \
  }

NUMBERS_OF_STRINGS(fingerprints, (*number = fingerprint(s, length), true))
NUMBERS_OF_STRINGS(murmur_hashes, (*number = murmur_hash(s, length), true))
NUMBERS_OF_STRINGS(sip_hashes, (*number = sip_hash(s, length, key), true))
NUMBERS_OF_STRINGS(lengths, (*number = length, true))
NUMBERS_OF_STRINGS(integers, parse_integer(s, length, number))
NUMBERS_OF_STRINGS(floats, parse_float(s, length, number))

// Writes the decimal digits of a number, at least `min_digits`, so that they end at `end`; returns their start.
inline char* write_digits(Long number, Index min_digits, char* end) {
  char* at = end;
  for (; number || min_digits > 0; number /= 10, --min_digits) *--at = char('0' + number % 10);
  return at;
}

// Formats integers as strings.
EXPORT int spelled_integers(const Index* numbers, Index count, const Bytes* bytes, Object* out) {
  char text[24], *const end = text + sizeof text;
  for (Index i = 0; i < count; ++i) {
    const Index number = numbers[i];
    char* at = write_digits(number < 0 ? 0 - Long(number) : Long(number), 1, end);
    if (number < 0) *--at = '-';
    if (!store_object(out + i, bytes->make(at, end - at), *bytes)) return 0;
  }
  return 1;
}

// Formats doubles with up to nine decimal `places`, rounding half to even. Returns 0 for numbers with ten or more
// digits before the point, and for NaN and infinities.
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
    const Index exponent = Index(bits >> 52 & 2047), shift = 1075 - (exponent ? exponent : 1);
    const Wide scaled = Wide(bits % HIDDEN + (exponent ? HIDDEN : 0)) * scale;
    Long number = 0;
    if (shift < 100) {
      const Wide remainder = scaled & ((Wide(1) << shift) - 1), half = Wide(1) << (shift - 1);
      number = Long(scaled >> shift);
      number += remainder > half || (remainder == half && number % 2);
    }
    char* at = write_digits(number % scale, places, end);
    if (places) *--at = '.';
    at = write_digits(number / scale, 1, at);
    if (bits >> 63) *--at = '-';
    if (!store_object(out + i, bytes->make(at, end - at), *bytes)) return 0;
  }
  return 1;
}

// Concatenates the bytes of objects; returns 0 if the size of one is not `size`.
EXPORT int joined_bytes(const Object* objects, Index count, const Bytes* bytes, char* out, Index size) {
  return for_each_string(objects, count, *bytes, [=](const char* s, Index length, Index i) {
    if (length != size) return false;
    std::memcpy(out + i * size, s, size);
    return true;
  });
}

// Slices each object: up to `size` bytes starting at `start`; returns 0 if an object is shorter than `start`.
EXPORT int slices(const Object* objects, Index count, const Bytes* bytes, Object* out, Index start, Index size) {
  return for_each_string(objects, count, *bytes, [=](const char* s, Index length, Index i) {
    const Index remaining = length - start;
    return remaining >= 0 && store_object(out + i, bytes->make(s + start, size < remaining ? size : remaining), *bytes);
  });
}

// Joins rows of strings with a separator: the first column is `objects`, followed by `others` columns of the same
// length.
EXPORT int joined_rows(const Object* objects, Index count, const Bytes* bytes, Object* out,
                       const Object* const* columns, Index others, const char* separator, Index width) {
  return for_each_string(objects, count, *bytes, [=](const char* s, Index length, Index i) {
    const char* part;
    Index part_size, size = length;
    for (Index c = 0; c < others; ++c) {
      if (!read(columns[c][i], *bytes, &part, &part_size)) return false;
      size += width + part_size;
    }
    const Object object = bytes->make(nullptr, size);
    if (!store_object(out + i, object, *bytes)) return false;
    char* at = const_cast<char*>(object) + bytes->data;
    std::memcpy(at, s, std::size_t(length)), at += length;
    for (Index c = 0; c < others; ++c) {
      read(columns[c][i], *bytes, &part, &part_size);
      std::memcpy(at, separator, std::size_t(width)), at += width;
      std::memcpy(at, part, std::size_t(part_size)), at += part_size;
    }
    return true;
  });
}

enum Empty { KEPT, LEFT_OUT, KEPT_OF_OTHERS };

// Splits strings at separator bytes. Writes the parts and their indices [parts, 2] (string, position in it); `parts`
// has capacity for `most` parts, and may be null. `found` receives the number of parts and the maximum per string.
// `empty` selects whether empty parts are kept, dropped, or kept except for empty strings.
EXPORT int split_strings(const Object* objects, Index count, const Bytes* bytes, Index* found, const bool* separates,
                         Index empty, Object* parts, Index* places, Index most) {
  Index total = 0, longest = 0;
  const int done = for_each_string(objects, count, *bytes, [&](const char* s, Index length, Index i) {
    const char* const end = s + length;
    Index part_index = 0;
    if (length == 0 && empty == KEPT_OF_OTHERS) return true;
    for (const char* begin = s; begin <= end; ++begin) {
      const char* at = begin;
      while (at < end && !separates[(unsigned char)*at]) ++at;
      if (at > begin || empty != LEFT_OUT) {
        if (parts != nullptr) {
          if (total == most || !store_object(parts + total, bytes->make(begin, at - begin), *bytes)) return false;
          places[2 * total] = i, places[2 * total + 1] = part_index;
        }
        ++total, ++part_index;
      }
      begin = at;
    }
    longest = part_index > longest ? part_index : longest;
    return true;
  });
  found[0] = total, found[1] = longest;
  return done;
}

// Inserts the keys of a table of `count` slots into a larger table of `mask` + 1 slots, by their fingerprints.
EXPORT void move_strings(const std::int32_t* others, Index count, const Long* prints, std::int32_t* places, Long mask) {
  KeyIndex{places, mask}.insert_all(others, count, [=](std::int32_t position) { return prints[position]; });
}

// Finds the position of the key equal to each object, or -1.
EXPORT int find_strings(const Object* objects, Index count, const Bytes* bytes, Index* out, const Object* keys,
                        const Long* prints, std::int32_t* places, Long mask) {
  return for_each_string(objects, count, *bytes, [=](const char* s, Index length, Index i) {
    out[i] = places[find_slot({places, mask}, {s, length}, fingerprint(s, length), keys, prints, *bytes)];
    return true;
  });
}

// Finds the position of each object; adds missing keys, for which the caller has reserved space.
EXPORT int add_strings(const Object* objects, Index count, const Bytes* bytes, Index* out, Object* keys, Long* prints,
                       std::int32_t* places, Long mask, KeyCounts* counts, const std::int32_t* spares) {
  return for_each_string(objects, count, *bytes, [=](const char* s, Index length, Index i) {
    const Long hash = fingerprint(s, length);
    const Long slot = find_slot({places, mask}, {s, length}, hash, keys, prints, *bytes);
    if (places[slot] < 0) {
      places[slot] = counts->next(spares);
      prints[places[slot]] = hash;
      bytes->keep(objects[i]);
      store_object(keys + places[slot], objects[i], *bytes);
    }
    out[i] = places[slot];
    return true;
  });
}

// Removes the keys equal to objects; their positions become spare and are written to `out`, with -1 for missing keys.
EXPORT int remove_strings(const Object* objects, Index count, const Bytes* bytes, Index* out, const Object* keys,
                          const Long* prints, std::int32_t* places, Long mask, KeyCounts* counts,
                          std::int32_t* spares) {
  const KeyIndex table = {places, mask};
  return for_each_string(objects, count, *bytes, [=](const char* s, Index length, Index i) {
    const Long slot = find_slot(table, {s, length}, fingerprint(s, length), keys, prints, *bytes);
    out[i] = places[slot];
    if (places[slot] < 0) return true;
    spares[counts->spare++] = places[slot];
    table.remove(slot, [=](std::int32_t position) { return prints[position]; });
    return true;
  });
}
