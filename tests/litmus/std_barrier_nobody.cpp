// mazurka: verdict=verified traces=1
// broken: verdict=finding finding=misuse traces=any
//
// Who arrives at a barrier does so for one at least. Broken: for none, which is undefined.
#include <barrier>

int main() {
  std::barrier alone(1);
#ifdef BROKEN
  (void)alone.arrive(0);
#else
  (void)alone.arrive();
#endif
}
