// Parser for nested lists of numbers in JSON, with Python's results: each is the double nearest to its decimal digits.

#include <stdlib.h>

#include "basics.h"

namespace {

constexpr Index MAX_DIMENSIONS = 16, MAX_DIGITS = 15;  // digits of integers that doubles represent exactly
constexpr std::uint64_t HELD = std::uint64_t(1) << 53;  // doubles hold all smaller integers

constexpr double POWERS[] = {1e0,  1e1,  1e2,  1e3,  1e4,  1e5,  1e6,  1e7,  1e8,  1e9,  1e10, 1e11,
                             1e12, 1e13, 1e14, 1e15, 1e16, 1e17, 1e18, 1e19, 1e20, 1e21, 1e22};

inline bool is_digit(char c) { return unsigned(c - '0') < 10; }

// digits / 10^places for digits >= 2^53 and 1 to 19 places: the quotient has at least 54 bits, and a nonzero remainder
// makes its last bit odd, so that it rounds like the exact fraction.
inline double quotient(std::uint64_t digits, int places) {
  std::uint64_t power = 1;
  for (int i = 0; i < places; ++i) power *= 10;
  const unsigned __int128 wide = static_cast<unsigned __int128>(digits) << 64;
  unsigned __int128 found = wide / power;
  bool rest = found * power != wide;
  int shift = 0;
  while (found >> 62) {
    rest |= int(found & 1);
    found >>= 1;
    ++shift;
  }
  return std::ldexp(double(std::int64_t(found) | std::int64_t(rest)), shift - 64);
}

struct Text {
  const char* at;
  const char* end;

  void skip() {
    while (at < end && (*at == ' ' || *at == '\n' || *at == '\t' || *at == '\r')) ++at;
  }

  bool takes(char c) {
    if (at == end || *at != c) return false;
    ++at;
    return true;
  }

  bool is_at_digit() const { return at < end && is_digit(*at); }
};

struct Found {
  Index rank, shape[MAX_DIMENSIONS], largest, fractions;  // the largest integer's magnitude; the number of non-integers
};

bool number(Text& text, double* out, Found& found) {
  const char* begin = text.at;
  const bool negative = text.takes('-');
  const char* first = text.at;
  if (!text.is_at_digit()) return false;
  std::uint64_t digits = 0;
  auto take = [&] {
    for (; text.is_at_digit(); ++text.at) digits = 10 * digits + std::uint64_t(*text.at - '0');
  };
  take();
  Index count = text.at - first;
  if (*first == '0' && count > 1) return false;
  int places = 0;
  bool whole = true;
  if (text.takes('.')) {
    const char* point = text.at;
    take();
    if (text.at == point) return false;
    count += text.at - point;
    places = text.at - point < 400 ? int(text.at - point) : 400;
    whole = false;
  }
  bool simple = count <= 19;  // otherwise `digits` may overflow
  if (text.at < text.end && (*text.at == 'e' || *text.at == 'E')) {
    ++text.at;
    const bool down = text.takes('-');
    if (!down) text.takes('+');
    if (!text.is_at_digit()) return false;
    int power = 0;
    for (; text.is_at_digit(); ++text.at) power = power < 10000 ? 10 * power + (*text.at - '0') : power;
    places += down ? power : -power;
    whole = false;
  }
  if (text.at == text.end) return false;  // the list continues
  if (whole) {
    if (count > MAX_DIGITS) return false;
    if (Index(digits) > found.largest) found.largest = Index(digits);
    *out = double(negative ? -Index(digits) : Index(digits));
    return true;
  }
  ++found.fractions;
  double value;
  if (simple && digits < HELD && places >= -22 && places <= 22) {
    value = places < 0 ? double(digits) * POWERS[-places] : double(digits) / POWERS[places];
  } else if (simple && digits >= HELD && places > 0 && places <= 19) {
    value = quotient(digits, places);
  } else {
    char* end;
    value = strtod(begin, &end);
    if (end != text.at || !std::isfinite(value)) return false;
    *out = value;
    return true;
  }
  *out = negative ? -value : value;
  return true;
}

}  // namespace

// Parses a list at the start of a zero-terminated text: its numbers and their shape. Returns its length in bytes; 0 for
// other values, too many numbers, or an integer that doubles may not represent.
EXPORT Index json_numbers(const char* begin, Index size, double* out, Index room, Found* found) {
  Text text{begin, begin + size};
  Index counts[MAX_DIMENSIONS], depth = 0, count = 0;
  *found = {-1, {}, 0, 0};
  while (true) {
    text.skip();
    if (text.takes('[')) {
      if (depth == MAX_DIMENSIONS || depth == found->rank) return 0;
      counts[depth++] = 0;
      continue;
    }
    if (found->rank < 0) found->rank = depth;
    if (depth == 0 || depth != found->rank || count == room || !number(text, out + count++, *found)) return 0;
    while (true) {  // after a value
      ++counts[depth - 1];
      text.skip();
      if (text.takes(',')) break;
      if (!text.takes(']')) return 0;
      Index& length = found->shape[--depth];
      if (length == 0) length = counts[depth];
      if (length != counts[depth]) return 0;
      if (depth == 0) return text.at - begin;
    }
  }
}
