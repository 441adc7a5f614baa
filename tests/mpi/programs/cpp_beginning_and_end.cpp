// mazurka: ranks=3 verdict=verified
// broken: verdict=finding finding=data_race
//
// Each rank begins its own globals in every execution, and ends them. What it does before main is
// explored.
#include <mpi.h>
#include <pthread.h>

#include <cassert>
#include <cstdlib>
#include <vector>

namespace {

int begun, ended, written;
pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;

void* write(void* unused) {
  pthread_mutex_lock(&mutex);
  ++written;
  pthread_mutex_unlock(&mutex);
  return unused;
}

struct Counter {
  std::vector<int> all;
  Counter() : all(3, 7) {
    assert(++begun == 1);
    pthread_t other;
    pthread_create(&other, nullptr, write, nullptr);
#ifdef BROKEN
    ++written;
#else
    write(nullptr);
#endif
    pthread_join(other, nullptr);
  }
  ~Counter() { assert(begun == 1 && ++ended == 1 && all.size() == 4 && written == 2); }
} counter;
thread_local int own = 3;

__attribute__((constructor)) void early() { own = 4; }
__attribute__((destructor)) void late() { assert(ended == 1); }
void at_exit() { assert(ended == 0); }

}  // namespace

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  atexit(at_exit);
  int rank = 0;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  assert(begun == 1 && own == 4 && counter.all.size() == 3);
  counter.all.push_back(rank);
  if (rank == 0) {
    int got = 0;
    MPI_Recv(&got, 1, MPI_INT, 1, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    assert(got == 7);
  } else if (rank == 1) {
    MPI_Send(counter.all.data(), 1, MPI_INT, 0, 0, MPI_COMM_WORLD);
  }
  MPI_Finalize();
}
