// Regular expressions of consecutive characters, each with an optional quantifier, and groups of them: whether they match
// strings, and replacement of matches. Time is linear in the string length.

#include "scratch.h"
#include "strings.h"

namespace {

using Atoms = std::uint64_t;  // a bit for each atom, a character of the pattern

enum Repeat : std::uint8_t { ONCE, PERHAPS, OFTEN };

// `having[c]`: the atoms that the byte `c`, below 128, is one of.
struct Pattern {
  const Atoms* having;
  const Repeat* repeats;
  Index atoms;
};

constexpr Index MAX_ATOMS = 64;
constexpr Index MAX_STRING_BYTES = Index(1) << 20;

// A string, whose first match from a place on prefers to repeat, as those of Perl do.
struct Search {
  const Pattern& pattern;
  const char* text;
  Index size;
  bool whole;     // a match ends where the string does
  Atoms* failed;  // for each place the atoms from which no match goes on there
  Index* begins;  // of the match: where each atom's text begins, and where the last one's ends

  bool has(Index at, Index atom) const {
    return at < size && (pattern.having[(unsigned char)text[at]] >> atom & 1);
  }
  bool is_new(Index at, Index atom) {
    const bool before = failed[at] >> atom & 1;
    failed[at] |= Atoms(1) << atom;
    return !before;
  }

  // Whether the atoms from `atom` on match at a position. Failed positions need not be retried from another start, and
  // successful ones precede the start of the next match.
  bool goes_on(Index at, Index atom) {
    for (; atom < pattern.atoms; ++atom) {
      begins[atom] = at;
      if (!is_new(at, atom)) return false;
      if (pattern.repeats[atom] == ONCE) {
        if (!has(at, atom)) return false;
        ++at;
      } else if (pattern.repeats[atom] == PERHAPS) {
        if (has(at, atom) && goes_on(at + 1, atom + 1)) return true;
      } else {
        Index most = at;
        bool last = true;
        while (last && has(most, atom)) last = is_new(++most, atom);
        const bool bound = atom + 1 < pattern.atoms && pattern.repeats[atom + 1] == ONCE;
        for (Index tried = last ? most : most - 1; tried > at; --tried)
          if ((!bound || has(tried, atom + 1)) && goes_on(tried, atom + 1)) return true;
      }
    }
    begins[atom] = at;
    return !whole || at == size;
  }
};

inline bool is_ascii(const char* s, Index size) {
  Atoms all = 0, some;
  Index i = 0;
  for (; i + 8 <= size; i += 8) std::memcpy(&some, s + i, 8), all |= some;
  for (; i < size; ++i) all |= (unsigned char)s[i];
  return !(all & 0x8080808080808080u);
}

// A buffer of concatenated bytes.
struct Buffer {
  char* bytes = nullptr;
  Index size = 0, room = 0;
  ~Buffer() { std::free(bytes); }
  bool add(const char* more, Index count) {
    if (size + count > room) {
      const Index wanted = 2 * (size + count) + 256;
      char* larger = static_cast<char*>(std::realloc(bytes, wanted));
      if (larger == nullptr) return false;
      bytes = larger, room = wanted;
    }
    if (count) std::memcpy(bytes + size, more, count);
    size += count;
    return true;
  }
};

// make(search, its number) for strings of ASCII; `left[i]` says which others there are, that are too long too.
template <class Make>
int each_search(const Object* objects, Index count, const Bytes& bytes, const Pattern& pattern, bool whole, bool* left,
                Make make) {
  Scratch scratch;
  return each_string(objects, count, bytes, [&](const char* s, Index size, Index i) {
    left[i] = size > MAX_STRING_BYTES || !is_ascii(s, size);
    if (left[i]) return true;
    Atoms* failed = static_cast<Atoms*>(scratch.of((size + 1) * sizeof(Atoms)));
    if (failed == nullptr) return false;
    std::memset(failed, 0, (size + 1) * sizeof(Atoms));
    Index begins[MAX_ATOMS + 1];
    Search search = {pattern, s, size, whole, failed, begins};
    return make(search, i);
  });
}

}  // namespace

// Whether the pattern matches each string as a whole.
EXPORT int pattern_matches(const Object* objects, Index count, const Bytes* bytes, bool* left, const Atoms* having,
                           const Repeat* repeats, Index atoms, bool* out) {
  const Pattern pattern = {having, repeats, atoms};
  return each_search(objects, count, *bytes, pattern, true, left,
                     [=](Search& search, Index i) { return out[i] = search.goes_on(0, 0), true; });
}

// A part of what replaces a match: `size` bytes, or the text of the atoms from one up to another.
struct Piece {
  const char* bytes;  // null: of the match
  Index begin, end;   // atoms; `end` is the size of bytes
};

// Strings with the first match, or all, replaced by pieces. The pattern matches no empty string. Matches begin where the
// string does with `first_only`, and end where it does with `last_only`.
EXPORT int pattern_replaced(const Object* objects, Index count, const Bytes* bytes, bool* left, const Atoms* having,
                            const Repeat* repeats, Index atoms, Object* out, const Piece* pieces, Index pieces_count,
                            Index everywhere, Index first_only, Index last_only) {
  const Pattern pattern = {having, repeats, atoms};
  Atoms first = 1;  // one of these begins each match
  for (Index atom = 0; repeats[atom] != ONCE; ++atom) first |= Atoms(2) << atom;
  Buffer buffer;
  return each_search(objects, count, *bytes, pattern, last_only, left, [&](Search& search, Index i) {
    buffer.size = 0;
    Index kept = 0;
    const Index starts = first_only && search.size > 1 ? 1 : search.size;
    for (Index at = 0; at < starts;) {
      if (!(having[(unsigned char)search.text[at]] & first) || !search.goes_on(at, 0)) {
        ++at;
        continue;
      }
      if (!buffer.add(search.text + kept, at - kept)) return false;
      for (const Piece* piece = pieces; piece < pieces + pieces_count; ++piece) {
        const Index begin = piece->bytes ? 0 : search.begins[piece->begin];
        const Index end = piece->bytes ? piece->end : search.begins[piece->end];
        if (!buffer.add((piece->bytes ? piece->bytes : search.text) + begin, end - begin)) return false;
      }
      kept = at = search.begins[atoms];
      if (!everywhere) break;
    }
    if (kept == 0) return put(out + i, bytes->make(search.text, search.size), *bytes);
    return buffer.add(search.text + kept, search.size - kept) &&
           put(out + i, bytes->make(buffer.bytes, buffer.size), *bytes);
  });
}
