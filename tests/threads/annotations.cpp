// mazurka: verdict=verified traces=any
// broken: verdict=finding finding=data_race traces=any
//
// What a program tells a race detector about itself: that something comes before something else,
// that a race does not matter, that a lock of its own making is one. Broken: it does not say so.
#include <atomic>
#include <thread>

extern "C" {
void __tsan_acquire(void*);
void __tsan_release(void*);
void __tsan_mutex_pre_lock(void*, unsigned);
void __tsan_mutex_post_lock(void*, unsigned, int);
int __tsan_mutex_pre_unlock(void*, unsigned);
void __tsan_mutex_post_unlock(void*, unsigned);
void AnnotateBenignRaceSized(const char*, int, const volatile void*, std::size_t, const char*);
void AnnotateIgnoreWritesBegin(const char*, int);
void AnnotateIgnoreWritesEnd(const char*, int);
}

#ifdef BROKEN
#define SAY(what)
#else
#define SAY(what) what
#endif

namespace {

class Lock {
 public:
  void lock() {
    SAY(__tsan_mutex_pre_lock(this, 0));
    while (held_.exchange(true, std::memory_order_relaxed)) {
    }
    SAY(__tsan_mutex_post_lock(this, 0, 0));
  }
  void unlock() {
    SAY(__tsan_mutex_pre_unlock(this, 0));
    held_.store(false, std::memory_order_relaxed);
    SAY(__tsan_mutex_post_unlock(this, 0));
  }

 private:
  std::atomic<bool> held_{false};
};

Lock guard;
int counted, handed_over, statistics, ignored;
std::atomic<bool> ready{false};

void count() {
  guard.lock();
  ++counted;
  guard.unlock();
  ++statistics;
  SAY(AnnotateIgnoreWritesBegin(__FILE__, __LINE__));
  ignored = 1;
  SAY(AnnotateIgnoreWritesEnd(__FILE__, __LINE__));
}

}  // namespace

int main() {
  SAY(AnnotateBenignRaceSized(__FILE__, __LINE__, &statistics, sizeof statistics, "only counted"));
  std::thread other([] {
    handed_over = 1;
    SAY(__tsan_release(&handed_over));
    ready.store(true, std::memory_order_relaxed);
    count();
  });
  if (ready.load(std::memory_order_relaxed)) {
    SAY(__tsan_acquire(&handed_over));
    handed_over = 2;
  }
  count();
  other.join();
  return 0;
}
