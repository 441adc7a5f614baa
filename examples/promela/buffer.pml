/* A producer and a consumer with a buffer between them: what comes out is what went in. */
#define MESSAGES 3

mtype = { data, done };
chan buffer = [2] of { mtype, byte };

active proctype producer() {
  byte i;
  for (i : 1 .. MESSAGES) {
    buffer!data(i)
  }
  buffer!done(0)
}

active proctype consumer() {
  byte got, expected;
  expected = 1;
  do
  :: buffer?data(got) ->
     assert(got == expected);
     expected++
  :: buffer?done(_) -> break
  od;
  assert(expected == MESSAGES + 1)
}
