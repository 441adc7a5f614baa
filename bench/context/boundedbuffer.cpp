// A producer puts N times into a ring of SIZE places, a consumer gets N times; an operation is one
// step, and does nothing if the ring is full or empty. The consumer comes first.
//
// Optimal: C(2N, N).
//
// With two numbers as arguments, an assertion fails if the ring ends with that first place and that
// many places used: which ends a technique reaches can be asked one by one.
#include <cstdlib>

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

int main(int argc, char** argv) {
  Process consumer, producer;
  consumer.start(get, 0);
  producer.start(put, 0);
  consumer.wait();
  producer.wait();
  if (argc == 3) mazurka_assert(first != std::atoi(argv[1]) || used != std::atoi(argv[2]));
}
