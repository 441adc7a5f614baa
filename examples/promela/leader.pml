/* Leader election in a ring (Chang and Roberts): the largest number wins, and only once. */
#define N 4

chan ring[N] = [N] of { byte };
byte leaders;
byte winner;

proctype node(byte me; byte number) {
  byte got;
  ring[(me + 1) % N]!number;
  do
  :: ring[me]?got ->
     if
     :: got > number -> ring[(me + 1) % N]!got
     :: got < number
     :: got == number -> atomic { leaders++; winner = number; assert(leaders == 1) }
     fi
  :: timeout -> break
  od;
  assert(leaders == 1 && winner == N)
}

init {
  byte i;
  atomic {
    for (i : 0 .. N - 1) {
      run node(i, ((i * 3) % N) + 1)
    }
  }
}
