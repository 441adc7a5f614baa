// Atomic operations, as the compiler's instrumentation reports them, of every width.
//
// Under the scheduler an operation is one step: the value is read and written while nobody else
// moves. What it reads is in memory, unless something older was chosen for it
// (memory_model/weak_memory.hpp).
#include <cstring>
#include <type_traits>

#include "programs/threads/runtime/hooks/hooks.hpp"
#include "programs/threads/runtime/machine/call_site.hpp"

#pragma GCC diagnostic ignored "-Wpedantic"  // __int128

using mazurka::host::Action;
using mazurka::host::AtomicKind;
using mazurka::host::MemoryOrder;
using mazurka::host::Orders;
using mazurka::threads::AtomicResult;
using mazurka::threads::EngineScope;
using mazurka::threads::Found;
using mazurka::threads::runtime;
using mazurka::threads::scheduled;
using mazurka::threads::Words16;
namespace memory_mode = mazurka::threads::memory_mode;

namespace {

using Wide = unsigned __int128;

template <typename Value>
std::uint64_t shown(Value value) {
  return static_cast<std::uint64_t>(value);
}

template <typename Value>
void note_operand(Value value) {
  runtime->atomics.note_operand(static_cast<std::uint64_t>(value));
  if constexpr (sizeof(Value) > 8)
    runtime->atomics.note_operand(static_cast<std::uint64_t>(value >> 64));
}

template <typename Value>
Value value_in(const Words16& words) {
  Value value;
  std::memcpy(&value, &words, sizeof value);
  return value;
}

AtomicKind kind_of(std::uint8_t mode) {
  if (mode == memory_mode::read) return AtomicKind::load;
  return mode == memory_mode::write ? AtomicKind::store : AtomicKind::update;
}

MemoryOrder order_here(AtomicKind kind, int order) {
  return runtime->order_sites.orders_here(kind, {.order = MemoryOrder{order}}).order;
}

// Performs `change` (value -> new value, or nothing for a read) as one step.
template <typename Value, typename Change>
Value perform(volatile Value* address, std::uint8_t mode, int said, const void* code,
              Change&& change) {
  EngineScope scope;
  const auto where = reinterpret_cast<std::uintptr_t>(address);
  const MemoryOrder order = order_here(kind_of(mode), said);
  const Found found = runtime->atomics.before(
      {.address = where, .size = sizeof(Value), .mode = mode, .order = order}, code);
  auto* memory = const_cast<Value*>(address);
  const Value old = found.older ? value_in<Value>(found.value) : *memory;
  Value now = old;
  AtomicResult result;
  change(old, now, result);
  result.changes = result.writes && (result.reads ? now != old : found.overtaken || now != *memory);
  if (result.writes && !found.overtaken) *memory = now;
  if constexpr (sizeof(Value) > 8) {
    result.new_high = shown(now >> 64);
    result.high = result.reads ? shown(old >> 64) : result.new_high;
  }
  runtime->atomics.after(where, sizeof(Value), result, order);
  return old;
}

template <typename Value>
Value load(const volatile Value* address, int order, const void* code) {
  auto* where = const_cast<volatile Value*>(address);
  if (!scheduled()) {
    if constexpr (sizeof(Value) <= 8) return __atomic_load_n(where, __ATOMIC_SEQ_CST);
    return *where;
  }
  const Value seen =
      perform(where, memory_mode::read, order, code, [](Value old, Value&, AtomicResult& result) {
        result = {Action::read, shown(old), 0, true, false};
      });
  if constexpr (sizeof(Value) <= 8) {
    runtime->twins.note_look({.address = reinterpret_cast<std::uintptr_t>(where),
                              .value = shown(seen),
                              .size = sizeof(Value)});
  }
  return seen;
}

template <typename Value>
void store(volatile Value* address, Value value, int order, const void* code) {
  if (!scheduled()) {
    if constexpr (sizeof(Value) <= 8) {
      __atomic_store_n(address, value, __ATOMIC_SEQ_CST);
    } else {
      *address = value;
    }
    return;
  }
  note_operand(value);
  perform(address, memory_mode::write, order, code,
          [value](Value, Value& memory, AtomicResult& result) {
            memory = value;
            result = {Action::write, shown(value), 0, false, true};
          });
}

// `mode`: as what it may count if nobody uses what was there before.
template <typename Value, typename Compute>
Value update(volatile Value* address, std::uint8_t mode, int order, const void* code,
             Compute&& compute) {
  if (!scheduled()) {
    if constexpr (sizeof(Value) <= 8) {
      Value old = __atomic_load_n(address, __ATOMIC_SEQ_CST);
      while (!__atomic_compare_exchange_n(address, &old, compute(old), false, __ATOMIC_SEQ_CST,
                                          __ATOMIC_SEQ_CST)) {
      }
      return old;
    } else {
      const Value old = *address;
      *address = compute(old);
      return old;
    }
  }
  // The two tell what it computes with, whatever it does with it.
  constexpr auto all_bits = static_cast<Value>(~Value{0});
  note_operand(compute(Value{0}));
  note_operand(compute(all_bits));
  // What the program makes of 16 bytes is in two registers.
  if (sizeof(Value) > 8) mode = memory_mode::update;
  return perform(address, mode, order, code, [&](Value old, Value& memory, AtomicResult& result) {
    memory = compute(old);
    result = {Action::update, shown(old), shown(memory), true, true};
    result.operand = shown(compute(mode == memory_mode::clear_bits ? all_bits : Value{0}));
  });
}

// The library's own functions (bindings.cpp); with a size that is known, single instructions.
inline bool same_bytes(const void* one, const void* other, std::size_t size) {
  return std::memcmp(one, other, size) == 0;
}
inline void copy_bytes(void* to, const void* from, std::size_t size) {
  std::memcpy(to, from, size);
}
inline std::uint64_t first_bytes(const void* from, std::size_t size) {
  std::uint64_t value = 0;
  copy_bytes(&value, from, size < sizeof value ? size : sizeof value);
  return value;
}
inline std::uint64_t second_bytes(const void* from, std::size_t size) {
  return size <= 8 ? 0 : first_bytes(static_cast<const unsigned char*>(from) + 8, size - 8);
}
inline void note_bytes(const void* from, std::size_t size) {
  const auto* bytes = static_cast<const unsigned char*>(from);
  for (std::size_t at = 0; at < size; at += 8) {
    runtime->atomics.note_operand(first_bytes(bytes + at, size - at));
  }
}
void note_pointer(const void* pointer) {
  runtime->atomics.note_operand(reinterpret_cast<std::uintptr_t>(pointer));
}

// A weak compare-exchange may fail without a reason, if that is wanted.
enum class Strength : bool { weak, strong };

// Compares and exchanges objects of any size: the one place where this is done. Inlined, so that
// sizes are known.
[[gnu::always_inline]] inline bool compare_exchange_bytes(std::size_t size, void* object,
                                                          void* expected, const void* desired,
                                                          int order, int failure_order,
                                                          const void* code, Strength strength) {
  const bool told = scheduled();
  EngineScope scope;
  const auto where = reinterpret_cast<std::uintptr_t>(object);
  const std::uint64_t wanted = first_bytes(expected, size);
  const std::uint64_t wanted_high = second_bytes(expected, size);
  Orders orders{MemoryOrder{order}, MemoryOrder{failure_order}};
  Found found;
  if (told) {
    orders = runtime->order_sites.orders_here(AtomicKind::compare_exchange, orders);
    note_bytes(expected, size);
    note_bytes(desired, size);
    note_pointer(expected);
    found = runtime->atomics.before({.address = where,
                                     .size = size,
                                     .mode = memory_mode::compare_exchange,
                                     .order = orders.order,
                                     .failure_order = orders.failure,
                                     .expected = expected,
                                     .weak = strength == Strength::weak},
                                    code);
  }
  const void* const there = found.older ? &found.value : object;
  const std::uint64_t old = first_bytes(there, size);
  const std::uint64_t high = second_bytes(there, size);
  if (!found.fails && same_bytes(there, expected, size)) {
    const bool changes = !same_bytes(there, desired, size);
    if (!found.overtaken) copy_bytes(object, desired, size);
    if (told) {
      runtime->atomics.after(where, size,
                             {Action::update, old, first_bytes(desired, size), true, true, changes,
                              high, second_bytes(desired, size)},
                             orders.order);
    }
    return true;
  }
  if (told) runtime->atomics.tell_seen(reinterpret_cast<std::uintptr_t>(expected), size);
  copy_bytes(expected, there, size);
  if (told) {
    runtime->atomics.after(
        where, size,
        {Action::update_failed, old, wanted, true, false, found.fails, high, wanted_high},
        orders.failure);
    if (size <= 8 && !found.fails) {
      runtime->twins.note_look({.address = where,
                                .expected = reinterpret_cast<std::uintptr_t>(expected),
                                .value = old,
                                .wanted = wanted,
                                .size = static_cast<std::uint8_t>(size),
                                .compares = true});
    }
  }
  return false;
}

template <typename Value>
[[gnu::noinline]] bool compare_exchange(volatile Value* address, Value* expected, Value desired,
                                        int order, int failure_order, const void* code,
                                        Strength strength) {
  if constexpr (sizeof(Value) <= 8) {
    if (!scheduled()) {
      return __atomic_compare_exchange_n(address, expected, desired, false, __ATOMIC_SEQ_CST,
                                         __ATOMIC_SEQ_CST);
    }
  }
  return compare_exchange_bytes(sizeof(Value), const_cast<Value*>(address), expected, &desired,
                                order, failure_order, code, strength);
}

}  // namespace

