// Regular expressions that are sequences of characters with optional quantifiers and groups: matching and replacement
// in time linear in the string length.

#include "scratch.h"
#include "strings.h"

namespace {

using Atoms = std::uint64_t;  // bitmask of atoms, the characters of the pattern

enum Repeat : std::uint8_t { ONCE, PERHAPS, OFTEN };

// A pattern; `atoms_by_byte[c]` are the atoms that match the byte `c`, below 128.
struct Pattern {
  const Atoms* atoms_by_byte;
  const Repeat* repeats;
  Index atoms;
};

constexpr Index MAX_ATOMS = 64;
constexpr Index MAX_STRING_BYTES = Index(1) << 20;

// Leftmost matching in a string; quantifiers are greedy, as in Perl.
struct Search {
  const Pattern& pattern;
  const char* text;
  Index size;
  bool entire;    // whether matches must end at the end of the string
  Atoms* failed;  // by position: atoms known not to match at it
  Index* starts_of_atoms;  // start of the text matched by each atom, and the end of the match

  bool has(Index at, Index atom) const {
    return at < size && (pattern.atoms_by_byte[(unsigned char)text[at]] >> atom & 1);
  }
  bool is_new(Index at, Index atom) {
    const bool before = failed[at] >> atom & 1;
    failed[at] |= Atoms(1) << atom;
    return !before;
  }

  // Returns whether the atoms starting at `atom` match at a position. Failed positions are never retried, not even from
  // another start; successful positions precede the next match.
  bool matches_from(Index at, Index atom) {
    for (; atom < pattern.atoms; ++atom) {
      starts_of_atoms[atom] = at;
      if (!is_new(at, atom)) return false;
      if (pattern.repeats[atom] == ONCE) {
        if (!has(at, atom)) return false;
        ++at;
      } else if (pattern.repeats[atom] == PERHAPS) {
        if (has(at, atom) && matches_from(at + 1, atom + 1)) return true;
      } else {
        Index furthest = at;
        bool last = true;
        while (last && has(furthest, atom)) last = is_new(++furthest, atom);
        const bool bound = atom + 1 < pattern.atoms && pattern.repeats[atom + 1] == ONCE;
        for (Index tried = last ? furthest : furthest - 1; tried > at; --tried)
          if ((!bound || has(tried, atom + 1)) && matches_from(tried, atom + 1)) return true;
      }
    }
    starts_of_atoms[atom] = at;
    return !entire || at == size;
  }
};

inline bool is_ascii(const char* s, Index size) {
  Atoms bits = 0, word;
  Index i = 0;
  for (; i + 8 <= size; i += 8) std::memcpy(&word, s + i, 8), bits |= word;
  for (; i < size; ++i) bits |= (unsigned char)s[i];
  return !(bits & 0x8080808080808080u);
}

// A buffer of concatenated bytes.
struct Buffer {
  char* bytes = nullptr;
  Index size = 0, capacity = 0;
  ~Buffer() { std::free(bytes); }
  bool add(const char* data, Index count) {
    if (size + count > capacity) {
      const Index wanted = 2 * (size + count) + 256;
      char* larger = static_cast<char*>(std::realloc(bytes, wanted));
      if (larger == nullptr) return false;
      bytes = larger, capacity = wanted;
    }
    if (count) std::memcpy(bytes + size, data, count);
    size += count;
    return true;
  }
};

// Calls make(search, index) for ASCII strings; marks the strings that are too long or not ASCII in `skipped`.
template <class Make>
int for_each_search(const Object* objects, Index count, const Bytes& bytes, const Pattern& pattern, bool entire,
                    bool* skipped, Make make) {
  Scratch scratch;
  return for_each_string(objects, count, bytes, [&](const char* s, Index size, Index i) {
    skipped[i] = size > MAX_STRING_BYTES || !is_ascii(s, size);
    if (skipped[i]) return true;
    Atoms* failed = static_cast<Atoms*>(scratch.reserve((size + 1) * sizeof(Atoms)));
    if (failed == nullptr) return false;
    std::memset(failed, 0, (size + 1) * sizeof(Atoms));
    Index starts_of_atoms[MAX_ATOMS + 1];
    Search search = {pattern, s, size, entire, failed, starts_of_atoms};
    return make(search, i);
  });
}

}  // namespace

// Computes whether the pattern matches each entire string.
EXPORT int pattern_matches(const Object* objects, Index count, const Bytes* bytes, bool* left,
                           const Atoms* atoms_by_byte, const Repeat* repeats, Index atoms, bool* out) {
  const Pattern pattern = {atoms_by_byte, repeats, atoms};
  return for_each_search(objects, count, *bytes, pattern, true, left,
                         [=](Search& search, Index i) { return out[i] = search.matches_from(0, 0), true; });
}

// A piece of a replacement: literal bytes, or the text matched by a range of atoms.
struct Piece {
  const char* bytes;  // null for matched text
  Index begin, end;   // a range of atoms; for literals, `end` is the size
};

// Replaces the first match or all matches; the pattern must not match the empty string. If `first_only` is true,
// matches must start at the start of the string; if `last_only` is true, they must end at its end.
EXPORT int pattern_replaced(const Object* objects, Index count, const Bytes* bytes, bool* left,
                            const Atoms* atoms_by_byte, const Repeat* repeats, Index atoms, Object* out,
                            const Piece* pieces, Index pieces_count, Index everywhere, Index first_only,
                            Index last_only) {
  const Pattern pattern = {atoms_by_byte, repeats, atoms};
  Atoms first = 1;  // atoms with which a match may start
  for (Index atom = 0; repeats[atom] != ONCE; ++atom) first |= Atoms(2) << atom;
  Buffer buffer;
  return for_each_search(objects, count, *bytes, pattern, last_only, left, [&](Search& search, Index i) {
    buffer.size = 0;
    Index copied = 0;
    const Index starts = first_only && search.size > 1 ? 1 : search.size;
    for (Index at = 0; at < starts;) {
      if (!(atoms_by_byte[(unsigned char)search.text[at]] & first) || !search.matches_from(at, 0)) {
        ++at;
        continue;
      }
      if (!buffer.add(search.text + copied, at - copied)) return false;
      for (const Piece* piece = pieces; piece < pieces + pieces_count; ++piece) {
        const Index begin = piece->bytes ? 0 : search.starts_of_atoms[piece->begin];
        const Index end = piece->bytes ? piece->end : search.starts_of_atoms[piece->end];
        if (!buffer.add((piece->bytes ? piece->bytes : search.text) + begin, end - begin)) return false;
      }
      copied = at = search.starts_of_atoms[atoms];
      if (!everywhere) break;
    }
    if (copied == 0) return store_object(out + i, bytes->make(search.text, search.size), *bytes);
    return buffer.add(search.text + copied, search.size - copied) &&
           store_object(out + i, bytes->make(buffer.bytes, buffer.size), *bytes);
  });
}
