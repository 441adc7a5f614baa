// mazurka: ranks=5 verdict=verified
// broken: verdict=finding finding=misuse message="bring different types"
//
// Each group gets what the other has brought, spread over its own ranks; both bring as much.
#include "pair.h"

int main(int argc, char** argv) {
  start(&argc, &argv);
  MPI_Comm own;
  MPI_Comm between;
  const int group = rank < 2 ? 0 : 1;  // two ranks, and three
  MPI_Comm_split(WORLD, group, 0, &own);
  MPI_Intercomm_create(own, 0, WORLD, group == 0 ? 2 : 0, 0, &between);
  int values[7];
  for (int at = 0; at < 7; ++at) values[at] = 10 * rank + at;
  const int factor = group == 0 ? 3 : 2;  // so many bring a value
  const int sum = group == 0 ? 90 : 10;

  const int counts[2][3] = {{2, 4}, {1, 2, EITHER(4, 3)}};
  const int begins[2][3] = {{0, 2}, {0, 1, 3}};
  int number;
  MPI_Comm_rank(between, &number);
  int got[4] = {-1, -1, -1, -1};
  MPI_Reduce_scatter(values, got, counts[group], MPI_INT, MPI_SUM, between);
  for (int at = 0; at < 4; ++at) {
    const int value = sum + factor * (begins[group][number] + at);
    assert(got[at] == (at < counts[group][number] ? value : -1));
  }

  const int block = group == 0 ? 3 : 2;
  MPI_Request request;
  MPI_Ireduce_scatter_block(values, got, block, MPI_INT, MPI_SUM, between, &request);
  MPI_Wait(&request, MPI_STATUS_IGNORE);
  for (int at = 0; at < block; ++at) assert(got[at] == sum + factor * (number * block + at));
  MPI_Comm_free(&between);
  MPI_Comm_free(&own);
  return finish();
}
