// Kernels as Python builtin functions, which convert arguments by their declared types ten times as fast as ctypes.
//
// The library does not link against Python: the caller passes object layouts and functions of the stable ABI. An
// address argument may be an integer, None, bytes, or an array (its data). Calls with other arguments go to the slow
// function.

#include <cstdlib>
#include <type_traits>
#include <utility>

#include "basics.h"

namespace {

struct Object;  // PyObject
using Word = std::uint64_t;

constexpr int MAX_WORDS = 16;
constexpr int MAX_REALS = 2;

struct Python {
  Index type_field, bytes_field, array_field;  // offsets in an object
  const Object *integer, *truth, *real, *bytes, *array;  // argument types
  Object* none;
  Word (*as_word)(Object*);  // PyLong_AsUnsignedLongLongMask
  double (*as_double)(Object*);
  Object* (*from_signed)(long long);
  Object* (*from_unsigned)(unsigned long long);
  Object* (*from_truth)(long);
  void (*keep)(Object*);
  void* (*save_thread)();
  void (*restore_thread)(void*);
  Object* (*call)(Object*, Object* const*, std::size_t, Object*);
};

using Builtin = Object* (*)(Object*, Object* const*, Index);

// PyMethodDef (methodobject.h).
struct Method {
  const char* name;
  Builtin builtin;
  int flags;
  const char* text;
};

constexpr int FASTCALL = 0x80;  // METH_FASTCALL

struct Call {
  Method method;  // first, so that Python can read it
  void* kernel;
  Object* slow;
  bool releases;  // releases the GIL
  char result;
  int count;
  char types[MAX_WORDS + MAX_REALS + 1];
};

Python python;

// Reads the type from an object's header.
inline const Object* type_of(const Object* object) {
  const Object* type;
  std::memcpy(&type, reinterpret_cast<const char*>(object) + python.type_field, sizeof type);
  return type;
}

// In the System V and AAPCS64 ABIs on Linux, integers and floats use separate registers, and further integers use
// eight-byte stack slots; a kernel without float arguments ignores the float registers.
template <std::size_t... I>
Word invoked(void* kernel, const Word* words, const double* reals, std::index_sequence<I...>) {
  using Kernel = Word (*)(std::conditional_t<true, Word, std::integral_constant<std::size_t, I>>..., double, double);
  return reinterpret_cast<Kernel>(kernel)(words[I]..., reals[0], reals[1]);
}

template <std::size_t N>
Word with(void* kernel, const Word* words, const double* reals) {
  return invoked(kernel, words, reals, std::make_index_sequence<N>());
}

Word result_of(void* kernel, int count, const Word* words, const double* reals) {
  if (count <= 4) return with<4>(kernel, words, reals);
  if (count <= 6) return with<6>(kernel, words, reals);
  if (count <= 8) return with<8>(kernel, words, reals);
  if (count <= 11) return with<11>(kernel, words, reals);
  return with<MAX_WORDS>(kernel, words, reals);
}

Object* returned(const Call& call, Word result) {
  switch (call.result) {
    case 'i': return python.from_signed(std::int32_t(result));
    case 'q': return python.from_signed(std::int64_t(result));
    case 'Q': return python.from_unsigned(result);
    case 'b': return python.from_truth(std::uint8_t(result) != 0);
    default: python.keep(python.none); return python.none;
  }
}

Object* call_kernel(Object* self, Object* const* arguments, Index given) {
  const Call& call = *reinterpret_cast<const Call*>(std::uintptr_t(python.as_word(self)));
  Word words[MAX_WORDS] = {};
  double reals[MAX_REALS] = {};
  int word = 0, real = 0;
  bool plain = given == call.count;
  for (int i = 0; plain && i < call.count; ++i) {
    Object* const argument = arguments[i];
    const Object* const type = type_of(argument);
    const char wanted = call.types[i];
    if (wanted == 'd' || wanted == 'f') {
      if (type != python.real) {
        plain = false;
        break;
      }
      const double value = python.as_double(argument);
      if (wanted == 'd') {
        reals[real] = value;
      } else {
        const float narrow = float(value);
        std::memcpy(&reals[real], &narrow, sizeof narrow);  // the register's lower half
      }
      ++real;
    } else if (type == python.integer || type == python.truth) {
      words[word] = python.as_word(argument);
      if (wanted == 'b') words[word] = words[word] != 0;
      ++word;
    } else if (wanted == 'p' && argument == python.none) {
      words[word++] = 0;
    } else if (wanted == 'p' && type == python.bytes) {
      words[word++] = Word(reinterpret_cast<std::uintptr_t>(argument)) + Word(python.bytes_field);
    } else if (wanted == 'p' && type == python.array) {
      std::memcpy(&words[word++], reinterpret_cast<const char*>(argument) + python.array_field, sizeof(void*));
    } else {
      plain = false;
    }
  }
  if (!plain) return python.call(call.slow, arguments, std::size_t(given), nullptr);
  if (!call.releases) return returned(call, result_of(call.kernel, word, words, reals));
  void* const thread = python.save_thread();
  const Word result = result_of(call.kernel, word, words, reals);
  python.restore_thread(thread);
  return returned(call, result);
}

}  // namespace

// Sets this Python's layouts and functions; called once, before any kernel.
EXPORT void describe_python(const Python* described) { python = *described; }

// The address of a kernel's PyMethodDef, which is never freed; 0 if ctypes must call it. The builtin's `self` is this
// address. `types` are the argument types as in declarations.txt; `name` and `slow` must outlive it.
EXPORT Index method_of(const char* name, void* kernel, const char* result, const char* types, Object* slow,
                       bool releases) {
#if defined(__x86_64__) || (defined(__aarch64__) && defined(__linux__))
  int words = 0, reals = 0;
  for (const char* type = types; *type; ++type) {
    if (!std::strchr("pbiqQfd", *type)) return 0;
    ++(*type == 'f' || *type == 'd' ? reals : words);
  }
  if (!std::strchr("vibqQ", *result) || words > MAX_WORDS || reals > MAX_REALS) return 0;
  Call* const call = static_cast<Call*>(std::calloc(1, sizeof(Call)));
  if (!call) return 0;
  call->method = {name, call_kernel, FASTCALL, nullptr};
  call->kernel = kernel;
  call->slow = slow;
  call->releases = releases;
  call->result = *result;
  call->count = words + reals;
  std::strcpy(call->types, types);
  return Index(reinterpret_cast<std::uintptr_t>(call));
#else
  return 0;
#endif
}
