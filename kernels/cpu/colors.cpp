// Conversion between RGB and HSV, by the formulas of tfmini/_src/devices/numpy/rgb_hsv.py, in place on three channels;
// adjustment of hue, saturation and contrast.

#include <type_traits>

#include "basics.h"
#include "threads.h"

namespace {

// `value` and `lowest`, the largest and smallest channel, are read from memory so that the compiler does not derive
// branches from them. AdjustSaturation rounds differently from RGBToHSV.
template <bool ADJUSTS>
inline void to_hsv(float& a, float& b, float& c, float value, float lowest) {
  const float span = value - lowest;
  using Sum = std::conditional_t<ADJUSTS, double, float>;
  const float divisor = span > 0.0f ? span : 1.0f;
  const float norm = ADJUSTS ? 1.0f / (6.0f * divisor) : (1.0f / divisor) * (1.0f / 6.0f);
  const float red_hue = norm * (b - c), green_hue = float(Sum(norm * (c - a)) + 2 / Sum(6));
  const float blue_hue = float(Sum(norm * (a - b)) + 4 / Sum(6));
  float hue = b == value ? green_hue : blue_hue;
  hue = a == value ? red_hue : hue;
  hue = span > 0.0f ? hue : 0.0f;
  const float saturation = span / (value > 0.0f ? value : 1.0f);
  a = hue < 0.0f ? hue + 1.0f : hue, b = value > 0.0f ? saturation : 0.0f, c = value;
}

inline float clamp_to_unit(float part) { return minimum(maximum(part, 0.0f), 1.0f); }

// Sets the channels from the hue: lowest + span * (relative position of the channel, 0 to 1).
inline void channels_from_hue(float hue, float lowest, float span, float factor, float& a, float& b, float& c) {
  hue = hue * 6.0f;
  a = (lowest + span * clamp_to_unit(magnitude(hue - 3.0f) - 1.0f)) * factor;
  b = (lowest + span * clamp_to_unit(2.0f - magnitude(hue - 2.0f))) * factor;
  c = (lowest + span * clamp_to_unit(2.0f - magnitude(hue - 4.0f))) * factor;
}

inline void to_rgb(float& a, float& b, float& c) {
  const float hue = a, saturation = b, value = c;
  channels_from_hue(hue, 1.0f - saturation, saturation, value, a, b, c);
}

// Scales the saturation and converts HSV to RGB, with AdjustSaturation's rounding.
inline void scale_saturation(float& a, float& b, float& c, float scale) {
  const float hue = a * 6.0f, span = minimum(1.0f, maximum(0.0f, b * scale)) * c, lowest = c - span;
  const float rising = 1.0f - magnitude(hue - 1.0f), falling = 2.0f - magnitude(hue - 2.0f);
  a = lowest + span * clamp_to_unit(magnitude(hue - 3.0f) - 1.0f);
  b = lowest + span * clamp_to_unit(hue < 1.0f ? rising : falling);
  c = lowest + span * clamp_to_unit(2.0f - magnitude(hue - 4.0f));
}

constexpr float SECTORS = 6.0f;  // sectors of AdjustHue's hue circle

// Returns the hue of a pixel in sectors, from 0 to 6.
inline float hue_sector(float a, float b, float c, float value, float lowest) {
  const float span = value - lowest, middle = maximum(minimum(a, b), minimum(maximum(a, b), c));
  const float share = (middle - lowest) / (span > 0.0f ? span : 1.0f);
  const float green = c < a ? 1.0f : c > b ? 3.0f : 2.0f, red = c < b ? 0.0f : c > a ? 4.0f : 5.0f;
  const float sector = a < b ? green : red;
  const bool falls = sector == 1.0f || sector == 3.0f || sector == 5.0f;
  return span > 0.0f ? sector + (falls ? 1.0f - share : share) : 0.0f;
}

// Converts a hue in sectors to RGB.
inline void sector_to_rgb(float& a, float& b, float& c, float value, float lowest) {
  const float hue = a, sector = __builtin_floorf(hue), part = hue - sector;
  const bool falls = sector == 1.0f || sector == 3.0f || sector == 5.0f;
  const float middle = lowest + (falls ? 1.0f - part : part) * (value - lowest);
  a = sector == 0.0f || sector == 5.0f ? value : sector == 2.0f || sector == 3.0f ? lowest : middle;
  b = sector == 1.0f || sector == 2.0f ? value : sector == 4.0f || sector == 5.0f ? lowest : middle;
  c = sector == 3.0f || sector == 4.0f ? value : sector == 0.0f || sector == 1.0f ? lowest : middle;
}

enum Conversion { HSV_OF_RGB, RGB_OF_HSV, HUE_SHIFTED, SATURATION_SCALED };
constexpr Index BLOCK = 256;

// A block of pixels, one array per channel for vectorization.
struct Block {
  float a[BLOCK], b[BLOCK], c[BLOCK], values[BLOCK], lowests[BLOCK];
  template <class Change>
  void each(Index count, Change change) {
    ELEMENT_BY_ELEMENT
    for (Index i = 0; i < count; ++i) {
      float x = a[i], y = b[i], z = c[i];
      change(x, y, z, values[i], lowests[i]);
      a[i] = x, b[i] = y, c[i] = z;
    }
  }
};

NOINLINE void convert(Conversion conversion, const float* source, float* target, Index count, float amount) {
  // Number of full turns of the hue circle, which AdjustHue's loop subtracts one at a time.
  const Index turns = magnitude(amount) < 1e3f ? Index(magnitude(amount)) + 2 : 1000;
  Block block;
  auto &a = block.a, &b = block.b, &c = block.c, &values = block.values, &lowests = block.lowests;
  for (Index i = 0; i < count; ++i) a[i] = source[3 * i], b[i] = source[3 * i + 1], c[i] = source[3 * i + 2];
  if (conversion != RGB_OF_HSV) {
    for (Index i = 0; i < count; ++i) values[i] = maximum(a[i], b[i]), lowests[i] = minimum(a[i], b[i]);
    for (Index i = 0; i < count; ++i) values[i] = maximum(values[i], c[i]), lowests[i] = minimum(lowests[i], c[i]);
  }
  if (conversion == HSV_OF_RGB)
    block.each(count,
               [](float& a, float& b, float& c, float value, float lowest) { to_hsv<false>(a, b, c, value, lowest); });
  if (conversion == HUE_SHIFTED) {
    const float shift = amount * SECTORS;
    block.each(count, [=](float& a, float& b, float& c, float value, float lowest) {
      a = hue_sector(a, b, c, value, lowest) + shift;
    });
    for (Index i = 0; i < turns; ++i)
      block.each(count, [](float& a, float&, float&, float, float) { a = a < 0.0f ? a + SECTORS : a; });
    for (Index i = 0; i < turns; ++i)
      block.each(count, [](float& a, float&, float&, float, float) { a = a >= SECTORS ? a - SECTORS : a; });
    block.each(count,
               [](float& a, float& b, float& c, float value, float lowest) { sector_to_rgb(a, b, c, value, lowest); });
  }
  if (conversion == SATURATION_SCALED) {
    block.each(count,
               [](float& a, float& b, float& c, float value, float lowest) { to_hsv<true>(a, b, c, value, lowest); });
    block.each(count, [=](float& a, float& b, float& c, float, float) { scale_saturation(a, b, c, amount); });
  }
  if (conversion == RGB_OF_HSV) block.each(count, [](float& a, float& b, float& c, float, float) { to_rgb(a, b, c); });
  for (Index i = 0; i < count; ++i) target[3 * i] = a[i], target[3 * i + 1] = b[i], target[3 * i + 2] = c[i];
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
inline void for_each_wide_row(Index size, const Row& row) {
  for (Index i = 0; i < size; i += CONTRAST_BLOCK) row(i, size - i < CONTRAST_BLOCK ? size - i : CONTRAST_BLOCK);
}

}  // namespace

// Scales the deviations of each image from its channel means; an image has `size` elements.
EXPORT void adjust_contrast(const float* images, float* result, Index count, Index size, Index depth, float factor,
                            Index threads) {
  parallel_for_rows(count, size, threads, [=](Index begin, Index end) {
    for (; begin < end; ++begin) {
      const float* image = images + begin * size;
      float *adjusted = result + begin * size, means[CONTRAST_BLOCK];
      double sums[CONTRAST_BLOCK] = {};
      for_each_wide_row(size, [&](Index first, Index length) { add_row(image + first, sums, length); });
      for (Index c = 0; c < depth; ++c) {
        double sum = 0;
        for (Index i = c; i < CONTRAST_BLOCK; i += depth) sum += sums[i];
        for (Index i = c; i < CONTRAST_BLOCK; i += depth) means[i] = float(sum / double(size / depth));
      }
      for_each_wide_row(size, [&](Index first, Index length) {
        contrast_row(image + first, means, factor, adjusted + first, length);
      });
    }
  });
}

// Converts pixels [count, 3]. `conversion` is a Conversion; `amount` is the hue shift or the saturation factor.
EXPORT void convert_colors(Index conversion, const float* pixels, float* result, Index count, float amount,
                            Index threads) {
  parallel_for_rows(count, 32, threads, [=](Index begin, Index end) {
    for (; begin < end; begin += BLOCK) {
      const Index chunk = end - begin < BLOCK ? end - begin : BLOCK;
      convert(Conversion(conversion), pixels + 3 * begin, result + 3 * begin, chunk, amount);
    }
  });
}
