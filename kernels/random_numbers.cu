// Random numbers from Philox streams, each from the same block as in TensorFlow's CPU kernels: uniform numbers and
// integers are bitwise equal, normals are equal up to the last digits.
//
// A group consists of the numbers of one block: four words or floats, or two doubles. Each thread generates entire
// groups.
#include "philox.h"

#define STREAM Word64 key, Word64 high, Word64 offset, const Word64* moved
#define STREAM_ARGUMENTS key, high, offset, moved

template <class T, int WIDTH, class Make>
__device__ void fill(Stream stream, T* numbers, Index size, Make generate) {
  GRID_STRIDE(group, (size + WIDTH - 1) / WIDTH) {
    T values[WIDTH];
    generate(stream.block(group), values);
    for (int i = 0; i < WIDTH; ++i)
      if (group * WIDTH + i < size) numbers[group * WIDTH + i] = values[i];
  }
}

// Words -------------------------------------------------------------------------------------------

struct Words {
  __device__ void operator()(Block block, unsigned* values) const {
    for (int i = 0; i < 4; ++i) values[i] = block.x[i];
  }
};
struct DoubleWords {
  __device__ void operator()(Block block, Word64* values) const {
    for (int i = 0; i < 2; ++i) values[i] = block.x[2 * i] | (Word64)block.x[2 * i + 1] << 32;
  }
};
// Computes low + word % span, with wraparound.
struct Integers {
  unsigned low, span;
  __device__ void operator()(Block block, int* values) const {
    for (int i = 0; i < 4; ++i) values[i] = (int)(low + block.x[i] % span);
  }
};
struct LongIntegers {
  Word64 low, span;
  __device__ void operator()(Block block, Index* values) const {
    Word64 words[2];
    DoubleWords()(block, words);
    for (int i = 0; i < 2; ++i) values[i] = (Index)(low + words[i] % span);
  }
};

KERNEL(words_u32)(STREAM, unsigned* numbers, Index size) {
  fill<unsigned, 4>(Stream(STREAM_ARGUMENTS), numbers, size, Words());
}
KERNEL(words_u64)(STREAM, Word64* numbers, Index size) {
  fill<Word64, 2>(Stream(STREAM_ARGUMENTS), numbers, size, DoubleWords());
}
KERNEL(integers_i32)(STREAM, int* numbers, Index size, unsigned low, unsigned span) {
  fill<int, 4>(Stream(STREAM_ARGUMENTS), numbers, size, Integers{low, span});
}
KERNEL(integers_i64)(STREAM, Index* numbers, Index size, Word64 low, Word64 span) {
  fill<Index, 2>(Stream(STREAM_ARGUMENTS), numbers, size, LongIntegers{low, span});
}

// Uniform -----------------------------------------------------------------------------------------

// Computes `count` / 2^bits as float16 or bfloat16 bits; `bits` is the number of fraction bits.
struct SmallUnits {
  int bits, bias;
  __device__ void operator()(Block block, unsigned short* values) const {
    for (int i = 0; i < 4; ++i) {
      unsigned count = block.x[i] & ((1u << bits) - 1);
      int exponent = 31 - __clz(count);  // of the leading bit
      unsigned fraction = count << (bits - exponent) & ((1u << bits) - 1);
      values[i] = count ? (exponent - bits + bias) << bits | fraction : 0;
    }
  }
};
template <class T>
struct Units {
  __device__ void operator()(Block block, T* values) const {
    Numbers<T> numbers = Numbers<T>::uniform(block);
    for (int i = 0; i < Numbers<T>::WIDTH; ++i) values[i] = numbers.value[i];
  }
};
template <class T>
struct Normals {
  __device__ void operator()(Block block, T* values) const {
    Numbers<T> numbers = Numbers<T>::normal(block);
    for (int i = 0; i < Numbers<T>::WIDTH; ++i) values[i] = numbers.value[i];
  }
};

KERNEL(uniform_f16)(STREAM, unsigned short* numbers, Index size) {
  fill<unsigned short, 4>(Stream(STREAM_ARGUMENTS), numbers, size, SmallUnits{10, 15});
}
KERNEL(uniform_bf16)(STREAM, unsigned short* numbers, Index size) {
  fill<unsigned short, 4>(Stream(STREAM_ARGUMENTS), numbers, size, SmallUnits{7, 127});
}

#define MAKE(T, NAME)                                                                  \
  KERNEL(uniform_##NAME)(STREAM, T* numbers, Index size) {                             \
    fill<T, Numbers<T>::WIDTH>(Stream(STREAM_ARGUMENTS), numbers, size, Units<T>());   \
  }                                                                                    \
  KERNEL(normal_##NAME)(STREAM, T* numbers, Index size) {                              \
    fill<T, Numbers<T>::WIDTH>(Stream(STREAM_ARGUMENTS), numbers, size, Normals<T>()); \
  }
FOR_FLOATS(MAKE)
#undef MAKE

// Truncated normal --------------------------------------------------------------------------------

// Each group has 64 blocks per number and uses the first normals in (-2, 2).
template <class T>
__device__ void truncated_normal(Stream stream, T* numbers, Index size) {
  const int width = Numbers<T>::WIDTH;
  GRID_STRIDE(group, (size + width - 1) / width) {
    Word64 index = (Word64)group * (64 * width);
    Index next = group * width;
    Index end = next + width < size ? next + width : size;
    for (; next < end; ++index) {
      Numbers<T> normals = Numbers<T>::normal(stream.block(index));
      for (int i = 0; i < width; ++i)
        if (fabs(normals.value[i]) < T(2) && next < end) numbers[next++] = normals.value[i];
    }
  }
}

#define MAKE(T, NAME)                                               \
  KERNEL(truncated_normal_##NAME)(STREAM, T* numbers, Index size) { \
    truncated_normal(Stream(STREAM_ARGUMENTS), numbers, size);      \
  }
FOR_FLOATS(MAKE)
#undef MAKE

// Advances the offset `moved` of captured launches.
KERNEL(move_on)(Word64* moved, Word64 blocks) { *moved += blocks; }