#define MAZURKA_ATOMICS(bits, type)                                                                \
  MAZURKA_SITE_HOOK(type, __tsan_atomic##bits##_load, const volatile type* a, int mo) {            \
    return load<type>(a, mo, mazurka_caller);                                                      \
  }                                                                                                \
  MAZURKA_SITE_HOOK(void, __tsan_atomic##bits##_store, volatile type* a, type v, int mo) {         \
    store<type>(a, v, mo, mazurka_caller);                                                         \
  }                                                                                                \
  MAZURKA_SITE_HOOK(type, __tsan_atomic##bits##_exchange, volatile type* a, type v, int mo) {      \
    return update<type>(a, memory_mode::update, mo, mazurka_caller, [v](type) { return v; });      \
  }                                                                                                \
  MAZURKA_SITE_HOOK(type, __tsan_atomic##bits##_fetch_add, volatile type* a, type v, int mo) {     \
    return update<type>(a, memory_mode::add, mo, mazurka_caller,                                   \
                        [v](type x) { return static_cast<type>(x + v); });                         \
  }                                                                                                \
  MAZURKA_SITE_HOOK(type, __tsan_atomic##bits##_fetch_sub, volatile type* a, type v, int mo) {     \
    return update<type>(a, memory_mode::add, mo, mazurka_caller,                                   \
                        [v](type x) { return static_cast<type>(x - v); });                         \
  }                                                                                                \
  MAZURKA_SITE_HOOK(type, __tsan_atomic##bits##_fetch_and, volatile type* a, type v, int mo) {     \
    return update<type>(a, memory_mode::clear_bits, mo, mazurka_caller,                            \
                        [v](type x) { return static_cast<type>(x & v); });                         \
  }                                                                                                \
  MAZURKA_SITE_HOOK(type, __tsan_atomic##bits##_fetch_or, volatile type* a, type v, int mo) {      \
    return update<type>(a, memory_mode::set_bits, mo, mazurka_caller,                              \
                        [v](type x) { return static_cast<type>(x | v); });                         \
  }                                                                                                \
  MAZURKA_SITE_HOOK(type, __tsan_atomic##bits##_fetch_xor, volatile type* a, type v, int mo) {     \
    return update<type>(a, memory_mode::flip_bits, mo, mazurka_caller,                             \
                        [v](type x) { return static_cast<type>(x ^ v); });                         \
  }                                                                                                \
  MAZURKA_SITE_HOOK(type, __tsan_atomic##bits##_fetch_nand, volatile type* a, type v, int mo) {    \
    return update<type>(a, memory_mode::update, mo, mazurka_caller,                                \
                        [v](type x) { return static_cast<type>(~(x & v)); });                      \
  }                                                                                                \
  MAZURKA_SITE_HOOK(int, __tsan_atomic##bits##_compare_exchange_strong, volatile type* a, type* c, \
                    type v, int mo, int fmo) {                                                     \
    return compare_exchange<type>(a, c, v, mo, fmo, mazurka_caller, Strength::strong) ? 1 : 0;     \
  }                                                                                                \
  MAZURKA_SITE_HOOK(int, __tsan_atomic##bits##_compare_exchange_weak, volatile type* a, type* c,   \
                    type v, int mo, int fmo) {                                                     \
    return compare_exchange<type>(a, c, v, mo, fmo, mazurka_caller, Strength::weak) ? 1 : 0;       \
  }                                                                                                \
  MAZURKA_SITE_HOOK(type, __tsan_atomic##bits##_compare_exchange_val, volatile type* a, type c,    \
                    type v, int mo, int fmo) {                                                     \
    if (scheduled()) runtime->atomics.refuse_weak_failures();                                      \
    compare_exchange<type>(a, &c, v, mo, fmo, mazurka_caller, Strength::strong);                   \
    return c;                                                                                      \
  }

