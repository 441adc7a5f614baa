// mazurka: ranks=2 verdict=verified
//
// What derived types send, and where it goes.
#include "pair.h"

typedef struct {
  char name;
  double weight;
  int ids[2];
} Item;

int main(int argc, char** argv) {
  start(&argc, &argv);
  int grid[3][4];
  for (int i = 0; i < 12; ++i) (&grid[0][0])[i] = rank == 0 ? i : -1;

  MPI_Datatype column;
  MPI_Type_vector(3, 1, 4, MPI_INT, &column);
  MPI_Type_commit(&column);
  if (rank == 0) MPI_Send(&grid[0][1], 1, column, 1, 0, WORLD);
  if (rank == 1) {
    MPI_Recv(&grid[0][2], 1, column, 0, 0, WORLD, IGNORE);
    assert(grid[0][2] == 1 && grid[1][2] == 5 && grid[2][2] == 9 && grid[1][1] == -1);
  }
  MPI_Type_free(&column);

  MPI_Datatype block;
  const int sizes[2] = {3, 4};
  const int parts[2] = {2, 2};
  const int starts[2] = {1, 1};
  MPI_Type_create_subarray(2, sizes, parts, starts, MPI_ORDER_C, MPI_INT, &block);
  MPI_Type_commit(&block);
  if (rank == 0) MPI_Send(grid, 1, block, 1, 0, WORLD);
  if (rank == 1) {
    int flat[4];
    MPI_Recv(flat, 4, MPI_INT, 0, 0, WORLD, IGNORE);
    assert(flat[0] == 5 && flat[1] == 6 && flat[2] == 9 && flat[3] == 10);
  }
  MPI_Type_free(&block);

  MPI_Datatype item;
  MPI_Datatype padded;
  const int lengths[3] = {1, 1, 2};
  const MPI_Aint places[3] = {offsetof(Item, name), offsetof(Item, weight), offsetof(Item, ids)};
  const MPI_Datatype types[3] = {MPI_CHAR, MPI_DOUBLE, MPI_INT};
  MPI_Type_create_struct(3, lengths, places, types, &item);
  MPI_Type_create_resized(item, 0, sizeof(Item), &padded);
  MPI_Type_commit(&padded);
  Item items[2] = {{'a', 1.5, {1, 2}}, {'b', 2.5, {3, 4}}};
  if (rank == 1) memset(items, 0, sizeof items);
  MPI_Bcast(items, 2, padded, 0, WORLD);
  assert(items[1].name == 'b' && items[1].weight == 2.5 && items[1].ids[1] == 4);
  int bytes = 0;
  MPI_Aint lower = -1;
  MPI_Aint extent = 0;
  MPI_Type_size(padded, &bytes);
  MPI_Type_get_extent(padded, &lower, &extent);
  assert(bytes == 17 && lower == 0 && extent == sizeof(Item));
  MPI_Type_free(&item);
  MPI_Type_free(&padded);

  MPI_Datatype scattered;
  const int runs[2] = {2, 1};
  const int offsets[2] = {3, 0};
  MPI_Type_indexed(2, runs, offsets, MPI_INT, &scattered);
  MPI_Type_commit(&scattered);
  if (rank == 0) MPI_Send(grid, 1, scattered, 1, 0, WORLD);
  if (rank == 1) {
    int flat[3];
    MPI_Recv(flat, 3, MPI_INT, 0, 0, WORLD, IGNORE);
    assert(flat[0] == 3 && flat[1] == 4 && flat[2] == 0);
  }
  MPI_Type_free(&scattered);
  return finish();
}
