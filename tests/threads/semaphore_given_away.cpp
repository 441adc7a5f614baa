// mazurka: verdict=verified traces=any
// broken: verdict=finding finding=memory_error traces=any
//
// Who has got past a semaphore may free it, though the thread that has let it pass still has to
// wake those who wait: that takes nothing but the address. Broken: it gives to it once more.
#include <semaphore>
#include <thread>

int main() {
  auto* semaphore = new std::binary_semaphore(0);
  std::thread other([semaphore] {
    semaphore->release();
#ifdef BROKEN
    semaphore->release();
#endif
  });
  semaphore->acquire();
  delete semaphore;
  other.join();
}
