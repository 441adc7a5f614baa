/* The compilers of the emulated machine: they ask the host, which is many times faster.

   Called as gcc, g++, clang or clang++. The request is a file with the folder and the words of the
   command, in a folder that both sides see; the answer is what the command printed and its status.
   All paths that the command names mean the same on the host (init.c). */
#include <fcntl.h>
#include <libgen.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static char* name_of(const char* what) {
  char* name = NULL;
  if (asprintf(&name, "%s/%d.%s", getenv("MAZURKA_HOST"), (int)getpid(), what) < 0) exit(127);
  return name;
}

static void show(const char* what, FILE* to) {
  char* name = name_of(what);
  char block[4096];
  FILE* from = fopen(name, "r");
  if (from == NULL) return;
  for (size_t size; (size = fread(block, 1, sizeof block, from)) != 0;) fwrite(block, 1, size, to);
  fclose(from);
  unlink(name);
}

int main(int argc, char** argv) {
  if (getenv("MAZURKA_HOST") == NULL) {
    fprintf(stderr, "%s: MAZURKA_HOST does not say where to ask\n", argv[0]);
    return 127;
  }
  char folder[4096];
  FILE* request = fopen(name_of("new"), "w");
  if (request == NULL || getcwd(folder, sizeof folder) == NULL) {
    perror(argv[0]);
    return 127;
  }
  fprintf(request, "%s%c%s", folder, 0, basename(argv[0]));
  for (int i = 1; i < argc; ++i) fprintf(request, "%c%s", 0, argv[i]);
  fclose(request);
  rename(name_of("new"), name_of("request"));

  char* done = name_of("done");
  struct stat about;
  while (stat(done, &about) != 0) usleep(5000);
  show("out", stdout);
  show("err", stderr);
  int status = 127;
  FILE* answer = fopen(done, "r");
  if (answer == NULL || fscanf(answer, "%d", &status) != 1) perror(done);
  if (answer != NULL) fclose(answer);
  unlink(done);
  return status;
}
