// mazurka: ranks=2 verdict=verified
// broken: verdict=finding finding=leak at=group
//
// A group that is not freed.
#include "pair.h"

int main(int argc, char** argv) {
  start(&argc, &argv);
  MPI_Group group;
  int members = 0;
  MPI_Comm_group(WORLD, &group);  // at: group
  MPI_Group_size(group, &members);
  assert(members == 2);
  if (EITHER(0, 1)) MPI_Group_free(&group);
  return finish();
}
