/* Included before everything else by gcc (-include).

   gcc expands copies of a known size in place, after it has instrumented the program: nobody would
   see them. -fno-builtin-memcpy and the like make calls of the functions' own names; these are the
   names behind which gcc keeps its own, and which its C++ library uses (std::fill, std::copy,
   std::char_traits). In constant expressions they stay what they are. */
#if defined(__GNUC__) && !defined(__clang__) && !defined(__ASSEMBLER__)
#pragma GCC system_header /* no warnings about names and macros */

#ifdef __cplusplus
extern "C" {
#endif
void* __mazurka_memcpy(void*, const void*, __SIZE_TYPE__) __asm__("memcpy");
void* __mazurka_memmove(void*, const void*, __SIZE_TYPE__) __asm__("memmove");
void* __mazurka_memset(void*, int, __SIZE_TYPE__) __asm__("memset");
int __mazurka_memcmp(const void*, const void*, __SIZE_TYPE__) __asm__("memcmp");
#ifdef __cplusplus
}
#define __mazurka_call(name, ...)                                    \
  (__builtin_is_constant_evaluated() ? __builtin_##name(__VA_ARGS__) \
                                     : __mazurka_##name(__VA_ARGS__))
#else
#define __mazurka_call(name, ...) __mazurka_##name(__VA_ARGS__)
#endif

#define __builtin_memcpy(...) __mazurka_call(memcpy, __VA_ARGS__)
#define __builtin_memmove(...) __mazurka_call(memmove, __VA_ARGS__)
#define __builtin_memset(...) __mazurka_call(memset, __VA_ARGS__)
#define __builtin_memcmp(...) __mazurka_call(memcmp, __VA_ARGS__)

#endif
