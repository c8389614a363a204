// RGB and HSV conversion, by the formulas of tfmini/_src/devices/numpy/rgb_hsv.py, in place on three channels; contrast.

#include <type_traits>

#include "basics.h"
#include "threads.h"

namespace {

// `value` and `least`, the largest and smallest channel, are read from memory so that the compiler does not derive
// branches from them. AdjustSaturation rounds differently from RGBToHSV.
template <bool ADJUSTS>
inline void to_hsv(float& a, float& b, float& c, float value, float least) {
  const float span = value - least;
  using Sum = std::conditional_t<ADJUSTS, double, float>;
  const float some = span > 0.0f ? span : 1.0f;
  const float norm = ADJUSTS ? 1.0f / (6.0f * some) : (1.0f / some) * (1.0f / 6.0f);
  const float of_red = norm * (b - c), of_green = float(Sum(norm * (c - a)) + 2 / Sum(6));
  const float of_blue = float(Sum(norm * (a - b)) + 4 / Sum(6));
  float hue = b == value ? of_green : of_blue;
  hue = a == value ? of_red : hue;
  hue = span > 0.0f ? hue : 0.0f;
  const float saturation = span / (value > 0.0f ? value : 1.0f);
  a = hue < 0.0f ? hue + 1.0f : hue, b = value > 0.0f ? saturation : 0.0f, c = value;
}

inline float bounded(float part) { return minimum(maximum(part, 0.0f), 1.0f); }

// Sets the channels from the hue: least + span * (relative position of the channel, 0 to 1).
inline void in_span(float hue, float least, float span, float factor, float& a, float& b, float& c) {
  hue = hue * 6.0f;
  a = (least + span * bounded(magnitude(hue - 3.0f) - 1.0f)) * factor;
  b = (least + span * bounded(2.0f - magnitude(hue - 2.0f))) * factor;
  c = (least + span * bounded(2.0f - magnitude(hue - 4.0f))) * factor;
}

inline void to_rgb(float& a, float& b, float& c) {
  const float hue = a, saturation = b, value = c;
  in_span(hue, 1.0f - saturation, saturation, value, a, b, c);
}

// Scales the saturation and converts HSV to RGB, with AdjustSaturation's rounding.
inline void scale_saturation(float& a, float& b, float& c, float scale) {
  const float hue = a * 6.0f, span = minimum(1.0f, maximum(0.0f, b * scale)) * c, least = c - span;
  const float rising = 1.0f - magnitude(hue - 1.0f), falling = 2.0f - magnitude(hue - 2.0f);
  a = least + span * bounded(magnitude(hue - 3.0f) - 1.0f);
  b = least + span * bounded(hue < 1.0f ? rising : falling);
  c = least + span * bounded(2.0f - magnitude(hue - 4.0f));
}

constexpr float SECTORS = 6.0f;  // sectors of AdjustHue's hue circle

// The hue of a pixel in sectors, from 0 to 6.
inline float sectors_of(float a, float b, float c, float value, float least) {
  const float span = value - least, middle = maximum(minimum(a, b), minimum(maximum(a, b), c));
  const float share = (middle - least) / (span > 0.0f ? span : 1.0f);
  const float green = c < a ? 1.0f : c > b ? 3.0f : 2.0f, red = c < b ? 0.0f : c > a ? 4.0f : 5.0f;
  const float sector = a < b ? green : red;
  const bool falls = sector == 1.0f || sector == 3.0f || sector == 5.0f;
  return span > 0.0f ? sector + (falls ? 1.0f - share : share) : 0.0f;
}

// Converts a hue in sectors to RGB.
inline void of_sectors(float& a, float& b, float& c, float value, float least) {
  const float hue = a, sector = __builtin_floorf(hue), part = hue - sector;
  const bool falls = sector == 1.0f || sector == 3.0f || sector == 5.0f;
  const float middle = least + (falls ? 1.0f - part : part) * (value - least);
  a = sector == 0.0f || sector == 5.0f ? value : sector == 2.0f || sector == 3.0f ? least : middle;
  b = sector == 1.0f || sector == 2.0f ? value : sector == 4.0f || sector == 5.0f ? least : middle;
  c = sector == 3.0f || sector == 4.0f ? value : sector == 0.0f || sector == 1.0f ? least : middle;
}

enum Conversion { HSV_OF_RGB, RGB_OF_HSV, HUE_SHIFTED, SATURATION_SCALED };
constexpr Index BLOCK = 256;

// A block of pixels, one array per channel for vectorization.
struct Block {
  float a[BLOCK], b[BLOCK], c[BLOCK], values[BLOCK], leasts[BLOCK];
  template <class Change>
  void each(Index count, Change change) {
    ELEMENT_BY_ELEMENT
    for (Index i = 0; i < count; ++i) {
      float x = a[i], y = b[i], z = c[i];
      change(x, y, z, values[i], leasts[i]);
      a[i] = x, b[i] = y, c[i] = z;
    }
  }
};

NOINLINE void convert(Conversion made, const float* from, float* into, Index count, float amount) {
  // Full turns of the hue circle, which AdjustHue's loop subtracts one at a time.
  const Index turns = magnitude(amount) < 1e3f ? Index(magnitude(amount)) + 2 : 1000;
  Block own;
  auto &a = own.a, &b = own.b, &c = own.c, &values = own.values, &leasts = own.leasts;
  for (Index i = 0; i < count; ++i) a[i] = from[3 * i], b[i] = from[3 * i + 1], c[i] = from[3 * i + 2];
  if (made != RGB_OF_HSV) {
    for (Index i = 0; i < count; ++i) values[i] = maximum(a[i], b[i]), leasts[i] = minimum(a[i], b[i]);
    for (Index i = 0; i < count; ++i) values[i] = maximum(values[i], c[i]), leasts[i] = minimum(leasts[i], c[i]);
  }
  if (made == HSV_OF_RGB)
    own.each(count, [](float& a, float& b, float& c, float value, float least) { to_hsv<false>(a, b, c, value, least); });
  if (made == HUE_SHIFTED) {
    const float shift = amount * SECTORS;
    own.each(count, [=](float& a, float& b, float& c, float value, float least) {
      a = sectors_of(a, b, c, value, least) + shift;
    });
    for (Index i = 0; i < turns; ++i)
      own.each(count, [](float& a, float&, float&, float, float) { a = a < 0.0f ? a + SECTORS : a; });
    for (Index i = 0; i < turns; ++i)
      own.each(count, [](float& a, float&, float&, float, float) { a = a >= SECTORS ? a - SECTORS : a; });
    own.each(count, [](float& a, float& b, float& c, float value, float least) { of_sectors(a, b, c, value, least); });
  }
  if (made == SATURATION_SCALED) {
    own.each(count, [](float& a, float& b, float& c, float value, float least) { to_hsv<true>(a, b, c, value, least); });
    own.each(count, [=](float& a, float& b, float& c, float, float) { scale_saturation(a, b, c, amount); });
  }
  if (made == RGB_OF_HSV)
    own.each(count, [](float& a, float& b, float& c, float, float) { to_rgb(a, b, c); });
  for (Index i = 0; i < count; ++i) into[3 * i] = a[i], into[3 * i + 1] = b[i], into[3 * i + 2] = c[i];
}

constexpr Index CONTRAST_BLOCK = 192;  // values, a multiple of every supported number of channels

NOINLINE void add_row(const float* __restrict row, double* __restrict sums, Index count) {
  for (Index i = 0; i < count; ++i) sums[i] += row[i];
}

NOINLINE void contrast_row(const float* row, const float* means, float factor, float* result, Index count) {
  ELEMENT_BY_ELEMENT
  for (Index i = 0; i < count; ++i) result[i] = (row[i] - means[i]) * factor + means[i];
}

// Calls row(first element, element count) for the wide rows of an image.
template <class Row>
inline void over_rows(Index size, const Row& row) {
  for (Index i = 0; i < size; i += CONTRAST_BLOCK) row(i, size - i < CONTRAST_BLOCK ? size - i : CONTRAST_BLOCK);
}

}  // namespace

