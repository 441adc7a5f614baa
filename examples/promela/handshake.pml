/* A client and a server meet. The server stops early, so the client can wait in vain. */
mtype = { ask, answer, stop };
chan calls = [0] of { mtype };

active proctype client() {
  calls!ask;
  calls?answer;
  calls!ask;
  calls?answer
}

active proctype server() {
end:
  do
  :: calls?ask -> calls!answer
  :: break
  od
}
