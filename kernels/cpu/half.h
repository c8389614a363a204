// Converts float16 numbers by integer arithmetic rather than F16C instructions, so that every build can vectorize the
// conversion; ties round to even. No intermediate float is subnormal, because it might be flushed to zero.
#pragma once

#include "elementary.h"

struct Half {
  std::uint16_t bits;

  Half() = default;

  explicit Half(double x) : Half(float(x)) {}

  explicit Half(float x) {
    const std::uint32_t input = bits_as<std::uint32_t>(x), size = input & 0x7fffffffu;
    // Adding 0.5 rounds subnormals to multiples of 2^-24. For other numbers, adding half an ulp carries into the
    // result.
    const std::uint32_t subnormal = bits_as<std::uint32_t>(bits_as<float>(size) + 0.5f) - bits_as<std::uint32_t>(0.5f);
    const std::uint32_t normal = (size - (112u << 23) + 0xfffu + ((size >> 13) & 1u)) >> 13;
    const std::uint32_t special = size > 0x7f800000u ? 0x7e00u : 0x7c00u;
    std::uint32_t value = size < (113u << 23) ? subnormal : normal;
    value = size >= (143u << 23) ? special : value;
    bits = std::uint16_t(value | (input >> 31) << 15);
  }

  operator float() const {
    const std::uint32_t size = bits & 0x7fffu;
    const float subnormal = bits_as<float>((size << 13) + (113u << 23)) - bits_as<float>(113u << 23);
    const std::uint32_t normal = (size << 13) + (size >= 0x7c00u ? 224u << 23 : 112u << 23);
    const std::uint32_t value = size < 0x400u ? bits_as<std::uint32_t>(subnormal) : normal;
    return bits_as<float>(value | std::uint32_t(bits >> 15) << 31);
  }
};
