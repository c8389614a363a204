// Non-maximum suppression: drops boxes that overlap a better box. Ties are in the order of GNU C++'s heap;
// tfmini/_src/devices/numpy/non_max_suppression.py implements the same algorithm in NumPy.

#include "scratch.h"
#include "threads.h"

namespace {

thread_local Scratch scratch;

// Corners and areas of boxes, [5, boxes]: smaller y and x, larger y and x, area.
struct Boxes {
  const float *top, *left, *bottom, *right, *area;
  Boxes(const float* all, Index count)
      : top(all), left(all + count), bottom(all + 2 * count), right(all + 3 * count), area(all + 4 * count) {}
};

struct Candidate {
  float score;
  std::int32_t box;
  Index seen;  // the number of selected boxes already compared
};

// Sifts an item up from a hole.
inline void sift_up(Candidate* heap, Index hole, Candidate item) {
  while (hole > 0) {
    const Index parent = (hole - 1) / 2;
    if (!(heap[parent].score < item.score)) break;
    heap[hole] = heap[parent];
    hole = parent;
  }
  heap[hole] = item;
}

// Pops the best of `count` items.
inline Candidate pop(Candidate* heap, Index count) {
  const Candidate best = heap[0], last = heap[count - 1];
  const Index size = count - 1;
  Index hole = 0, child = 0;
  while (child < (size - 1) / 2) {
    child = 2 * (child + 1);
    if (heap[child].score < heap[child - 1].score) --child;
    heap[hole] = heap[child];
    hole = child;
  }
  if (size > 0 && size % 2 == 0 && child == (size - 2) / 2) {
    child = 2 * child + 1;
    heap[hole] = heap[child];
    hole = child;
  }
  if (size > 0) sift_up(heap, hole, last);
  return best;
}

// The selected boxes, with one array per corner.
struct SelectedBoxes {
  float *top, *left, *bottom, *right, *area;
  std::int32_t* number;
  Index count = 0;

  SelectedBoxes(float* memory, Index capacity, std::int32_t* numbers)
      : top(memory),
        left(memory + capacity),
        bottom(memory + 2 * capacity),
        right(memory + 3 * capacity),
        area(memory + 4 * capacity),
        number(numbers) {}

  void add(const Boxes& boxes, std::int32_t box) {
    top[count] = boxes.top[box], left[count] = boxes.left[box];
    bottom[count] = boxes.bottom[box], right[count] = boxes.right[box];
    area[count] = boxes.area[box], number[count] = box;
    ++count;
  }
};

// Returns whether a box overlaps one of the boxes selected since index `begin` by at least (`strict`: more than) the
// threshold.
template <bool strict>
NOINLINE bool overlaps(const SelectedBoxes& selected, Index begin, const Boxes& boxes, std::int32_t box,
                       float threshold) {
  const float top = boxes.top[box], left = boxes.left[box], bottom = boxes.bottom[box], right = boxes.right[box];
  const float area = boxes.area[box];
  constexpr Index BLOCK = 64;
  for (Index end = selected.count; end > begin; end -= BLOCK) {
    const Index first = end - BLOCK > begin ? end - BLOCK : begin, count = end - first;
    const float *tops = selected.top + first, *lefts = selected.left + first, *areas = selected.area + first;
    const float *bottoms = selected.bottom + first, *rights = selected.right + first;
    std::int32_t found = 0;
    for (Index i = 0; i < count; ++i) {
      const float height = minimum(bottoms[i], bottom) - maximum(tops[i], top);
      const float width = minimum(rights[i], right) - maximum(lefts[i], left);
      const float common = maximum(height, 0.0f) * maximum(width, 0.0f);
      const float overlap = common / (areas[i] + area - common);
      const float share = (areas[i] <= 0) | (area <= 0) ? 0.0f : overlap;
      found |= strict ? share > threshold : share >= threshold;
    }
    if (found) return true;
  }
  return false;
}

}  // namespace

// Selects up to `limit` candidates (box indices with scores), best first, into `result` [room]. Returns their number;
// -1 if it exceeds `room`, if out of memory, or if a candidate is invalid.
EXPORT Index boxes_kept(const float* corners, Index boxes_count, const std::int32_t* candidates, const float* scores,
                        Index count, Index limit, float threshold, std::int32_t* result, Index room) {
  const std::size_t heap_bytes = std::size_t(count) * sizeof(Candidate),
                    array_bytes = std::size_t(room) * sizeof(float);
  char* memory = static_cast<char*>(scratch.reserve(heap_bytes + 5 * array_bytes + 1));
  if (!memory || !are_in_range(candidates, count, boxes_count)) return -1;
  Candidate* heap = reinterpret_cast<Candidate*>(memory);
  const Boxes boxes(corners, boxes_count);
  SelectedBoxes selected(reinterpret_cast<float*>(memory + heap_bytes), room, result);
  for (Index i = 0; i < count; ++i) sift_up(heap, i, {scores[i], candidates[i], 0});
  while (count > 0 && selected.count < limit) {
    const Candidate best = pop(heap, count--);
    if (overlaps<false>(selected, best.seen, boxes, best.box, threshold)) continue;
    if (selected.count == room) return -1;
    const Index seen = selected.count;
    selected.add(boxes, best.box);
    sift_up(heap, count++, {best.score, best.box, seen});  // will also be compared with itself
  }
  return selected.count;
}

// Like boxes_kept, for candidates in the given order; keeps a box whose overlap with a better box equals the threshold.
EXPORT Index boxes_kept_beyond(const float* corners, Index boxes_count, const std::int32_t* candidates, Index count,
                               Index limit, float threshold, std::int32_t* result, Index room) {
  float* memory = static_cast<float*>(scratch.reserve(5 * std::size_t(room) * sizeof(float) + 1));
  if (!memory || !are_in_range(candidates, count, boxes_count)) return -1;
  const Boxes boxes(corners, boxes_count);
  SelectedBoxes selected(memory, room, result);
  for (Index i = 0; i < count && selected.count < limit; ++i) {
    if (overlaps<true>(selected, 0, boxes, candidates[i], threshold)) continue;
    if (selected.count == room) return -1;
    selected.add(boxes, candidates[i]);
  }
  return selected.count;
}
