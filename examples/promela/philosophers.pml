/* Each philosopher takes the left fork first: all of them can starve. */
#define N 4

bool taken[N];

active [N] proctype philosopher() {
  byte left = _pid;
  byte right = (_pid + 1) % N;
  do
  :: atomic { !taken[left] -> taken[left] = true };
     atomic { !taken[right] -> taken[right] = true };
     taken[right] = false;
     taken[left] = false
  od
}
