// Which mutant a program is, chosen as it runs: run.py includes this in the sources that it
// changes.
//
// Idea. The variable MAZURKA_MUTANT names the mutant. It is read once, from `environ` itself and
// into memory of its own: the functions of the C library are hooked in programs under test, and
// such a program may change its environment. Before the C library is ready no mutant is chosen.
#pragma once

#ifdef __cplusplus
extern "C" {
#endif
extern char** environ;
#ifdef __cplusplus
}
#endif

__attribute__((no_sanitize("thread"), noinline, unused)) static int mutant_is(const char* name) {
  static char chosen[64];
  static int known;
  if (!known) {
    const char* const variable = "MAZURKA_MUTANT=";
    char** entry = environ;
    if (!entry) return 0;
    for (; *entry; ++entry) {
      unsigned at = 0;
      while (variable[at] != '\0' && (*entry)[at] == variable[at]) ++at;
      if (variable[at] != '\0') continue;
      const char* const value = *entry + at;
      for (at = 0; value[at] != '\0' && at + 1 < sizeof chosen; ++at) chosen[at] = value[at];
    }
    known = 1;
  }
  for (unsigned at = 0;; ++at) {
    if (name[at] != chosen[at]) return 0;
    if (name[at] == '\0') return 1;
  }
}
