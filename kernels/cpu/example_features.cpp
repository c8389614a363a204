// Features of tf.train.Example records, read from the wire format for a whole batch
// (https://protobuf.dev/programming-guides/encoding/; tensorflow/core/example/feature.proto).
//
// Kernels raise no errors. For a malformed or unusual record (such as a feature with two lists of one kind), they
// return 0; tfmini/_src/devices/host/example_wire.py then parses the batch.

#include "strings.h"

namespace {

using Long = std::uint64_t;

enum Kind : Index { NOTHING, STRINGS, FLOATS, INTS };
enum Wire : Long { VARINT = 0, FIXED64 = 1, LENGTH = 2, FIXED32 = 5 };

// The bytes of a message.
struct Span {
  const char *begin, *end;
};

inline bool read_varint(const char** at, const char* end, Long* value) {
  Long result = 0;
  for (int shift = 0; shift < 70 && *at < end; shift += 7) {
    const unsigned char byte = static_cast<unsigned char>(*(*at)++);
    result |= Long(byte & 127) << shift;
    if (byte < 128) {
      *value = result;
      return true;
    }
  }
  return false;
}

// Calls visit(field number, wire type, value) for each field of a message until it returns false. Returns whether all
// fields were visited.
template <class Visit>
inline bool for_each_field(Span message, Visit visit) {
  const char *at = message.begin, *const end = message.end;
  while (at < end) {
    Long tag, size;
    if (!read_varint(&at, end, &tag) || tag >> 3 == 0) return false;
    Span value = {at, at};
    switch (tag & 7) {
      case VARINT:
        if (!read_varint(&at, end, &size)) return false;
        break;
      case FIXED64:
        if (end - at < 8) return false;
        at += 8;
        break;
      case LENGTH:
        if (!read_varint(&at, end, &size) || size > Long(end - at)) return false;
        value.begin = at, at += size;
        break;
      case FIXED32:
        if (end - at < 4) return false;
        at += 4;
        break;
      default:
        return false;
    }
    value.end = at;
    if (!visit(tag >> 3, tag & 7, value)) return false;
  }
  return true;
}

// Calls visit(wire type, value) for each item of a BytesList, FloatList or Int64List: a string, a number, or packed
// numbers.
template <class Visit>
inline bool for_each_item(Index kind, Span list, Visit visit) {
  const Long unpacked_wire = kind == FLOATS ? FIXED32 : kind == INTS ? VARINT : LENGTH;
  return for_each_field(list, [=](Long number, Long wire, Span value) {
    return number != 1 || (wire != LENGTH && wire != unpacked_wire) || visit(wire, value);
  });
}

// The kind, list and value count of a feature.
struct Feature {
  Index kind;
  Span list;
  Index count;
};

inline bool count_items(Feature* feature) {
  return for_each_item(feature->kind, feature->list, [=](Long wire, Span value) {
    const Index size = value.end - value.begin;
    if (feature->kind == STRINGS || wire != LENGTH) {
      ++feature->count;
    } else if (feature->kind == FLOATS) {
      feature->count += size / 4;
      return size % 4 == 0;
    } else if (size > 0) {
      for (const char* at = value.begin; at < value.end; ++at) feature->count += static_cast<unsigned char>(*at) < 128;
      return static_cast<unsigned char>(value.end[-1]) < 128;
    }
    return true;
  });
}

inline bool read_feature(Span message, Feature* feature) {
  *feature = {NOTHING, {nullptr, nullptr}, 0};
  return for_each_field(message, [=](Long number, Long wire, Span value) {
    if (wire != LENGTH || number > INTS) return true;
    if (Index(number) == feature->kind) return false;
    *feature = {Index(number), value, 0};
    return count_items(feature);
  });
}

// Calls visit(key, feature) for each feature of an Example, in order.
template <class Visit>
inline bool for_each_feature(Span example, Visit visit) {
  return for_each_field(example, [=](Long number, Long wire, Span features) {
    if (number != 1 || wire != LENGTH) return true;
    return for_each_field(features, [=](Long inner, Long inner_wire, Span entry) {
      if (inner != 1 || inner_wire != LENGTH) return true;
      Span parts[] = {{entry.end, entry.end}, {entry.end, entry.end}};
      Feature feature;
      return for_each_field(entry,
                            [&](Long part, Long part_wire, Span value) {
                              if (part_wire == LENGTH && part <= 2) parts[part - 1] = value;
                              return true;
                            }) &&
             read_feature(parts[1], &feature) && visit(parts[0], feature);
    });
  });
}

inline bool read_items(const Feature& feature, char* out, const Bytes& bytes) {
  return for_each_item(feature.kind, feature.list, [&](Long, Span value) {
    const char* at = value.begin;
    const Index size = value.end - at;
    if (feature.kind == STRINGS) {
      if (!store_object(reinterpret_cast<Object*>(out), bytes.make(at, size), bytes)) return false;
      out += sizeof(Object);
    } else if (feature.kind == FLOATS) {
      std::memcpy(out, at, std::size_t(size)), out += size;
    } else {
      for (; at < value.end; out += sizeof(Long)) {
        Long number;
        if (!read_varint(&at, value.end, &number)) return false;
        std::memcpy(out, &number, sizeof number);
      }
    }
    return true;
  });
}

}  // namespace

// Finds the feature for each record and key, [records, keys]: the address (`places`) and size in bytes of its list, and
// its value count, -1 without a feature. Returns 0 if the kind of a feature differs from the kind of the key.
EXPORT int locate_features(const Object* records, Index count, const Bytes* bytes, Index* places, Index* sizes,
                           Index* counts, const Object* keys, const Index* kinds, Index width) {
  return for_each_string(records, count, *bytes, [=](const char* data, Index size, Index i) {
    Index *row_places = places + i * width, *row_sizes = sizes + i * width, *row_counts = counts + i * width;
    for (Index k = 0; k < width; ++k) row_counts[k] = -1;
    Index guess = 0;  // records written by one program have the same feature order
    return for_each_feature({data, data + size}, [&](Span key, const Feature& feature) {
      for (Index tried = 0; tried < width; ++tried, guess = guess + 1 < width ? guess + 1 : 0) {
        const char* name;
        Index length;
        if (!read(keys[guess], *bytes, &name, &length)) return false;
        if (length != key.end - key.begin || std::memcmp(name, key.begin, std::size_t(length)) != 0) continue;
        if (feature.kind != NOTHING && feature.kind != kinds[guess]) return false;
        row_places[guess] = reinterpret_cast<Index>(feature.list.begin);
        row_sizes[guess] = feature.list.end - feature.list.begin;
        row_counts[guess] = feature.kind == NOTHING ? -1 : feature.count;
        break;
      }
      return true;
    });
  });
}

// Copies the values of the features found by locate_features, record by record, to `results`, one array per key: bytes
// objects, floats or 64-bit integers.
EXPORT int read_features(const Object* records, Index count, const Bytes* bytes, const Index* places,
                         const Index* sizes, const Index* counts, char* const* results, const Index* kinds,
                         Index width) {
  (void)records;
  for (Index k = 0; k < width; ++k) {
    char* out = results[k];
    for (Index i = 0; i < count; ++i) {
      const Index at = i * width + k;
      if (counts[at] <= 0) continue;
      const char* begin = reinterpret_cast<const char*>(places[at]);
      if (!read_items({kinds[k], {begin, begin + sizes[at]}, counts[at]}, out, *bytes)) return 0;
      out += counts[at] * Index(kinds[k] == FLOATS ? sizeof(float) : sizeof(Long));
    }
  }
  return 1;
}
