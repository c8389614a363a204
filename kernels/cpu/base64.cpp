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
  return for_each_string(objects, count, *bytes, [=](const char* s, Index length, Index i) {
    const Index digits = (length * 4 + 2) / 3, size = pad ? (length + 2) / 3 * 4 : digits;
    const Object object = bytes->make(nullptr, size);
    if (!store_object(out + i, object, *bytes)) return false;
    char* at = const_cast<char*>(object) + bytes->data;
    std::memset(at + digits, '=', std::size_t(size - digits));
    unsigned buffer = 0;
    int bits = 0;
    for (Index k = 0; k < length; ++k) {
      buffer = buffer << 8 | (unsigned char)s[k];
      for (bits += 8; bits >= 6; bits -= 6) *at++ = DIGITS[buffer >> (bits - 6) & 63];
    }
    if (bits) *at = DIGITS[buffer << (6 - bits) & 63];
    return true;
  });
}

// Returns 0 if any string is not valid base64.
EXPORT int decode_base64(const Object* objects, Index count, const Bytes* bytes, Object* out) {
  return for_each_string(objects, count, *bytes, [=](const char* s, Index length, Index i) {
    if (length % 4 == 0)
      for (int padding = 0; padding < 2 && length > 0 && s[length - 1] == '='; ++padding) --length;
    if (length % 4 == 1) return false;
    const Object object = bytes->make(nullptr, length * 3 / 4);
    if (!store_object(out + i, object, *bytes)) return false;
    char* at = const_cast<char*>(object) + bytes->data;
    unsigned buffer = 0;
    int bits = 0;
    for (Index k = 0; k < length; ++k) {
      const unsigned value = VALUES.of[(unsigned char)s[k]];
      if (value == NONE) return false;
      buffer = buffer << 6 | value;
      bits += 6;
      if (bits >= 8) *at++ = char(buffer >> (bits -= 8));
    }
    return true;
  });
}
