// Colours of pixels: RGB and HSV, the formulas of tfmini/_src/devices/numpy/rgb_hsv.py. Each changes three channels in place.

#include "basics.h"
#include "threads.h"

namespace {

// `value` and `least` are the largest and the least channel, which come from memory: the compiler would make branches of
// what it knows of them.
inline void to_hsv(float& a, float& b, float& c, float value, float least) {
  const float span = value - least;
  const float norm = (1.0f / (span > 0.0f ? span : 1.0f)) * (1.0f / 6.0f);
  const float of_red = norm * (b - c), of_green = norm * (c - a) + 2 / 6.0f, of_blue = norm * (a - b) + 4 / 6.0f;
  float hue = b == value ? of_green : of_blue;
  hue = a == value ? of_red : hue;
  hue = span > 0.0f ? hue : 0.0f;
  const float saturation = span / (value > 0.0f ? value : 1.0f);
  a = hue < 0.0f ? hue + 1.0f : hue, b = value > 0.0f ? saturation : 0.0f, c = value;
}

inline float bounded(float part) { return minimum(maximum(part, 0.0f), 1.0f); }

// least + span * the position of each channel in the span, by the hue.
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

inline void shift_hue(float& a, float& b, float& c, float value, float least, float delta) {
  to_hsv(a, b, c, value, least);
  const float hue = a + delta;
  in_span(hue - __builtin_floorf(hue), least, c - least, 1.0f, a, b, c);
}

inline void scale_saturation(float& a, float& b, float& c, float value, float least, float scale) {
  to_hsv(a, b, c, value, least);
  b = minimum(1.0f, maximum(0.0f, b * scale));
  to_rgb(a, b, c);
}

// In pieces of which each channel lies by itself, as vectors want it.
template <class Convert>
inline void convert(const float* pixels, float* result, Index count, Index threads, Convert of) {
  constexpr Index SOME = 256;
  in_rows(count, 32, threads, [=](Index begin, Index end) {
    float a[SOME], b[SOME], c[SOME], values[SOME], leasts[SOME];
    for (; begin < end; begin += SOME) {
      const Index some = end - begin < SOME ? end - begin : SOME;
      const float* from = pixels + 3 * begin;
      float* into = result + 3 * begin;
      for (Index i = 0; i < some; ++i) a[i] = from[3 * i], b[i] = from[3 * i + 1], c[i] = from[3 * i + 2];
      for (Index i = 0; i < some; ++i) values[i] = maximum(a[i], b[i]), leasts[i] = minimum(a[i], b[i]);
      for (Index i = 0; i < some; ++i) values[i] = maximum(values[i], c[i]), leasts[i] = minimum(leasts[i], c[i]);
      ELEMENT_BY_ELEMENT
      for (Index i = 0; i < some; ++i) {
        float x = a[i], y = b[i], z = c[i];
        of(x, y, z, values[i], leasts[i]);
        a[i] = x, b[i] = y, c[i] = z;
      }
      for (Index i = 0; i < some; ++i) into[3 * i] = a[i], into[3 * i + 1] = b[i], into[3 * i + 2] = c[i];
    }
  });
}

}  // namespace

// [count, 3] pixels; `amount` is the change of the hue, or what the saturation is multiplied by.
#define COLOURS(name, change)                                                                             \
  EXPORT void name##_f32(const float* pixels, float* result, Index count, float amount, Index threads) {  \
    convert(pixels, result, count, threads, [=](float& a, float& b, float& c, float value, float least) { \
      (void)value, (void)least, (void)amount;                                                             \
      change;                                                                                             \
    });                                                                                                   \
  }

COLOURS(hsv_of_rgb, to_hsv(a, b, c, value, least))
COLOURS(rgb_of_hsv, to_rgb(a, b, c))
COLOURS(hue_shifted, shift_hue(a, b, c, value, least, amount))
COLOURS(saturation_scaled, scale_saturation(a, b, c, value, least, amount))
