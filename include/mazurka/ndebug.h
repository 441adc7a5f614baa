/* Included before everything else by mazurka-cc and mazurka-c++ where -DNDEBUG is given: leaves a
   mark in the program, so that a report can say that its assertions are not checked. */
#if !defined(MAZURKA_NDEBUG_H) && !defined(__ASSEMBLER__)
#define MAZURKA_NDEBUG_H
__attribute__((used, section(".mazurka.ndebug"))) static const char mazurka_ndebug[] =
    __BASE_FILE__;
#endif
