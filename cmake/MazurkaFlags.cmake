# How a program is compiled and linked so that Mazurka can check it, said once: the wrappers
# mazurka-cc and mazurka-c++, the package for pkg-config and the target mazurka::threads are made
# from these lists. An entry of two words belongs together.

# gcc, besides -specs=mazurka.specs: that instruments in the compiler proper, and the driver does not
# link libtsan. Copies that gcc would expand in place are not instrumented, so these functions stay
# calls; builtin_calls.h (-include) sees to those that are named __builtin_memcpy and the like.
set(MAZURKA_GNU_FLAGS
  -fno-builtin-memcpy -fno-builtin-memmove -fno-builtin-memset -fno-builtin-strcpy
  -fno-builtin-strncpy -fno-builtin-strcat -fno-builtin-strncat -fno-builtin-strcmp
  -fno-builtin-strncmp -fno-builtin-memcmp -fno-builtin-sprintf -fno-builtin-snprintf
  -fno-builtin-bzero -fno-builtin-bcopy -fno-builtin-bcmp -fno-builtin-mempcpy -fno-builtin-stpcpy
  -fno-builtin-stpncpy
  # Fences are seen, whatever gcc says of the instrumentation.
  -Wno-tsan
  # Accesses to volatile variables are told apart (--volatile atomic).
  --param=tsan-distinguish-volatile=1)

# clang. Without read-before-write the read in x++ would be invisible to the checker. And the pass
# leaves out what a function does with a part of a local variable whose address only as a whole is
# given away: it asks whether the part's address may be captured. When the answer is not worth a
# single look, it is yes.
set(MAZURKA_CLANG_FLAGS
  -fsanitize=thread
  "-mllvm -tsan-instrument-read-before-write=1"
  "-mllvm -tsan-instrument-func-entry-exit=0"
  "-mllvm -tsan-distinguish-volatile=1"
  "-mllvm -capture-tracking-max-uses-to-explore=0")
# clang on x86-64: atomics of 16 bytes are calls that can be taken over.
set(MAZURKA_CLANG_X86_FLAGS -mcx16)

# No call is turned into a jump: who frees a block, and the stacks in reports, would be lost.
set(MAZURKA_COMPILE_FLAGS
  -g -fno-omit-frame-pointer -fno-optimize-sibling-calls -U_FORTIFY_SOURCE -D_GLIBCXX_ASSERTIONS)
# After the user's own: whole-program optimisation would undo the instrumentation.
set(MAZURKA_LAST_FLAGS -fno-lto)

# Programs of MPI: an executable that can be loaded once per rank, whose copies use nothing of each
# other. -fPIE in the place of -fPIC would make copies of the libraries' variables (std::cout).
set(MAZURKA_MPI_COMPILE_FLAGS -fPIC)
set(MAZURKA_MPI_LINK_FLAGS -pie -Wl,-z,nocopyreloc -Wl,--export-dynamic-symbol=main)

# Before the runtime. The runtime finds the exported functions of the program by their names. What
# shared libraries lack is said when the program starts: to find it out, the linker would read the
# libraries that the runtime needs, which takes two thirds of the time of linking a C program.
set(MAZURKA_LINK_FLAGS
  -pthread -Wl,--no-as-needed -Wl,-z,now -Wl,--build-id -Wl,--allow-shlib-undefined
  -Wl,--export-dynamic-symbol=__VERIFIER_atomic_*
  -Wl,--export-dynamic-symbol=assume_abort_if_not
  -Wl,--export-dynamic-symbol=__VERIFIER_assume)
