// Philox4x32-10, and TensorFlow's conversion of its words to numbers.
//
// Source: J. Salmon et al., "Parallel random numbers: as easy as 1, 2, 3", SC 2011.
#pragma once
#include "basics.h"

struct Block {
  unsigned x[4];
};

// The position of a stream, as in tfmini._src.devices.numpy.philox.Stream. `moved` (may be null) is an offset in blocks
// in device memory, which captured launches advance.
struct Stream {
  unsigned key0, key1;
  Word64 high, offset;

  __device__ Stream(Word64 key, Word64 high, Word64 offset, const Word64* moved)
      : key0((unsigned)key), key1((unsigned)(key >> 32)), high(high),
        offset(offset + (moved ? *moved : 0)) {}

  __device__ Block block(Word64 index) const {
    Word64 low = offset + index;
    unsigned x0 = (unsigned)low, x1 = (unsigned)(low >> 32);
    unsigned x2 = (unsigned)high, x3 = (unsigned)(high >> 32);
    unsigned k0 = key0, k1 = key1;
#pragma unroll
    for (int round = 0; round < 10; ++round) {
      unsigned high0 = __umulhi(0xD2511F53u, x0), low0 = 0xD2511F53u * x0;
      unsigned high1 = __umulhi(0xCD9E8D57u, x2), low1 = 0xCD9E8D57u * x2;
      x0 = high1 ^ x1 ^ k0;
      x1 = low1;
      x2 = high0 ^ x3 ^ k1;
      x3 = low0;
      k0 += 0x9E3779B9u;
      k1 += 0xBB67AE85u;
    }
    return Block{{x0, x1, x2, x3}};
  }
};

// Returns a float in [0, 1): 23 bits are the fraction of a float in [1, 2).
__device__ inline float unit_float(unsigned word) {
  return __int_as_float((word & 0x7fffffu) | 0x3f800000u) - 1.0f;
}

// Returns a double in [0, 1): 20 bits of the first word and all bits of the second are the fraction of a double in [1,
// 2).
__device__ inline double unit_double(unsigned first, unsigned second) {
  Word64 bits = (Word64)((first & 0xfffffu) | 0x3ff00000u) << 32 | second;
  return __longlong_as_double((Index)bits) - 1.0;
}

// The numbers of one block: four floats or two doubles.
template <class T>
struct Numbers;

template <>
struct Numbers<float> {
  static const int WIDTH = 4;
  float value[4];

  static __device__ Numbers uniform(Block block) {
    Numbers made;
    for (int i = 0; i < 4; ++i) made.value[i] = unit_float(block.x[i]);
    return made;
  }
  // Box-Muller transform: sine and cosine of an angle from one number, times a radius from another.
  static __device__ Numbers normal(Block block) {
    Numbers made;
    for (int i = 0; i < 4; i += 2) {
      float unit = unit_float(block.x[i]);
      if (unit < 1.0e-7f) unit = 1.0e-7f;
      float angle = (float)(6.283185307179586476925286766559 * unit_float(block.x[i + 1]));
      float radius = sqrtf(-2.0f * logf(unit)), sine, cosine;
      sincosf(angle, &sine, &cosine);
      made.value[i] = sine * radius;
      made.value[i + 1] = cosine * radius;
    }
    return made;
  }
};

template <>
struct Numbers<double> {
  static const int WIDTH = 2;
  double value[2];

  static __device__ Numbers uniform(Block block) {
    return Numbers{{unit_double(block.x[0], block.x[1]), unit_double(block.x[2], block.x[3])}};
  }
  static __device__ Numbers normal(Block block) {
    Numbers units = uniform(block);
    double unit = units.value[0] < 1.0e-7 ? 1.0e-7 : units.value[0];
    double radius = sqrt(-2.0 * log(unit)), sine, cosine;
    sincos(6.283185307179586476925286766559 * units.value[1], &sine, &cosine);
    return Numbers{{sine * radius, cosine * radius}};
  }
};
