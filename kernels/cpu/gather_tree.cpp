// Beam search sequences, traced backwards from the last step.

#include "basics.h"

// Computes sequences [time, batch, width] of ids, linked by the parents of each step; each sequence is followed by end
// tokens. Returns false, with an incomplete result, if a parent is out of range.
EXPORT int gather_tree(const std::int32_t* ids, const std::int32_t* parents, const std::int32_t* lengths, Index time,
                       Index batch, Index width, int end, std::int32_t* result) {
  const Index step = batch * width;
  for (Index example = 0; example < batch; ++example) {
    const Index full_length = load_index(lengths, example), length = full_length < time ? full_length : time;
    for (Index beam = 0; beam < width; ++beam) {
      std::int32_t* const out = result + example * width + beam;
      for (Index t = length > 0 ? length : 0; t < time; ++t) out[t * step] = end;
      Index parent = beam, stop = length;  // the position of the first end token
      for (Index t = length; t-- > 0;) {
        if (!is_in_range(parent, width)) return false;
        const Index index = t * step + example * width + parent;
        const std::int32_t id = ids[index];
        out[t * step] = id;
        if (id == end) stop = t;
        parent = load_index(parents, index);
      }
      for (Index t = stop > 0 ? stop : 0; t < length; ++t) out[t * step] = end;
    }
  }
  return true;
}
