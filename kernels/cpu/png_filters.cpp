// Row filters of PNG files (RFC 2083, section 6), chosen as libpng does: the smallest sum of absolute differences.

#include "basics.h"
#include "scratch.h"

namespace {

using Byte = std::uint8_t;

inline int distance(int a, int b) { return a < b ? b - a : a - b; }

// Predictions of a byte from its left, upper and upper left neighbours, in the order of the filters' numbers.
struct None {
  static int of(int, int, int) { return 0; }
};
struct Sub {
  static int of(int left, int, int) { return left; }
};
struct Up {
  static int of(int, int above, int) { return above; }
};
struct Average {
  static int of(int left, int above, int) { return (left + above) >> 1; }
};
struct Paeth {
  static int of(int left, int above, int corner) {
    const int to_left = distance(above, corner), to_above = distance(left, corner);
    const int to_corner = distance(left + above, 2 * corner);
    const int nearest = to_above <= to_corner ? above : corner;
    return (to_left <= to_above) & (to_left <= to_corner) ? left : nearest;
  }
};

// Filters a row; it and the row above follow `step` zeros. Returns the sum of the absolute differences as signed bytes.
template <class Filter>
NOINLINE Index filter(const Byte* __restrict row, const Byte* __restrict above, Byte* __restrict result, Index size,
                      Index step) {
  constexpr Index BLOCK = 1 << 16;  // elements whose sum fits into 32 bits
  Index total = 0;
  for (Index begin = 0; begin < size; begin += BLOCK) {
    const Index end = size - begin < BLOCK ? size : begin + BLOCK;
    std::uint32_t sum = 0;
    for (Index i = begin; i < end; ++i) {
      const int prediction = Filter::of(row[i], above[i + step], above[i]);
      const Byte difference = Byte(row[i + step] - prediction), negative = Byte(-difference);
      result[i] = difference;
      sum += difference < negative ? difference : negative;
    }
    total += sum;
  }
  return total;
}

constexpr Index (*FILTERS[])(const Byte*, const Byte*, Byte*, Index, Index) = {
    filter<None>, filter<Sub>, filter<Up>, filter<Average>, filter<Paeth>};
constexpr int FILTER_COUNT = 5;

}  // namespace

// Filters the rows `begin` to `end` of an image [rows, size]; `step` is the size of a pixel in bytes. Each row of the
// result [end - begin, 1 + size] begins with its filter's number. Returns 0 if out of memory, otherwise 1.
EXPORT int filter_png_rows(const std::uint8_t* image, Index rows, Index size, Index step, Index begin, Index end,
                           std::uint8_t* result) {
  static thread_local Scratch scratch;
  const Index framed = step + size;
  Byte* memory = static_cast<Byte*>(scratch.reserve(std::size_t(2 * framed + size)));
  if (!memory) return 0;
  Byte *row = memory, *above = memory + framed, *candidate = memory + 2 * framed;
  std::memset(memory, 0, std::size_t(2 * framed));
  if (begin) std::memcpy(above + step, image + (begin - 1) * size, std::size_t(size));
  for (Index i = begin; i < end; ++i, result += 1 + size) {
    std::memcpy(row + step, image + i * size, std::size_t(size));
    Index least = -1;
    for (int number = 0; number < FILTER_COUNT; ++number) {
      // As in libpng: a single row has no rows above it, a single pixel has no left neighbours.
      if ((rows == 1 && number >= 2) || (size == step && number != 0 && number != 2)) continue;
      const Index sum = FILTERS[number](row, above, candidate, size, step);
      if (least >= 0 && sum >= least) continue;
      least = sum;
      result[0] = Byte(number);
      std::memcpy(result + 1, candidate, std::size_t(size));
    }
    Byte* const previous = above;
    above = row, row = previous;
  }
  return 1;
}