MAZURKA_ATOMICS(8, unsigned char)
MAZURKA_ATOMICS(16, unsigned short)
MAZURKA_ATOMICS(32, unsigned int)
MAZURKA_ATOMICS(64, unsigned long)
MAZURKA_ATOMICS(128, Wide)

MAZURKA_SITE_HOOK(void, __tsan_atomic_thread_fence, int order) {
  if (!scheduled()) {
    __atomic_thread_fence(__ATOMIC_SEQ_CST);
    return;
  }
  EngineScope scope;
  runtime->atomics.fence(order_here(AtomicKind::fence, order));
}
MAZURKA_SITE_HOOK(void, __tsan_atomic_signal_fence, int order) {
  if (scheduled()) runtime->atomics.signal_fence(MemoryOrder{order});
}

// Atomics that the compiler leaves to a library: 16 bytes without a machine instruction for them,
// and objects of odd sizes.
#define MAZURKA_LIBRARY_ATOMICS(bytes, type)                                                     \
  MAZURKA_SITE_HOOK(type, __atomic_load_##bytes, const volatile void* a, int mo) {               \
    return load<type>(static_cast<const volatile type*>(a), mo, mazurka_caller);                 \
  }                                                                                              \
  MAZURKA_SITE_HOOK(void, __atomic_store_##bytes, volatile void* a, type v, int mo) {            \
    store<type>(static_cast<volatile type*>(a), v, mo, mazurka_caller);                          \
  }                                                                                              \
  MAZURKA_SITE_HOOK(type, __atomic_exchange_##bytes, volatile void* a, type v, int mo) {         \
    return update<type>(static_cast<volatile type*>(a), memory_mode::update, mo, mazurka_caller, \
                        [v](type) { return v; });                                                \
  }                                                                                              \
  MAZURKA_SITE_HOOK(bool, __atomic_compare_exchange_##bytes, volatile void* a, void* c, type v,  \
                    int mo, int fmo) {                                                           \
    return compare_exchange<type>(static_cast<volatile type*>(a), static_cast<type*>(c), v, mo,  \
                                  fmo, mazurka_caller, Strength::strong);                        \
  }