// Scales each image's deviations from its channel means; an image has `size` elements.
EXPORT void adjust_contrast(const float* images, float* result, Index count, Index size, Index depth, float factor,
                            Index threads) {
  in_rows(count, size, threads, [=](Index begin, Index end) {
    for (; begin < end; ++begin) {
      const float* image = images + begin * size;
      float *adjusted = result + begin * size, means[CONTRAST_BLOCK];
      double sums[CONTRAST_BLOCK] = {};
      over_rows(size, [&](Index first, Index some) { add_row(image + first, sums, some); });
      for (Index c = 0; c < depth; ++c) {
        double sum = 0;
        for (Index i = c; i < CONTRAST_BLOCK; i += depth) sum += sums[i];
        for (Index i = c; i < CONTRAST_BLOCK; i += depth) means[i] = float(sum / double(size / depth));
      }
      over_rows(size, [&](Index first, Index some) {
        contrast_row(image + first, means, factor, adjusted + first, some);
      });
    }
  });
}

// Converts pixels [count, 3]. `made` is a Conversion, `amount` the hue shift or the saturation factor.
EXPORT void convert_colours(Index made, const float* pixels, float* result, Index count, float amount, Index threads) {
  in_rows(count, 32, threads, [=](Index begin, Index end) {
    for (; begin < end; begin += BLOCK) {
      const Index some = end - begin < BLOCK ? end - begin : BLOCK;
      convert(Conversion(made), pixels + 3 * begin, result + 3 * begin, some, amount);
    }
  });
}
