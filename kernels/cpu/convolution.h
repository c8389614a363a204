// Sizes of a convolution over up to three axes of arrays [batch, planes, rows, columns, depth].
#pragma once

#include "basics.h"

struct Axis {
  Index size, kernel, stride, dilation, padding, count;
  // Returns the number of start positions for which a window stays inside the array.
  Index unpadded_count() const {
    const Index count = size - (kernel - 1) * dilation;
    return count > 0 ? count : 0;
  }
};

// The windows of an array. With fewer than three axes, each missing leading axis has one element and one window.
struct Windows {
  Index batch, depth;
  Axis axes[3];
  Index pixels() const { return batch * axes[0].count * axes[1].count * axes[2].count; }
  Index elements() const { return axes[0].kernel * axes[1].kernel * axes[2].kernel * depth; }
  Index line() const { return axes[2].size * depth; }
};
