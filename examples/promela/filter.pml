/* The filter lock: Peterson's idea for N processes. */
#define N 3

byte level[N];
byte last[N];
byte inside;

active [N] proctype P() {
  byte i, other;
  do
  :: for (i : 1 .. N - 1) {
       level[_pid] = i;
       last[i] = _pid;
       other = 0;
       do
       :: other < N && (other == _pid || level[other] < i || last[i] != _pid) -> other++
       :: other == N -> break
       od
     }
     inside++;
     assert(inside == 1);
     inside--;
     level[_pid] = 0
  od
}
