// A producer puts N times into a ring of SIZE places, a consumer gets N times; an operation is one
// step, and does nothing if the ring is full or empty. The consumer comes first.
//
// Optimal: C(2N, N).
#include "run.hpp"

#ifndef N
#define N 7
#endif
#ifndef SIZE
#define SIZE 5
#endif

int ring[SIZE];
int first, used;

static void get(int) {
  for (int i = 0; i < N; ++i) {
    mazurka::atomic([&] {
      if (used == 0) return;
      ring[first] = 0;
      first = (first + 1) % SIZE;
      --used;
    });
  }
}

static void put(int) {
  for (int i = 0; i < N; ++i) {
    mazurka::atomic([&] {
      if (used == SIZE) return;
      ring[(first + used) % SIZE] = 1;
      ++used;
    });
  }
}

int main() {
  Process consumer, producer;
  consumer.start(get, 0);
  producer.start(put, 0);
  consumer.wait();
  producer.wait();
}
