// Parser for nested lists of numbers in JSON, with the same results as Python: each number is the double nearest to its
// decimal digits.

#include <stdlib.h>

#include "basics.h"

namespace {

constexpr Index MAX_DIMENSIONS = 16, MAX_DIGITS = 15;  // digits of integers that doubles represent exactly
constexpr std::uint64_t EXACT_LIMIT = std::uint64_t(1) << 53;  // doubles represent all smaller integers

constexpr double POWERS[] = {1e0,  1e1,  1e2,  1e3,  1e4,  1e5,  1e6,  1e7,  1e8,  1e9,  1e10, 1e11,
                             1e12, 1e13, 1e14, 1e15, 1e16, 1e17, 1e18, 1e19, 1e20, 1e21, 1e22};

inline bool is_digit(char c) { return unsigned(c - '0') < 10; }

// Returns digits / 10^places for digits >= 2^53 and 1 to 19 places. The quotient has at least 54 bits, and a nonzero
// remainder makes its last bit odd, so that it rounds like the exact fraction.
inline double quotient(std::uint64_t digits, int decimals) {
  std::uint64_t power = 1;
  for (int i = 0; i < decimals; ++i) power *= 10;
  const unsigned __int128 wide = static_cast<unsigned __int128>(digits) << 64;
  unsigned __int128 found = wide / power;
  bool is_inexact = found * power != wide;
  int shift = 0;
  while (found >> 62) {
    is_inexact |= int(found & 1);
    found >>= 1;
    ++shift;
  }
  return std::ldexp(double(std::int64_t(found) | std::int64_t(is_inexact)), shift - 64);
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
  Index rank, shape[MAX_DIMENSIONS], largest, fractions;  // largest magnitude of an integer; count of non-integers
};

bool parse_number(Text& text, double* out, Found& found) {
  const char* begin = text.at;
  const bool negative = text.takes('-');
  const char* first = text.at;
  if (!text.is_at_digit()) return false;
  std::uint64_t digits = 0;
  auto read_digits = [&] {
    for (; text.is_at_digit(); ++text.at) digits = 10 * digits + std::uint64_t(*text.at - '0');
  };
  read_digits();
  Index count = text.at - first;
  if (*first == '0' && count > 1) return false;
  int decimals = 0;
  bool is_integer = true;
  if (text.takes('.')) {
    const char* point = text.at;
    read_digits();
    if (text.at == point) return false;
    count += text.at - point;
    decimals = text.at - point < 400 ? int(text.at - point) : 400;
    is_integer = false;
  }
  bool is_exact = count <= 19;  // otherwise `digits` may overflow
  if (text.at < text.end && (*text.at == 'e' || *text.at == 'E')) {
    ++text.at;
    const bool is_negative_exponent = text.takes('-');
    if (!is_negative_exponent) text.takes('+');
    if (!text.is_at_digit()) return false;
    int power = 0;
    for (; text.is_at_digit(); ++text.at) power = power < 10000 ? 10 * power + (*text.at - '0') : power;
    decimals += is_negative_exponent ? power : -power;
    is_integer = false;
  }
  if (text.at == text.end) return false;  // the list continues
  if (is_integer) {
    if (count > MAX_DIGITS) return false;
    if (Index(digits) > found.largest) found.largest = Index(digits);
    *out = double(negative ? -Index(digits) : Index(digits));
    return true;
  }
  ++found.fractions;
  double value;
  if (is_exact && digits < EXACT_LIMIT && decimals >= -22 && decimals <= 22) {
    value = decimals < 0 ? double(digits) * POWERS[-decimals] : double(digits) / POWERS[decimals];
  } else if (is_exact && digits >= EXACT_LIMIT && decimals > 0 && decimals <= 19) {
    value = quotient(digits, decimals);
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
// other values, for too many numbers, or for an integer that a double may not represent.
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
    if (depth == 0 || depth != found->rank || count == room || !parse_number(text, out + count++, *found)) return 0;
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