MAZURKA_LIBRARY_ATOMICS(16, Wide)

// Objects of any size: the bytes are read and written while nobody else moves.
namespace {

/// What an operation writes, and where it leaves what it has seen; null: it does not.
struct Bytes {
  const void* in = nullptr;
  void* out = nullptr;
};

void perform_any(std::size_t size, void* object, std::uint8_t mode, const Bytes& bytes, int said,
                 const void* code) {
  const bool told = scheduled();
  const EngineScope scope;
  const auto where = reinterpret_cast<std::uintptr_t>(object);
  MemoryOrder order{said};
  Found found;
  if (told) {
    order = order_here(kind_of(mode), said);
    if (bytes.in != nullptr) note_bytes(bytes.in, size);
    if (bytes.out != nullptr) note_pointer(bytes.out);
    found = runtime->atomics.before({.address = where, .size = size, .mode = mode, .order = order},
                                    code);
  }
  const bool writes = bytes.in != nullptr;
  const void* const there = found.older ? &found.value : object;
  const void* const left = writes ? bytes.in : there;
  const void* const shown_first = bytes.out != nullptr ? there : left;
  static constexpr Action actions[] = {Action::read, Action::write, Action::update};
  AtomicResult result{actions[mode],
                      first_bytes(shown_first, size),
                      first_bytes(left, size),
                      bytes.out != nullptr,
                      writes,
                      writes && (found.overtaken || !same_bytes(object, bytes.in, size)),
                      second_bytes(shown_first, size),
                      second_bytes(left, size)};
  if (bytes.out != nullptr) {
    if (told) runtime->atomics.tell_seen(reinterpret_cast<std::uintptr_t>(bytes.out), size);
    copy_bytes(bytes.out, there, size);
  }
  if (writes && !found.overtaken) copy_bytes(object, bytes.in, size);
  if (told) runtime->atomics.after(where, size, result, order);
}

}  // namespace

MAZURKA_SITE_HOOK(void, __atomic_load, std::size_t size, void* a, void* out, int mo) {
  perform_any(size, a, memory_mode::read, {.out = out}, mo, mazurka_caller);
}
MAZURKA_SITE_HOOK(void, __atomic_store, std::size_t size, void* a, void* in, int mo) {
  perform_any(size, a, memory_mode::write, {.in = in}, mo, mazurka_caller);
}
MAZURKA_SITE_HOOK(void, __atomic_exchange, std::size_t size, void* a, void* in, void* out, int mo) {
  perform_any(size, a, memory_mode::update, {in, out}, mo, mazurka_caller);
}
MAZURKA_SITE_HOOK(bool, __atomic_compare_exchange, std::size_t size, void* a, void* expected,
                  void* in, int mo, int fmo) {
  return compare_exchange_bytes(size, a, expected, in, mo, fmo, mazurka_caller, Strength::strong);
}
