// mazurka: ranks=2 verdict=verified
//
// What windows and communicators were told can be asked for.
#include <string.h>

#include "pair.h"

static MPI_Info info_of(const char* key, const char* value) {
  MPI_Info info;
  MPI_Info_create(&info);
  MPI_Info_set(info, key, value);
  return info;
}

static int count_of(MPI_Info info) {
  int count = -1;
  MPI_Info_get_nkeys(info, &count);
  return count;
}

static int has(MPI_Info info, const char* key, const char* value) {
  char text[MPI_MAX_INFO_VAL + 1];
  int found = 0;
  MPI_Info_get(info, key, MPI_MAX_INFO_VAL, text, &found);
  return found && strcmp(text, value) == 0;
}

int main(int argc, char** argv) {
  start(&argc, &argv);
  MPI_Info told = info_of("one", "1");
  MPI_Info more = info_of("two", "2");
  MPI_Info known;

  MPI_Win win;
  void* base;
  MPI_Win_allocate(4, 4, told, WORLD, &base, &win);
  MPI_Win_set_info(win, more);
  MPI_Info_set(more, "two", "3");
  MPI_Win_get_info(win, &known);
  assert(count_of(known) == 2 && has(known, "one", "1") && has(known, "two", "2"));
  MPI_Info_free(&known);
  MPI_Win_free(&win);

  MPI_Comm_get_info(WORLD, &known);
  assert(count_of(known) == 0);
  MPI_Info_free(&known);
  MPI_Comm_set_info(WORLD, told);
  MPI_Comm copies[2];
  MPI_Comm_dup(WORLD, &copies[0]);
  MPI_Comm_dup_with_info(WORLD, more, &copies[1]);
  MPI_Comm_get_info(copies[0], &known);
  assert(count_of(known) == 1 && has(known, "one", "1"));
  MPI_Info_free(&known);
  MPI_Comm_get_info(copies[1], &known);
  assert(count_of(known) == 1 && has(known, "two", "3"));
  MPI_Info_free(&known);
  MPI_Comm_free(&copies[0]);
  MPI_Comm_free(&copies[1]);
  MPI_Info_free(&told);
  MPI_Info_free(&more);
  return finish();
}
