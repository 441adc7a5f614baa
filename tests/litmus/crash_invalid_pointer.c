// mazurka: verdict=finding finding=crash message="segmentation fault at address 0xdeadbeef0000"
//          message.x86_64="segmentation fault at an invalid address" also=yes
//
// An address that no memory can have. On x86-64 the kernel does not tell which one it was; it must
// not be taken for a null pointer.
int main(void) {
  volatile int* wild = (volatile int*)0x00deadbeef0000UL;
#if defined(__x86_64__)
  wild = (volatile int*)0x5adeadbeef000000UL;
#endif
  return *wild;
}
