// Web-safe base64 encoding and decoding of strings.

#include "strings.h"

namespace {

constexpr char DIGITS[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";
constexpr std::uint8_t NONE = 64;

struct Values {
  std::uint8_t of[256];
  constexpr Values() : of() {
    for (int i = 0; i < 256; ++i) of[i] = NONE;
    for (int i = 0; i < 64; ++i) of[(unsigned char)DIGITS[i]] = std::uint8_t(i);
  }
};
constexpr Values VALUES;

}  // namespace

EXPORT int encode_base64(const Object* objects, Index count, const Bytes* bytes, Object* out, int pad) {
  return each_string(objects, count, *bytes, [=](const char* s, Index length, Index i) {
    const Index digits = (length * 4 + 2) / 3, size = pad ? (length + 2) / 3 * 4 : digits;
    const Object made = bytes->make(nullptr, size);
    if (!put(out + i, made, *bytes)) return false;
    char* at = const_cast<char*>(made) + bytes->data;
    std::memset(at + digits, '=', std::size_t(size - digits));
    unsigned held = 0;
    int bits = 0;
    for (Index k = 0; k < length; ++k) {
      held = held << 8 | (unsigned char)s[k];
      for (bits += 8; bits >= 6; bits -= 6) *at++ = DIGITS[held >> (bits - 6) & 63];
    }
    if (bits) *at = DIGITS[held << (6 - bits) & 63];
    return true;
  });
}

// Returns 0 if any string is not valid base64.
EXPORT int decode_base64(const Object* objects, Index count, const Bytes* bytes, Object* out) {
  return each_string(objects, count, *bytes, [=](const char* s, Index length, Index i) {
    if (length % 4 == 0)
      for (int padding = 0; padding < 2 && length > 0 && s[length - 1] == '='; ++padding) --length;
    if (length % 4 == 1) return false;
    const Object made = bytes->make(nullptr, length * 3 / 4);
    if (!put(out + i, made, *bytes)) return false;
    char* at = const_cast<char*>(made) + bytes->data;
    unsigned held = 0;
    int bits = 0;
    for (Index k = 0; k < length; ++k) {
      const unsigned value = VALUES.of[(unsigned char)s[k]];
      if (value == NONE) return false;
      held = held << 6 | value;
      bits += 6;
      if (bits >= 8) *at++ = char(held >> (bits -= 8));
    }
    return true;
  });
}
