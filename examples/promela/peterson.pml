/* Peterson's lock for two processes: they are never both inside. */
bool wants[2];
byte turn;
byte inside;

active [2] proctype P() {
  do
  :: wants[_pid] = true;
     turn = 1 - _pid;
     (!wants[1 - _pid] || turn == _pid);
     inside++;
     assert(inside == 1);
     inside--;
     wants[_pid] = false
  od
}
