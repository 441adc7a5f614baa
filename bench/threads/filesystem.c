// File system (Flanagan and Godefroid, POPL 2005): N threads each give their inode a block. 32
// inodes and 26 blocks, each with a lock; a block that is busy sends the search on to the next.
//
// Executions (--racy): 2^(N-13) for 13 <= N <= 26, 1 below. Thread i starts its search at block
// 2i mod 26, so only i and i + 13 meet: each such pair has two orders, and the loser takes the
// neighbour, an odd block, which nobody starts at. 16: 8, 20: 128, 22: 512, 24: 2048.
#include "run.h"

#ifndef N
#define N 16
#endif

enum { inodes = 32, blocks = 26 };

int inode[inodes];
int busy[blocks];
pthread_mutex_t inode_lock[inodes];
pthread_mutex_t block_lock[blocks];

static void* allocate(void* argument) {
  const int i = number(argument) % inodes;
  pthread_mutex_lock(&inode_lock[i]);
  if (inode[i] == 0) {
    int b = i * 2 % blocks;
    for (;;) {
      pthread_mutex_lock(&block_lock[b]);
      if (!busy[b]) {
        busy[b] = 1;
        inode[i] = b + 1;
        pthread_mutex_unlock(&block_lock[b]);
        break;
      }
      pthread_mutex_unlock(&block_lock[b]);
      b = (b + 1) % blocks;
    }
  }
  pthread_mutex_unlock(&inode_lock[i]);
  return 0;
}

int main(void) {
  for (int i = 0; i < inodes; i++) pthread_mutex_init(&inode_lock[i], 0);
  for (int b = 0; b < blocks; b++) pthread_mutex_init(&block_lock[b], 0);
  run_all(N, allocate);
  return 0;
}
