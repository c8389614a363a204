// Makes kernels callable as Python builtin functions, which convert arguments by their declared types ten times as fast
// as ctypes.
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
  bool releases;  // whether the kernel runs without the GIL
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
Word invoke(void* kernel, const Word* words, const double* reals, std::index_sequence<I...>) {
  using Kernel = Word (*)(std::conditional_t<true, Word, std::integral_constant<std::size_t, I>>..., double, double);
  return reinterpret_cast<Kernel>(kernel)(words[I]..., reals[0], reals[1]);
}

template <std::size_t N>
Word invoke_with(void* kernel, const Word* words, const double* reals) {
  return invoke(kernel, words, reals, std::make_index_sequence<N>());
}

Word call_with_words(void* kernel, int count, const Word* words, const double* reals) {
  if (count <= 4) return invoke_with<4>(kernel, words, reals);
  if (count <= 6) return invoke_with<6>(kernel, words, reals);
  if (count <= 8) return invoke_with<8>(kernel, words, reals);
  if (count <= 11) return invoke_with<11>(kernel, words, reals);
  return invoke_with<MAX_WORDS>(kernel, words, reals);
}

Object* to_python(const Call& call, Word result) {
  switch (call.result) {
    case 'i': return python.from_signed(std::int32_t(result));
    case 'q': return python.from_signed(std::int64_t(result));
    case 'Q': return python.from_unsigned(result);
    case 'b': return python.from_truth(std::uint8_t(result) != 0);
    default: python.keep(python.none); return python.none;
  }
}

Object* call_kernel(Object* self, Object* const* arguments, Index argument_count) {
  const Call& call = *reinterpret_cast<const Call*>(std::uintptr_t(python.as_word(self)));
  Word words[MAX_WORDS] = {};
  double reals[MAX_REALS] = {};
  int word = 0, real = 0;
  bool is_convertible = argument_count == call.count;
  for (int i = 0; is_convertible && i < call.count; ++i) {
    Object* const argument = arguments[i];
    const Object* const type = type_of(argument);
    const char type_code = call.types[i];
    if (type_code == 'd' || type_code == 'f') {
      if (type != python.real) {
        is_convertible = false;
        break;
      }
      const double value = python.as_double(argument);
      if (type_code == 'd') {
        reals[real] = value;
      } else {
        const float narrow = float(value);
        std::memcpy(&reals[real], &narrow, sizeof narrow);  // lower half of the register
      }
      ++real;
    } else if (type == python.integer || type == python.truth) {
      words[word] = python.as_word(argument);
      if (type_code == 'b') words[word] = words[word] != 0;
      ++word;
    } else if (type_code == 'p' && argument == python.none) {
      words[word++] = 0;
    } else if (type_code == 'p' && type == python.bytes) {
      words[word++] = Word(reinterpret_cast<std::uintptr_t>(argument)) + Word(python.bytes_field);
    } else if (type_code == 'p' && type == python.array) {
      std::memcpy(&words[word++], reinterpret_cast<const char*>(argument) + python.array_field, sizeof(void*));
    } else {
      is_convertible = false;
    }
  }
  if (!is_convertible) return python.call(call.slow, arguments, std::size_t(argument_count), nullptr);
  if (!call.releases) return to_python(call, call_with_words(call.kernel, word, words, reals));
  void* const thread = python.save_thread();
  const Word result = call_with_words(call.kernel, word, words, reals);
  python.restore_thread(thread);
  return to_python(call, result);
}

}  // namespace

// Sets the layouts and functions of this Python; called once, before any kernel.
EXPORT void describe_python(const Python* described) { python = *described; }

// Returns the address of the PyMethodDef of a kernel, which is never freed; 0 if ctypes must call the kernel. The
// `self` of the builtin is this address. `types` are the argument types as in declarations.txt; `name` and `slow` must
// outlive it.
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
