/* The first process of the emulated x86-64 machine.

   Loads the modules that the folders of the host need, makes one of these the root, mounts the
   others where they are on the host, so that all paths mean the same here and there, and runs the
   script that the host has left in the root. When that ends the machine is switched off. */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mount.h>
#include <sys/reboot.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

static void must(int result, const char* what) {
  if (result == 0) return;
  printf("init: %s: %s\n", what, strerror(errno));
  fflush(stdout);
  sleep(1);
  reboot(RB_POWER_OFF);
}

/* Calls `use` for every line of the file. */
static void for_each_line(const char* file, void (*use)(char*)) {
  char text[8192] = "";
  FILE* list = fopen(file, "r");
  must(list == NULL, file);
  text[fread(text, 1, sizeof text - 1, list)] = 0;
  fclose(list);
  for (char* line = strtok(text, "\n"); line != NULL; line = strtok(NULL, "\n")) use(line);
}

static void load_module(char* path) {
  const int module = open(path, O_RDONLY);
  if (syscall(SYS_finit_module, module, "", 0) != 0 && errno != EEXIST) must(-1, path);
  close(module);
}

static void make_folders(const char* path) {
  char part[512];
  for (const char* end = strchr(path + 1, '/');; end = strchr(end + 1, '/')) {
    snprintf(part, sizeof part, "%.*s", end == NULL ? (int)strlen(path) : (int)(end - path), path);
    mkdir(part, 0755);
    if (end == NULL) return;
  }
}

/* A line: TAG PLACE CACHE. */
static void mount_folder(char* line) {
  char tag[64], place[512], cache[32], below[600], options[128];
  must(sscanf(line, "%63s %511s %31s", tag, place, cache) != 3, line);
  snprintf(options, sizeof options, "trans=virtio,version=9p2000.L,msize=512000,cache=%s", cache);
  snprintf(below, sizeof below, "/new%s", place);
  make_folders(below);
  must(mount(tag, below, "9p", 0, options), place);
}

static void mount_system(const char* type, const char* place) {
  char below[600];
  snprintf(below, sizeof below, "/new%s", place);
  make_folders(below);
  must(mount(type, below, type, 0, ""), place);
}

int main(void) {
  mkdir("/dev", 0755);
  mount("dev", "/dev", "devtmpfs", 0, "");
  const int console = open("/dev/console", O_RDWR);
  for (int file = 0; file < 3; ++file) dup2(console, file);
  for_each_line("/modules", load_module);
  for_each_line("/folders", mount_folder); /* the root comes first */
  mount_system("devtmpfs", "/dev");
  mount_system("devpts", "/dev/pts");
  mount_system("tmpfs", "/dev/shm");
  mount_system("tmpfs", "/tmp");
  mount_system("tmpfs", "/run");
  mount_system("proc", "/proc");
  mount_system("sysfs", "/sys");
  must(chroot("/new") || chdir("/"), "chroot");

  const pid_t child = fork();
  if (child == 0) {
    setsid();
    setenv("PATH", "/usr/local/bin:/usr/bin:/usr/sbin", 1);
    setenv("HOME", "/root", 1);
    setenv("LANG", "C.UTF-8", 1);
    execl("/bin/bash", "bash", "/machine.sh", (char*)NULL);
    _exit(127);
  }
  while (wait(NULL) != child) {
  }
  sync();
  reboot(RB_POWER_OFF);
  return 0;
}
