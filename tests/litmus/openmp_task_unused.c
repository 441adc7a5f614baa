// mazurka: verdict=verified traces=any flags="-fopenmp"
//
// A task that nobody comes to does no harm.
int main(int argc, char** argv) {
  (void)argv;
  int value = 0;
  if (argc > 1) {
#pragma omp task shared(value)
    value = 1;
#pragma omp taskwait
  }
  return value;
}
