// mazurka: verdict=finding finding=crash message="segmentation fault at address 0x0" also=yes
//
// A crash in the middle of a copy that goes backwards (x86-64 has a flag for that, and functions
// may not be called while it is set: so the copy is an instruction of its own): the report is made
// as ever.
int main(void) {
  volatile int* nowhere = 0;
#if defined(__x86_64__)
  int found;
  __asm__ volatile("std\n\tmovl (%1), %0" : "=r"(found) : "r"(nowhere) : "memory");
  return found;
#else
  return *nowhere;
#endif
}
