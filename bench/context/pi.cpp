// N processes each add their part to a common sum, as one indivisible step.
//
// Optimal: N!, since any two additions are dependent. They all commute.
#include "run.hpp"

#ifndef N
#define N 5
#endif

int sum;

int main() {
  run_all(N, [](int i) { mazurka::atomic([&] { sum += i + 1; }); });
}
